// Masses, centres and inertias of bodies and subtrees, and the momentum of a whole system, against
// the sums over bodies that textbooks write down.

#include <gtest/gtest.h>

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/solve6.h"
#include "tests/oracle/maximal.h"
#include "tests/support/compare.h"

namespace espalier::testing {
namespace {

class Bodies : public ::testing::TestWithParam<int> {
 protected:
  using V3 = Eigen::Vector3d;
  using M3 = Eigen::Matrix3d;

  Bodies()
      : tree_(randomTree(static_cast<std::uint64_t>(GetParam()) + 40,
                         {.bodies = 2 + GetParam() % 11})),
        t_(tree_.topology),
        state_(randomState(t_, static_cast<std::uint64_t>(GetParam()))),
        maximal_(tree_, state_.q, state_.u),
        ws_(t_) {
    kinematics(t_, tree_.parameters, state_.q.data(), state_.u.data(), ws_);
  }

  bool carries(int body, int other) const {
    while (other > body) other = t_.bodies[other].parent;
    return other == body;
  }
  static std::vector<double> three(const V3& v) { return {v.x(), v.y(), v.z()}; }
  static V3 eigen(const Vec3d& v) { return {v.x, v.y, v.z}; }

  RandomTree tree_;
  const Topology& t_;
  RandomState state_;
  MaximalCoordinates maximal_;
  Workspace<double> ws_;
};

TEST_P(Bodies, SubtreesAreSumsOfTheirBodies) {
  std::vector<RigidInertia<double>> Ic(static_cast<std::size_t>(t_.nb));
  compositeInertias(t_, ws_, Ic.data());
  for (int b = 0; b < t_.nb; ++b) {
    double mass = 0;
    V3 centre = V3::Zero();
    for (int i = b; i < t_.nb; ++i)
      if (carries(b, i)) mass += maximal_.mass(i), centre += maximal_.mass(i) * maximal_.centre(i);
    centre /= mass;
    M3 inertia = M3::Zero();
    for (int i = b; i < t_.nb; ++i) {
      if (!carries(b, i)) continue;
      const V3 d = maximal_.centre(i) - centre;
      inertia += maximal_.inertiaAboutCentre(i) +
                 maximal_.mass(i) * (d.squaredNorm() * M3::Identity() - d * d.transpose());
    }
    EXPECT_NEAR(Ic[b].m, mass, 1e-13 * mass);
    EXPECT_LT(relativeDifference(numbers(ws_.origin + centreOf(Ic[b])), three(centre)), 1e-13);
    const Sym3<double> I = inertiaAboutCentre(Ic[b]);
    const std::vector<double> expected{inertia(0, 0), inertia(0, 1), inertia(0, 2),
                                       inertia(1, 1), inertia(1, 2), inertia(2, 2)};
    EXPECT_LT(relativeDifference(numbers(I), expected), 1e-12);
    EXPECT_LT(relativeDifference(Ic[b], compositeInertia(t_, b, ws_)), 1e-13);
  }
  EXPECT_LT(relativeDifference(Ic[0], totalInertia(t_, ws_)), 1e-13);
}

TEST_P(Bodies, ABaseTwistSetsTheMomentum) {
  const Force<double> wanted{{1, -2, 3}, {-4, 5, 6}};
  const Motion<double> change =
      solve6(totalInertia(t_, ws_), wanted - momentum(t_, tree_.parameters, state_.u.data(), ws_));
  std::vector<double> u = state_.u;
  const double base[6] = {change.v.x, change.v.y, change.v.z, change.w.x, change.w.y, change.w.z};
  for (std::size_t d = 0; d < 6; ++d) u[d] += base[d];

  // sum m v and sum (I w + (c - O) x m v), each body's velocity from its own pose and twist
  velocities(t_, u.data(), ws_);
  V3 linear = V3::Zero(), angular = V3::Zero();
  for (int i = 0; i < t_.nb; ++i) {
    const V3 w = eigen(ws_.V[i].w), c = maximal_.centre(i) - eigen(ws_.origin);
    const V3 mv = maximal_.mass(i) * (eigen(ws_.V[i].v) + w.cross(c));
    linear += mv;
    angular += maximal_.inertiaAboutCentre(i) * w + c.cross(mv);
  }
  EXPECT_LT(relativeDifference(three(linear), numbers(wanted.f)), 1e-12);
  EXPECT_LT(relativeDifference(three(angular), numbers(wanted.n)), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Random, Bodies, ::testing::Range(0, 24));

}  // namespace
}  // namespace espalier::testing
