// Nothing is allocated in a step: every operator new of this executable is counted, and ODE's own
// allocator is.

#include <gtest/gtest.h>

#include "espalier/batch/lane_steps.h"
#include "espalier/collision/scene.h"
#include "espalier/world/world.h"
#include "tests/support/ball_pendulum.h"
#include "tests/support/bilateral.h"
#include "tests/support/counted_heap.h"
#include "tests/support/four_bar.h"
#include "tests/support/source_folder.h"
#include "tests/support/world_scenes.h"
#include "tests/support/wrapped_drum.h"

namespace espalier::testing {
namespace {

/// Steps on; returns the most limit rows there were.
int expectNoAllocation(World& world, int steps, StepFlag allowed = StepFlag::SolverNotConverged) {
  world.integrate();
  const long before = allocations;
  const std::uint64_t ode = odeAllocations();
  EXPECT_GT(before, 0);  // the counter counts
  int limits = 0;
  std::uint32_t flags = 0;
  for (int i = 0; i < steps; ++i) {
    flags |= world.integrate().flags;
    limits = std::max(limits, world.report().limits);
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(odeAllocations(), ode);
  EXPECT_EQ(flags & ~static_cast<std::uint32_t>(allowed), 0u);
  return limits;
}

class StepAllocation : public ::testing::TestWithParam<Scheme> {};
INSTANTIATE_TEST_SUITE_P(Schemes, StepAllocation,
                         ::testing::Values(Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT),
                         [](const auto& scheme) {
                           return scheme.param == Scheme::MIDPOINT ? "Midpoint" : "SemiImplicit";
                         });

TEST_P(StepAllocation, RobotsInContactLimitsPdAndSelfCollision) {
  World world;
  world.setIntegrationScheme(GetParam());
  world.setEnergyMonitoring(true);
  world.addGround();
  addRobot(world, "strider", 100, 2, {0, 0, 0.05});
  addRobot(world, "strider", 100, 2, {0.1, 0.05, 0.9});  // falls on the first
  addRobot(world, "biped", 5, 0.5, {3, 0, 0.05});        // collapses to its limits
  addRobot(world, "arm7", 0, 0, {-3, 0, 0});
  addRobot(world, "chain20", 1, 0.1, {0, 3, 0});
  world.setMaxContacts(1024);
  EXPECT_GT(expectNoAllocation(world, 1000), 0);
  EXPECT_GT(world.report().contacts, 4);
}

TEST_P(StepAllocation, LimitsOfASphericalJoint) {
  World world;
  world.setIntegrationScheme(GetParam());
  world.setTimeStep(1e-3);
  ArticulatedSystem* ball = world.addArticulatedSystem(
      ballPendulum({0, 0, 1}, {.angle = 0.5, .swing = 0.4, .twistLower = -0.1, .twistUpper = 0.1}));
  ball->setGeneralizedVelocity({3, -2, 4});
  EXPECT_GT(expectNoAllocation(world, 500), 1);
}

TEST_P(StepAllocation, RopesRoundDrums) {
  World world;
  world.setIntegrationScheme(GetParam());
  for (const bool isCylinder : {true, false}) {
    SystemSpec spec = wrappedDrum(isCylinder);
    spec.tendons[0].stiffness = 300;
    spec.tendons[0].upper = 1.25;
    ArticulatedSystem* robot = world.addArticulatedSystem(spec);
    robot->setState(startOfDrum(*robot), Eigen::VectorXd::Constant(4, 0.3));
  }
  EXPECT_GT(expectNoAllocation(world, 500), 0);
}

TEST_P(StepAllocation, LoopsAndConstraints) {
  World world;
  world.setIntegrationScheme(GetParam());
  world.setTimeStep(1e-3);
  for (const char* name : {"four_bar", "tello_leg"}) {
    ArticulatedSystem* system =
        world.addArticulatedSystem(sourceFolder() + "/models/" + name + "/" + name + ".urdf");
    system->setGeneralizedVelocity(Eigen::VectorXd::Constant(system->getDOF(), 1.0));
  }
  EXPECT_GT(expectNoAllocation(world, 500), 0);  // the ankle reaches its stop
}

TEST_P(StepAllocation, ThroughAChangePoint) {
  World world;
  world.setIntegrationScheme(GetParam());
  world.setTimeStep(1e-3);
  ArticulatedSystem* bar =
      world.addArticulatedSystem(fourBar({.crank = 1, .coupler = 2.5, .rocker = 2, .ground = 1.5}));
  bar->setGeneralizedCoordinate({0.3});
  bar->setGeneralizedVelocity({-5.0});
  expectNoAllocation(world, 200, StepFlag::ChangePoint);
  EXPECT_LT(bar->getGeneralizedCoordinate()[0], -0.3);
}

TEST_P(StepAllocation, BilateralLoops) {
  World world;
  world.setIntegrationScheme(GetParam());
  world.setTimeStep(1e-3);
  world.addGround(-0.2);
  SystemSpec spec = bilateral(fourBar({.floats = true}));
  for (LinkSpec& link : spec.links) {
    CollisionSpec ball;
    ball.shape = SphereShape{0.05};
    link.collisions.push_back(ball);
  }
  world.addArticulatedSystem(spec);
  world.addArticulatedSystem(bilateral(fourBar({})));
  expectNoAllocation(world, 1000);
  EXPECT_GE(world.report().activeContacts, 2);
}

// Terrain and meshes. ODE keeps a list of the triangles that touched, which grows to its largest
// once; the ball has been on the rock before.
TEST_P(StepAllocation, HeightfieldAndMesh) {
  World world;
  world.setIntegrationScheme(GetParam());
  auto heights = std::make_shared<HeightfieldData>();
  *heights = {20, 20, 4, 4, std::vector<double>(400)};
  for (std::size_t i = 0; i < 400; ++i) heights->heights[i] = 0.03 * std::sin(0.9 * i);
  world.addBody(fixedShape("terrain", Heightfield{heights}));
  addRobot(world, "strider", 100, 2, {0, 0, 0.05});
  auto tetrahedron = std::make_shared<TriangleMesh>();
  tetrahedron->vertices = {{0.2, 0, -0.1}, {-0.1, 0.2, -0.1}, {-0.1, -0.2, -0.1}, {0, 0, 0.2}};
  tetrahedron->triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  place(*world.addArticulatedSystem(freeBody("tetrahedron", MeshShape{"", tetrahedron}, 1)),
        {1.2, 1.2, 0.3});
  world.addBody(
      fixedShape("rock", MeshShape{"", tetrahedron}, {identity3<double>(), {-1.2, 1.2, 0}}));
  place(*world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1)), {-1.2, 1.2, 0.5});
  for (int i = 0; i < 500; ++i) world.integrate();
  expectNoAllocation(world, 1000);
}

std::unique_ptr<World> droppedBoxes(int maxContacts) {
  auto world = std::make_unique<World>();
  world->setIntegrationScheme(Scheme::SEMI_IMPLICIT);
  if (maxContacts > 0) world->setMaxContacts(maxContacts);
  world->addGround();
  for (int i = 0; i < 27; ++i)
    place(*world->addArticulatedSystem(freeBody("box", BoxShape{{0.2, 0.2, 0.2}}, 1)),
          {0.201 * (i % 3), 0.201 * (i / 3 % 3), 0.11 + 0.205 * (i / 9)});
  return world;
}

// The one step that may allocate has more contacts than any before. Its result is that of a world
// with room from the start.
TEST(StepAllocation, OnlyWhereContactsAreMoreThanEver) {
  const auto world = droppedBoxes(0), roomy = droppedBoxes(2000);
  world->integrate();
  roomy->integrate();
  const long before = allocations;
  int most = world->report().contacts, grown = 0;
  for (int i = 0; i < 300; ++i) {
    const long own = allocations;
    world->integrate();
    const bool hasGrown = allocations != own;
    grown += hasGrown;
    if (hasGrown) EXPECT_GT(world->report().contacts, most) << "step " << i;
    most = std::max(most, world->report().contacts);
    const long others = allocations;
    roomy->integrate();
    EXPECT_EQ(allocations, others) << "step " << i;
    ASSERT_EQ(world->report().flags, roomy->report().flags) << "step " << i;
    ASSERT_EQ(world->stateHash(), roomy->stateHash()) << "step " << i;
  }
  EXPECT_GE(grown, 1);
  EXPECT_LE(grown, 2);
  EXPECT_GT(allocations, before);
}

// The room for joint rows follows what is set between the halves of a step.
TEST(StepAllocation, ExactTorqueLimitsBetweenTheHalves) {
  World world;
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 100, 2);
  world.integrate();
  world.integrate1();
  robot->setTorqueLimits(TorqueLimits::EXACT);
  EXPECT_EQ(world.integrate2().flags, 0u);
  expectNoAllocation(world, 100);
}

