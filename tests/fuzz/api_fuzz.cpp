#include "tests/fuzz/api_actions.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  espalier::fuzz::ApiActions({data, size}).run();
  return 0;
}
