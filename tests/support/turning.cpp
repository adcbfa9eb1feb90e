#include "tests/support/turning.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/io/urdf/urdf.h"
#include "tests/support/cluster_aba.h"
#include "tests/support/source_folder.h"

namespace espalier::testing {
namespace {

using Eigen::VectorXd;

std::string fileOf(const std::string& model) {
  return sourceFolder() + "/models/" + model + "/" + model + ".urdf";
}

void floatInSpace(World& world, Scheme scheme, double dt) {
  world.setGravity({0, 0, 0});
  world.setTimeStep(dt);
  world.setIntegrationScheme(scheme);
}

/// udot of all joints where nothing acts, in the order of the model's dofs.
class FreeAccelerations {
 public:
  explicit FreeAccelerations(const Model& model)
      : model_(model),
        ws_(model.topology),
        loops_(model.topology, model.mechanism),
        clusters_(model.topology, model.mechanism),
        none_(VectorXd::Zero(model.nv())),
        ydot_(model.mechanism.reduced.nv),
        udot_(model.nv()) {}

  const VectorXd& at(const VectorXd& q, const VectorXd& u) {
    const Topology& t = model_.topology;
    const Mechanism& m = model_.mechanism;
    kinematics(t, model_.lowered, q.data(), u.data(), ws_);
    loopRates(t, m, q.data(), ws_, loops_);
    chooseIndependents(m, loops_);
    loopAccelerations(t, m, u.data(), ws_, loops_);
    computeReducedColumns(t, m, ws_, loops_);
    clusterAba(t, model_.lowered, m, Vec3d{0, 0, 0}, none_.data(), ws_, loops_, clusters_,
               ydot_.data(), udot_.data());
    return udot_;
  }

 private:
  const Model& model_;
  Workspace<double> ws_;
  LoopWorkspace<double> loops_;
  ClusterScratch<double> clusters_;
  VectorXd none_, ydot_, udot_;
};

/// From the order of the file's joints to that of the model's dofs.
///   pre  every joint has one coordinate
VectorXd ordered(const std::vector<int>& places, const VectorXd& x) {
  VectorXd out(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) out[i] = x[places.at(static_cast<std::size_t>(i))];
  return out;
}

}  // namespace

std::string nameOf(const Turning& c) {
  return c.model + (c.scheme == Scheme::MIDPOINT ? "_midpoint" : "_rk4");
}

Turned turnFreely(const Turning& c, double dt, double turns) {
  World world;
  floatInSpace(world, c.scheme, dt);
  ArticulatedSystem* s = world.addArticulatedSystem(fileOf(c.model));
  const int crank = s->getGeneralizedVelocityIndex("crank");
  VectorXd u = VectorXd::Zero(s->getDOF());
  u[crank] = c.rate;
  s->setGeneralizedVelocity(u);
  const double before = s->getKineticEnergy();
  Turned out;
  double turned = 0;
  long steps = 0;
  const long most = static_cast<long>(4 * turns * 2 * std::numbers::pi / (dt * c.rate));
  for (; turned < turns * 2 * std::numbers::pi && steps < most; ++steps) {
    world.integrate();
    turned += s->getGeneralizedVelocity()[crank] * dt;
    out.energy = std::abs(s->getKineticEnergy() / before - 1);
    out.worst = std::max(out.worst, out.energy);
    out.closure = std::max(out.closure, world.report().closure);
    out.flags |= world.report().flags;
  }
  out.step = turned / static_cast<double>(steps);
  return out;
}

Passed passDeadPoints(const std::string& model, const std::string& joint, double rate, double dt,
                      long passages) {
  SystemSpec spec = io::loadRobot(fileOf(model)).value();
  for (JointSpec& j : spec.joints) j.independent = j.name == joint;
  World world;
  floatInSpace(world, Scheme::RUNGE_KUTTA_4, dt);
  ArticulatedSystem* s = world.addArticulatedSystem(spec);
  s->setGeneralizedVelocity({rate});
  const Model& compiled = s->model();
  FreeAccelerations accelerations(compiled);
  const double before = s->getKineticEnergy();
  const int publicDof =
      compiled.topology.bodies.at(static_cast<std::size_t>(compiled.joint(joint))).u;
  VectorXd u = ordered(compiled.spanningDof, s->getSpanningVelocity());
  VectorXd atRest = VectorXd::Zero(u.size()), elsewhere = atRest;
  Passed out;
  const long most = passages * static_cast<long>(20 * std::numbers::pi / (dt * rate));
  while (out.passages < passages && out.steps < most) {
    const VectorXd q = ordered(compiled.spanningCoordinate, s->getSpanningCoordinate());
    const VectorXd udot = accelerations.at(q, u);
    world.integrate();
    const VectorXd next = ordered(compiled.spanningDof, s->getSpanningVelocity());
    const VectorXd off = (next - u - dt * udot).cwiseAbs();
    for (Eigen::Index d = 0; d < u.size(); ++d) {
      double& largest = next[d] * u[d] <= 0 ? atRest[d] : elsewhere[d];
      largest = std::max(largest, off[d]);
    }
    out.passages += next[publicDof] * u[publicDof] <= 0;
    u = next;
    ++out.steps;
    out.energy = std::max(out.energy, std::abs(s->getKineticEnergy() / before - 1));
    out.closure = std::max(out.closure, world.report().closure);
    out.flags |= world.report().flags;
  }
  out.atRest = atRest.maxCoeff();
  const bool doAllTurnBack = (atRest.array() > 0).all();
  for (Eigen::Index d = 0; d < u.size(); ++d)
    if (doAllTurnBack || atRest[d] == 0) out.elsewhere = std::max(out.elsewhere, elsewhere[d]);
  return out;
}

}  // namespace espalier::testing
