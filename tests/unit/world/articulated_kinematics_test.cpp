// Names, frames and Jacobians of an articulated system, against finite differences and each other.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/world/articulated_fixture.h"

namespace espalier::testing {
namespace {

struct Kinematics : EveryKind {};
INSTANTIATE_TEST_SUITE_P(Bases, Kinematics, ::testing::Bool(), baseName);

const Vec<3> point_B{0.1, -0.2, 0.3};

// ---- names and indices

TEST_P(Kinematics, JointOrderIsTheOneGiven) {
  const std::vector<std::string> expected{GetParam() ? "base" : "world",
                                          "floating",
                                          "prismatic",
                                          "revolute",
                                          "helical",
                                          "universal",
                                          "euler",
                                          "planar",
                                          "translation",
                                          "spherical",
                                          "cylindrical"};
  EXPECT_EQ(robot->getMovableJointNames(), expected);
  EXPECT_EQ(robot->getNumberOfJoints(), 11);
  const int base = GetParam() ? 6 : 0;
  EXPECT_EQ(robot->getGeneralizedVelocityIndex("floating"), base);
  EXPECT_EQ(robot->getGeneralizedVelocityIndex("prismatic"), base + 6);
  EXPECT_EQ(robot->getGeneralizedVelocityIndex("revolute"), base + 7);
  EXPECT_EQ(robot->getGeneralizedCoordinateIndex("prismatic"), (GetParam() ? 7 : 0) + 7);
  EXPECT_THROW(robot->getGeneralizedCoordinateIndex("nobody"), std::invalid_argument);
  EXPECT_THROW(robot->getGeneralizedVelocityIndex("tool_mount"), std::invalid_argument);
  EXPECT_THROW(robot->getGeneralizedVelocityIndex("nobody"), std::invalid_argument);
  EXPECT_EQ(robot->getDOF(), robot->getGeneralizedVelocityDim());
}

// A joint's first coordinate and dof move its own body over its parent, and no other does.
TEST_P(Kinematics, MappingsFindEachJointsNumbers) {
  const std::vector<int>& toU = robot->getMappingFromBodyIndexToGeneralizedVelocityIndex();
  const std::vector<int>& toQ = robot->getMappingFromBodyIndexToGeneralizedCoordinateIndex();
  const std::vector<int> parent = robot->getParentVector();
  ASSERT_EQ(toU.size(), std::size_t(bodyCount()));
  ASSERT_EQ(toQ.size(), std::size_t(bodyCount()));
  if (!GetParam()) {
    EXPECT_EQ(toU[0], -1);
    EXPECT_EQ(toQ[0], -1);
  }
  const auto relative = [&](int b) {
    return parent[b] < 0 ? robot->getBodyPose(b)
                         : inverse(robot->getBodyPose(parent[b])) * robot->getBodyPose(b);
  };
  const auto change = [](const Transformd& a, const Transformd& b) {
    return norm(a.p - b.p) + norm(a.R.r0 - b.R.r0) + norm(a.R.r1 - b.R.r1);
  };
  for (int b = 0; b < bodyCount(); ++b) {
    if (toQ[b] < 0) continue;
    for (int other = 0; other < bodyCount(); ++other) {
      const Transformd before = relative(other);
      Eigen::VectorXd shifted = q;
      shifted[toQ[b]] += 0.1;
      robot->setGeneralizedCoordinate(shifted);
      if (other == b)
        EXPECT_GT(change(before, relative(other)), 1e-3) << b;
      else
        EXPECT_LT(change(before, relative(other)), 1e-12) << b << " " << other;
      robot->setGeneralizedCoordinate(q);
    }
    EXPECT_EQ(robot->getMappingFromGeneralizedVelocityIndexToBodyIndex()[toU[b]], b);
    EXPECT_EQ(robot->getMappingFromGeneralizedCoordinateIndexToBodyIndex()[toQ[b]], b);
    SparseJacobian J;
    robot->getSparseRotationalJacobian(b, J);
    EXPECT_NE(std::find(J.idx.begin(), J.idx.end(), toU[b]), J.idx.end());
  }
}

TEST_P(Kinematics, FramesBodiesAndLinksKnowEachOther) {
  const std::vector<std::string> names = robot->getBodyNames();
  for (int b = 0; b < bodyCount(); ++b) EXPECT_EQ(robot->getBodyIdx(names[b]), b);
  EXPECT_EQ(robot->getBodyIdx("fixed_link"), 0) << "welded to the root";
  EXPECT_EQ(robot->getBodyIdx("nobody"), -1);
  EXPECT_EQ(robot->getFrames().size(), 12u);
  const int frame = robot->getFrameIdxByName("euler");
  EXPECT_EQ(robot->getFrameIdxByLinkName("euler_link"), frame);
  const CoordinateFrame& f = robot->getFrameByName("euler");
  EXPECT_EQ(&f, &robot->getFrameByLinkName("euler_link"));
  EXPECT_EQ(&f, &robot->getFrameByIdx(frame));
  EXPECT_EQ(f.parentId, robot->getBodyIdx("euler_link"));
  EXPECT_EQ(f.parentName, GetParam() ? "base" : "world");
  EXPECT_EQ(f.bodyName, "euler_link");
  EXPECT_TRUE(f.isChild);
  EXPECT_EQ(f.jointType, JointKind::Euler);
  EXPECT_EQ(robot->getJointType(f.parentId), JointKind::Euler);
  EXPECT_FALSE(robot->getFrameByName("tool_mount").isChild);
  EXPECT_EQ(robot->getFrameIdxByName("nobody"), -1);
  EXPECT_THROW(robot->getFrameByName("nobody"), std::invalid_argument);
  EXPECT_THROW(robot->getFrameByLinkName(names[0]), std::invalid_argument) << "none above the root";
  EXPECT_THROW(robot->getFrameByIdx(12), std::invalid_argument);
  EXPECT_EQ(robot->getBodyType(0), GetParam() ? BodyType::DYNAMIC : BodyType::STATIC);
  EXPECT_EQ(robot->getBodyType(1), BodyType::DYNAMIC);
}

// ---- frames

TEST_P(Kinematics, FramesMoveWithTheirBodies) {
  for (const char* name : {"tool_mount", "revolute", "spherical", "floating", "universal"}) {
    Vec<3> p, v, w;
    Mat<3, 3> R;
    robot->getFramePosition(name, p);
    robot->getFrameOrientation(name, R);
    robot->getFrameVelocity(name, v);
    robot->getFrameAngularVelocity(name, w);
    const Eigen::Vector3d pdot = rateOf([&] { return robot->getFramePosition(name); });
    const Eigen::Matrix3d Rdot = rateOf([&] { return robot->getFrameOrientation(name); });
    EXPECT_LT((v - pdot).norm(), 1e-8) << name;
    Eigen::Matrix3d W;
    W << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
    EXPECT_LT((W * R - Rdot).norm(), 1e-8) << name;
    EXPECT_LT((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), 1e-13);
    EXPECT_GT(R.determinant(), 0);
    // By index, by name, as an object: the same.
    const int index = robot->getFrameIdxByName(name);
    EXPECT_EQ(robot->getFramePosition(index), p);
    EXPECT_EQ(robot->getFramePosition(robot->getFrameByName(name)), p);
    Eigen::Vector3d inFrame;
    robot->getPositionInFrame(name, point_B, inFrame);
    EXPECT_LT((inFrame - (p + R * point_B)).norm(), 1e-14);
  }
}

TEST_P(Kinematics, AFrameMayBeEditedAndDynamicsDoNotCare) {
  const MatDyn M = robot->getMassMatrix();
  const Vec<3> before = robot->getFramePosition("planar");
  const Mat<3, 3> R = robot->getFrameOrientation("planar");
  const Vec<3> w = robot->getFrameAngularVelocity("planar"), v = robot->getFrameVelocity("planar");
  robot->getFrameByName("planar").position += point_B;
  EXPECT_LT((robot->getFramePosition("planar") - (before + R * point_B)).norm(), 1e-14);
  const Eigen::Vector3d arm = R * point_B;
  EXPECT_LT((robot->getFrameVelocity("planar") - (v + w.cross(arm))).norm(), 1e-13);
  EXPECT_EQ(robot->getMassMatrix(), M);
  CoordinateFrame own = robot->getFrameByName("planar");
  own.orientation = Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX()).toRotationMatrix();
  EXPECT_LT((robot->getFrameOrientation(own) - R * own.orientation).norm(), 1e-14);
}

// ---- bodies

TEST_P(Kinematics, BodiesAreWhereTheirJointsFramesAre) {
  for (int b = 1; b < bodyCount(); ++b) {
    const std::string joint = robot->model().bodies[b].joint;
    Vec<3> p, at;
    Mat<3, 3> R;
    robot->getBodyPose(b, R, p);
    EXPECT_LT((p - robot->getFramePosition(joint)).norm(), 1e-14) << joint;
    EXPECT_LT((R - robot->getFrameOrientation(joint)).norm(), 1e-14) << joint;
    robot->getPosition(b, at);
    EXPECT_EQ(at, p);
    robot->getPosition(b, point_B, at);
    EXPECT_LT((at - (p + R * point_B)).norm(), 1e-14);
    Eigen::Vector3d back;
    robot->getPositionInBodyCoordinate(b, at, back);
    EXPECT_LT((back - point_B).norm(), 1e-14);
  }
  EXPECT_THROW(robot->getBodyPose(bodyCount()), std::invalid_argument);
}

TEST_P(Kinematics, VelocityOfAPointInAnyFrame) {
  for (int b = 0; b < bodyCount(); ++b) {
    Vec<3> v, at;
    robot->getVelocity(b, point_B, v);
    const Eigen::Vector3d expected = rateOf([&] {
      Eigen::Vector3d p;
      robot->getPosition(b, point_B, p);
      return p;
    });
    EXPECT_LT((v - expected).norm(), 1e-8) << b;
    // The same point given in the world and in the parent; the velocity in the body's axes.
    robot->getPosition(b, point_B, at);
    const int parent = robot->getParentVector()[b];
    Vec<3> inParent = at;
    if (parent >= 0) robot->getPositionInBodyCoordinate(parent, at, inParent);
    using S = ArticulatedSystem;
    Mat<3, 3> R;
    robot->getOrientation(b, R);
    Vec<3> w1, w2;
    robot->getVelocity(b, S::WORLD_FRAME, at, S::BODY_FRAME, w1);
    robot->getVelocity(b, S::PARENT_FRAME, inParent, S::WORLD_FRAME, w2);
    EXPECT_LT((R * w1 - v).norm(), 1e-13) << b;
    EXPECT_LT((w2 - v).norm(), 1e-13) << b;
  }
}

TEST_P(Kinematics, JointAxisIsTheAxisOfRotation) {
  const int hinge = robot->getBodyIdx("revolute_link"),
            slider = robot->getBodyIdx("prismatic_link");
  for (int b : {hinge, slider}) {
    const Vec<3> axis = robot->getJointAxis(b);
    EXPECT_NEAR(axis.norm(), 1, 1e-14);
    const int d = robot->getMappingFromBodyIndexToGeneralizedVelocityIndex()[b];
    robot->setGeneralizedVelocity(Eigen::VectorXd::Unit(u.size(), d));
    Vec<3> v, w;
    robot->getVelocity(b, v);
    robot->getAngularVelocity(b, w);
    EXPECT_LT(((b == hinge ? w : v) - axis).norm(), 1e-14);
  }
}

// ---- the base

TEST_P(Kinematics, TheBaseMayBeMovedByHand) {
  const Vec<3> tool = robot->getFramePosition("tool_mount"), base = robot->getBasePosition();
  const Mat<3, 3> R = robot->getBaseOrientation();
  const Eigen::Vector3d inBase = R.transpose() * (tool - base);
  const Vec<3> there{1, 2, 3};
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()));
  robot->setBasePos(there);
  robot->setBaseOrientation(Vec<4>{turn.w(), turn.x(), turn.y(), turn.z()});
  EXPECT_LT((robot->getBasePosition() - there).norm(), 1e-15);
  EXPECT_LT((robot->getBaseOrientation() - turn.toRotationMatrix()).norm(), 1e-14);
  Vec<4> quaternion;
  robot->getBaseOrientation(quaternion);
  EXPECT_NEAR(std::abs(quaternion.dot(Eigen::Vector4d(turn.w(), turn.x(), turn.y(), turn.z()))), 1,
              1e-14);
  EXPECT_LT((robot->getFramePosition("tool_mount") - (there + turn * inBase)).norm(), 1e-13);
  robot->setBaseOrientation(R);
  robot->setBasePos(base);
  EXPECT_LT((robot->getFramePosition("tool_mount") - tool).norm(), 1e-13);
  EXPECT_THROW(robot->setBaseOrientation(Mat<3, 3>(2 * R)), std::invalid_argument);
  EXPECT_THROW(robot->setBaseOrientation(Vec<4>()), std::invalid_argument);
  if (!GetParam()) {
    EXPECT_THROW(robot->setBaseVelocity({1, 0, 0}), std::invalid_argument);
    return;
  }
  robot->setBaseVelocity({1, 2, 3});
  robot->setBaseAngularVelocity({4, 5, 6});
  Vec<3> v, w;
  robot->getVelocity(0, v);
  robot->getAngularVelocity(0, w);
  EXPECT_LT((v - Eigen::Vector3d(1, 2, 3)).norm() + (w - Eigen::Vector3d(4, 5, 6)).norm(), 1e-14);
}

