// Robots of files whose rotors are gyrostats, against the same with rotors as bodies, and those
// against generalized_rbda's own number.

#include <filesystem>

#include "espalier/io/urdf/urdf.h"
#include "tests/support/gyrostat_pair.h"
#include "tests/support/gyrostat_twins.h"
#include "tests/support/random_mechanism.h"
#include "tests/support/shared.h"
#include "tests/support/source_folder.h"

namespace espalier::testing {
namespace {

SystemSpec specOf(const std::filesystem::path& file) {
  io::UrdfOptions options;
  options.loadMeshes = false;
  auto spec = io::loadRobot(file.string(), options);
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return std::move(spec).value();
}

/// in  hasLegs  whether legs go side by side in lanes: chains on a root that is the floating base itself
void expectSameOfFile(const std::filesystem::path& file, std::size_t rotors, bool hasLegs = false) {
  const SystemSpec spec = specOf(file);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    GyrostatPair pair(spec, seed);
    ASSERT_EQ(pair.with().rotors.size(), rotors);
    pair.expectFewerBodies();
    pair.expectSameMotion();
    pair.expectSameEnergyAndMomentum();
    EXPECT_EQ(pair.expectSameBitsInLanes(), hasLegs);
  }
}

TEST(GyrostatModels, Own) {
  const std::filesystem::path models = std::filesystem::path(sourceFolder()) / "models";
  expectSameOfFile(models / "revolute_with_rotor/revolute_with_rotor.urdf", 1);
  expectSameOfFile(models / "revolute_pair_with_rotor/revolute_pair_with_rotor.urdf", 2);
  expectSameOfFile(models / "geared_strider/geared_strider.urdf", 12, true);
}

/// Beside loops, and beside a rotor that stays a body.
TEST(GyrostatModels, Mechanisms) {
  const std::filesystem::path models = std::filesystem::path(sourceFolder()) / "models";
  const auto expectSame = [&](const std::string& name, std::size_t rotors, double far) {
    GyrostatTwins twins(specOf(models / name / (name + ".urdf")));
    EXPECT_EQ(twins.with().rotors.size(), rotors);
    EXPECT_EQ(twins.with().nb() + static_cast<int>(rotors), twins.bodies().nb());
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      twins.moveTo(seed, far);
      twins.expectSameMotion();
      twins.expectSameEnergyAndMomentum();
    }
  };
  expectSame("geared_biped", 25, 0.1);
  expectSame("revolute_triple_with_rotor", 2, 0.01);  // gears enlarge it
}

/// What leads where all rotors are bodies leads without them, too.
SystemSpec withFlags(SystemSpec spec) {
  for (JointSpec& joint : spec.joints)
    if (joint.name.rfind("rotor", 0) == 0) joint.independent = false;
  const Model model = std::move(*compile(spec));
  for (const BodyInfo& body : model.bodies) {
    const BodyTopology& b = model.topology.bodies[&body - model.bodies.data()];
    if (body.specJoint < 0 || b.nv != 1) continue;
    const std::vector<int>& y = model.mechanism.dofOfY;
    spec.joints[body.specJoint].independent = std::find(y.begin(), y.end(), b.u) != y.end();
  }
  return spec;
}

TEST(GyrostatModels, RandomMechanisms) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const MechanismOptions options = mechanismOptions(seed);
    if (!options.rotors || !options.planar) continue;
    SCOPED_TRACE(seed);
    GyrostatTwins twins(withFlags(randomMechanism(seed, options).spec));
    EXPECT_EQ(twins.with().rotors.size(), 2u);
    ++tried;
    for (std::uint64_t state = 1; state <= 5; ++state) {
      twins.moveTo(state, 0.01);
      twins.expectSameMotion();
      twins.expectSameEnergyAndMomentum();
    }
  }
  EXPECT_GE(tried, 15);
}

TEST(GyrostatModels, Shared) {
  const std::filesystem::path folder = sharedFolder() / "models/urdf_plus";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  expectSameOfFile(folder / "mini_cheetah.urdf", 12);
  expectSameOfFile(folder / "mit_humanoid.urdf", 18);
  expectSameOfFile(folder / "revolute_rotor_chain.urdf", 3);
}

}  // namespace
}  // namespace espalier::testing
