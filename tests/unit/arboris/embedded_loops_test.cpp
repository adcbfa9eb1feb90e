// Robots with closed loops of their own in both steppings.

#include <gtest/gtest.h>

#include "espalier/compat/arboris/ball_and_socket.h"
#include "espalier/compat/arboris/embedded_loops.h"
#include "espalier/compat/arboris/pd_controller.h"
#include "espalier/compat/arboris/relative_rows.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "tests/unit/arboris/scenes.h"

namespace espalier::testing {
namespace {

using sim::BallAndSocket;
using sim::EmbeddedLoops;
using sim::ProportionalDerivativeController;
using sim::Stepping;
using sim::SubFrame;
using sim::WeightController;

/// BallAndSocket with the rates of its gap: of body 1's point where that is. (arboris takes the point
/// of body 1 at frame 0's origin, which is another while there is a gap.)
class Pin : public BallAndSocket {
 public:
  Pin(const sim::Frame& frame0, const sim::Frame& frame1)
      : BallAndSocket(frame0, frame1), frame0_(frame0), frame1_(frame1) {}
  void rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) const override {
    addLinearRows(frame0_, frame1_, {frame0_.pose().R, frame1_.pose().p}, J, drift);
  }

 private:
  const sim::Frame &frame0_, &frame1_;
};

/// The spec without its loops, and the loop's frames as SubFrames with a pin between.
struct Twins {
  World looped, tied;
  std::unique_ptr<Simulation> a, b;

  explicit Twins(const SystemSpec& spec) {
    SystemSpec tree = spec;
    tree.loops.clear();
    for (JointSpec& joint : tree.joints) joint.independent.reset();
    looped.addArticulatedSystem(spec);
    tied.addArticulatedSystem(tree);
    a = std::make_unique<Simulation>(looped);
    b = std::make_unique<Simulation>(tied);
    for (const LoopSpec& loop : spec.loops) {
      const auto end = [&](const std::string& link, const Transformd& X) -> SubFrame& {
        return b->add<SubFrame>(link == "world" ? b->ground() : b->body(link), X);
      };
      auto& first = end(loop.predecessor, loop.X_PA);
      b->add<Pin>(first, end(loop.successor, loop.X_SB));
    }
    for (Simulation* s : {a.get(), b.get()}) s->add<WeightController>();
  }
};

// arboris holds a loop by a constraint between the joints of the tree. So is a robot's own loop: the
// same motion as a tree tied by hand.
TEST(EmbeddedLoopsOfRobots, AFourBarMovesAsATreeTiedByHand) {
  Twins twins(modelSpec("four_bar"));
  EXPECT_EQ(twins.a->ndof(), 3);
  ASSERT_EQ(twins.a->constraints().size(), 1u);
  twins.a->setConstraintSweeps(40);
  twins.b->setConstraintSweeps(40);
  simulate(*twins.a, timeline(1e-3, 300));
  simulate(*twins.b, timeline(1e-3, 300));
  EXPECT_GT(twins.a->gvel().norm(), 1);
  EXPECT_LT((twins.a->gvel() - twins.b->gvel()).norm(), 1e-9);
  const auto& loops = dynamic_cast<const EmbeddedLoops&>(*twins.a->constraints()[0]);
  EXPECT_LT(loops.gap().norm(), 1e-4);
  // The World's copy is closed, and moves as its independent joint does here.
  const ArticulatedSystem& robot = *twins.looped.system(0);
  EXPECT_LT(robot.getClosureResidual(), 1e-12);
  const int lead = static_cast<int>(twins.a->dofs({modelSpec("four_bar").joints[0].name})[0]);
  EXPECT_NEAR(robot.getSpanningVelocity()[lead], twins.a->gvel()[lead], 1e-12);
}

/// The independent joints, 0.1 off where they stand in the file, after 0.2 s.
Eigen::VectorXd fallen(const std::string& model, Stepping stepping, double dt) {
  World world;
  SystemSpec spec = modelSpec(model);
  spec.rotorsAsBodies = true;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  robot->setGeneralizedCoordinate(robot->getGeneralizedCoordinate().array() + 0.1);
  Simulation simulation(world, stepping);
  simulation.add<WeightController>();
  simulate(simulation, timeline(dt, static_cast<int>(std::lround(0.2 / dt))));
  return robot->getGeneralizedCoordinate();
}

// Loops between frames, equations, gears, in the plane and in space: arboris' step, of first order,
// comes to what the World's own says, twice as near with half the step.
TEST(EmbeddedLoopsOfRobots, ArborisStepConvergesToTheWorlds) {
  for (const char* model : {"four_bar", "slider_crank", "five_bar", "delta", "tello_leg",
                            "revolute_pair_with_rotor", "linkage_arm"}) {
    const Eigen::VectorXd exact = fallen(model, Stepping::WORLD, 1e-4);
    const double coarse = (fallen(model, Stepping::ARBORIS, 1e-3) - exact).norm();
    const double fine = (fallen(model, Stepping::ARBORIS, 5e-4) - exact).norm();
    EXPECT_LT(coarse, 2e-2) << model;
    EXPECT_GT(coarse, 1e-5) << model;  // it has moved
    EXPECT_LT(fine, 0.6 * coarse) << model;
  }
}

// A motor's PD law by a controller and by the robot's own, in the World's step: the same where the
// independent joint alone is driven.
TEST(EmbeddedLoopsOfRobots, ControllersDriveThemInTheWorldsStep) {
  Eigen::VectorXd ends[2];
  for (const bool byController : {false, true}) {
    World world;
    ArticulatedSystem* robot = world.addArticulatedSystem(modelSpec("four_bar"));
    Simulation simulation(world, Stepping::WORLD);
    const std::string motor = modelSpec("four_bar").joints[0].name;
    const Eigen::VectorXd kp = Eigen::VectorXd::Constant(1, 30), kd = 0.1 * kp,
                          target = Eigen::VectorXd::Constant(1, 0.4), none = 0 * kp;
    if (byController) {
      simulation
          .add<ProportionalDerivativeController>(std::vector<std::string>{motor},
                                                 Eigen::MatrixXd(kp), Eigen::MatrixXd(kd))
          .setTarget(target, none);
    } else {
      robot->setPdGains(kp, kd);
      robot->setPdTarget(target, none);
    }
    simulate(simulation, timeline(2e-3, 200));
    ends[byController] = robot->getSpanningCoordinate();
    EXPECT_LT(robot->getClosureResidual(), 1e-12);
  }
  EXPECT_LT((ends[0] - ends[1]).norm(), 1e-10);
}

// A motor on a dependent joint, by a controller: what it takes in and the weight's work balance.
TEST(EmbeddedLoopsOfRobots, ControllersMayDriveDependentJoints) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelSpec("four_bar"));
  Simulation simulation(world, Stepping::WORLD);
  const std::string driven = modelSpec("four_bar").joints.back().name;
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(1, 1);
  simulation.add<ProportionalDerivativeController>(std::vector<std::string>{driven}, none,
                                                   Eigen::MatrixXd::Constant(1, 1, 5.0));
  const double before = robot->getEnergy(world.getGravity());
  simulate(simulation, timeline(2e-3, 500));
  EXPECT_LT(robot->getEnergy(world.getGravity()), before);  // damping takes energy out
  EXPECT_LT(robot->getClosureResidual(), 1e-12);
  EXPECT_LT(robot->getSpanningVelocity().norm(), 5);
}

