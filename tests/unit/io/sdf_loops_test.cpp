// Linkages in Gazebo's files, whose poses have as many digits as somebody wrote.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/io/urdf/urdf.h"
#include "espalier/model/loops/assembly.h"
#include "espalier/model/model.h"
#include "remarks.h"

namespace espalier::io {
namespace {

/// A parallelogram in the plane of x and z, stretched out; `rod` is the pose of its rod.
std::string linkage(const std::string& rod) {
  const auto link = [](const std::string& name, const std::string& pose) {
    return "<link name='" + name + "'><pose>" + pose +
           "</pose><inertial><mass>1</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz>"
           "</inertia></inertial></link>\n";
  };
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& type = "revolute",
                        const std::string& pose = "") {
    return "<joint name='" + name + "' type='" + type + "'>" + pose + "<parent>" + parent +
           "</parent><child>" + child + "</child><axis><xyz>0 0 1</xyz><limit><lower>-2.4</lower>" +
           "<upper>" + (name == "b" ? "2.4" : "-0.6") + "</upper></limit></axis></joint>\n";
  };
  return "<sdf version='1.6'><model name='m'>\n" + link("base", "0 0 0 0 0 0") +
         link("crank", "0 0 0 1.5708 0.3 0") + link("rod", rod) +
         link("rocker", "1 0 0 1.5708 0.4 0") + joint("a", "base", "crank") +
         joint("b", "crank", "rod") + joint("c", "base", "rocker") +
         joint("pin", "rod", "rocker", "ball", "<pose>0.5 0 0.1 0 0 0</pose>") + "</model></sdf>";
}

double angleOfAxes(const SystemSpec& spec) {
  // The base stands upright; each link's frame is its joint's.
  const Vec3d a = mul(spec.joints[0].X_PJ.R, spec.joints[0].axes[0]);
  const Vec3d c = mul(spec.joints[2].X_PJ.R, spec.joints[2].axes[0]);
  const Vec3d b = mul(mul(spec.joints[0].X_PJ.R, spec.joints[1].X_PJ.R), spec.joints[1].axes[0]);
  return std::max(norm(cross(a, b)), norm(cross(a, c)));
}

TEST(SdfLoops, AxesThatRoundingMadeAskewAreParallel) {
  const auto spec = loadRobot(linkage("0.47767 0 -0.14776 1.5708 0.32 0"));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Note, 7, "is taken as parallel");
  EXPECT_LT(angleOfAxes(*spec), 1e-15);
  const auto model = compile(*spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  // Anywhere else it closes, too, in all three directions.
  const Mechanism& m = model->mechanism;
  for (const double angle : {-0.8, -1.6, -2.2}) {
    std::vector<double> q = m.assembled;
    q[7] = q[9] = angle;
    q[8] = -angle;
    EXPECT_TRUE(loopsOf(model->topology, model->lowered, m).closeNear({}, q).isClosed);
  }
}

/// Nothing in the file says that the linkage moves: it is as rigid as it is written, and told so.
TEST(SdfLoops, AnAxisThatIsReallyAskewStaysSo) {
  const auto spec = loadRobot(linkage("0.47767 0 -0.14776 1.5708 0.32 0.1"));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_NEAR(angleOfAxes(*spec), std::sin(0.1), 1e-3);
  const auto model = compile(*spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->nb(), 1);
  expectRemark(
      model.diagnostics(), Severity::Warning, 9,
      "joint 'b' turns 5.7 degrees off the direction that the others turn about; its links "
      "are welded to one another");
  SystemSpec driven = *spec;
  driven.joints[0].independent = true;
  const auto refused = compile(driven);
  ASSERT_FALSE(refused);
  expectRemark(refused.diagnostics(), Severity::Error, 9, "joint 'b' turns 5.7 degrees off");
}

TEST(SdfLoops, CassieBeginsWithinItsLimitsAndCloses) {
  const auto shared = sharedFolder();
  if (shared.empty()) GTEST_SKIP() << "ESPALIER_SHARED is not there";
  const auto spec = loadRobot((shared / "models/cassie/robots/cassie_v2.sdf").string());
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  const auto model = compile(*spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  for (const BodyInfo& body : model->bodies) {
    const auto i = static_cast<std::size_t>(&body - model->bodies.data());
    if (i == 0) continue;
    const double q = model->mechanism.assembled[model->topology.bodies[i].q];
    EXPECT_GE(q, body.limits.lower) << body.joint;
    EXPECT_LE(q, body.limits.upper) << body.joint;
  }
}

TEST(SdfLoops, TheFeetOfTheOlderCassiesBindAndAreWelded) {
  const auto shared = sharedFolder();
  if (shared.empty()) GTEST_SKIP() << "ESPALIER_SHARED is not there";
  for (const std::string name : {"cassie_reduced.sdf", "cassie_simple.sdf"}) {
    const auto spec = loadRobot((shared / "models/cassie/robots" / name).string());
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    const auto model = compile(*spec);
    ASSERT_TRUE(model) << model.diagnostics().toString();
    for (const std::string side : {"left", "right"}) {
      EXPECT_NE(model.diagnostics().toString().find("'" + side +
                                                    "-crank-rod-joint' turns 5.7 degrees off"),
                std::string::npos)
          << model.diagnostics().toString();
      const auto bodyOf = [&](const std::string& link) {
        for (const FrameInfo& f : model->links)
          if (f.name == side + link) return f.body;
        return -1;
      };
      EXPECT_EQ(bodyOf("-foot"), bodyOf("-tarsus"));
      EXPECT_EQ(bodyOf("-foot-crank"), bodyOf("-tarsus"));
      EXPECT_NE(bodyOf("-tarsus"), bodyOf("-shin"));
    }
  }
}

}  // namespace
}  // namespace espalier::io
