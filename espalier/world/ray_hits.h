#pragma once

// Hits of a ray: every surface, nearest first.
//
//   const RayHits& hits = world.rayTest({0, 0, 5}, {0, 0, -1}, 50);
//   if (hits) hits->distance;                      // of the nearest
//   for (const RayTestResult& hit : hits) hit.object;

#include <cstddef>
#include <vector>

#include "espalier/robot/math.h"

namespace espalier {

class Object;

/// One surface on a ray.
struct RayTestResult {
  Object* object = nullptr;
  int body = 0;                ///< of the object
  Vec3d position{}, normal{};  ///< m; unit; world
  double distance = 0;         ///< m

  // RaiSim's names
  Object* getObject() const { return object; }
  int getLocalIdx() const { return body; }
  Vec<3> getPosition() const { return position; }
  Vec<3> getNormal() const { return normal; }
};

/// At most one surface of each shape, in the order of distance.
class RayHits {
 public:
  std::size_t size() const { return hits_.size(); }
  bool empty() const { return hits_.empty(); }
  /// pre  i < size()
  const RayTestResult& operator[](std::size_t i) const { return hits_[i]; }
  auto begin() const { return hits_.begin(); }
  auto end() const { return hits_.end(); }

  // The nearest one.   pre  not empty
  bool has_value() const { return !hits_.empty(); }
  explicit operator bool() const { return has_value(); }
  const RayTestResult& operator*() const { return hits_.front(); }
  const RayTestResult* operator->() const { return &hits_.front(); }

 private:
  friend class World;
  std::vector<RayTestResult> hits_;
};

}  // namespace espalier
