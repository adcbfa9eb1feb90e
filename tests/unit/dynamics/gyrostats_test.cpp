// Geared rotors that are no bodies against the same rotors as bodies, and which may be so.

#include "espalier/model/compile/gyrostats.h"

#include <gtest/gtest.h>

#include "tests/support/gyrostat_pair.h"
#include "tests/support/rotor_parts.h"

namespace espalier::testing {
namespace {

/// Draws robots of hinges and sliders with rotors on them.
class Workshop {
 public:
  Workshop(std::uint64_t seed, bool floating) : random_(seed) {
    spec_.name = "geared";
    spec_.fixedBase = !floating;
    spec_.links.push_back(drawLink("base", random_));
  }

  /// A joint along z of its own frame; returns its number.
  int joint(int parent, JointKind kind = JointKind::Revolute, bool parallel = false) {
    const int n = static_cast<int>(spec_.links.size());
    JointSpec j;
    j.name = "j" + std::to_string(n);
    j.kind = kind;
    j.parent = spec_.links[parent].name;
    j.child = "l" + std::to_string(n);
    j.X_PJ.p = random_.vector(0.4);
    if (!parallel) j.X_PJ.R = rotationFromRpy(random_.vector(2));
    j.axes[0] = {0, 0, parallel && n % 2 ? -1.0 : 1.0};
    spec_.links.push_back(drawLink(j.child, random_));
    spec_.joints.push_back(j);
    return n;
  }

  /// A rotor on `carrier`, about z of R there, geared to the joints on the way to `to`.
  void rotor(int carrier, int to, double ratio, const Mat3d& R = identity3<double>()) {
    const std::string name = "rotor" + std::to_string(spec_.links.size());
    JointSpec j;
    j.name = name + "_joint";
    j.kind = JointKind::Revolute;
    j.parent = spec_.links[carrier].name;
    j.child = name;
    j.X_PJ = {R, random_.vector(0.2)};
    j.axes[0] = {0, 0, 1};
    j.independent = false;
    spec_.links.push_back(drawRotor(name, {0, 0, 1}, random_));
    spec_.joints.push_back(j);
    const std::string& end = spec_.links[to].name;
    spec_.couplings.push_back(drawGear(name, end, ratio, random_));
  }
  /// One that mimics a joint, about the z of its carrier.
  void follower(int carrier, int joint, double multiplier) {
    rotor(carrier, 0, 1);
    spec_.couplings.pop_back();
    spec_.joints.back().mimic = MimicSpec{"j" + std::to_string(joint), multiplier, 0.3};
  }
  /// Of joint `child`, seen from the link that carries it.
  Mat3d axesOf(int child) const {
    for (const JointSpec& j : spec_.joints)
      if (j.child == "l" + std::to_string(child)) return j.X_PJ.R;
    return identity3<double>();
  }
  SystemSpec& spec() { return spec_; }

