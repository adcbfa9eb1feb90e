// The readers of STL and OBJ, and the hull of what they read.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/readings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  espalier::fuzz::readMesh({reinterpret_cast<const char*>(data), size});
  return 0;
}
