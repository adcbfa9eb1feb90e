// Inertias that no real body has, in files: what is used with a Warning and what is refused.

#include <gtest/gtest.h>

#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/model/model.h"
#include "espalier/model/spec/checks.h"
#include "remarks.h"
#include "reproduction.h"

namespace espalier::io {
namespace {

/// A link that turns about z, its centre of mass 0.1 m from the axis.
std::string hinged(const std::string& inertia) {
  return R"(<robot name="p"><link name="world"/>
<link name="a"><inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia )" +
         inertia + R"(/></inertial></link>
<joint name="j" type="continuous"><parent link="world"/><child link="a"/><axis xyz="0 0 1"/></joint>
</robot>)";
}

void expectModel(const Expected<SystemSpec>& spec, int dofs) {
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  const Expected<Model> model = compile(*spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->publicNv, dofs);
}

TEST(OddInertias, APlanarOneIsUsedWithAWarning) {
  const auto spec = parseUrdf(hinged(R"(ixx="0" iyy="0" izz="0.01")"));
  expectModel(spec, 1);
  expectRemark(spec.diagnostics(), Severity::Warning, 2,
               "link 'a' has an inertia that breaks the triangle inequality by 100 %");
  if (const auto path = reproduction("planar_inertia.urdf")) expectModel(loadRobot(*path), 1);
}

TEST(OddInertias, OneThatMakesTheMassMatrixSingularIsRefused) {
  const auto spec = parseUrdf(
      R"(<robot name="p"><link name="a"><inertial><mass value="1"/><inertia ixx="0" iyy="0"
izz="0.01"/></inertial></link></robot>)");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  const Expected<Model> model = compile(*spec);
  EXPECT_FALSE(model);
  EXPECT_NE(findRemark(model.diagnostics(), Severity::Error, "no inertia along that motion"),
            nullptr)
      << model.diagnostics().toString();
}

TEST(OddInertias, NegativeOrIndefiniteOnesAreRefused) {
  for (const char* inertia :
       {R"(ixx="-0.01" iyy="0.01" izz="0.01")", R"(ixx="0.01" ixy="0.02" iyy="0.01" izz="0.01")"}) {
    const auto spec = parseUrdf(hinged(inertia));
    EXPECT_FALSE(spec);
    expectRemark(spec.diagnostics(), Severity::Error, 2,
                 "link 'a' has an inertia that is not positive");
  }
}

TEST(OddInertias, AWeldedLinkIsJudgedByTheBodyItIsPartOf) {
  const auto spec = parseUrdf(R"(<robot name="g">
<link name="base"><inertial><mass value="5"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="tip"><inertial><mass value="1e-6"/><inertia ixx="2e-8" ixy="5e-8" iyy="2e-8"
izz="3e-8"/></inertial></link>
<joint name="j" type="fixed"><parent link="base"/><child link="tip"/></joint></robot>)");
  expectModel(spec, 6);
  expectRemark(spec.diagnostics(), Severity::Warning, 3,
               "link 'tip' has an inertia that is not positive");
  if (const auto path = reproduction("welded_bad_inertia.urdf")) expectModel(loadRobot(*path), 6);
}

// A cube without its upper face, far from the origin of its file.
TEST(OddInertias, AnOpenMeshHasThoseOfTheSolidItNearlyEncloses) {
  const std::string text = R"(<mujoco><asset><mesh name="m" vertex="9 0 0 9 0 1 9 1 0 9 1 1 10 0 0
10 0 1 10 1 0 10 1 1" face="0 1 3 0 3 2 4 6 7 4 7 5 0 4 5 0 5 1 2 3 7 2 7 6 0 2 6 0 6 4"/></asset>
<worldbody><body><freejoint/><geom type="mesh" mesh="m" density="1"/></body></worldbody></mujoco>)";
  const auto spec = loadRobot(text);
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_NEAR(spec->links[0].inertial->mass, 193.0 / 240, 1e-12);
  EXPECT_FALSE(hasNegativeMoment(spec->links[0].inertial->I, 0.8));
  if (const auto path = reproduction("open_mesh_shifted.xml")) expectModel(loadRobot(*path), 6);
}

TEST(OddInertias, AnObjectNeedsThreePositiveMoments) {
  const auto world = loadWorld(R"(<raisim><objects><sphere name="s" mass="1"><dim radius="1"/>
<inertia xx="0" yy="0" zz="1"/></sphere></objects></raisim>)");
  EXPECT_FALSE(world);
  expectRemark(world.diagnostics(), Severity::Error, 1,
               "object 's' moves, but its inertia about one axis is 0 kg m^2");
}

}  // namespace
}  // namespace espalier::io
