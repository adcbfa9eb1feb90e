// arboris' soft fingers, one by one and along its trajectories ("corrected" values: friction
// inside its cone), and its human falling on eight points.

#include <gtest/gtest.h>

#include "espalier/compat/arboris/simulate.h"
#include "espalier/compat/arboris/soft_finger.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "tests/oracle/arboris_mechanisms.h"
#include "tests/oracle/arboris_trajectory.h"
#include "tests/support/shared.h"

namespace espalier::testing {
namespace {

using sim::SoftFinger;
using sim::SubFrame;
using sim::WeightController;

TEST(ArborisContact, SoftFingersOneByOne) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/softfinger_solve_unit.json");
  int slipping = 0;
  for (const Json& u : data) {
    const Eigen::Matrix4d Y = denseFrom(u.at("admittance"));
    const Eigen::Vector4d v = denseFrom(u.at("vel")), zero = Eigen::Vector4d::Zero();
    const double mu = u.at("mu");
    const Eigen::Vector4d f =
        sim::softFingerForce(zero, v, Y, u.at("sdist"), u.at("dt"), mu, Eigen::Vector3d::Ones());
    EXPECT_LT(differs(f, denseFrom(u.at("corrected").at("force"))), 1e-13);
    EXPECT_LT(differs(v + Y * f, denseFrom(u.at("corrected").at("v_after"))), 1e-12);
    if (f[3] > 0 && std::abs(f.head<3>().norm() / (mu * f[3]) - 1) < 1e-12) ++slipping;
  }
  EXPECT_EQ(slipping, 9);
}

/// The ground of arboris: y up.
Transformd groundPose() { return {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {0, 0, 0}}; }

struct Free {
  World world;
  std::unique_ptr<Simulation> simulation;
  SubFrame* ground;

  Free(double mass, const Sym3<double>& I) {
    world.setGravity({0, -9.81, 0});
    SystemSpec spec;
    spec.name = "body";
    spec.links.emplace_back().name = "body";
    spec.links[0].inertial = InertialSpec{mass, identityTransform<double>(), I};
    world.addArticulatedSystem(spec);
    simulation = std::make_unique<Simulation>(world);
    simulation->add<WeightController>();
    ground = &simulation->add<SubFrame>(simulation->ground(), groundPose());
  }
};

void ball(const Json& t, const std::string& what) {
  const double r = t.at("radius"), m = t.at("mass"), I = 0.4 * m * r * r;
  Free free(m, {I, 0, 0, I, 0, I});
  Simulation& sim = *free.simulation;
  sim.add<SoftFinger>(*free.ground, Plane{}, sim.body("body"), SphereShape{r},
                      t.at("mu").get<double>());
  follow(sim, t, 1e-9, what);
}

TEST(ArborisContact, BallDropsAndSlides) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/contact_softfinger.json");
  ball(data.at("ball_drop_slide_corrected"), "drop");
}
TEST(ArborisContact, BallRolls) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/contact_softfinger.json");
  ball(data.at("ball_roll_start_on_plane_corrected"), "roll");
}

TEST(ArborisContact, BoxOnEightPoints) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/contact_softfinger.json");
  const Json& t = data.at("box8points_drop_corrected");
  const std::vector<double> h = t.at("half_extents");
  const double m = t.at("mass"), x = 2 * h[0], y = 2 * h[1], z = 2 * h[2];
  Free free(
      m, {m * (y * y + z * z) / 12, 0, 0, m * (x * x + z * z) / 12, 0, m * (x * x + y * y) / 12});
  Simulation& sim = *free.simulation;
  for (double sx : {-1.0, 1.0})
    for (double sy : {-1.0, 1.0})
      for (double sz : {-1.0, 1.0}) {
        auto& corner = sim.add<SubFrame>(
            sim.body("body"), Transformd{identity3<double>(), {sx * h[0], sy * h[1], sz * h[2]}});
        sim.add<SoftFinger>(*free.ground, Plane{}, corner, SphereShape{0},
                            t.at("mu").get<double>());
      }
  follow(sim, t, 1e-9, "box");
}

TEST(ArborisContact, Human36Falls) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/human36.json");
  const Json& t = data.at("fall_corrected");
  const Dense base = arborisHuman36Base(data);
  World world;
  world.setGravity({0, -9.81, 0});
  world.addArticulatedSystem(arborisSpec(arborisHuman36(data)));
  Simulation sim(world);
  sim.add<WeightController>();
  auto& ground = sim.add<SubFrame>(sim.ground(), groundPose());
  for (const std::string tag : t.at("contact_points")) {
    const char* foot = tag.find("Right") == 0 ? "FootR" : "FootL";
    const Transformd X_gf =
        transformFrom(denseFrom(data.at("states").at(0).at("body_pose").at(foot)));
    const std::vector<double> p = data.at("tags_at_zero").at(tag);
    const Vec3d inFoot = tmul(X_gf.R, Vec3d{p[0], p[1], p[2]} - X_gf.p);
    auto& point = sim.add<SubFrame>(sim.body(foot), Transformd{identity3<double>(), inFoot});
    sim.add<SoftFinger>(ground, Plane{}, point, SphereShape{0}, t.at("mu").get<double>());
  }
  follow(sim, t, 1e-10, "human36", base);
}

}  // namespace
}  // namespace espalier::testing
