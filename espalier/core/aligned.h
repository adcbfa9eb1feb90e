#pragma once

// A fixed run of T on a 64-byte boundary: the storage of workspaces and states.
// Sized once, never grows, so that a step cannot allocate through it.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace espalier {

template <class T>
class AlignedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  AlignedArray() = default;
  /// n elements, every byte zero.
  explicit AlignedArray(std::size_t n) : size_(n) {
    if (n == 0) return;
    data_ = static_cast<T*>(::operator new (bytes(), std::align_val_t{64}));
    std::fill_n(reinterpret_cast<unsigned char*>(data_), bytes(), static_cast<unsigned char>(0));
  }
  AlignedArray(const AlignedArray& other) : AlignedArray(other.size_) {
    std::copy_n(other.data_, size_, data_);
  }
  AlignedArray(AlignedArray&& other) noexcept { swap(other); }
  AlignedArray& operator=(AlignedArray other) noexcept {
    swap(other);
    return *this;
  }
  ~AlignedArray() { ::operator delete (data_, std::align_val_t{64}); }

  void swap(AlignedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  std::size_t bytes() const { return (size_ * sizeof(T) + 63) / 64 * 64; }
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace espalier
