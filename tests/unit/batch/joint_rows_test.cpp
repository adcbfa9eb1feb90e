// What several joints move together, tendons and geared rotors, in throughput mode.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "espalier/batch/batch.h"
#include "espalier/batch/observer.h"
#include "tests/support/two_sliders.h"

namespace espalier::testing {
namespace {

std::shared_ptr<World> worldOf(const SystemSpec& spec) {
  auto world = std::make_shared<World>();
  world->addArticulatedSystem(spec);
  return world;
}

TEST(ThroughputBatch, ATendonStopsAtItsLimit) {
  TendonSpec tendon;
  tendon.upper = 0.1;
  Batch<double> batch([&] { return worldOf(twoSliders(tendon)); }, 5,
                      {.mode = BatchMode::THROUGHPUT, .threads = 1});
  const Rows<double> q = batch.bind("q"), u = batch.bind("u");
  for (int w = 0; w < 5; ++w) u(0, w) = 1 + w;
  batch.step(300);
  for (int w = 0; w < 5; ++w) {
    EXPECT_LT(q(0, w) - q(1, w), 0.1 + 1e-6);
    EXPECT_NEAR(u(0, w), (1 + w) * m1 / (m1 + m2), 1e-6) << "the impact is plastic";
    EXPECT_NEAR(u(1, w), u(0, w), 1e-6);
  }
}

/// Hinges of 0.01 kg m^2 at rest, of which torques carry some past their limit in the first step.
template <class S>
void expectLimitsHold(Scheme scheme, double tolerance) {
  const auto make = [&] {
    SystemSpec spec = jointedBody(JointKind::Revolute, SphereShape{0.1}, 1);
    spec.links[1].inertial->I = {0.01, 0, 0, 0.01, 0, 0.01};
    spec.joints[0].limits = {.lower = -0.02, .upper = 0.02};
    auto world = std::make_shared<World>();
    world->setIntegrationScheme(scheme);
    world->addArticulatedSystem(spec);
    return world;
  };
  constexpr double torques[] = {0.05, 500, -700, 5e3, 0};
  Batch<S> batch(make, 5, {.mode = BatchMode::THROUGHPUT, .threads = 1});
  Batch<S> gentle(make, 5, {.mode = BatchMode::THROUGHPUT, .threads = 1});
  const Rows<S> q = batch.bind("q"), torque = batch.bind("feedforward");
  for (int w = 0; w < 5; ++w) torque(0, w) = static_cast<S>(torques[w]);
  gentle.bind("feedforward")(0, 0) = static_cast<S>(torques[0]);
  for (int i = 0; i < 20; ++i) {
    batch.step(1);
    gentle.step(1);
    for (int w = 0; w < 5; ++w) EXPECT_LT(std::abs(q(0, w)), 0.02 + tolerance) << w << ", " << i;
    EXPECT_EQ(q(0, 0), gentle.bind("q")(0, 0)) << "of no concern to its neighbours";
  }
  EXPECT_NEAR(static_cast<double>(q(0, 1)), 0.02, tolerance);
  EXPECT_NEAR(static_cast<double>(q(0, 2)), -0.02, tolerance);
  for (const std::uint32_t flags : batch.report().flags) EXPECT_EQ(flags, 0u);
}

TEST(ThroughputBatch, LimitsHoldThatAreReachedInOneStep) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    expectLimitsHold<double>(scheme, 1e-7);
    expectLimitsHold<float>(scheme, 1e-4);
  }
}

/// A gripper of three fingers with all that a tendon along joints can have; a slack one between them.
SystemSpec threeFingers() {
  TendonSpec tendon;
  tendon.stiffness = 40;
  tendon.damping = 2;
  tendon.friction = 0.3;
  tendon.restLower = 0.05;
  tendon.restUpper = 0.1;
  ActuatorSpec& actuator = tendon.actuator.emplace();
  actuator = {300, 20, 0, 0, 0, -8, 9};
  SystemSpec spec = twoSliders(tendon);
  LinkSpec link = spec.links[2];
  JointSpec joint = spec.joints[1];
  link.name = joint.child = "third";
  joint.name = "third_joint";
  spec.links.push_back(link);
  spec.joints.push_back(joint);
  spec.tendons[0].terms.push_back({"third_joint", 0.7});
  TendonSpec slack;
  slack.name = "slack";
  slack.terms = {{"second_joint", 1}, {"third_joint", 1}};
  slack.stiffness = 200;
  slack.restLower = -5;
  slack.restUpper = 0.02;
  spec.tendons.push_back(slack);
  return spec;
}