// A World of a robot on the ground holds at most 500 kB, the compiled model aside, which worlds share.
TEST(Memory, AWorldOfARobot) {
  const auto make = [] {
    auto world = std::make_unique<World>();
    world->addGround();
    addRobot(*world, "strider", 100, 2, {0, 0, 0.05});
    for (int i = 0; i < 1000; ++i) world->integrate();
    return world;
  };
  const auto first = make();
  const long before = heldBytes;
  const auto second = make();
  RecordProperty("bytes", static_cast<int>(heldBytes - before));
  EXPECT_LT(heldBytes - before, 500'000);
}

// Commands between steps allocate neither.
TEST(StepAllocation, ControlLoop) {
  World world;
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 100, 2);
  const Eigen::VectorXd target = nominal("strider"), u = Eigen::VectorXd::Zero(18);
  world.integrate();
  const long before = allocations;
  for (int i = 0; i < 100; ++i) {
    robot->setPdTarget(target, u);
    robot->setGeneralizedForce(u);
    robot->setExternalForce(0, {0, 0, 1});
    world.integrate1();
    robot->setExternalTorque(1, {0, 1, 0});
    world.integrate2();
  }
  EXPECT_EQ(allocations, before);
}

// Edits take effect when a step begins, at every step if need be.
TEST(EditingAllocation, EditsTakeEffectWithoutAny) {
  World world;
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 100, 2, {0, 0, 0.05});
  std::vector<double>& mass = robot->getMass();
  std::vector<Vec<3>>& axis = robot->getJointAxis_P();
  CollisionBody& foot = robot->getCollisionBodies().back();
  mass[0] *= 1.01;
  world.integrate();
  const double total = robot->getTotalMass();
  const long before = allocations;
  for (int i = 0; i < 100; ++i) {
    mass[1] *= 1.001;
    axis[2][1] += 1e-4;
    foot.posOffset[2] -= 1e-6;
    world.integrate();
  }
  EXPECT_EQ(allocations, before);
  EXPECT_GT(robot->getTotalMass(), total);
}

TEST(Allocation, WorldsInLanes) {
  for (const char* model : {"strider", "beest"}) {
    std::vector<std::unique_ptr<World>> worlds;
    std::vector<WorldData*> all;
    for (int i = 0; i < 10; ++i) {
      worlds.push_back(std::make_unique<World>());
      worlds.back()->addGround();
      addRobot(*worlds.back(), model, 0, 0, {0, 0, 0.01 * i});
      all.push_back(&dataOf(*worlds.back()));
    }
    LaneSteps lanes(all);
    lanes.integrate(all.size());
    const long before = allocations;
    EXPECT_GT(before, 0);
    for (int k = 0; k < 300; ++k) lanes.integrate(all.size());
    EXPECT_EQ(allocations, before);
  }
}

}  // namespace
}  // namespace espalier::testing
