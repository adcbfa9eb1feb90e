#include "espalier/step/loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/coordinates.h"
#include "espalier/step/evaluate.h"
#include "espalier/step/evaluation.h"
#include "espalier/step/stages.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

/// Where a joint moves so many times as fast as a public one, that one is at its dead point: closing
/// to 1e-13 leaves about 1e-7 rad between the two.
constexpr double dead_point_gain = 1e6;

/// Halvings of a step that is refused, at most.
constexpr int most_halvings = 6;

/// Everything at a configuration that is closed, for the rates of the independent joints in `u`.
void refresh(System& sys, const double* q, const double* u) {
  Loops& loops = sys.loops();
  const Topology& t = sys.topology();
  for (int d = 0; d < t.nv; ++d) sys.rates[d] = u[d];
  kinematics(t, sys.parameters, q, u, sys.ws);
  loopRates(t, loops.m, q, sys.ws, sys.loopWs);
  dependentRates(loops.m, sys.loopWs, sys.rates.data());
}

void bias(System& sys, const Vec3d& gravity, const double* u) {
  SingularityTraversal& traversal = sys.loops().traversal;
  if (traversal.isOn()) traversal.dependentBias(u, sys.loopWs);
  evaluateBias(sys, sys.parameters, gravity, u);
}

/// The larger one; NaN where one is NaN.
double largest(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

/// What closing the loops of a robot has left.
void report(StepData& world, System& sys, double left) {
  sys.loops().gap = largest(sys.loops().gap, left);
  world.report.closure = largest(world.report.closure, left);
  if (!(left < open_loop)) world.report.raise(StepFlag::LoopOpen);
}

/// Who leads from q on.
///   pre  K and G at q
void selectIndependents(System& sys, const double* q) {
  Loops& loops = sys.loops();
  chooseIndependents(loops.m, sys.loopWs);
  loops.isPublic = isPublic(loops.m, sys.loopWs);
  std::copy(q, q + sys.topology().nq, loops.planned.begin());
}

/// The same at a q that no step has led to.
void plan(System& sys, const double* q, const double* u) {
  kinematics(sys.topology(), sys.parameters, q, u, sys.ws);
  loopRates(sys.topology(), sys.loops().m, q, sys.ws, sys.loopWs);
  selectIndependents(sys, q);
}

double largestOf(const AlignedArray<double>& numbers) {
  double most = 0;
  for (const double x : numbers) most = largest(most, std::abs(x));
  return most;
}

bool isHeldStiffly(const System& sys) {
  const Actuation& a = sys.actuation;
  if (sys.hasSprings || a.hasControl) return true;
  if (a.mode != ControlMode::PD_PLUS_FEEDFORWARD_TORQUE) return false;
  return std::any_of(a.kp.begin(), a.kp.end(), [](double kp) { return kp > 0; });
}

bool touches(const StepData& world, const System& sys) {
  if (!sys.loopImpulses.empty()) return true;
  const auto& contacts = world.contacts;
  for (int i = 0; i < world.contactCount; ++i) {
    const Contact& c = contacts[i];
    if (c.objectA == sys.object || c.objectB == sys.object) return true;
  }
  for (int i = 0; i < world.jointRowCount; ++i)
    if (world.jointRows[i].system == &sys) return true;
  for (int i = 0; i < world.slidingCount; ++i)
    if (world.sliding[i].system == &sys) return true;
  for (const auto& weld : world.welds)
    if (weld->objectA == sys.object || weld->objectB == sys.object) return true;
  return false;
}

/// sys.predictedAcceleration for the step that begins.
void predictAccelerations(const StepData& world, System& sys) {
  Loops& loops = sys.loops();
  sys.isPredicted =
      info(world.scheme).solvesTwice && loops.knownAccelerations == 2 && !isHeldStiffly(sys);
  for (int d = 0; d < sys.topology().nv; ++d)
    sys.predictedAcceleration[d] =
        sys.isPredicted ? 2 * loops.lastAcceleration[d] - loops.accelerationBefore[d] : 0;
}

/// What the next steps look ahead with.
///   pre  sys.acceleration is that of this step
void lookBack(const StepData& world, System& sys) {
  Loops& loops = sys.loops();
  loops.knownAccelerations = touches(world, sys) ? 0 : std::min(loops.knownAccelerations + 1, 2);
  loops.accelerationBefore.swap(loops.lastAcceleration);
  std::copy(sys.acceleration.begin(), sys.acceleration.end(), loops.lastAcceleration.begin());
}

/// The step's change of velocity, and what it says of the next steps.
///   in  take  writes u+
template <class Take>
void takeVelocity(StepData& world, System& sys, Take&& take) {
  const double *u = world.uOf(sys), dt = world.dt;
  double* __restrict acceleration = sys.acceleration.data();
  for (int d = 0; d < sys.topology().nv; ++d) acceleration[d] = -u[d] / dt;
  take();
  for (int d = 0; d < sys.topology().nv; ++d) acceleration[d] += u[d] / dt;
  lookBack(world, sys);
}

/// selectIndependents() where it is known whether the public ones may lead.
void goOn(System& sys, const double* q, const double* u, bool publicSuffice) {
  if (!publicSuffice) return plan(sys, q, u);
  std::copy(q, q + sys.topology().nq, sys.loops().planned.begin());
}

/// Closes q; G there.
///   in  all  the poses of all bodies, not only of those in loops
double closeAndSolve(System& sys, double* q, bool all) {
  Loops& loops = sys.loops();
  if (loops.traversal.isOn())
    return loops.traversal.close(sys.parameters, q, closed_loop, most_corrections, sys.ws,
                                 sys.loopWs);
  return closeRobot(sys, sys.parameters, q, closed_loop, all);
}

/// The same, from where linkages are foreseen; where that comes near a change point the way goes on
/// as it came.
///   in  isMiddle  q is q_m, where all bodies are wanted, not where the step ends
double close(StepData& world, System& sys, double* q, bool isMiddle) {
  Loops& loops = sys.loops();
  const int nq = sys.topology().nq;
  if (loops.isPublic) (isMiddle ? loops.endpointHistory : loops.midpointHistory).predict(q);
  std::copy(q, q + nq, loops.predicted.begin());
  sys.loopWs.singularity = 0;
  double left = closeAndSolve(sys, q, isMiddle);
  const bool failed = !loops.traversal.isOn() && !(left < open_loop);
  if (sys.loopWs.singularity > 1 || failed) {
    if (loops.traversal.begin(sys.parameters, loops.planned.data(), world.uOf(sys),
                              loops.predicted.data(), sys.ws, sys.loopWs))
      loops.isPublic = false;
    std::copy(loops.predicted.begin(), loops.predicted.end(), q);
    left = closeAndSolve(sys, q, isMiddle);
  }
  if (loops.traversal.isOn()) {
    world.report.raise(StepFlag::ChangePoint);
    loops.passesChangePoint = true;
  }
  if (loops.isPublic)  // then nothing traverses a singularity
    (isMiddle ? loops.midpointHistory : loops.endpointHistory).remember(q, sys.loopWs.G.data());
  else
    loops.forgetWays();
  return left;
}

/// Closes q, where the step ends; G there.
void arrive(StepData& world, System& sys, double* q) {
  Loops& loops = sys.loops();
  double left = close(world, sys, q, false);
  if (loops.traversal.isOn() && loops.traversal.end(sys.loopWs))
    left = closeAndSolve(sys, q, false);
  report(world, sys, left);
}

}  // namespace

