// Geared rotors that are no bodies beside closed loops: on joints inside a loop and out of it, with
// carriers inside and outside, belts within a cluster and across its border.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/gyrostat_twins.h"
#include "tests/support/rotor_parts.h"

namespace espalier::testing {
namespace {

/// A shoulder; on it a four-bar of a and c on the carrier and b on a; an elbow and a ram on b. All
/// axes lie along y, so that belts may run anywhere.
class Workshop {
 public:
  Workshop(std::uint64_t seed, bool floating) : random_(seed) {
    spec_.name = "geared_arm";
    spec_.fixedBase = !floating;
    spec_.links.push_back(drawLink("base", random_));
    joint("shoulder", "base", JointKind::Revolute, {0.1, 0.05, 0.2}, true);
    joint("a", "shoulder", JointKind::Revolute, {0, 0.02, 0}, true);
    joint("b", "a", JointKind::Revolute, {0.03, 0, 0.2}, false);
    joint("c", "shoulder", JointKind::Revolute, {0.25, 0.02, 0}, false);
    joint("elbow", "b", JointKind::Revolute, {0.3, 0, 0.1}, true);
    joint("ram", "elbow", JointKind::Prismatic, {0.05, 0.1, 0}, true);
    spec_.joints[1].X_PJ.R = rotationFromRpy({0, 0.3, 0});
    LoopSpec pin;
    pin.name = "pin";
    pin.kind = LoopKind::REVOLUTE;
    pin.axis = {0, 1, 0};
    pin.predecessor = "b";
    pin.successor = "c";
    pin.X_PA.p = {0.24, 0, 0.02};
    pin.X_SB.p = {0.02, 0, 0.22};
    spec_.loops.push_back(pin);
  }

  /// On `carrier`, turned by the joints on the way to `to`.
  void rotor(const std::string& carrier, const std::string& to, double ratio) {
    const std::string name = addRotor(carrier);
    spec_.couplings.push_back(drawGear(name, to, ratio, random_));
  }
  /// On `carrier`, following a joint that need not be near.
  void follower(const std::string& carrier, const std::string& joint, double multiplier) {
    addRotor(carrier);
    spec_.joints.back().mimic = MimicSpec{joint, multiplier, 0.3};
  }
  SystemSpec& spec() { return spec_; }

 private:
  /// A link is named as the joint that carries it.
  void joint(const std::string& name, const std::string& parent, JointKind kind, const Vec3d& p,
             bool leads) {
    JointSpec j;
    j.name = j.child = name;
    j.parent = parent;
    j.kind = kind;
    j.X_PJ.p = p;
    j.axes[0] = {0, random_.uniform(-1, 1) < 0 ? -1.0 : 1.0, 0};
    j.independent = leads;
    spec_.links.push_back(drawLink(name, random_));
    spec_.joints.push_back(j);
  }
  std::string addRotor(const std::string& carrier) {
    const std::string name = "rotor" + std::to_string(spec_.links.size());
    joint(name, carrier, JointKind::Revolute, random_.vector(0.2), false);
    spec_.links.back() = drawRotor(name, {0, 1, 0}, random_);
    return name;
  }

  Random random_;
  SystemSpec spec_;
};

using Build = void (*)(Workshop&);
struct Case {
  const char* name;
  Build build;
  int rotors;
};

const Case cases[] = {
    {"OnALeader", [](Workshop& w) { w.rotor("shoulder", "a", 6); }, 1},
    {"OnAFollower", [](Workshop& w) { w.rotor("shoulder", "c", -5); }, 1},
    {"CarriedInside", [](Workshop& w) { w.rotor("a", "b", 7); }, 1},
    {"CarriedByWhatItFollows", [](Workshop& w) { w.follower("b", "a", 3); }, 1},
    {"BeltInside", [](Workshop& w) { w.rotor("shoulder", "b", 9); }, 1},
    {"BeltIn", [](Workshop& w) { w.rotor("base", "a", 4); }, 1},
    {"BeltOut", [](Workshop& w) { w.rotor("a", "elbow", -6); }, 1},
    {"Outside",
     [](Workshop& w) {
       w.rotor("base", "shoulder", 8);
       w.rotor("b", "elbow", 5);
     },
     2},
    {"BallScrew", [](Workshop& w) { w.rotor("elbow", "ram", -40); }, 1},
    {"All",
     [](Workshop& w) {
       w.rotor("base", "shoulder", 8);
       w.rotor("base", "a", 4);
       w.rotor("shoulder", "c", -5);
       w.rotor("shoulder", "b", 9);
       w.rotor("a", "b", 7);
       w.rotor("a", "elbow", -6);
       w.rotor("elbow", "ram", -40);
       w.follower("b", "a", 3);
       w.follower("elbow", "elbow", 2);
     },
     9},
};

class GyrostatsInLoops : public ::testing::TestWithParam<std::tuple<Case, bool, int>> {};

TEST_P(GyrostatsInLoops, AreThoseOfBodies) {
  const auto& [made, floating, seed] = GetParam();
  Workshop w(static_cast<std::uint64_t>(seed), floating);
  made.build(w);
  GyrostatTwins twins(w.spec());
  ASSERT_EQ(twins.with().rotors.size(), static_cast<std::size_t>(made.rotors));
  EXPECT_EQ(twins.with().nb() + made.rotors, twins.bodies().nb());
  EXPECT_NEAR(twins.with().mass, twins.bodies().mass, 1e-14 * twins.bodies().mass);
  for (std::uint64_t state = 1; state <= 5; ++state) {
    twins.moveTo(state, 0.15);
    twins.expectSameMotion();
    twins.expectSameEnergyAndMomentum();
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, GyrostatsInLoops,
                         ::testing::Combine(::testing::ValuesIn(cases), ::testing::Bool(),
                                            ::testing::Range(1, 4)),
                         [](const auto& p) {
                           return std::string(std::get<0>(p.param).name) +
                                  (std::get<1>(p.param) ? "Floating" : "Fixed") +
                                  std::to_string(std::get<2>(p.param));
                         });

}  // namespace
}  // namespace espalier::testing
