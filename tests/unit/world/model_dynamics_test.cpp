// The dynamics of a model by itself: against the same robot in a World, against differences along the
// motion, and the equations of its loops.

#include "espalier/robot/model_dynamics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "espalier/io/urdf/urdf.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/model_coordinates.h"
#include "espalier/world/world.h"
#include "tests/support/bilateral.h"
#include "tests/support/source_folder.h"
#include "tests/unit/world/articulated_fixture.h"

namespace espalier::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd numbersOf(const Motion<double>& m) {
  VectorXd v(6);
  v << m.w.x, m.w.y, m.w.z, m.v.x, m.v.y, m.v.z;
  return v;
}
VectorXd numbersOf(const Force<double>& f) {
  VectorXd v(6);
  v << f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z;
  return v;
}

void expectNear(const MatrixXd& a, const MatrixXd& wanted, double tolerance, const char* what) {
  ASSERT_EQ(a.rows(), wanted.rows()) << what;
  ASSERT_EQ(a.cols(), wanted.cols()) << what;
  if (a.size() == 0) return;
  EXPECT_LT((a - wanted).cwiseAbs().maxCoeff(), tolerance * (1 + wanted.cwiseAbs().maxCoeff()))
      << what;
}

SystemSpec specOf(const std::string& name) {
  if (name == "every_fixed") return everyKindRobot(false);
  if (name == "every_floating") return everyKindRobot(true);
  if (name == "bilateral_five_bar") return bilateral(specOf("five_bar"));
  return io::loadRobot(sourceFolder() + "/models/" + name + "/" + name + ".urdf").value();
}

struct ModelDynamicsOf : ::testing::TestWithParam<const char*> {
  ModelDynamicsOf() {
    robot = world.addArticulatedSystem(specOf(GetParam()));
    model = std::make_shared<const Model>(robot->model());
    n = model->publicNv;
    q = robot->getGeneralizedCoordinate();
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] += 0.05 * std::sin(2.1 * double(i) + 1);
    u = VectorXd(n);
    for (int i = 0; i < n; ++i) u[i] = 0.5 * std::cos(1.3 * i + 0.4);
    robot->setGeneralizedCoordinate(q);
    robot->setGeneralizedVelocity(u);
    q = robot->getSpanningCoordinate();
    u = robot->getGeneralizedVelocity();
    udot = VectorXd(n);
    for (int i = 0; i < n; ++i) udot[i] = std::sin(0.7 * i + 0.2);
  }
  ModelDynamics here() const { return ModelDynamics(model, q, u); }

  /// Central difference of f(ModelDynamics) as the state moves by q (+) t dq and u + t du.
  template <class F>
  MatrixXd rate(const VectorXd& dq, const VectorXd& du, F&& f) const {
    const double t = 1e-5;
    const MatrixXd after = f(ModelDynamics(model, here().stepped(t * dq), u + t * du));
    const MatrixXd before = f(ModelDynamics(model, here().stepped(-t * dq), u - t * du));
    return (after - before) / (2 * t);
  }
  std::vector<const FrameInfo*> bodyFrames() const {
    std::vector<const FrameInfo*> frames;
    for (const FrameInfo& f : model->frames)
      if (f.rotor < 0) frames.push_back(&f);
    return frames;
  }

  World world;
  ArticulatedSystem* robot;
  std::shared_ptr<const Model> model;
  int n;
  VectorXd q, u, udot;
  const Vec3d gravity{0.3, -1, -9};
};

