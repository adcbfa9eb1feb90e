#pragma once

// Fingerprint: everything that a description is made of and that may change, as bytes to compare.
// Cheap enough for every frame, and exact: what has a number or a text of its own is in it by value,
// what is immutable and kept alive by the scene by its address. Internal.

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

#include "espalier/world/world.h"

namespace espalier {

class Fingerprint {
 public:
  void clear() { bytes_.clear(); }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void add(const T& value) {
    const auto* from = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), from, from + sizeof value);
  }
  void add(std::string_view text);
  void addWorld(const World& world);
  /// A robot's model, limits, frames, collision bodies and visuals; not where it is.
  void addRobot(const ArticulatedSystem& robot);
  void addShape(const Shape& shape);
  void addLook(const VisualSpec& look);
  template <class Numbers>
  void addNumbers(const Numbers& numbers) {
    for (Eigen::Index i = 0; i < numbers.size(); ++i) add(numbers.data()[i]);
  }

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
  void swap(Fingerprint& other) { bytes_.swap(other.bytes_); }

 private:
  void addSingleBody(const SingleBodyObject& object);
  void addVisuals(const std::vector<VisObject>& visuals);

  std::vector<std::byte> bytes_;
};

}  // namespace espalier