Loops::Loops(System& sys)
    : m(sys.mechanism()),
      traversal(sys.topology(), m),
      endpointHistory(sys.topology(), m),
      midpointHistory(sys.topology(), m),
      predicted(sys.topology().nq),
      planned(sys.topology().nq),
      lastAcceleration(sys.topology().nv),
      accelerationBefore(sys.topology().nv) {
  for (double& x : planned) x = std::numeric_limits<double>::quiet_NaN();
  load(sys);
}

void Loops::load(System& sys) { sys.loopWs.takeClosures(m); }

namespace {

class LoopEvaluation final : public Evaluation {
 public:
  void load(System& sys) override { sys.loops().load(sys); }
  void leaveStart(StepData& world, System& sys) override;
  void evaluate(StepData& world, System& sys, const double* u) override;
  void evaluateBias(StepData& world, System& sys) override {
    bias(sys, world.gravity, sys.mean.data());
  }
  WholeMotion wholeMotion(System& sys, const double* q, const double* u) override {
    return wholeMotionOf(sys, q, u);
  }
  void arrive(StepData& world, System& sys) override { arriveLoops(world, sys); }
};

void LoopEvaluation::leaveStart(StepData& world, System& sys) {
  Loops& loops = sys.loops();
  const double *q = world.qOf(sys), *u = world.uOf(sys);
  // Bits: a fraction of the time that numbers take.
  if (std::memcmp(loops.planned.data(), q, loops.planned.size() * sizeof(double)) != 0) {
    loops.traversal.stop(sys.loopWs);
    loops.forgetWays();
    plan(sys, q, u);
  }
  predictAccelerations(world, sys);
}

void LoopEvaluation::evaluate(StepData& world, System& sys, const double* u) {
  report(world, sys, close(world, sys, sys.qm.data(), true));
  evaluateMass(sys, sys.parameters);
  takeRates(sys, u);
  bias(sys, world.gravity, predictedMean(sys, world.dt));
}

/// Whether the joints that lead a cluster determine how the others move.
///   pre  G of the configuration
bool follows(const System& sys, const Cluster& c) {
  const int size = static_cast<int>(c.dofs.size()) * c.ny();
  for (int i = 0; i < size; ++i)
    if (!(std::abs(sys.loopWs.G[c.firstG + i]) < dead_point_gain)) return false;
  return true;
}

}  // namespace

std::unique_ptr<Evaluation> newLoopEvaluation() { return std::make_unique<LoopEvaluation>(); }

