#pragma once

// A step's scratch memory: bump allocation from one block, freed all at once.
// When a request does not fit it returns nullptr (the caller raises a flag) and the high-water
// mark tells how large the next block must be.

#include <cstddef>

#include "espalier/core/aligned.h"

namespace espalier {

class Arena {
 public:
  explicit Arena(std::size_t bytes) : block_(bytes) {}

  /// n objects of T, uninitialised, on a 64-byte boundary; nullptr when the block is full.
  template <class T>
  T* take(std::size_t n) {
    const std::size_t begin = (used_ + 63) / 64 * 64;
    const std::size_t end = begin + n * sizeof(T);
    highWater_ = std::max(highWater_, end);
    if (end > block_.size()) return nullptr;
    used_ = end;
    return reinterpret_cast<T*>(block_.data() + begin);
  }
  void reset() { used_ = 0; }
  std::size_t used() const { return used_; }
  std::size_t capacity() const { return block_.size(); }
  std::size_t highWater() const { return highWater_; }

 private:
  AlignedArray<std::byte> block_;
  std::size_t used_ = 0;
  std::size_t highWater_ = 0;
};

}  // namespace espalier
