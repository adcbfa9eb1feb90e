#pragma once

// Counts every operator new of the executable, and the bytes that it holds. Include in one source of a test executable only:
// it defines the global operators.

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
std::atomic<long> heldBytes{0};  // as malloc rounds them up

inline void* counted(void* p) {
  ++allocations;
  heldBytes += static_cast<long>(malloc_usable_size(p));
  return p;
}
inline void deallocate(void* p) {
  heldBytes -= static_cast<long>(malloc_usable_size(p));
  std::free(p);
}
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto a = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(a, (bytes + a - 1) / a * a)) return counted(p);
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return operator new (bytes, std::align_val_t{__STDCPP_DEFAULT_NEW_ALIGNMENT__});
}
// A sanitizer brings its own of this one, which would not match our delete.
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return counted(std::aligned_alloc(__STDCPP_DEFAULT_NEW_ALIGNMENT__,
                                    (bytes + __STDCPP_DEFAULT_NEW_ALIGNMENT__ - 1) /
                                        __STDCPP_DEFAULT_NEW_ALIGNMENT__ *
                                        __STDCPP_DEFAULT_NEW_ALIGNMENT__));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { deallocate(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { deallocate(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { deallocate(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
