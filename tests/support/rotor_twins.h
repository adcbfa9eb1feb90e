#pragma once

// A robot in two worlds: its geared rotors as constants of joints and carriers (model/compile/gyrostats.h),
// and as bodies.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "espalier/io/urdf/urdf.h"
#include "espalier/robot/articulated_refs.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/world/world.h"
#include "tests/support/source_folder.h"

namespace espalier::testing {

inline SystemSpec ownRobot(const std::string& name) {
  const auto models = std::filesystem::path(sourceFolder()) / "models";
  auto spec = io::loadRobot((models / name / (name + ".urdf")).string());
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return std::move(spec).value();
}

/// The same robot twice, each in a world of its own.
struct Twins {
  World worlds[2];
  ArticulatedSystem* robots[2];

  explicit Twins(SystemSpec spec) {
    for (int i = 0; i < 2; ++i) {
      spec.rotorsAsBodies = i == 1;
      robots[i] = worlds[i].addArticulatedSystem(spec);
      worlds[i].setTimeStep(1e-3);
    }
    EXPECT_GT(robots[0]->getRotorNames().size(), 0u);
    EXPECT_EQ(robots[1]->getRotorNames().size(), 0u);
    EXPECT_EQ(robots[0]->getDOF(), robots[1]->getDOF());
  }
  void setState(const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
    for (ArticulatedSystem* robot : robots) robot->setState(q, u);
  }
  void step(int steps) {
    for (int i = 0; i < steps; ++i)
      for (World& world : worlds) world.integrate();
  }
  void expectSameState(double bar) {
    const Eigen::VectorXd q = robots[0]->getGeneralizedCoordinate(),
                          u = robots[0]->getGeneralizedVelocity();
    EXPECT_LT((q - robots[1]->getGeneralizedCoordinate()).cwiseAbs().maxCoeff(), bar);
    EXPECT_LT((u - robots[1]->getGeneralizedVelocity()).cwiseAbs().maxCoeff(), 1e2 * bar);
    EXPECT_TRUE(q.allFinite());
  }
  /// Without gravity, for 1000 steps.
  void expectMomentumKept() {
    worlds[0].setGravity({0, 0, 0});
    Eigen::Vector3d before, after;
    robots[0]->getAngularMomentum({0, 0, 0}, before);
    for (int i = 0; i < 1000; ++i) worlds[0].integrate();
    robots[0]->getAngularMomentum({0, 0, 0}, after);
    EXPECT_GT(before.norm(), 0.1);
    EXPECT_LT((after - before).norm(), 1e-10);
  }
  /// Rotors that are no bodies are told of all the same; what would move them alone is refused.
  void expectFramesTurn(double bar) {
    const Eigen::VectorXd angles = robots[0]->getRotorCoordinate(),
                          rates = robots[0]->getRotorVelocity();
    int r = 0;
    for (const std::string& joint : robots[0]->getRotorNames()) {
      SCOPED_TRACE(joint);
      JointRef turned = robots[0]->getJoint(joint), whole = robots[1]->getJoint(joint);
      const std::string link = robots[0]->getFrameByName(joint).bodyName;
      const auto expectSame = [&](double most, auto&& ask) {
        EXPECT_LT((ask(*robots[0]) - ask(*robots[1])).norm(), most);
      };
      EXPECT_NEAR(angles[r], whole.getJointAngle(), bar);
      EXPECT_NEAR(turned.getJointAngle(), whole.getJointAngle(), bar);
      EXPECT_NEAR(rates[r++], whole.getJointVelocity()[0], bar);
      expectSame(bar, [&](ArticulatedSystem& s) { return s.getFramePosition(joint); });
      expectSame(bar, [&](ArticulatedSystem& s) { return s.getFrameOrientation(joint); });
      expectSame(10 * bar, [&](ArticulatedSystem& s) { return s.getFrameAngularVelocity(joint); });
      expectSame(10 * bar,
                 [&](ArticulatedSystem& s) { return s.getDenseFrameRotationalJacobian(joint); });
      expectSame(10 * bar,
                 [&](ArticulatedSystem& s) { return s.getLink(link).getAngularVelocity(); });
      expectSame(bar, [&](ArticulatedSystem& s) {
        Eigen::Matrix3d R;
        s.getLink(link).getOrientation(R);
        return R;
      });
      SparseJacobian J;
      EXPECT_THROW(robots[0]->getSparseFrameRotationalJacobian(joint, J), std::invalid_argument);
      EXPECT_THROW(robots[0]->getLink(link).setExternalTorque({0, 0, 1}), std::invalid_argument);
      EXPECT_FALSE(turned.isMovable());
      EXPECT_THROW(turned.setJointAngle(0.1), std::invalid_argument);
    }
  }
};

inline Eigen::VectorXd waves(int size, double from, double height) {
  Eigen::VectorXd x(size);
  for (int i = 0; i < size; ++i) x[i] = height * std::sin(from + 1.7 * i);
  return x;
}

}  // namespace espalier::testing