void evaluatedInLanes(StepData& world, System& sys, const LaneClosing& closing) {
  report(world, sys, closing.left);
  sys.loops().midpointHistory.remember(sys.qm.data(), closing.G, closing.apart);
}

void arriveLoops(StepData& world, System& sys) {
  Loops& loops = sys.loops();
  double *q = world.qOf(sys), *u = world.uOf(sys);
  arrive(world, sys, q);
  takeVelocity(world, sys, [&] { expand(loops.m, sys.loopWs, sys.y(), u); });
  selectIndependents(sys, q);
}

void arriveInLanes(StepData& world, System& sys, const LaneClosing& closing, const double* u) {
  const double* q = world.qOf(sys);
  report(world, sys, closing.left);
  takeVelocity(world, sys, [&] { std::copy_n(u, sys.topology().nv, world.uOf(sys)); });
  sys.loops().endpointHistory.remember(q, closing.G, closing.apart);
  goOn(sys, q, u, closing.publicSuffice);
}

void moveAsFarAsLoopsClose(const StepData& world, System& sys, double* q, double* u) {
  Loops& loops = sys.loops();
  const Topology& t = sys.topology();
  plan(sys, q, u);
  const double kinetic = kineticEnergy(t, sys.parameters, u, sys.ws);
  const double potential = potentialEnergy(t, world.gravity, sys.ws);
  double share = 1;
  for (int i = 0; i < most_halvings; ++i) {
    share /= 2;
    for (int d = 0; d < t.nv; ++d) sys.mean[d] = share * world.dt * u[d];
    advance(t, q, sys.mean.data(), sys.qm.data());
    std::copy(sys.qm.begin(), sys.qm.end(), loops.predicted.begin());
    const double left = closeLoops(t, sys.parameters, loops.m, sys.qm.data(), closed_loop,
                                   most_corrections, sys.ws, sys.loopWs);
    if (!(left < open_loop)) continue;
    difference(t, loops.predicted.data(), sys.qm.data(), sys.h.data());
    if (!(largestOf(sys.h) <= largestOf(sys.mean))) continue;  // it may be another branch
    refresh(sys, sys.qm.data(), u);
    double* rates = sys.rates.data();
    for (int d = 0; d < t.nv; ++d) rates[d] *= share;
    kinematics(t, sys.parameters, sys.qm.data(), rates, sys.ws);
    const double after = kineticEnergy(t, sys.parameters, rates, sys.ws);
    const double rise = potentialEnergy(t, world.gravity, sys.ws) - potential;
    const double most = std::max(0.0, std::min(kinetic, kinetic - rise));
    if (!std::isfinite(after) || !std::isfinite(most)) continue;
    const double scale = after > most ? std::sqrt(most / after) : 1;
    std::copy(sys.qm.begin(), sys.qm.end(), q);
    for (int d = 0; d < t.nv; ++d) u[d] = scale * rates[d];
    return;
  }
  std::fill_n(u, t.nv, 0.0);
}

void forgetLoops(System& sys) {
  Loops& loops = sys.loops();
  loops.knownAccelerations = 0;
  for (auto* list : {&loops.lastAcceleration, &loops.accelerationBefore, &sys.lastG})
    std::fill(list->begin(), list->end(), 0.0);
  loops.forgetWays();
  loops.traversal.stop(sys.loopWs);
}

void resume(System& sys, const double* q, const double* u) {
  sys.loops().traversal.resume(sys.parameters, sys.ws, sys.loopWs);
  plan(sys, q, u);
}

void settleCoordinates(System& sys, double* q, double* u) {
  Loops& loops = sys.loops();
  forgetLoops(sys);
  plan(sys, q, u);
  closeLoops(sys.topology(), sys.parameters, loops.m, q, closed_loop, most_corrections, sys.ws,
             sys.loopWs);
  refresh(sys, q, u);
  for (const Cluster& c : loops.m.clusters)
    if (!follows(sys, c))
      for (const int d : c.dofs) sys.rates[d] = 0;
  std::copy(sys.rates.begin(), sys.rates.end(), u);
  selectIndependents(sys, q);
}

bool settleVelocities(System& sys, const double* q, double* u) {
  Loops& loops = sys.loops();
  forgetLoops(sys);
  for (const Cluster& c : loops.m.clusters) sys.loopWs.usePublic(loops.m, c);
  refresh(sys, q, u);
  bool follow = true;
  for (const Cluster& c : loops.m.clusters) {
    const auto rests = [&](int j) { return u[c.dofs[j]] == 0; };
    if (std::all_of(c.plan.independent.begin(), c.plan.independent.end(), rests)) {
      for (const int d : c.dofs) sys.rates[d] = 0;  // wherever it is
      continue;
    }
    follow &= follows(sys, c);
  }
  if (follow) std::copy(sys.rates.begin(), sys.rates.end(), u);
  selectIndependents(sys, q);
  return follow;
}

}  // namespace espalier
