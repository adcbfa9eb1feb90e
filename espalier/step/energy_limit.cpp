#include "espalier/step/energy_limit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/solve6.h"
#include "espalier/scalar/runs.h"
#include "espalier/step/momentum.h"
#include "espalier/step/pose.h"

namespace espalier {
namespace {

/// A change of the rates with G, as a share of the largest rate, from which on the error is computed.
constexpr double far_bend = 0.1;
/// Share of the kinetic energy before the step or after it: corrections beyond it are flagged, and
/// ten times as much that is lost.
constexpr double told_share = 0.01;
constexpr double rounding = 1e-9;
/// Share of the kinetic energy that steps may regain of earlier losses.
constexpr double credit_share = 0.003;
/// Share of the kinetic energy: a smaller gain is left alone where no joint turns far.
constexpr double least_share = 1e-3;

/// rad, of all joints in a step (the root of the sum of squares) by schemes of second order: from there on a step
/// may gain more than that.
constexpr double near_turn = 0.05;
/// The same of dt |u+ - u|: after an impact M and h are not those of the middle of the step.
constexpr double near_change = 0.02;

/// With stages contact impulses act before them.
const double* uBefore(const StepData& world, const System& sys) {
  if (info(world.scheme).hasStages) return &sys.stage[6 * sys.topology().nv];
  return world.saved.u.data() + sys.u0;
}

/// Whether weight |value(i)| is more than `most` for some i; value<T>(i) of the first of T's numbers.
template <class Value>
bool exceeds(double most, const double* weight, int n, const Value& value) {
  bool some = false;
  forRun(0, n, [&]<class T>(int i) {
    some |= any(load<T>(weight + i) * value.template operator()<T>(i) > T(most));
  });
  return some;
}

/// Whether some rate of b is far from that of a.
bool bendsFar(const double* a, const double* b, int n) {
  double most = 0, change = 0;
  for (int i = 0; i < n; ++i) {
    most = std::max(most, std::abs(b[i]));
    change = std::max(change, std::abs(b[i] - a[i]));
  }
  return change > far_bend * most;
}

/// J, the most that contacts and rows of joints can have put into a robot: what pushes penetrations and joints
/// beyond their limits back does, at the speed asked for. Infinite where they may pass on other work: from what
/// moves, welds, motors that are rows, tendons, and rows of loops.
double mostWorkOfConstraints(const StepData& world, const System& sys) {
  const auto isOfSystem = [&](int object) { return object == sys.object; };
  if (!sys.loopImpulses.empty() || !sys.tendons.empty()) return HUGE_VAL;
  for (const auto& weld : world.welds)
    if (isOfSystem(weld->objectA) || isOfSystem(weld->objectB)) return HUGE_VAL;
  double most = 0;
  const auto push = [&](std::size_t k) {
    most += world.lambda[k].z * std::max(-world.bias[k].z, 0.0);
  };
  auto k = static_cast<std::size_t>(0);
  for (; k < static_cast<std::size_t>(world.contactCount); ++k) {
    const Contact& c = world.contacts[k];
    const bool isA = isOfSystem(c.objectA), isB = isOfSystem(c.objectB);
    if (!isA && !isB) continue;
    if (isA != isB && (isA ? c.typeB : c.typeA) != BodyType::STATIC) return HUGE_VAL;
    push(k);
  }
  for (int i = 0; i < world.jointRowCount; ++i, ++k) {
    const JointRow& row = world.jointRows[i];
    if (row.system != &sys) continue;
    if (row.kind == JointRowKind::MOTOR) return HUGE_VAL;
    push(k);
  }
  return most;
}

/// u_mean . (M (u+ - u) + dt h), J. Where links turn far in a step a contact may be seen to do work that no
/// contact does, because it pushes at the mean velocity along a normal of the middle; that is left out.
double workOfStep(const StepData& world, const System& sys) {
  const Topology &t = sys.topology(), &solved = sys.solved();
  const Workspace<double>& ws = sys.solver();
  const double back = 1 - shareOfNext(world.scheme);
  const double* y = sys.y();
  double ofConstraints = 0, own = 0;
  // The impulse is L'z, and L (y+ - y) = D^-1 z.
  for (int k = 0; k < solved.nv; ++k) {
    const double* row = &ws.H[solved.row[k]];
    double Ly = y[k] - back * ws.Dinv[k] * sys.z[k];
    for (int i = solved.dofParent[k], d = solved.dofDepth[k] - 1; d >= 0; --d) {
      Ly += row[d] * y[i];
      i = solved.dofParent[i];
    }
    ofConstraints += sys.z[k] * Ly;
  }
  const auto changeOf = [&](int d) { return sys.uNext[d] - sys.rates[d]; };
  const auto meanOf = [&](int d) { return sys.uNext[d] - back * changeOf(d); };
  for (int d = 0; d < t.nv; ++d) {
    ofConstraints += meanOf(d) * world.dt * (sys.h[d] - sys.force[d]);
    own += meanOf(d) * (world.dt * sys.force[d] - sys.w[d] * changeOf(d));
  }
  if (ofConstraints > 0) ofConstraints = std::min(ofConstraints, mostWorkOfConstraints(world, sys));
  if (!sys.impedance) return own + ofConstraints;
  const double share = implicitWeights(world.scheme, world.dt).damping;
  for (int k = 0; k < t.nv; ++k) {
    const double* row = &sys.impedance[t.row[k]];
    const int depth = t.dofDepth[k];
    own -= share * row[depth] * meanOf(k) * changeOf(k);
    for (int i = t.dofParent[k], d = depth - 1; d >= 0; --d, i = t.dofParent[i])
      own -= share * row[d] * (meanOf(k) * changeOf(i) + meanOf(i) * changeOf(k));
  }
  return own + ofConstraints;
}

/// The same of stages, at the mean velocity: of first order in forces.
double workOfStages(const StepData& world, const System& sys) {
  const double *u = world.state.u.data() + sys.u0, *before = uBefore(world, sys);
  double work = 0;
  for (int d = 0; d < sys.topology().nv; ++d)
    work += world.dt * sys.force[d] * 0.5 * (before[d] + u[d]);
  return work;
}

struct Energy {
  double kinetic, potential;
};

Energy energyAt(const StepData& world, System& sys, const double* q, const double* u) {
  const Topology& t = sys.topology();
  kinematics(t, sys.parameters, q, u, sys.ws);
  return {kineticEnergy(t, sys.parameters, u, sys.ws), potentialEnergy(t, world.gravity, sys.ws)};
}

/// Reduces the kinetic energy of u to the given value: motion relative to the whole robot first. In flight no
/// other, because the momentum stays; false where that is not enough.
///   pre  kinematics at q and u
bool slowDown(System& sys, const double* q, double* u, double kinetic, double kept) {
  const Topology& t = sys.topology();
  if (t.floating) {
    const Force<double> h = momentum(t, sys.parameters, u, sys.ws);
    const Motion<double> V = solve6(totalInertia(t, sys.ws), h);
    const double whole = 0.5 * (dot(V.w, h.n) + dot(V.v, h.f));
    const double inner = std::max(kinetic - whole, std::numeric_limits<double>::min());
    if (whole < kept || sys.knowsMomentum) {
      const double share = std::sqrt(std::clamp((kept - whole) / inner, 0.0, 1.0));
      const Vec3d v = V.v + cross(V.w, vector3(q) - sys.ws.origin);
      const double base[6] = {v.x, v.y, v.z, V.w.x, V.w.y, V.w.z};
      for (int d = 0; d < 6; ++d) u[d] = base[d] + share * (u[d] - base[d]);
      for (int d = 6; d < t.nv; ++d) u[d] *= share;
      return whole < kept;
    }
  }
  const double share = kept > 0 ? std::sqrt(std::min(kept / kinetic, 1.0)) : 0;
  for (int d = 0; d < t.nv; ++d) u[d] *= share;
  return true;
}

/// Whether joints turn far, or a mechanism bends much.
bool movesFar(const StepData& world, const System& sys) {
  const int n = sys.topology().nv;
  const double *before = uBefore(world, sys), *after = world.state.u.data() + sys.u0;
  const double most = info(world.scheme).farJointTurn / world.dt;
  const bool turnsFar = exceeds(most, sys.turns.data(), n, [&]<class T>(int i) {
    return max(abs(load<T>(before + i)), abs(load<T>(after + i)));
  });
  if (turnsFar) return true;
  return sys.hasLoops() && !info(world.scheme).hasStages &&
         (bendsFar(before, sys.rates.data(), n) || bendsFar(sys.uNext.data(), after, n));
}

/// Whether they turn, or an impact changes their rates, so much that a step may gain energy to speak of.
bool movesMuch(const StepData& world, const System& sys) {
  if (shareOfNext(world.scheme) != 0.5) return false;
  const int n = sys.topology().nv;
  const double *before = uBefore(world, sys), *after = world.state.u.data() + sys.u0;
  const double near = near_turn / near_change;  // one comparison for both
  double squares = 0;
  forRun(0, n, [&]<class T>(int i) {
    const T u = load<T>(before + i), next = load<T>(after + i);
    const T turn = load<T>(&sys.turns[i]) * max(max(abs(u), abs(next)), T(near) * abs(next - u));
    for (int l = 0; l < lanes_v<T>; ++l) squares += lane(turn, l) * lane(turn, l);
  });
  return squares * world.dt * world.dt > near_turn * near_turn;
}

/// What a step made of the energies, J.
struct Balance {
  Energy before, after;
  double work;   ///< as far as it is known
  double error;  ///< gain beyond the work; not finite in a step that is refused

