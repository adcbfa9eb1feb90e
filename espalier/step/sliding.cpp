#include "espalier/step/sliding.h"

#include <cmath>

#include "espalier/step/candidates.h"
#include "espalier/step/scheme.h"

namespace espalier {
namespace {

/// Solves with rows that joined, after which the others join, too.
constexpr int most_rounds = 4;

/// In units of g dt: what is slower (rad/s or m/s) has a row, because it may stop. A joint that goes on
/// after all costs its row, one that stops a second solve.
constexpr double slow = 1;

JointRow rowOf(const StepData& world, const SlidingJoint& joint) {
  JointRow row{joint.system, joint.dof, JointRowKind::FRICTION};
  const double most = world.dt * joint.system->actuation.friction[joint.dof];
  row.known = joint.impulse;
  row.lower = -most - joint.impulse;
  row.upper = most - joint.impulse;
  return row;
}

}  // namespace

void setSlidingAside(StepData& world, System& sys) {
  if (!sys.hasFriction || info(world.scheme).hasStages) return;
  const double* rates = sys.rates.data();
  const double least = slow * norm(world.gravity) * world.dt;
  for (int d = sys.topology().floating ? 6 : 0; d < sys.topology().nv; ++d) {
    const double friction = sys.actuation.friction[d], most = world.dt * friction;
    const double last = sys.warmOf(JointRowKind::FRICTION, d);
    const bool slid = friction > 0 && std::abs(last) >= most && last * rates[d] < 0;
    if (!slid || !(std::abs(rates[d]) > least)) continue;
    const double sign = rates[d] > 0 ? 1 : -1;
    world.sliding[world.slidingCount++] = {&sys, d, -sign * most};
    sys.force[d] -= sign * friction;
  }
}

bool isSetAside(const StepData& world, const System& sys, int dof, int& next) {
  if (next >= world.slidingCount) return false;
  const SlidingJoint& joint = world.sliding[next];
  if (joint.system != &sys || joint.dof != dof) return false;
  ++next;
  return true;
}

bool findStopped(StepData& world, const System& sys, const double* uNext, int stride) {
  bool isAny = false;
  for (int i = 0; i < world.slidingCount; ++i) {
    SlidingJoint& joint = world.sliding[i];
    if (joint.system != &sys || joint.hasRow) continue;
    joint.joins = !(joint.impulse * uNext[joint.dof * stride] <= 0);
    isAny |= joint.joins;
  }
  return isAny;
}

void admitJointRows(StepData& world, int groups, int rows) {
  keepTorsions(world);
  const bool allJoin = world.solvesAgain >= most_rounds;
  const auto first = static_cast<std::size_t>(world.contactCount + rows);
  for (int i = 0; i < world.slidingCount; ++i) {
    SlidingJoint& joint = world.sliding[i];
    if (joint.hasRow || !(joint.joins || allJoin)) continue;
    joint.hasRow = true;
    world.jointRows[world.jointRowCount++] = rowOf(world, joint);
  }
  const auto end = static_cast<std::size_t>(world.contactCount + world.jointRowCount);
  const auto put = [&](std::size_t to, const Vec3d& start, const Vec3d& relaxed, bool isNew) {
    world.start[to] = start;
    world.relaxed[to] = relaxed;
    world.isNew[to] = isNew;
  };
  for (auto k = static_cast<std::size_t>(groups); k > first; --k)
    put(k - 1 + end - first, world.lambda[k - 1], world.relaxed[k - 1], false);
  for (std::size_t k = first; k < end; ++k) put(k, {0, 0, 0}, {0, 0, 0}, true);
  for (std::size_t k = 0; k < first; ++k) put(k, world.lambda[k], world.relaxed[k], false);
  askRows(world);
}

}  // namespace espalier
