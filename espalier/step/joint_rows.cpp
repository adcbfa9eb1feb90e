// Rows of joints in the contact problem: their limits, their dry friction, motors with a bound on
// their whole torque. One row a dof and kind; the impulse is in N m s or N s.
//
//   LOWER, UPPER  0 <= lambda  perp  sign u+ + bias >= 0, the contact law with a gap; of a
//                 spherical joint's angles d . u+ in place of u+ (spherical_bounds.h)
//   SPEED         the same against the joint's own limit of speed
//   FRICTION      |lambda| <= dt f, against u+; where the joint surely slides none (sliding.h)
//   MOTOR         lambda = w (u_ref - u+) within dt times the limits: the impulse of the implicit
//   PD
//                 torque, -w (u+ - u) + dt tau, but bounded as a whole
//   SPRING        the same without bounds, of a tendon's spring and damper
//
// Tendons have them all but SPEED; their dof is System::firstTendon() and those that follow.

#include <algorithm>
#include <array>
#include <cmath>

#include "espalier/step/contact_law.h"
#include "espalier/step/sliding.h"
#include "espalier/step/tendons.h"

namespace espalier {
namespace {

void add(StepData& world, const JointRow& row) { world.jointRows[world.jointRowCount++] = row; }

/// Whether a limit takes part in the step.
bool isNear(const StepData& world, double gap, double rate) {
  return gap < 0.01 + 2 * world.dt * std::abs(rate);
}

void addLimits(StepData& world, System& sys, int dof, double q, double rate, double lower,
               double upper) {
  const double gaps[2] = {q - lower, upper - q};
  for (int side = 0; side < 2; ++side) {
    if (!isNear(world, gaps[side], rate)) continue;
    JointRow row{&sys, dof, side == 0 ? JointRowKind::LOWER : JointRowKind::UPPER};
    row.sign = side == 0 ? 1 : -1;
    row.bias = lawOf(world).bias(gaps[side], row.sign * rate);
    add(world, row);
  }
}

/// Where a limit's gap is curved in the step, a row of MIDPOINT takes the second order along: the gap
/// at the next evaluation point is gap + dt (v+ + dt/2 v'), v' at constant u. It asks for no more
/// speed back than comes in, so that the stop makes no energy.
double biasOfCurved(const StepData& world, double gap, double acceleration, double sign,
                    double rate) {
  const double first = lawOf(world).bias(gap, rate);
  const double second = evaluationOffsetOf(world.scheme, world.dt) * sign * acceleration;
  return std::max(first + second, std::min(first, rate));
}

void findTendonLimits(StepData& world, System& sys, const double* u) {
  measureTendons(sys, u);
  for (int i = 0; i < static_cast<int>(sys.tendons.size()); ++i) {
    const TendonState& state = sys.tendons[i];
    const TendonSpec& spec = sys.model->tendons[i].spec;
    const double gaps[2] = {state.length - spec.lower, spec.upper - state.length};
    for (int side = 0; side < 2; ++side) {
      if (!isNear(world, gaps[side], state.rate)) continue;
      JointRow row{&sys, sys.firstTendon() + i,
                   side == 0 ? JointRowKind::LOWER : JointRowKind::UPPER};
      row.sign = side == 0 ? 1 : -1;
      row.bias = biasOfCurved(world, gaps[side], tendonAcceleration(world, sys, i), row.sign,
                              row.sign * state.rate);
      add(world, row);
    }
  }
}

void findLimits(StepData& world, System& sys) {
  const double* u = sys.rates.data();
  for (const LimitedDof& l : sys.limits) {
    const double q = sys.qm[l.q], rate = u[l.u];
    const bool isLow = isNear(world, q - l.lower, rate), isHigh = isNear(world, l.upper - q, rate);
    if (isLow | isHigh) addLimits(world, sys, l.u, q, rate, l.lower, l.upper);
  }
  if (!sys.tendons.empty()) findTendonLimits(world, sys, u);
  for (std::size_t r = 0; r < sys.model->rotors.size(); ++r) {
    const RotorInfo& rotor = sys.model->rotors[r];
    const int dof = sys.model->nv() + static_cast<int>(r);
    addLimits(world, sys, dof, rotor.angle(sys.qm.data()), rotor.rate(u), rotor.limits.lower,
              rotor.limits.upper);
  }
}

void findBallLimits(StepData& world, System& sys) {
  const double* u = sys.rates.data();
  std::array<SphericalBound, 4> bounds;
  for (const LimitedBall& ball : sys.limitedBalls) {
    const Vec3d w{u[ball.u], u[ball.u + 1], u[ball.u + 2]};
    const int count = boundsAt(ball, &sys.qm[ball.q], w, bounds);
    for (int i = 0; i < count; ++i) {
      const SphericalBound& bound = bounds[i];
      // The direction turns with the joint: its largest possible speed counts.
      if (!isNear(world, bound.gap, norm(w) * norm(bound.direction))) continue;
      JointRow row{&sys, ball.u, bound.isUpper ? JointRowKind::UPPER : JointRowKind::LOWER};
      row.sign = bound.isUpper ? -1 : 1;
      row.angle = bound.angle;
      row.direction = bound.direction;
      row.bias = biasOfCurved(world, bound.gap, bound.acceleration, row.sign,
                              row.sign * dot(bound.direction, w));
      add(world, row);
    }
  }
}

void findSpeedLimits(StepData& world, System& sys) {
  const double* u = sys.rates.data();
  for (int d = sys.topology().floating ? 6 : 0; d < sys.firstTendon(); ++d) {
    const int rotor = d - sys.model->nv();
    const double most =
        rotor < 0 ? sys.actuation.speed[d] : sys.model->rotors[rotor].limits.velocity;
    const double rate = rateOf(sys, d, u);
    if (!(std::abs(rate) > 0.5 * most)) continue;
    JointRow row{&sys, d, JointRowKind::SPEED, rate > 0 ? -1.0 : 1.0};
    row.bias = most;
    add(world, row);
  }
}

void addFriction(StepData& world, System& sys, int dof, double force) {
  if (force == 0) return;
  JointRow row{&sys, dof, JointRowKind::FRICTION};
  row.lower = -world.dt * force;
  row.upper = world.dt * force;
  add(world, row);
}

///   io  next  of world.sliding
void findFriction(StepData& world, System& sys, int& next) {
  for (int d = 0; d < sys.topology().nv; ++d)
    if (!isSetAside(world, sys, d, next)) addFriction(world, sys, d, sys.actuation.friction[d]);
  int dof = sys.firstTendon();
  for (const TendonInfo& tendon : sys.model->tendons)
    addFriction(world, sys, dof++, tendon.spec.friction);
}

/// lambda = dt force - w (rate+ - rate)
void addSoft(StepData& world, System& sys, int dof, JointRowKind kind,
             const Tension<double>& tension, double rate, double lower, double upper) {
  if (!(tension.weight > 0)) return;
  JointRow row{&sys, dof, kind};
  row.softness = 1 / tension.weight;
  row.bias = -rate - world.dt * tension.force / tension.weight;
  row.lower = world.dt * lower;
  row.upper = world.dt * upper;
  add(world, row);
}

void findTensions(StepData& world, System& sys) {
  for (std::size_t i = 0; i < sys.tendons.size(); ++i) {
    const TendonState& state = sys.tendons[i];
    const int dof = sys.firstTendon() + static_cast<int>(i);
    addSoft(world, sys, dof, JointRowKind::SPRING, state.spring, state.rate, -unlimited, unlimited);
    const bool isExact = sys.actuation.torqueLimits == TorqueLimits::EXACT;
    const ActuatorSpec& bounds = sys.actuation.tendons[i];
    addSoft(world, sys, dof, JointRowKind::MOTOR, state.actuator, state.rate,
            isExact ? bounds.lower : -unlimited, isExact ? bounds.upper : unlimited);
  }
}

}  // namespace

void findJointRows(StepData& world) {
  world.jointRowCount = 0;
  for (System* sys : world.systems) {
    findLimits(world, *sys);
    if (!sys->limitedBalls.empty()) findBallLimits(world, *sys);
    if (sys->actuation.limitsSpeed) findSpeedLimits(world, *sys);
  }
  world.report.limits = world.jointRowCount;
  int next = 0;
  for (System* sys : world.systems)
    if (sys->hasFriction) findFriction(world, *sys, next);
}

void findMotorRows(StepData& world) {
  for (System* sys : world.systems) {
    findTensions(world, *sys);
    if (sys->actuation.torqueLimits != TorqueLimits::EXACT) continue;
    const double* u = sys->rates.data();
    for (int d = 0; d < sys->topology().nv; ++d)
      addSoft(world, *sys, d, JointRowKind::MOTOR, {sys->command[d], sys->softMotor[d]}, u[d],
              sys->actuation.lower[d], sys->actuation.upper[d]);
  }
}

}  // namespace espalier
