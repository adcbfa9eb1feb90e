#include "espalier/step/system.h"

#include <algorithm>
#include <cmath>

#include "espalier/model/coordinates.h"
#include "espalier/scalar/runs.h"
#include "espalier/step/motor.h"
#include "espalier/step/tendons.h"

namespace espalier {
namespace {

AlignedArray<double> dofs(const Model& m) {
  return AlignedArray<double>(static_cast<std::size_t>(m.nv()));
}
AlignedArray<double> coordinates(const Model& m) {
  return AlignedArray<double>(static_cast<std::size_t>(m.nq()));
}

/// Coordinates that are plain numbers, one for each dof, and have a limit.
std::vector<LimitedDof> limitedDofs(const Model& model) {
  std::vector<LimitedDof> limits;
  for (int b = 0; b < model.nb(); ++b) {
    const BodyTopology& t = model.topology.bodies[b];
    const JointLimits& l = model.bodies[b].limits;
    if (t.nq != t.nv || (!std::isfinite(l.lower) && !std::isfinite(l.upper))) continue;
    for (int k = 0; k < t.nv; ++k) limits.push_back({t.q + k, t.u + k, l.lower, l.upper});
  }
  return limits;
}

/// Which dofs are angles.
AlignedArray<double> turningDofs(const Model& model) {
  AlignedArray<double> turns = dofs(model);
  for (const BodyTopology& b : model.topology.bodies)
    for (int k = info(b.kind).slides; k < b.nv; ++k) turns[b.u + k] = 1;
  return turns;
}

}  // namespace

Actuation::Actuation(const Model& m)
    : feedforward(dofs(m)),
      kp(dofs(m)),
      kd(dofs(m)),
      targetQ(coordinates(m)),
      targetU(dofs(m)),
      lower(dofs(m)),
      upper(dofs(m)),
      damping(dofs(m)),
      stiffness(dofs(m)),
      springMount(coordinates(m)),
      friction(dofs(m)),
      speed(dofs(m)),
      controlForce(dofs(m)),
      controlImpedance(static_cast<std::size_t>(m.topology.entries())) {
  neutral(m.topology, targetQ.data());
  for (const TendonInfo& tendon : m.tendons)
    tendons.push_back(tendon.spec.actuator.value_or(ActuatorSpec{}));
  for (int b = 0; b < m.nb(); ++b) {
    const BodyTopology& t = m.topology.bodies[b];
    const BodyInfo& body = m.bodies[b];
    for (int k = 0; k < t.nv; ++k) {
      const auto u = static_cast<std::size_t>(t.u + k);
      lower[u] = -body.limits.effort;
      upper[u] = body.limits.effort;
      damping[u] = body.dynamics.damping;
      stiffness[u] = body.dynamics.stiffness;
      friction[u] = body.dynamics.friction;
      speed[u] = body.limits.velocity;
    }
    if (body.actuator) take(*body.actuator, t);
    for (int k = 0; k < t.nq; ++k) springMount[t.q + k] = body.dynamics.springMount[k];
  }
}

void Actuation::take(const ActuatorSpec& actuator, const BodyTopology& joint) {
  const auto q = static_cast<std::size_t>(joint.q), u = static_cast<std::size_t>(joint.u);
  kp[u] = actuator.kp;
  kd[u] = actuator.kd;
  targetQ[q] = actuator.target;
  targetU[u] = actuator.targetRate;
  feedforward[u] = actuator.feedforward;
  lower[u] = std::max(lower[u], actuator.lower);
  upper[u] = std::min(upper[u], actuator.upper);
  if (actuator.kp > 0 || actuator.kd > 0) mode = ControlMode::PD_PLUS_FEEDFORWARD_TORQUE;
}

System::System(std::shared_ptr<const Model> compiled, int firstQ, int firstU)
    : StepNumbers<double>(*compiled),
      model(std::move(compiled)),
      parameters(model->lowered),
      q0(firstQ),
      u0(firstU),
      actuation(*model),
      limits(limitedDofs(*model)),
      limitedBalls(espalier::limitedBalls(*model)),
      tendons(model->tendons.size()),
      external(static_cast<std::size_t>(model->nb())),
      drag(model->dragBoxes.size()),
      externalForce(dofs(*model)),
      command(dofs(*model)),
      wMotor(dofs(*model)),
      wDamping(dofs(*model)),
      softMotor(dofs(*model)),
      applied(dofs(*model)),
      acceleration(dofs(*model)),
      warm(static_cast<std::size_t>(joint_row_kinds * rowDofs())),
      endQ(coordinates(*model)),
      endU(dofs(*model)),
      turns(turningDofs(*model)) {
  loopImpulses.resize(model->bilateral.groups.size());
  for (const Closure& c : model->bilateral.closures)
    for (const int b : {c.a, c.b})
      if (b >= 0) noteBody(*this, b);
  for (std::size_t i = 0; i < tendons.size(); ++i) {
    const auto& segments = model->tendons[i].segments;
    tendons[i].segments.resize(segments.size());
    for (const TendonInfo::Segment& segment : segments)
      for (const int b : {segment.from.body, segment.to.body})
        if (b >= 0) noteBody(*this, b);
    tendons[i].ways.resize(model->tendons[i].wraps.size());
    for (const TendonInfo::Wrap& wrap : model->tendons[i].wraps)
      if (wrap.side && wrap.side->body >= 0) noteBody(*this, wrap.side->body);
  }
  loops_ = std::make_unique<Loops>(*this);
  evaluation = hasLoops() ? newLoopEvaluation() : newTreeEvaluation(*this);
  noteActuation();
}

void System::renewLoops() {
  renew(*model);
  loops_ = std::make_unique<Loops>(*this);
}

void System::noteActuation() {
  const auto some = [](const AlignedArray<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double x) { return x != 0; });
  };
  hasSprings = some(actuation.stiffness);
  const auto base = actuation.stiffness.begin();
  hasBaseSpring =
      topology().floating && std::any_of(base, base + 6, [](double x) { return x != 0; });
  hasFriction = some(actuation.friction) ||
                std::any_of(model->tendons.begin(), model->tendons.end(),
                            [](const TendonInfo& tendon) { return tendon.spec.friction > 0; });
}