/// Commands by world; two robots are one system in lanes.
template <class S>
void expectTendonsAsAccurate(Scheme scheme, int robots, double tolerance) {
  const auto make = [&] {
    auto world = std::make_shared<World>();
    world->setIntegrationScheme(scheme);
    for (int i = 0; i < robots; ++i) world->addArticulatedSystem(threeFingers());
    const Eigen::Vector2d kp(250, 10), kd(15, 0);
    world->system(0)->setTendonGains(kp, kd);
    return world;
  };
  Batch<double> exact(make, 5);
  Batch<S> fast(make, 5, {.mode = BatchMode::THROUGHPUT});
  const auto command = [](auto& batch, double t) {
    const auto target = batch.bind("tendon_target"), force = batch.bind("tendon_force");
    ASSERT_EQ(target.count, force.count);
    for (int i = 0; i < target.count; ++i)
      for (int w = 0; w < 5; ++w) {
        target(i, w) =
            static_cast<std::remove_reference_t<decltype(target(0, 0))>>(0.02 * (w - 1) + t);
        force(i, w) = static_cast<std::remove_reference_t<decltype(force(0, 0))>>(
            i % 2 == 0 ? 0.3 * w : -0.5);
      }
  };
  const Rows<double> q = exact.bind("q");
  double most = 0;
  for (int k = 0; k < 4; ++k) {
    command(exact, 0.05 * k);
    command(fast, 0.05 * k);
    exact.step(50);
    fast.step(50);
    for (int i = 0; i < q.count; ++i)
      for (int w = 0; w < 5; ++w) {
        EXPECT_NEAR(static_cast<double>(fast.bind("q")(i, w)), q(i, w), tolerance)
            << i << ", world " << w << ", " << k;
        most = std::max(most, std::abs(q(i, w)));
      }
  }
  EXPECT_GT(most, 0.02);
  for (const std::uint32_t flags : fast.report().flags) EXPECT_EQ(flags, 0u);
}

TEST(ThroughputBatch, TendonsPullAsInAccurateWorlds) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT, Scheme::EULER})
    for (const int robots : {1, 2}) {
      expectTendonsAsAccurate<double>(scheme, robots, 1e-7);
      expectTendonsAsAccurate<float>(scheme, robots, 2e-4);
    }
}

TEST(ThroughputBatch, TendonsThroughPointsAreRefused) {
  TendonSpec tendon;
  tendon.stiffness = 40;
  SystemSpec spec = twoSliders(tendon);
  spec.tendons[0].terms.clear();
  spec.tendons[0].ways = {{.points = {{spec.links[1].name, {0, 0, 0}}, {"second", {0, 0, 0.1}}}}};
  EXPECT_THROW(Batch<double>([&] { return worldOf(spec); }, 2, {.mode = BatchMode::THROUGHPUT}),
               std::invalid_argument);
}

/// An accurate batch passes commands on to Worlds, late where a delay is asked for.
TEST(AccurateBatch, TendonsAreCommandedWithTheDelayOfMotors) {
  const auto make = [] { return worldOf(threeFingers()); };
  Batch<double> batch(make, 2);
  for (const char* name : {"tendon_target", "tendon_force"}) EXPECT_EQ(batch.bind(name).count, 2);
  batch.bind("delay")(0, 1) = 0.01;
  for (int w = 0; w < 2; ++w) batch.bind("tendon_target")(0, w) = 0.0;
  batch.step(20);
  for (int w = 0; w < 2; ++w) batch.bind("tendon_target")(0, w) = 0.2;
  const auto world = make();
  for (int i = 0; i < 20; ++i) world->integrate();
  for (int i = 0; i < 30; ++i) {
    if (i == 10) world->system(0)->setTendonTarget(Eigen::Vector2d(0.2, 0));
    world->integrate();
  }
  batch.step(30);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(batch.bind("q")(i, 1), world->getState().q[i]);
    EXPECT_NE(batch.bind("q")(i, 0), world->getState().q[i]);
  }
}

TEST(Observer, TendonsAreNamed) {
  Batch<double> batch([] { return worldOf(threeFingers()); }, 2);
  batch.bind("tendon_target")(1, 1) = 0.25;
  const std::vector<Quantity> quantities{{.name = "tendon_force"},
                                         {.name = "tendon_target", .of = {"slack"}}};
  Observer<double> observer(batch, quantities);
  EXPECT_EQ(observer.names(), (std::vector<std::string>{"tendon_force/t", "tendon_force/slack",
                                                        "tendon_target/slack"}));
  std::vector<double> seen(6);
  observer.observe(Observed<double>{seen.data(), 3, 1});
  EXPECT_EQ(seen, (std::vector<double>{0, 0, 0, 0, 0, 0.25}));
  const std::vector<Quantity> none{{.name = "tendon_target", .of = {"nothing"}}};
  EXPECT_THROW(Observer<double>(batch, none), std::invalid_argument);
}

TEST(ThroughputBatch, AGearedRotorStopsAtItsLimit) {
  SystemSpec spec = modelSpec("revolute_with_rotor");
  for (JointSpec& joint : spec.joints)
    if (joint.child.find("rotor") != std::string::npos) joint.limits = {.lower = -1, .upper = 1.5};
  const auto make = [&] { return worldOf(spec); };
  ASSERT_EQ(make()->system(0)->model().rotors.size(), 1u);
  ASSERT_EQ(make()->system(0)->model().rotors[0].limits.upper, 1.5);
  const double ratio = make()->system(0)->model().rotors[0].terms[0].factor;
  Batch<double> fast(make, 4, {.mode = BatchMode::THROUGHPUT, .threads = 1}),
      accurate(make, 4, {.threads = 1});
  for (Batch<double>* batch : {&fast, &accurate}) {
    for (int w = 0; w < 4; ++w) batch->bind("u")(0, w) = (w - 1.5) * 2;
    batch->step(400);
  }
  for (int w = 0; w < 4; ++w) {
    const double turned = ratio * fast.bind("q")(0, w);
    EXPECT_TRUE(turned > -1 - 1e-4 && turned < 1.5 + 1e-4) << turned;
    EXPECT_NEAR(fast.bind("q")(0, w), accurate.bind("q")(0, w), 1e-6);
    EXPECT_NEAR(fast.bind("u")(0, w), accurate.bind("u")(0, w), 1e-5);
  }
}

}  // namespace
}  // namespace espalier::testing
