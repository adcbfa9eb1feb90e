#include "espalier/compat/arboris/joint_objects.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/support/compare.h"
#include "tests/support/shared.h"
#include "tests/unit/arboris/numbers.h"

namespace espalier::testing {
namespace {

Numbers flatJson(const nlohmann::json& rows) {
  Numbers all;
  for (const auto& row : rows) {
    if (row.is_array())
      for (double x : row) all.push_back(x);
    else
      all.push_back(row);
  }
  return all;
}
Numbers list(const Twist& t) { return {t.begin(), t.end()}; }

// The figures printed in seed 001: a hinge at 3.14 / 3 turning at 2 rad/s.
TEST(JointObjects, TheSeedsHinge) {
  const RzJoint j(3.14 / 3, 2.);
  EXPECT_EQ(j.ndof(), 1);
  EXPECT_NEAR(j.gpos()[0], 1.04666667, 5e-9);
  EXPECT_EQ(j.gvel()[0], 2);
  const double c = 0.50045969, s = 0.86575984;
  const Numbers pose{c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const Numbers ipose{c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  EXPECT_LT(relativeDifference(flat(j.pose()), pose), 5e-9);
  EXPECT_LT(relativeDifference(flat(j.ipose()), ipose), 5e-9);
  EXPECT_EQ(j.twist(), (Twist{0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(j.itwist(), (Twist{0, 0, -2, 0, 0, 0}));
  EXPECT_EQ(flat(j.jacobian()), (Numbers{0, 0, 1, 0, 0, 0}));
}

TEST(JointObjects, SlidersMoveAlongTheirAxis) {
  EXPECT_EQ(TxJoint(0.3, 2).twist(), (Twist{0, 0, 0, 2, 0, 0}));
  EXPECT_EQ(TyJoint(0.3, 2).twist(), (Twist{0, 0, 0, 0, 2, 0}));
  EXPECT_EQ(TzJoint(0.3, 2).twist(), (Twist{0, 0, 0, 0, 0, 2}));
  const Matrix4 x = TxJoint(0.3).pose(), y = TyJoint(0.3).pose(), z = TzJoint(0.3).pose();
  EXPECT_EQ(x[0][3], 0.3);
  EXPECT_EQ(y[1][3], 0.3);
  EXPECT_EQ(z[2][3], 0.3);
  EXPECT_EQ(x[1][3] + x[2][3] + y[0][3] + y[2][3] + z[0][3] + z[1][3], 0);
}

TEST(JointObjects, DefaultsAreClosed) {
  const Numbers one{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  EXPECT_EQ(flat(RyRxJoint().pose()), one);
  EXPECT_EQ(flat(FreeJoint().pose()), one);
  EXPECT_EQ(flat(TxTyTzJoint().pose()), one);
}

TEST(JointObjects, AFreeJointTakesOnlyPoses) {
  Matrix4 H = FreeJoint().pose();
  H[0][0] = 2;
  EXPECT_THROW((void)FreeJoint(H), std::invalid_argument);
  H[0][0] = -1;  // a reflection
  EXPECT_THROW((void)FreeJoint(H), std::invalid_argument);
  H[0][0] = 1;
  H[3][0] = 0.1;
  EXPECT_THROW((void)FreeJoint(H), std::invalid_argument);
}

// ---- against arboris' own figures, where they are present

template <class Joint>
Joint fromFixture(const nlohmann::json& c) {
  if constexpr (std::is_same_v<Joint, FreeJoint>)
    return Joint(c.at("gpos").get<Matrix4>(), c.at("gvel").get<Twist>());
  else
    return Joint(c.at("gpos").get<typename Joint::Coordinates>(),
                 c.at("gvel").get<typename Joint::Coordinates>());
}

template <class Joint>
void expectFixture(const nlohmann::json& all, const char* name) {
  const nlohmann::json& cases = all.at(name);
  ASSERT_FALSE(cases.empty());
  for (const nlohmann::json& c : cases) {
    SCOPED_TRACE(name);
    const Joint j = fromFixture<Joint>(c);
    EXPECT_EQ(j.ndof(), c.at("ndof").get<int>());
    const auto expectSame = [&c](const Numbers& ours, const char* key) {
      EXPECT_LT(relativeDifference(ours, flatJson(c.at(key))), 1e-14) << key;
    };
    expectSame(flat(j.pose()), "pose");
    expectSame(flat(j.ipose()), "ipose");
    expectSame(list(j.twist()), "twist");
    expectSame(list(j.itwist()), "itwist_corrected");
    expectSame(flat(j.jacobian()), "jacobian");
    expectSame(flat(j.djacobian()), "djacobian");
    expectSame(flat(adjoint(j.pose())), "adjoint");
    expectSame(flat(j.iadjoint()), "iadjoint");
    expectSame(flat(j.idadjoint()), "idadjoint_corrected");
    Joint moved = j;
    moved.integrate(c.at("integrate_gvel").get<std::remove_cvref_t<decltype(j.gvel())>>(),
                    c.at("integrate_dt").get<double>());
    expectSame(flat(moved.pose()), "integrate_pose");
  }
}

TEST(JointObjects, ArborisFixtures) {
  ESPALIER_SHARED_JSON(all, "fixtures/arboris/joints.json");
  expectFixture<RxJoint>(all, "RxJoint");
  expectFixture<RyJoint>(all, "RyJoint");
  expectFixture<RzJoint>(all, "RzJoint");
  expectFixture<RzRyJoint>(all, "RzRyJoint");
  expectFixture<RzRxJoint>(all, "RzRxJoint");
  expectFixture<RyRxJoint>(all, "RyRxJoint");
  expectFixture<RzRyRxJoint>(all, "RzRyRxJoint");
  expectFixture<TxTyTzJoint>(all, "TxTyTzJoint");
  expectFixture<FreeJoint>(all, "FreeJoint");
}

TEST(JointObjects, InversePoseUndoesAPose) {
  const Mat3d R = rotation(expQuat(Vec3d{0.3, -0.8, 1.1}));
  const Matrix4 H{{{R.r0.x, R.r0.y, R.r0.z, 0.4},
                   {R.r1.x, R.r1.y, R.r1.z, -2},
                   {R.r2.x, R.r2.y, R.r2.z, 0.7},
                   {0, 0, 0, 1}}};
  const Matrix4 inverse = inversePose(H);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += inverse[i][k] * H[k][j];
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-15);
    }
}

}  // namespace
}  // namespace espalier::testing