void noteBody(System& sys, int body) {
  auto& bodies = sys.geomBodies;
  if (std::find(bodies.begin(), bodies.end(), body) == bodies.end()) bodies.push_back(body);
}

void makeUnit(System& sys, double* q) {
  const Topology& t = sys.topology();
  for (int i = 0; i < t.nq; ++i) sys.qm[i] = q[i];
  normalize(t, sys.qm.data());
  bool isUnit = true;
  for (int i = 0; i < t.nq; ++i) isUnit &= std::abs(sys.qm[i] - q[i]) < 1e-15;
  if (isUnit) return;
  for (int i = 0; i < t.nq; ++i) q[i] = sys.qm[i];
}

namespace {

/// Whether a dof from `joints` on has gains that act.
bool hasGains(const Actuation& a, int joints, int n) {
  if (a.mode != ControlMode::PD_PLUS_FEEDFORWARD_TORQUE) return false;
  bool some = false;
  forRun(joints, n, [&]<class T>(int d) {
    some |= any((abs(load<T>(&a.kp[d])) > T(0.0)) | (abs(load<T>(&a.kd[d])) > T(0.0)));
  });
  return some;
}

/// A motor whose whole torque is bounded acts as a row of the constraint problem.
void boundMotors(System& sys) {
  const Actuation& a = sys.actuation;
  for (int d = sys.topology().floating ? 6 : 0; d < sys.topology().nv; ++d) {
    const bool isBounded = std::isfinite(a.lower[d]) || std::isfinite(a.upper[d]);
    if (sys.wMotor[d] > 0 && isBounded) std::swap(sys.softMotor[d], sys.wMotor[d]);
  }
}

}  // namespace

void actuate(System& sys, const double* u, Scheme scheme, double dt) {
  const Topology& t = sys.topology();
  const Actuation& a = sys.actuation;
  const ImplicitWeights weights = implicitWeights(scheme, dt);
  const int n = t.nv, joints = t.floating ? 6 : 0;
  double *command = sys.command.data(), *force = sys.force.data();
  double *wMotor = sys.wMotor.data(), *softMotor = sys.softMotor.data();
  std::copy_n(a.feedforward.data(), n, command);
  std::fill_n(wMotor, n, 0.0);
  std::fill_n(softMotor, n, 0.0);
  if (hasGains(a, joints, n)) {
    double* toTarget = sys.uNext.data();  // free until the solve
    differenceOfJoints(t, sys.qm.data(), a.targetQ.data(), toTarget);
    forRun(joints, n, [&]<class T>(int d) {
      const Motor<T> motor{load<T>(&a.kp[d]), load<T>(&a.kd[d]), load<T>(toTarget + d),
                           load<T>(&a.targetU[d]), load<T>(command + d)};
      store(command + d, wantedTorque(motor, load<T>(u + d), weights));
      store(wMotor + d, motorWeight(motor.kp, motor.kd, weights));
    });
    if (a.torqueLimits == TorqueLimits::EXACT) boundMotors(sys);
  }
  forRun(0, n, [&]<class T>(int d) {
    const T wanted = load<T>(command + d), damping = load<T>(&a.damping[d]), none(0.0);
    const T bounded = boundedTorque(wanted, load<T>(&a.lower[d]), load<T>(&a.upper[d]));
    const auto isRow = load<T>(softMotor + d) > none;
    const T wDamping = T(weights.damping) * damping;
    store(command + d, select(isRow, wanted, bounded));
    store(force + d, select(isRow, none, bounded) - damping * load<T>(u + d));
    store(&sys.wDamping[d], wDamping);
    store(&sys.w[d],
          load<T>(wMotor + d) + wDamping + T(weights.stiffness) * load<T>(&a.stiffness[d]));
  });
  sys.impedance = nullptr;
  if (a.hasControl) {
    for (int d = 0; d < n; ++d) force[d] += a.controlForce[d];
    // A tree's M~ takes all of the impedance; M~_y takes its diagonal.
    if (!sys.hasLoops())
      sys.impedance = a.controlImpedance.data();
    else
      for (int d = 0; d < n; ++d)
        sys.w[d] += weights.damping * a.controlImpedance[t.row[d] + t.dofDepth[d]];
  }
  if (!sys.tendons.empty()) pullTendons(sys, u, scheme, dt);
  if (!sys.hasSprings) return;
  double* toMount = sys.mean.data();  // free, too
  if (sys.hasBaseSpring)
    difference(t, sys.qm.data(), a.springMount.data(), toMount);
  else
    differenceOfJoints(t, sys.qm.data(), a.springMount.data(), toMount);
  for (int d = t.floating && !sys.hasBaseSpring ? 6 : 0; d < n; ++d)
    force[d] += a.stiffness[d] * (toMount[d] - weights.lookAhead * u[d]);
}

}  // namespace espalier
