#include "espalier/core/processor.h"

namespace espalier {

bool hasWideRegisters() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
#else
  return true;
#endif
}

}  // namespace espalier