TEST(EmbeddedLoopsOfRobots, VelocitiesThatAreSetFollowTheLoops) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelSpec("four_bar"));
  for (const Stepping stepping : {Stepping::ARBORIS, Stepping::WORLD}) {
    Simulation simulation(world, stepping);
    Eigen::VectorXd gvel = Eigen::VectorXd::Zero(3);
    gvel[simulation.dofs({modelSpec("four_bar").joints[0].name})[0]] = 1.5;
    simulation.setGvel(gvel);
    EXPECT_LT((simulation.gvel() - robot->getSpanningVelocity()).norm(), 1e-15);
    EXPECT_NEAR(robot->getGeneralizedVelocity()[0], 1.5, 1e-15);
    EXPECT_GT((simulation.gvel() - gvel).norm(), 0.1);
  }
}

TEST(EmbeddedLoopsOfRobots, UnsupportedFeaturesAreReportedWithARemedy) {
  World world;
  world.addArticulatedSystem(modelSpec("revolute_with_rotor"));
  try {
    Simulation simulation(world);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("rotorsAsBodies"), std::string::npos) << e.what();
  }
  Simulation simulation(world, Stepping::WORLD);
  simulate(simulation, timeline(1e-3, 10));
  EXPECT_THROW(simulation.massMatrix(), std::invalid_argument);

  World bilateral;
  SystemSpec spec = modelSpec("four_bar");
  for (LoopSpec& loop : spec.loops) loop.isBilateral = true;
  for (JointSpec& joint : spec.joints) joint.independent.reset();
  bilateral.addArticulatedSystem(spec);
  EXPECT_THROW(Simulation refused(bilateral), std::invalid_argument);
  Simulation driven(bilateral, Stepping::WORLD);
  simulate(driven, timeline(1e-3, 10));
  EXPECT_LT(bilateral.system(0)->getClosureResidual(), 1e-4);
}

}  // namespace
}  // namespace espalier::testing
