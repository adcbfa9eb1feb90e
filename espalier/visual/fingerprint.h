#pragma once

// Fingerprint: everything that a description is made of and that may change, as bytes to compare.
// Cheap enough for every frame, and exact: numbers and texts are in it by value, objects that are
// immutable and kept alive by the scene by their address. Internal.

#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "espalier/world/world.h"

namespace espalier {

class Fingerprint {
 public:
  void clear() { size_ = 0; }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void add(const T& value) { append(&value, sizeof value); }
  void add(std::string_view text);
  void addWorld(const World& world);
  /// A robot's model, limits, frames, collision bodies and visuals; not where it is.
  void addRobot(const ArticulatedSystem& robot);
  void addShape(const Shape& shape);
  void addLook(const VisualSpec& look);
  /// in  numbers  a vector or matrix whose numbers lie side by side
  template <class Numbers>
  void addNumbers(const Numbers& numbers) {
    append(numbers.data(), sizeof(double) * static_cast<std::size_t>(numbers.size()));
  }

  friend bool operator==(const Fingerprint& a, const Fingerprint& b) {
    return a.size_ == b.size_ &&
           (a.size_ == 0 || std::memcmp(a.bytes_.data(), b.bytes_.data(), a.size_) == 0);
  }
  void swap(Fingerprint& other) {
    bytes_.swap(other.bytes_);
    std::swap(size_, other.size_);
  }

 private:
  void addSingleBody(const SingleBodyObject& object);
  void addVisuals(const std::vector<VisObject>& visuals);
  void append(const void* from, std::size_t size) {
    if (size == 0) return;
    if (size_ + size > bytes_.size()) bytes_.resize(2 * (size_ + size));
    std::memcpy(bytes_.data() + size_, from, size);
    size_ += size;
  }

  std::vector<std::byte> bytes_;  ///< the first size_ count
  std::size_t size_ = 0;
};

}  // namespace espalier
