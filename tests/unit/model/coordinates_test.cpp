#include "espalier/model/coordinates.h"

#include <gtest/gtest.h>

#include "espalier/model/joints/dispatch.h"
#include "espalier/scalar/instantiate.h"
#include "tests/support/compare.h"
#include "tests/support/joint_kinds.h"

namespace espalier::testing {
namespace {

class Coordinates : public ::testing::TestWithParam<KindCase> {
 protected:
  RandomTree tree_ = GetParam().tree(5);
  const Topology& t_ = tree_.topology;
  RandomState s_ = randomState(t_, 8);
  std::vector<double> moved(const std::vector<double>& step) const {
    std::vector<double> q(s_.q.size());
    advance(t_, s_.q.data(), step.data(), q.data());
    return q;
  }
  std::vector<double> from(const std::vector<double>& q) const {
    std::vector<double> step(s_.u.size());
    difference(t_, s_.q.data(), q.data(), step.data());
    return step;
  }
};

TEST_P(Coordinates, DifferenceUndoesAdvance) {
  for (double size : {0.0, 1e-9, 1e-3, 0.1, 1.0}) {
    std::vector<double> step = s_.u;  // at most 2 sqrt 3 turns beyond pi: keep below
    for (double& x : step) x *= 0.8 * size;
    EXPECT_LT(relativeDifference(from(moved(step)), step), 1e-15) << size;
  }
}

TEST_P(Coordinates, AdvanceUndoesDifference) {
  const std::vector<double> target = randomState(t_, 77).q;
  const std::vector<double> arrived = moved(from(target));
  std::vector<double> left(s_.u.size());
  difference(t_, target.data(), arrived.data(), left.data());  // q and -q are one orientation
  EXPECT_LT(relativeDifference(left, std::vector<double>(left.size(), 0.0)), 1e-14);
}

TEST_P(Coordinates, AdvanceInPlaceKeepsQuaternionsUnit) {
  std::vector<double> q = s_.q, expected = moved(s_.u);
  advance(t_, q.data(), s_.u.data(), q.data());
  EXPECT_EQ(q, expected);
  for (int n = 0; n < 1000; ++n) advance(t_, q.data(), s_.u.data(), q.data());
  std::vector<double> unit = q;
  normalize(t_, unit.data());
  EXPECT_LT(relativeDifference(q, unit), 1e-15);
}

TEST_P(Coordinates, NeutralClosesEveryJoint) {
  std::vector<double> q(s_.q.size(), 0.3);
  neutral(t_, q.data());
  for (int i = 1; i < t_.nb; ++i) {
    const BodyTopology& body = t_.bodies[i];
    const auto& low = tree_.parameters.bodies[i];
    withJoint(body.kind, [&]<class J>() {
      Mat3d e;
      Vec3d p;
      J::pose(low, tree_.parameters.extra[i], q.data() + body.q, e, p);
      EXPECT_EQ(relativeDifference(e, low.E), 0);
      EXPECT_EQ(relativeDifference(p, low.p), 0);
    });
  }
}

TEST_P(Coordinates, NormalizeMendsQuaternions) {
  std::vector<double> q = s_.q, twice = s_.q;
  for (double& x : twice) x *= 2;
  std::vector<double> zero(q.size(), 0.0), identity(q.size());
  neutral(t_, identity.data());
  normalize(t_, zero.data());
  normalize(t_, twice.data());
  EXPECT_EQ(zero, identity);
  for (int i = 0; i < t_.nb; ++i) {
    const BodyTopology& b = t_.bodies[i];
    const bool turns = b.kind == JointKind::Spherical || b.kind == JointKind::Floating;
    for (int k = 0; k < b.nq; ++k)
      EXPECT_NEAR(twice[b.q + k], (turns && k >= b.nq - 4 ? 1 : 2) * q[b.q + k], 1e-15);
  }
}

TEST_P(Coordinates, RandomIsReproducible) {
  EXPECT_EQ(randomState(t_, 8).q, s_.q);
  EXPECT_NE(randomState(t_, 9).q, s_.q);
  std::vector<double> unit = s_.q;
  normalize(t_, unit.data());
  EXPECT_LT(relativeDifference(unit, s_.q), 1e-15);
}

TEST_P(Coordinates, AdvanceInLanesEqualsScalar) {
  using T = DoubleLanes;
  std::vector<T> q(s_.q.size()), step(s_.u.size());
  std::vector<RandomState> worlds;
  for (int w = 0; w < lanes_v<T>; ++w) {
    worlds.push_back(randomState(t_, static_cast<std::uint64_t>(w)));
    for (std::size_t i = 0; i < q.size(); ++i) setLane(q[i], w, worlds[w].q[i]);
    for (std::size_t i = 0; i < step.size(); ++i) setLane(step[i], w, worlds[w].u[i]);
  }
  advance(t_, q.data(), step.data(), q.data());
  for (int w = 0; w < lanes_v<T>; ++w) {
    advance(t_, worlds[w].q.data(), worlds[w].u.data(), worlds[w].q.data());
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_EQ(lane(q[i], w), worlds[w].q[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Coordinates, ::testing::ValuesIn(everyKind()), kindName);

}  // namespace
}  // namespace espalier::testing
