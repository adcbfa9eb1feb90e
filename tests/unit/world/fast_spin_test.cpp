// Single bodies that turn far in a step keep their energy and their angular momentum.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/robot/single_body.h"
#include "espalier/step/free_rotation.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

struct Cuboid {
  const char* name;
  double x, y, z;  // m
};

constexpr Cuboid boxes[] = {{"box", 0.1, 0.2, 0.3},
                            {"needle", 0.01, 0.01, 0.5},
                            {"rod", 0.02, 0.02, 0.2},
                            {"plate", 0.3, 0.3, 0.01},
                            {"wrench", 0.02, 0.06, 0.24}};
constexpr Scheme schemes[] = {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT,
                              Scheme::EULER, Scheme::RUNGE_KUTTA_4};

Eigen::Vector3d spinAbout(int axis, double speed) {
  Eigen::Vector3d w = Eigen::Vector3d::Constant(0.02 * speed);
  w[axis] = speed;
  return w;
}

/// Up to 2 rad a step, near each of the axes.
TEST(FastSpin, GainsNoEnergy) {
  for (const Scheme scheme : schemes)
    for (const Cuboid& b : boxes)
      for (int axis = 0; axis < 3; ++axis)
        for (const double speed : {10., 30., 100., 200., 300., 500., 700., 1000., 2000.}) {
          World world;
          world.setGravity({0, 0, 0});
          world.setIntegrationScheme(scheme);
          auto* body = world.addBox(b.x, b.y, b.z, 1);
          body->setAngularVelocity(spinAbout(axis, speed));
          const double start = body->getKineticEnergy();
          double most = 0;
          for (int i = 0; i < 1000; ++i) {
            world.integrate();
            most = std::max(most, body->getKineticEnergy());
          }
          EXPECT_LE(most, 1.01 * start) << b.name << " about " << axis << " at " << speed
                                        << " rad/s, scheme " << static_cast<int>(scheme);
          EXPECT_GE(body->getKineticEnergy(), 0.99 * start)
              << b.name << " about " << axis << " at " << speed << " rad/s, scheme "
              << static_cast<int>(scheme);
        }
}

/// A symmetric top's motion is known: its axis goes round L at |L| / I_perp.
TEST(FastSpin, OfASymmetricTopIsItsPrecession) {
  const double r = 0.1, l = 0.3, perp = (3 * r * r + l * l) / 12, along = r * r / 2;
  const Vec3d w{40, 0, 300}, L{perp * w.x, 0, along * w.z};
  const Sym3<double> inverseI{1 / perp, 0, 0, 1 / perp, 0, 1 / along};
  const double time = 5e-3;
  const FreeRotation end = rotateFreely(inverseI, {{1, 0, 0, 0}, L}, time);
  const double magnitude = norm(L), angle = magnitude / perp * time;
  const Vec3d a = L * (1 / magnitude), z{0, 0, 1};
  const Vec3d wanted =
      z * std::cos(angle) + cross(a, z) * std::sin(angle) + a * (dot(a, z) * (1 - std::cos(angle)));
  const Mat3d R = rotation(end.turn);
  EXPECT_LT(norm(mul(R, z) - wanted), 1e-5);
  EXPECT_LT(norm(mul(R, end.L) - L), 1e-13 * magnitude);
  EXPECT_NEAR(dot(end.L, mul(inverseI, end.L)), dot(L, mul(inverseI, L)),
              1e-12 * dot(L, mul(inverseI, L)));
}

/// Of fourth order: half the turn of a sub-step makes a sixteenth of the error.
TEST(FastSpin, IsOfFourthOrder) {
  const Sym3<double> inverseI{20, 1, -2, 9, 0.5, 4};
  const FreeRotation start{{1, 0, 0, 0}, {1.1, -2.3, 3.7}};
  const double time = 4e-3;  // one sub-step, so that cutting the time cuts sub-steps
  const auto inParts = [&](int parts) {
    FreeRotation now = start;
    for (int i = 0; i < parts; ++i) now = rotateFreely(inverseI, now, time / parts);
    return now.L;
  };
  const Vec3d exact = inParts(64);
  const double ratio = norm(inParts(1) - exact) / norm(inParts(2) - exact);
  EXPECT_GT(ratio, 12);
  EXPECT_LT(ratio, 20);
}

/// Torques act on a body that spins fast as on any other.
TEST(FastSpin, TorquesChangeTheAngularMomentum) {
  for (const Scheme scheme : schemes) {
    World world;
    world.setGravity({0, 0, 0});
    world.setIntegrationScheme(scheme);
    auto* body = world.addBox(0.1, 0.2, 0.3, 1);
    body->setAngularVelocity({250, 10, 20});
    const auto momentum = [&] {
      const Eigen::Matrix3d R = body->getRotationMatrix();
      const Eigen::Vector3d I(0.13 / 12, 0.10 / 12, 0.05 / 12);
      return Eigen::Vector3d(R * I.asDiagonal() * R.transpose() *
                             Eigen::Vector3d(body->getAngularVelocity()));
    };
    const Eigen::Vector3d before = momentum();
    for (int i = 0; i < 100; ++i) {
      body->setExternalTorque(0, {0, 2, -3});
      world.integrate();
    }
    world.integrate();  // w follows L at the start of a step
    EXPECT_LT((momentum() - before - Eigen::Vector3d(0, 0.2, -0.3)).norm(), 2e-3)
        << static_cast<int>(scheme);
  }
}

}  // namespace
}  // namespace espalier::testing
