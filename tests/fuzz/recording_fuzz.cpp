// The reader of recordings.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/recording_reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  espalier::fuzz::readRecording({reinterpret_cast<const char*>(data), size});
  return 0;
}