// ---- Jacobians

TEST_P(Kinematics, JacobiansGiveVelocities) {
  using S = ArticulatedSystem;
  for (int b = 0; b < bodyCount(); ++b) {
    SparseJacobian J, inBody, inParent, turn;
    Vec<3> at, v, w;
    robot->getPosition(b, point_B, at);
    robot->getVelocity(b, point_B, v);
    robot->getAngularVelocity(b, w);
    const int parent = robot->getParentVector()[b];
    Vec<3> fromParent = at;
    if (parent >= 0) robot->getPositionInBodyCoordinate(parent, at, fromParent);
    robot->getSparseJacobian(b, at, J);
    robot->getSparseJacobian(b, S::BODY_FRAME, point_B, inBody);
    robot->getSparseJacobian(b, S::PARENT_FRAME, fromParent, inParent);
    robot->getSparseRotationalJacobian(b, turn);
    EXPECT_LT((J.times(u) - v).norm(), 1e-13) << b;
    EXPECT_LT((turn.times(u) - w).norm(), 1e-13) << b;
    EXPECT_LT((J.v - inBody.v).norm() + (J.v - inParent.v).norm(), 1e-13) << b;
    Vec<3> product;
    robot->getVelocity(J, product);
    EXPECT_LT((product - v).norm(), 1e-13) << b;
    // Dense: the same columns, and nothing else is touched.
    Eigen::MatrixXd dense = Eigen::MatrixXd::Constant(3, u.size(), 7), converted = dense;
    robot->getDenseJacobian(b, at, dense);
    S::convertSparseJacobianToDense(J, converted);
    EXPECT_LT((dense - converted).norm(), 1e-14);
    EXPECT_EQ((dense.array() == 7).count(), 3 * (u.size() - J.size));
    Eigen::MatrixXd denseTurn = Eigen::MatrixXd::Zero(3, u.size());
    robot->getDenseRotationalJacobian(b, denseTurn);
    EXPECT_LT((denseTurn * u - w).norm(), 1e-13);
  }
  Eigen::MatrixXd small(3, 1);
  EXPECT_THROW(robot->getDenseJacobian(0, point_B, small), std::invalid_argument);
  SparseJacobian J;
  EXPECT_THROW(robot->getSparseJacobian(-1, point_B, J), std::invalid_argument);
}