 private:
  Random random_;
  SystemSpec spec_;
};

SystemSpec quadrupedWithRotors(std::uint64_t seed, bool floating) {
  Workshop w(seed, floating);
  for (int leg = 0; leg < 4; ++leg) {
    const int hip = w.joint(0), thigh = w.joint(hip), shank = w.joint(thigh);
    w.rotor(0, hip, 6, w.axesOf(hip));
    w.rotor(hip, thigh, -9, w.axesOf(thigh));
    w.rotor(thigh, shank, 7.5, w.axesOf(shank));
  }
  return w.spec();
}

/// Belts: knees and ankles are turned from the thigh, about axes that are parallel up to their sign.
SystemSpec humanoidWithBelts(std::uint64_t seed, bool floating) {
  Workshop w(seed, floating);
  for (int leg = 0; leg < 2; ++leg) {
    const int hip = w.joint(0), thigh = w.joint(hip), shank = w.joint(thigh, JointKind::Revolute),
              foot = w.joint(shank, JointKind::Revolute, true);
    w.rotor(0, hip, 6, w.axesOf(hip));
    w.rotor(hip, thigh, 6, w.axesOf(thigh));
    w.rotor(thigh, shank, 12, w.axesOf(shank));
    w.rotor(thigh, foot, -5, w.axesOf(shank));
    w.follower(foot, foot, 3);  // carried by what it is geared to
  }
  for (int arm = 0; arm < 2; ++arm) {
    const int shoulder = w.joint(0), elbow = w.joint(shoulder), hand = w.joint(elbow);
    w.rotor(shoulder, elbow, 9, w.axesOf(elbow));
    w.joint(hand);
  }
  return w.spec();
}

/// A ball screw, and a lone chain with a belt on the ground.
SystemSpec presses(std::uint64_t seed, bool floating) {
  Workshop w(seed, floating);
  const int slide = w.joint(0, JointKind::Prismatic), arm = w.joint(slide),
            ram = w.joint(arm, JointKind::Prismatic, true), tool = w.joint(ram);
  w.rotor(0, slide, 20, w.axesOf(slide));
  w.rotor(slide, arm, 5, w.axesOf(arm));
  w.rotor(arm, ram, -40);
  w.joint(tool);
  return w.spec();
}

struct Case {
  SystemSpec (*draw)(std::uint64_t, bool);
  const char* name;
  bool floating;
};

class GyrostatRobots : public ::testing::TestWithParam<std::tuple<Case, int>> {
 protected:
  GyrostatPair pair_{spec(), static_cast<std::uint64_t>(std::get<1>(GetParam())) + 77};

