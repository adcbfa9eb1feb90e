#pragma once

// A robot in two worlds: its geared rotors as constants of joints and carriers (model/gyrostats.h),
// and as bodies.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "espalier/io/urdf.h"
#include "espalier/world/articulated_system.h"
#include "espalier/world/world.h"

namespace espalier::testing {

inline SystemSpec ownRobot(const std::string& name) {
  const auto models = std::filesystem::path(ESPALIER_SOURCE_DIR) / "models";
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
};

inline Eigen::VectorXd waves(int size, double from, double height) {
  Eigen::VectorXd x(size);
  for (int i = 0; i < size; ++i) x[i] = height * std::sin(from + 1.7 * i);
  return x;
}

}  // namespace espalier::testing