  double least() const { return std::min(before.kinetic, after.kinetic); }
  double most() const { return std::max(before.kinetic, after.kinetic); }
};

Balance balanceOf(StepData& world, System& sys) {
  const bool hasStages = info(world.scheme).hasStages;
  const double work = hasStages ? workOfStages(world, sys) : workOfStep(world, sys);
  Balance b{};
  b.before = energyAt(world, sys, world.saved.q.data() + sys.q0, uBefore(world, sys));
  b.after = energyAt(world, sys, world.qOf(sys), world.uOf(sys));
  // Beside a wild step's energies work is no more than their rounding, and that of stages, which takes the
  // velocity after them for true, is none.
  const bool isUnknown = hasStages && b.after.kinetic > 4 * b.before.kinetic;
  b.work = !isUnknown && std::abs(work) > rounding * b.after.kinetic ? work : 0;
  b.error = b.after.kinetic + b.after.potential - b.before.kinetic - b.before.potential - b.work;
  if (hasStages) b.error -= std::clamp(b.error, -std::abs(b.work), std::abs(b.work));
  return b;
}

/// Slows the joints down to what the balance and the credit allow; false where that is not enough.
bool takeOut(const StepData& world, System& sys, const Balance& b, double credit, double cut,
             const double* q, double* u) {
  const bool hasStages = info(world.scheme).hasStages;
  for (int d = 0; d < sys.topology().nv; ++d) sys.acceleration[d] -= u[d] / world.dt;
  // Where most of it is error the work is not known well enough to count.
  const bool isWild = cut > b.after.kinetic / 2;
  const double spare =
      std::min(hasStages ? b.work + std::abs(b.work) : b.work, isWild ? 0 : HUGE_VAL);
  const bool isEnough =
      slowDown(sys, q, u, b.after.kinetic,
               b.before.kinetic + b.before.potential - b.after.potential + spare + credit);
  for (int d = 0; d < sys.topology().nv; ++d) sys.acceleration[d] += u[d] / world.dt;
  sys.loops().knownAccelerations = 0;
  return isEnough;
}

}  // namespace

bool mayGainEnergy(const StepData& world, const System& sys) {
  return movesFar(world, sys) || movesMuch(world, sys);
}

void limitEnergy(StepData& world, System& sys) {
  if (!mayGainEnergy(world, sys)) {
    sys.energyLost = 0;
    return;
  }
  if (sys.knowsMomentum) restoreMomentum(sys, world.qOf(sys), world.uOf(sys));
  const Balance b = balanceOf(world, sys);
  if (!std::isfinite(b.error)) return;  // refused_step.cpp judges it
  const double left = std::min(sys.energyLost, 0.0) - b.error;
  if (left > -least_share * b.most() && !movesFar(world, sys)) {
    sys.energyLost = std::min(left, 0.0);
    return;
  }
  const double credit = credit_share * b.least();
  const double known = std::max(sys.energyLost, 0.0), most = std::min(known, credit);
  const double cut = b.error - most;
  sys.energyLost = std::clamp(known - (cut > 0 ? most : b.error), 0.0, credit);
  const bool losesMuch =
      shareOfNext(world.scheme) == 0.5 && -b.error > 10 * told_share * b.before.kinetic;
  const bool isKept = cut <= 0 || takeOut(world, sys, b, most, cut, world.qOf(sys), world.uOf(sys));
  if (!isKept || losesMuch || cut > told_share * b.most())
    world.report.raise(StepFlag::EnergyNotKept);
}

}  // namespace espalier