TEST_P(ModelDynamicsOf, IsThatOfTheRobotInAWorld) {
  const ModelDynamics at(model, q, u);
  world.setGravity(gravity);
  expectNear(at.spanningCoordinate(), robot->getSpanningCoordinate(), 1e-12, "q");
  expectNear(at.spanningVelocity(), robot->getSpanningVelocity(), 1e-9, "u");
  expectNear(at.coordinate(), robot->getGeneralizedCoordinate(), 1e-12, "public q");
  expectNear(at.velocity(), robot->getGeneralizedVelocity(), 1e-12, "public u");
  expectNear(at.massMatrix(), robot->getMassMatrix(), 1e-10, "M");
  expectNear(at.inverseMassMatrix(), robot->getInverseMassMatrix(), 1e-8, "inverse of M");
  expectNear(at.nonlinearities(gravity), robot->getNonlinearities(), 1e-9, "h");
  expectNear(at.inverseDynamics(udot, gravity), robot->computeInverseDynamics(udot), 1e-9, "tau");
  expectNear(at.forwardDynamics(udot, gravity), robot->computeForwardDynamics(udot), 1e-8, "udot");
  EXPECT_NEAR(at.kineticEnergy(), robot->getKineticEnergy(), 1e-10);
  EXPECT_NEAR(at.potentialEnergy(gravity), robot->getPotentialEnergy(), 1e-10);
  expectNear(Vec<3>(at.centreOfMass()), robot->getCOM(), 1e-12, "centre of mass");
  VectorXd momentum(6);
  momentum << robot->getAngularMomentum(), robot->getLinearMomentum();
  expectNear(numbersOf(at.momentum()), momentum, 1e-10, "momentum");
  for (const FrameInfo& f : model->frames) {
    const Transformd X = at.framePose(f), wanted = robot->getFramePose(f.name);
    expectNear(Vec<3>(X.p), Vec<3>(wanted.p), 1e-12, "position");
    expectNear(Mat<3, 3>(X.R), Mat<3, 3>(wanted.R), 1e-12, "orientation");
    VectorXd V(6);
    V << robot->getFrameAngularVelocity(f.name), robot->getFrameVelocity(f.name);
    expectNear(numbersOf(at.frameVelocity(f)), V, 1e-9, "velocity");
    MatrixXd J(6, n);
    J << robot->getDenseFrameRotationalJacobian(f.name), robot->getDenseFrameJacobian(f.name);
    expectNear(at.frameJacobian(f), J, 1e-9, "Jacobian");
    expectNear(J * u, V, 1e-9, "J u");
  }
  for (int b = 0; b < model->nb(); ++b)
    expectNear(Vec<3>(at.bodyPose(b).p), Vec<3>(robot->getBodyPose(b).p), 1e-12, "body");
}

TEST_P(ModelDynamicsOf, ExternalWrenchesWork) {
  const ModelDynamics at(model, q, u);
  const FrameInfo& f = model->frames.back();
  const Force<double> F{{0.4, -2, 1}, {3, 1, -5}};
  const VectorXd force = at.frameJacobian(f).transpose() * numbersOf(F);
  expectNear(at.generalizedForce({{&f, F}}), force, 1e-12, "J' F");
  EXPECT_NEAR(force.dot(u), numbersOf(F).dot(numbersOf(at.frameVelocity(f))), 1e-8);  // power
  expectNear(at.inverseDynamics(udot, gravity, {{&f, F}}),
             at.inverseDynamics(udot, gravity) - force, 1e-12, "tau");
  expectNear(at.forwardDynamics(udot, gravity, {{&f, F}}),
             at.forwardDynamics(udot + force, gravity), 1e-9, "udot");
}

TEST_P(ModelDynamicsOf, RatesAreDifferencesAlongTheMotion) {
  const ModelDynamics at(model, q, u);
  for (const FrameInfo& f : model->frames) {
    const auto velocity = [&](const ModelDynamics& there) -> MatrixXd {
      return numbersOf(there.frameVelocity(f));
    };
    expectNear(numbersOf(at.frameAcceleration(f, udot)), rate(u, udot, velocity), 1e-5,
               "acceleration");
    if (f.rotor >= 0) {
      EXPECT_THROW(at.frameJacobianRate(f), std::invalid_argument);
      continue;
    }
    const auto jacobian = [&](const ModelDynamics& there) -> MatrixXd {
      return there.frameJacobian(f);
    };
    const MatrixXd dJ = at.frameJacobianRate(f);
    expectNear(dJ, rate(u, VectorXd::Zero(n), jacobian), 1e-5, "dJ");
    expectNear(dJ * u, numbersOf(at.frameAcceleration(f, VectorXd::Zero(n))), 1e-8, "dJ u");
  }
  const auto momentum = [](const ModelDynamics& there) -> MatrixXd {
    return numbersOf(there.momentum());
  };
  expectNear(at.momentumMatrix() * u, numbersOf(at.momentum()), 1e-9, "A u");
  expectNear(numbersOf(at.momentumRate(udot)), rate(u, udot, momentum), 1e-5, "rate of momentum");
  const auto centre = [](const ModelDynamics& there) -> MatrixXd {
    return Vec<3>(there.centreOfMass());
  };
  expectNear(at.centreOfMassJacobian() * u, rate(u, udot, centre), 1e-6, "velocity of the centre");
}

