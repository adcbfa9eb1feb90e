// Robots of files whose rotors are gyrostats, against the same with rotors as bodies, and those
// against generalized_rbda's own number.

#include <filesystem>

#include "espalier/io/urdf.h"
#include "tests/support/gyrostat_pair.h"
#include "tests/support/shared.h"

namespace espalier::testing {
namespace {

SystemSpec specOf(const std::filesystem::path& file) {
  io::UrdfOptions options;
  options.loadMeshes = false;
  auto spec = io::loadRobot(file.string(), options);
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return std::move(spec).value();
}

void expectSameOfFile(const std::filesystem::path& file, std::size_t rotors) {
  const SystemSpec spec = specOf(file);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    GyrostatPair pair(spec, seed);
    ASSERT_EQ(pair.with().rotors.size(), rotors);
    pair.expectFewerBodies();
    pair.expectSameMotion();
    pair.expectSameEnergyAndMomentum();
    pair.expectSameBitsInBranches();
  }
}

TEST(GyrostatModels, Own) {
  const std::filesystem::path models = std::filesystem::path(ESPALIER_SOURCE_DIR) / "models";
  expectSameOfFile(models / "revolute_with_rotor/revolute_with_rotor.urdf", 1);
  expectSameOfFile(models / "revolute_pair_with_rotor/revolute_pair_with_rotor.urdf", 2);
  expectSameOfFile(models / "geared_strider/geared_strider.urdf", 12);
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
