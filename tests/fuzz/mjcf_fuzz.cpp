#include <cstddef>
#include <cstdint>

#include "tests/fuzz/readings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  espalier::fuzz::readMjcf({reinterpret_cast<const char*>(data), size});
  return 0;
}
