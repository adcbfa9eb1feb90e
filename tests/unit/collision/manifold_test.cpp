// Which points of a hull on a plane are handed on.

#include <set>

#include "scene_fixture.h"
#include "tests/support/sole.h"

namespace espalier {
namespace {

/// The features of a tilted sole that reaches the plane with its lowest vertex.
std::set<int> pointsOf(const Vec3d& tilt) {
  const MeshShape sole = testing::sole(1e-5);
  const Mat3d R = rotation(expQuat(tilt));
  double lowest = 1;
  for (const Vec3d& v : sole.data->vertices) lowest = std::min(lowest, dot(R.r2, v));
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  const GeomId id = scene.addGeom(sole, {.owner = 0});
  scene.setPose(id, {R, {0, 0, -lowest}});
  std::set<int> features;
  for (const ContactPoint& p : contacts(scene, 0.002)) {
    EXPECT_LT(dot(R.r2, tmul(R, p.position - Vec3d{0, 0, -lowest})), -lowest + 1e-4);
    features.insert(p.feature);
  }
  return features;
}

// What is about to touch comes before a rim that is farther out and stays clear: else a foot on the
// ground would rock, since corners that carry it would be left out in turn.
TEST(Manifold, TheCornersOfAnUnevenSoleAreAllThere) {
  const std::set<int> flat = pointsOf({0, 0, 0});
  EXPECT_EQ(flat.size(), 8u);
  for (const double angle : {1e-4, 1e-3, 3e-3})
    for (int k = 0; k < 8; ++k) {
      const double direction = 0.25 * std::acos(-1.0) * k;
      EXPECT_EQ(pointsOf({angle * std::cos(direction), angle * std::sin(direction), 0}), flat)
          << angle << " rad about " << direction;
    }
}

}  // namespace
}  // namespace espalier
