// Limits of what several joints move together, tendons and geared rotors, in throughput mode.

#include <gtest/gtest.h>

#include "espalier/batch/batch.h"
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

TEST(ThroughputBatch, TendonsThatPullAreRefused) {
  TendonSpec tendon;
  tendon.stiffness = 40;
  EXPECT_THROW(Batch<double>([&] { return worldOf(twoSliders(tendon)); }, 2,
                             {.mode = BatchMode::THROUGHPUT}),
               std::invalid_argument);
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