TEST_P(Kinematics, FrameJacobiansGiveFrameVelocities) {
  for (const CoordinateFrame& f : robot->getFrames()) {
    SparseJacobian J, turn;
    robot->getSparseFrameJacobian(f.name, J);
    robot->getSparseFrameRotationalJacobian(f.name, turn);
    EXPECT_LT((J.times(u) - robot->getFrameVelocity(f.name)).norm(), 1e-13) << f.name;
    EXPECT_LT((turn.times(u) - robot->getFrameAngularVelocity(f.name)).norm(), 1e-13) << f.name;
    EXPECT_LT((robot->getDenseFrameJacobian(f.name) * u - robot->getFrameVelocity(f)).norm(),
              1e-13);
    EXPECT_LT(
        (robot->getDenseFrameRotationalJacobian(f.name) * u - robot->getFrameAngularVelocity(f))
            .norm(),
        1e-13);
  }
}

TEST_P(Kinematics, JacobiansRates) {
  for (int b = 0; b < bodyCount(); ++b) {
    SparseJacobian rate, turnRate, frameRate;
    robot->getTimeDerivativeOfSparseJacobian(b, ArticulatedSystem::BODY_FRAME, point_B, rate);
    robot->getTimeDerivativeOfSparseRotationalJacobian(b, turnRate);
    const auto of = [&](bool turns) {
      return rateOf([&] {
        SparseJacobian J;
        if (turns)
          robot->getSparseRotationalJacobian(b, J);
        else
          robot->getSparseJacobian(b, ArticulatedSystem::BODY_FRAME, point_B, J);
        return Eigen::MatrixXd(J.v);
      });
    };
    EXPECT_LT((rate.v - of(false)).norm(), 1e-7) << b;
    EXPECT_LT((turnRate.v - of(true)).norm(), 1e-7) << b;
  }
  SparseJacobian rate;
  robot->getTimeDerivativeOfSparseFrameJacobian("tool_mount", rate);
  const Eigen::MatrixXd expected = rateOf([&] {
    SparseJacobian J;
    robot->getSparseFrameJacobian("tool_mount", J);
    return Eigen::MatrixXd(J.v);
  });
  EXPECT_LT((rate.v - expected).norm(), 1e-7);
}

// ---- cost

TEST_P(Kinematics, TheCallersObjectsAreFilledInPlace) {
  Eigen::VectorXd qOut(q.size()), uOut(u.size());
  SparseJacobian J, rate;
  robot->getSparseFrameJacobian("tool_mount", J);
  robot->getTimeDerivativeOfSparseFrameJacobian("tool_mount", rate);
  const double *first = qOut.data(), *second = uOut.data(), *v = J.v.data(), *dv = rate.v.data();
  const int *idx = J.idx.data(), *didx = rate.idx.data();
  robot->setState(moved(u, 0.1), 2 * u);
  robot->getState(qOut, uOut);
  robot->getSparseFrameJacobian("tool_mount", J);
  robot->getTimeDerivativeOfSparseFrameJacobian("tool_mount", rate);
  EXPECT_EQ(qOut.data(), first);
  EXPECT_EQ(uOut.data(), second);
  EXPECT_EQ(J.v.data(), v);
  EXPECT_EQ(rate.v.data(), dv);
  EXPECT_EQ(J.idx.data(), idx);
  EXPECT_EQ(rate.idx.data(), didx);
  EXPECT_EQ(uOut, 2 * u);
}

}  // namespace
}  // namespace espalier::testing