 private:
  static SystemSpec spec() {
    const auto& [robot, seed] = GetParam();
    return robot.draw(static_cast<std::uint64_t>(seed), robot.floating);
  }
};

TEST_P(GyrostatRobots, AreNoBodies) { pair_.expectFewerBodies(); }
TEST_P(GyrostatRobots, EquationsOfMotionAreThoseOfBodies) { pair_.expectSameMotion(); }
TEST_P(GyrostatRobots, EnergyAndMomentumAreThoseOfBodies) { pair_.expectSameEnergyAndMomentum(); }
TEST_P(GyrostatRobots, LegsInLanesHaveTheSameBits) {
  const bool hasLegs = pair_.expectSameBitsInLanes();
  EXPECT_EQ(hasLegs, std::get<0>(GetParam()).draw != presses);
}

INSTANTIATE_TEST_SUITE_P(
    Robots, GyrostatRobots,
    ::testing::Combine(::testing::Values(Case{quadrupedWithRotors, "Quadruped", true},
                                         Case{quadrupedWithRotors, "FixedQuadruped", false},
                                         Case{humanoidWithBelts, "Humanoid", true},
                                         Case{humanoidWithBelts, "FixedHumanoid", false},
                                         Case{presses, "Press", true},
                                         Case{presses, "FixedPress", false}),
                       ::testing::Range(0, 10)),
    [](const auto& p) {
      return std::string(std::get<0>(p.param).name) + std::to_string(std::get<1>(p.param));
    });

// ---- which stay bodies

SystemSpec oneRotor() {
  Workshop w(5, false);
  const int arm = w.joint(0);
  w.rotor(0, arm, 4, w.axesOf(arm));
  return w.spec();
}

TEST(Gyrostats, StayBodiesWhereSomethingKnowsOfThem) {
  EXPECT_EQ(findGyrostats(oneRotor()).rotors.size(), 1u);
  const auto none = [](auto&& change) {
    SystemSpec spec = oneRotor();
    change(spec);
    return findGyrostats(spec).isEmpty();
  };
  EXPECT_TRUE(none([](SystemSpec& s) { s.rotorsAsBodies = true; }));
  EXPECT_TRUE(none([](SystemSpec& s) { s.joints[1].independent = true; }));
  EXPECT_TRUE(none([](SystemSpec& s) {  // the rotor is meant to lead
    s.joints[0].independent = false;
    s.joints[1].independent.reset();
  }));
  EXPECT_TRUE(none([](SystemSpec& s) { s.joints[1].dynamics.damping = 0.1; }));
  EXPECT_TRUE(none([](SystemSpec& s) { s.joints[1].dynamics.friction = 0.1; }));
  EXPECT_TRUE(none([](SystemSpec& s) { s.links[2].collisions.emplace_back(); }));
  EXPECT_TRUE(none([](SystemSpec& s) { s.links[2].inertial->I.xx *= 1.001; }));
  EXPECT_TRUE(none([](SystemSpec& s) { s.links[2].inertial->X_LC.p.x = 1e-3; }));
  EXPECT_TRUE(none([](SystemSpec& s) { s.links[2].inertial.reset(); }));
  EXPECT_TRUE(none([](SystemSpec& s) { s.joints[1].axes[0] = {0, 1, 0}; }));
  EXPECT_TRUE(none([](SystemSpec& s) { s.loops.emplace_back().successor = s.links[2].name; }));
  EXPECT_FALSE(none([](SystemSpec& s) { s.loops.emplace_back().successor = s.links[1].name; }));
  EXPECT_TRUE(
      none([](SystemSpec& s) { s.constraints.emplace_back().joints = {s.joints[1].name}; }));
  EXPECT_FALSE(
      none([](SystemSpec& s) { s.constraints.emplace_back().joints = {s.joints[0].name}; }));
  EXPECT_TRUE(none([](SystemSpec& s) { s.couplings.push_back(s.couplings[0]); }));
  EXPECT_FALSE(none([](SystemSpec& s) { s.joints[1].axes[0] = {0, 0, -3}; }));
}

TEST(Gyrostats, EachStaysABodyForItself) {
  Workshop w(5, false);
  const int arm = w.joint(0);
  w.rotor(0, arm, 4, w.axesOf(arm));
  w.rotor(0, arm, 4, mul(w.axesOf(arm), rotationFromRpy({0.3, 0, 0})));
  const Gyrostats found = findGyrostats(w.spec());
  ASSERT_EQ(found.rotors.size(), 1u);
  EXPECT_EQ(found.rotors[0].joint, 1);
  EXPECT_FALSE(found.isA(2));
  ASSERT_EQ(found.kept.size(), 1u);
  EXPECT_EQ(found.kept[0].joint, 2);
  EXPECT_EQ(found.kept[0].why, "its axis is askew to that of joint 'j1' by 0.3 rad");
}

TEST(Gyrostats, SayWhyTheyStayBodies) {
  const auto why = [](auto&& change) {
    SystemSpec spec = oneRotor();
    change(spec);
    const Gyrostats found = findGyrostats(spec);
    return found.kept.empty() ? "" : found.kept.at(0).why;
  };
  EXPECT_EQ(why([](SystemSpec&) {}), "");
  EXPECT_EQ(why([](SystemSpec& s) { s.joints[1].independent = true; }), "");  // no rotor at all
  EXPECT_NE(why([](SystemSpec& s) { s.joints[1].dynamics.damping = 0.1; }).find("damping"),
            std::string::npos);
  EXPECT_NE(why([](SystemSpec& s) { s.links[2].inertial->I.xx *= 1.001; }).find("all about"),
            std::string::npos);
  EXPECT_NE(why([](SystemSpec& s) { s.links[2].inertial->X_LC.p.x = 1e-3; }).find("off its axis"),
            std::string::npos);
  EXPECT_NE(why([](SystemSpec& s) { s.joints[0].independent = false; }).find("flagged dependent"),
            std::string::npos);
}

TEST(Gyrostats, MimicsAreSoOnlyWhereTheirFlagSaysSo) {
  Workshop w(5, false);
  const int arm = w.joint(0);
  w.follower(arm, arm, 2);
  EXPECT_EQ(findGyrostats(w.spec()).rotors.size(), 1u);
  w.spec().joints.back().independent.reset();
  EXPECT_TRUE(findGyrostats(w.spec()).isEmpty());
}

TEST(Gyrostats, OfSkewAxesStayBodies) {
  Workshop w(5, false);
  const int arm = w.joint(0);
  w.rotor(0, arm, 4, rotationFromRpy({0.3, 0.2, 0.1}));
  EXPECT_TRUE(findGyrostats(w.spec()).isEmpty());
}

}  // namespace
}  // namespace espalier::testing
