// Least masses and moments of inertia.

#include "espalier/io/urdf/bound_inertia.h"

#include <gtest/gtest.h>

#include "espalier/io/urdf/urdf.h"
#include "espalier/model/model.h"
#include "espalier/model/spec/principal_axes.h"
#include "remarks.h"

namespace espalier::io {
namespace {

/// A massless finger that moves; its tip is welded to it.
const std::string hand = R"(<robot name="h"><link name="world"/>
<link name="palm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="finger"/>
<link name="tip"><inertial><origin xyz="0.2 0 0"/><mass value="0.001"/>
<inertia ixx="1e-9" iyy="1e-5" izz="1e-5"/></inertial></link>
<joint name="jp" type="continuous"><parent link="world"/><child link="palm"/></joint>
<joint name="jf" type="continuous"><parent link="palm"/><child link="finger"/></joint>
<joint name="jt" type="fixed"><parent link="finger"/><child link="tip"/></joint></robot>)";

Expected<SystemSpec> load(const std::string& text, double mass, double moment) {
  UrdfOptions options;
  options.least = {mass, moment};
  return loadRobot(text, options);
}

TEST(BoundInertia, WeldedLinksAreRaisedAsOneBody) {
  const auto spec = load(hand, 0.01, 1e-6);
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Note, 3, "link 'finger' has less than the least");
  EXPECT_EQ(countRemarks(spec.diagnostics(), Severity::Note, "least"), 1);
  const auto model = compile(*spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  const AuthoredBody& finger = model->authored.bodies[2];
  EXPECT_NEAR(finger.mass, 0.01, 1e-15);
  EXPECT_NEAR(finger.com.x, 0.2, 1e-15) << "the centre of mass stays";
  const auto moments = principalMoments(finger.I);
  EXPECT_NEAR(moments[0], 1e-6, 1e-17);
  EXPECT_NEAR(moments[1], 1e-5, 1e-17);
  EXPECT_NEAR(moments[2], 1e-5, 1e-17);
  const AuthoredBody& palm = model->authored.bodies[1];
  EXPECT_EQ(palm.mass, 1);
  EXPECT_EQ(palm.I.xx, 1);
}

TEST(BoundInertia, AMasslessFingerIsTaken) {
  const std::string massless = R"(<robot name="h"><link name="world"/><link name="f"/>
<joint name="j" type="continuous"><parent link="world"/><child link="f"/></joint></robot>)";
  EXPECT_FALSE(compile(load(massless, 0, 0).value()));
  const auto model = compile(load(massless, 0, 1e-6).value());
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->authored.bodies[1].mass, 0);
  EXPECT_EQ(model->authored.bodies[1].I.xx, 1e-6);
}

TEST(BoundInertia, OtherFormatsToo) {
  const auto spec = load(R"(<mujoco><worldbody><body><joint/><geom size=".01" density="1"/></body>
</worldbody></mujoco>)",
                         0.5, 0);
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  double mass = 0;
  for (const LinkSpec& link : spec->links) mass += link.inertial ? link.inertial->mass : 0;
  EXPECT_NEAR(mass, 0.5, 1e-12);
}

TEST(BoundInertia, NothingIsAddedWhereNothingIsAsked) {
  const auto spec = load(hand, 0, 0);
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_FALSE(spec->links[2].inertial);
}

}  // namespace
}  // namespace espalier::io
