// The mechanisms in models/: they have the freedom they are said to have, close, turn and walk.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/urdf/urdf.h"
#include "espalier/robot/articulated_refs.h"
#include "espalier/world/world.h"
#include "tests/support/source_folder.h"

namespace espalier {
namespace {

struct MechanismCase {
  const char* name;
  int dof, spanning;
  double rate = 0;    ///< rad/s, of all independent joints at the start
  double energy = 0;  ///< J kept to, relative, in a second; 0: it has dampers or stops
};

// Only the parallelogram has change points.
const MechanismCase cases[] = {
    {"four_bar", 1, 3, 5, 1e-6},
    {"triple_rocker", 1, 3, 5, 1e-5},
    {"parallelogram", 1, 3, 1, 1e-6},
    {"slider_crank", 1, 3, 5, 1e-6},
    {"five_bar", 2, 4, 2, 1e-6},
    {"six_bar", 1, 5, 5, 1e-6},
    {"revolute_with_rotor", 1, 1, 5, 1e-8},  // most rotors are no joints
    {"revolute_pair_with_rotor", 2, 2, 5, 1e-6},
    {"revolute_triple_with_rotor", 3, 4, 5, 1e-6},
    {"geared_strider", 18, 18},
    {"geared_biped", 31, 43},
    {"differential_leg", 4, 10, 0.5},
    {"delta", 3, 18, 0.5},
    {"gripper", 1, 6, -0.5},
    {"linkage_arm", 3, 5, 0.2},
    {"tello_hip", 2, 4, 1, 1e-7},
    {"tello_leg", 4, 8, 1},
    {"beest", 7, 79},
    {"cassie_like", 20, 30},
};

std::string fileOf(const std::string& name) {
  return sourceFolder() + "/models/" + name + "/" + name + ".urdf";
}

class OwnMechanisms : public ::testing::TestWithParam<MechanismCase> {};

TEST_P(OwnMechanisms, CloseAndStayClosed) {
  const MechanismCase& c = GetParam();
  World world;
  world.setTimeStep(1e-3);
  world.setIntegrationScheme(Scheme::RUNGE_KUTTA_4);
  ArticulatedSystem* system = world.addArticulatedSystem(fileOf(c.name));
  EXPECT_EQ(system->getDOF(), c.dof);
  EXPECT_EQ(system->getSpanningDOF(), c.spanning);
  EXPECT_LT(system->getClosureResidual(), 1e-12);
  if (c.rate != 0) system->setGeneralizedVelocity(Eigen::VectorXd::Constant(c.dof, c.rate));
  const double before = system->getEnergy();
  const bool forks = std::string(c.name) == "parallelogram";
  double worst = 0;
  int forked = 0;
  for (int i = 0; i < 1000; ++i) {
    world.integrate();
    const StepReport& report = world.report();
    worst = std::max(worst, report.closure);
    ASSERT_TRUE(report.flags == 0 || (forks && report.has(StepFlag::ChangePoint))) << "step " << i;
    forked += report.flags != 0;
  }
  EXPECT_EQ(forked > 0, forks);
  EXPECT_LT(worst, 1e-10);
  EXPECT_GT(system->getGeneralizedVelocity().e().norm(), 1e-3) << "nothing moves";
  if (c.energy > 0) {
    EXPECT_NEAR(system->getEnergy() / before, 1, c.energy);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OwnMechanisms, ::testing::ValuesIn(cases),
                         [](const auto& test) { return test.param.name; });

TEST(OwnMechanism, AGearedPendulumFeelsItsRotorTimesTheSquareOfTheRatio) {
  World world;
  const auto spec = io::loadRobot(fileOf("revolute_with_rotor"));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  ArticulatedSystem* system = world.addArticulatedSystem(*spec);
  const auto inertia = [&](const std::string& name) {
    for (const LinkSpec& link : spec->links) {
      if (link.name != name) continue;
      const Vec3d& c = link.inertial->X_LC.p;
      return link.inertial->I.yy + link.inertial->mass * (c.x * c.x + c.z * c.z);
    }
    return 0.0;
  };
  EXPECT_NEAR(system->getMassMatrix()(0, 0), inertia("link1") + 36 * inertia("joint1_rotor"),
              1e-14);
}

TEST(OwnMechanism, TheRotorsOfTheGearedStriderAreItsArmatures) {
  World world;
  ArticulatedSystem* geared = world.addArticulatedSystem(fileOf("geared_strider"));
  ArticulatedSystem* plain = world.addArticulatedSystem(fileOf("strider"));
  const auto M = geared->getMassMatrix().e(), N = plain->getMassMatrix().e();
  for (int i = 6; i < 18; ++i) {
    const bool isKnee = (i - 6) % 3 == 2;
    const double armature = 2.025e-4 * (isKnee ? 81 : 64) - (isKnee ? 0.018 : 0.012);
    // Beside the armature there is the weight of the rotors further down the leg.
    EXPECT_GE(M(i, i) - N(i, i), armature - 1e-9) << i;
    if (isKnee) {
      EXPECT_NEAR(M(i, i) - N(i, i), armature, 1e-9) << i;
    }
  }
}

TEST(OwnMechanism, TheGearedBipedsBeltsAndRodsFollowItsMotors) {
  World world;
  ArticulatedSystem* biped = world.addArticulatedSystem(fileOf("geared_biped"));
  const auto set = [&](double hip, double knee, double left, double right) {
    Eigen::VectorXd q = biped->getGeneralizedCoordinate();
    const std::pair<const char*, double> angles[] = {
        {"L_hip_pitch", hip}, {"L_knee", knee}, {"L_left_crank", left}, {"L_right_crank", right}};
    for (const auto& [joint, angle] : angles)
      q[biped->getGeneralizedCoordinateIndex(joint)] = angle;
    biped->setGeneralizedCoordinate(q);
  };
  const auto angleOf = [&](const std::string& joint) {
    return biped->getJoint(joint).getJointAngle();
  };
  // The belt adds both angles up; the cranks and levers of either side are a parallelogram.
  set(-0.2, 0.5, 0.3, 0.3);
  EXPECT_NEAR(angleOf("L_hip_pitch_rotor"), 16 * -0.2, 1e-12);
  EXPECT_NEAR(angleOf("L_knee_rotor"), 16 * 0.3, 1e-12);
  EXPECT_NEAR(angleOf("L_left_crank_rotor"), 16 * 0.3, 1e-12);
  EXPECT_NEAR(angleOf("L_ankle_pitch"), 0.3, 1e-12);
  EXPECT_NEAR(angleOf("L_ankle_roll"), 0, 1e-12);
  // A crank turned forward lifts its heel's side: levers of 6 cm, 10 cm apart.
  set(-0.2, 0.5, 0.31, 0.29);
  EXPECT_NEAR(angleOf("L_ankle_pitch"), 0.3, 1e-3);
  EXPECT_NEAR(angleOf("L_ankle_roll"), 0.02 * 0.06 / 0.1, 2e-4);
  EXPECT_NEAR(angleOf("R_ankle_roll"), 0, 1e-12);
}

TEST(OwnMechanism, TheBeestWalksForward) {
  World world;
  world.setTimeStep(1e-3);
  world.addGround();
  ArticulatedSystem* beest = world.addArticulatedSystem(fileOf("beest"));
  Eigen::VectorXd q = beest->getGeneralizedCoordinate().e();
  ASSERT_EQ(q.size(), 8);
  q[2] = 0.942569;  // as its nominal.json
  beest->setGeneralizedCoordinate(q);
  Eigen::VectorXd torque = Eigen::VectorXd::Zero(7);
  double lowest = 2, worst = 0;
  for (int i = 0; i < 3000; ++i) {
    torque[6] = 200 * (2 - beest->getGeneralizedVelocity()[6]);
    beest->setGeneralizedForce(torque);
    world.integrate();
    lowest = std::min(lowest, beest->getGeneralizedCoordinate()[2]);
    worst = std::max(worst, world.report().closure);
  }
  const Eigen::VectorXd end = beest->getGeneralizedCoordinate().e();
  EXPECT_GT(end[0], 1.0);
  EXPECT_GT(lowest, 0.90);
  EXPECT_GT(std::abs(end[3]), 0.95) << "it still faces forward";
  EXPECT_GT(end[7], 5) << "the crank turned";
  EXPECT_LT(worst, 1e-10);
}

}  // namespace
}  // namespace espalier