TEST_P(ModelDynamicsOf, DerivativesAreDifferences) {
  const ModelDynamics at(model, q, u);
  const DynamicsDerivatives inverse = at.inverseDynamicsDerivatives(udot, gravity);
  const auto tau = [&](const ModelDynamics& there) -> MatrixXd {
    return there.inverseDynamics(udot, gravity);
  };
  const VectorXd rest = VectorXd::Zero(n);
  for (int j = 0; j < n; ++j) {
    expectNear(inverse.byU.col(j), rate(rest, VectorXd::Unit(n, j), tau), 1e-5, "d tau / du");
    // A step of one joint alone leaves a bilateral loop, which closing brings back.
    if (!model->bilateral.isEmpty()) continue;
    expectNear(inverse.byQ.col(j), rate(VectorXd::Unit(n, j), rest, tau), 1e-5, "d tau / dq");
  }
  expectNear(inverse.byInput, at.massMatrix(), 1e-12, "d tau / d udot");
  if (!model->bilateral.isEmpty()) {
    EXPECT_THROW(at.forwardDynamicsDerivatives(udot), std::invalid_argument);
    return;
  }
  const VectorXd force = at.inverseDynamics(0.3 * udot, gravity);
  const DynamicsDerivatives forward = at.forwardDynamicsDerivatives(force, gravity);
  const auto answer = [&](const ModelDynamics& there) -> MatrixXd {
    return there.forwardDynamics(force, gravity);
  };
  for (int j = 0; j < n; ++j) {
    expectNear(forward.byQ.col(j), rate(VectorXd::Unit(n, j), rest, answer), 1e-4, "d udot / dq");
    expectNear(forward.byU.col(j), rate(rest, VectorXd::Unit(n, j), answer), 1e-4, "d udot / du");
  }
  expectNear(forward.byInput, at.inverseMassMatrix(), 1e-12, "d udot / d tau");
}

TEST_P(ModelDynamicsOf, OperationalInertiaIsByJacobians) {
  const ModelDynamics at(model, q, u);
  std::vector<const FrameInfo*> two{bodyFrames().front(), bodyFrames().back()};
  MatrixXd J(12, n);
  J << at.frameJacobian(*two[0]), at.frameJacobian(*two[1]);
  expectNear(at.inverseOperationalInertia(two), J * at.inverseMassMatrix() * J.transpose(), 1e-8,
             "J M^-1 J'");
}

TEST_P(ModelDynamicsOf, LoopEquationsHold) {
  const ModelDynamics at(model, q, u);
  const LoopEquationsAt loops = at.loops();
  expectNear(loops.phi, VectorXd::Zero(loops.phi.size()), 1e-10, "phi");
  expectNear(loops.K * loops.G, MatrixXd::Zero(loops.phi.size(), n), 1e-9, "K G");
  expectNear(loops.G * u, at.spanningVelocity(), 1e-12, "G y");
  const auto rates = [](const ModelDynamics& there) -> MatrixXd {
    return there.spanningVelocity();
  };
  const VectorXd all = loops.G * udot + loops.g;
  expectNear(all, rate(u, udot, rates), 1e-5, "G ydot + g");
  expectNear(loops.K * all, loops.k, 1e-8, "K udot = k");
}

INSTANTIATE_TEST_SUITE_P(Robots, ModelDynamicsOf,
                         ::testing::Values("arm7", "biped", "every_fixed", "every_floating",
                                           "delta", "five_bar", "linkage_arm", "differential_leg",
                                           "geared_biped", "bilateral_five_bar"));

TEST_P(ModelDynamicsOf, CoordinatesAreWhereTheirPlacesSay) {
  const std::vector<JointPlace> places = jointPlaces(*model);
  int independentDofs = 0, dofs = 0, coordinates = 0;
  for (const JointPlace& place : places) {
    EXPECT_EQ(place.spanningU, dofs) << place.joint;
    EXPECT_EQ(place.spanningQ, coordinates) << place.joint;
    dofs += place.nv;
    coordinates += place.nq;
    if (place.u < 0) continue;
    EXPECT_EQ(place.u, robot->getGeneralizedVelocityIndex(place.joint));
    EXPECT_EQ(place.q, robot->getGeneralizedCoordinateIndex(place.joint));
    independentDofs += place.nv;
  }
  EXPECT_EQ(dofs, model->nv());
  EXPECT_EQ(independentDofs, n);
  const VectorXd a = randomCoordinate(*model, 3), b = randomCoordinate(*model, 4);
  EXPECT_EQ(randomCoordinate(*model, 3), a);
  expectNear(stepBetween(*model, a, advanced(*model, a, 0.3 * u)), 0.3 * u, 1e-9, "step");
  const VectorXd there = advanced(*model, a, stepBetween(*model, a, b));
  expectNear(stepBetween(*model, there, b), VectorXd::Zero(n), 1e-9, "there and back");
  EXPECT_EQ(neutralCoordinate(*model).size(), model->publicNq);
  EXPECT_THROW(advanced(*model, a.head(a.size() - 1), u), std::invalid_argument);
}

