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

#include "espalier/step/limit_rows.h"
#include "espalier/step/sliding.h"
#include "espalier/step/tendons.h"

namespace espalier {
namespace {

void add(StepData& world, const JointRow& row) { world.jointRows[world.jointRowCount++] = row; }

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
  for (System* sys : world.systems) findLimitRows(world, *sys);
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