TEST(ModelDynamicsStates, DependentJointsFollowFromTheAssembledOnesOrFromThoseGiven) {
  const auto model = std::make_shared<const Model>(compile(specOf("five_bar")).value());
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(specOf("five_bar"));
  const VectorXd q = robot->getGeneralizedCoordinate();
  const ModelDynamics assembled(model, q);
  expectNear(assembled.spanningCoordinate(), robot->getSpanningCoordinate(), 1e-9, "assembled");
  // Mirrored dependent joints close the same loop the other way.
  const VectorXd all = robot->getSpanningCoordinate();
  VectorXd other = all;
  for (std::size_t d = 0; d < model->publicDof.size(); ++d)
    if (model->publicDof[d] < 0) other[model->spanningDof[d]] *= -1;
  const ModelDynamics bent(model, other);
  EXPECT_LT(bent.loops().phi.cwiseAbs().maxCoeff(), 1e-10);
  expectNear(bent.coordinate(), q, 1e-12, "the independent joints keep theirs");
  const SpanningState state = closedState(*model, q, VectorXd::Ones(2));  // internal order
  for (std::size_t i = 0; i < state.q.size(); ++i)
    EXPECT_NEAR(state.q[i], all[model->spanningCoordinate[i]], 1e-9);
  const VectorXd rates = assembled.loops().G * VectorXd::Ones(2);
  for (std::size_t d = 0; d < state.u.size(); ++d)
    EXPECT_NEAR(state.u[d], rates[model->spanningDof[d]], 1e-9);
}

TEST(ModelDynamicsStates, BadInputIsRefused) {
  const auto arm = std::make_shared<const Model>(compile(specOf("arm7")).value());
  const auto rocker = std::make_shared<const Model>(compile(specOf("triple_rocker")).value());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const VectorXd seven = VectorXd::Zero(7);
  EXPECT_THROW(ModelDynamics(arm, VectorXd::Zero(6)), std::invalid_argument);
  EXPECT_THROW(ModelDynamics(arm, VectorXd::Constant(7, nan)), std::invalid_argument);
  EXPECT_THROW(ModelDynamics(arm, seven, VectorXd::Zero(8)), std::invalid_argument);
  int outOfReach = 0;
  for (double first = -3; first < 3; first += 0.5) {
    try {
      ModelDynamics(rocker, VectorXd::Constant(rocker->publicNq, first));
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("the loops do not close"), std::string::npos);
      ++outOfReach;
    }
  }
  EXPECT_GT(outOfReach, 0);
  EXPECT_LT(outOfReach, 12);
  const ModelDynamics at(arm, seven);
  EXPECT_THROW(at.inverseDynamics(VectorXd::Zero(6)), std::invalid_argument);
  EXPECT_THROW(at.forwardDynamics(VectorXd::Constant(7, nan)), std::invalid_argument);
  EXPECT_THROW(at.inverseDynamicsDerivatives(VectorXd::Zero(1)), std::invalid_argument);
  EXPECT_THROW(at.bodyPose(99), std::invalid_argument);
  EXPECT_THROW(at.frameAcceleration(arm->frames[0], VectorXd::Zero(2)), std::invalid_argument);
  EXPECT_THROW(findFrame(*arm, "nothing"), std::invalid_argument);
}

TEST(ModelDynamicsStates, JointsComeBeforeLinksOfTheSameName) {
  const Model arm = compile(specOf("arm7")).value();
  EXPECT_EQ(findFrame(arm, arm.frames[2].name).name, arm.frames[2].name);
  EXPECT_EQ(findFrame(arm, arm.links[3].name).body, arm.links[3].body);
}

}  // namespace
}  // namespace espalier::testing
