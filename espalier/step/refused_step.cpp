// Steps that are refused: of a robot or a single body whose new state is not finite, of a robot
// whose loops did not close or whose mass matrix is singular. Its state before the step is restored,
// together with that of its contact island in this step, which is everything that an impulse couples
// to it, for the velocities of the others depend on those impulses. All else keeps the step. A robot
// whose loops did not close then goes on as far as they do (loops.h), and one that was at a change
// point goes slower, so that the next step differs from this one.

#include <algorithm>
#include <cmath>
#include <limits>

#include "espalier/scalar/runs.h"
#include "espalier/step/stages.h"

namespace espalier {
namespace {

/// Of the rates of a robot that is refused at a change point: from there the same step would end so for ever.
constexpr double kept_share = 0.9;

bool areFinite(const double* numbers, std::size_t count) {
  bool finite = true;
  forRun(0, static_cast<int>(count), [&]<class T>(int i) {
    const T most(std::numeric_limits<double>::max());
    finite &= all(abs(load<T>(&numbers[i])) <= most);
  });
  return finite;
}

bool areFinite(const std::vector<double>& numbers) {
  return areFinite(numbers.data(), numbers.size());
}

bool isTorn(const System& sys) { return !(sys.loops().gap < mostGap(sys.loops())); }

bool isRefused(const Endpoint& end) {
  if (end.system) return end.system->isRefused;
  return end.free && end.free->isRefused;
}

/// Whether impulses change the velocity of this end.
bool isMovable(const Endpoint& end) {
  if (end.system) return end.system->topology().floating || end.body > 0;
  return end.free && end.free->isDynamic();
}

void refuse(const Endpoint& end) {
  (end.system ? end.system->isRefused : end.free->isRefused) = true;
}

/// Whether an impulse acts; of NaN, too.
bool isNonzero(const Vec3d& impulse, const Vec3d& torque) {
  return !(impulse.x == 0 && impulse.y == 0 && impulse.z == 0 && torque.x == 0 && torque.y == 0 &&
           torque.z == 0);
}

/// Refuses the other one of two ends that are coupled; whether there is one more.
bool spread(const Endpoint& a, const Endpoint& b) {
  if (isRefused(a) == isRefused(b) || !isMovable(a) || !isMovable(b)) return false;
  refuse(a);
  refuse(b);
  return true;
}

bool spreadOnce(StepData& world) {
  bool isMore = false;
  for (int i = 0; i < world.contactCount; ++i) {
    const Contact& c = world.contacts[i];
    if (isNonzero(c.impulse, c.torque)) isMore |= spread(world.geom(c.geomA), world.geom(c.geomB));
  }
  for (const auto& weld : world.welds)
    if (isNonzero(weld->impulse, weld->torque)) isMore |= spread(weld->a, weld->b);
  return isMore;
}

/// Removes impulses that were not applied, from the contacts and from the next step's warm start.
void dropImpulses(StepData& world) {
  const auto isVoid = [&](GeomId a, GeomId b) {
    return isRefused(world.geom(a)) || isRefused(world.geom(b));
  };
  for (int i = 0; i < world.contactCount; ++i) {
    Contact& c = world.contacts[i];
    if (!isVoid(c.geomA, c.geomB)) continue;
    world.report.activeContacts -= c.isActive();
    c.impulse = c.torque = {0, 0, 0};
  }
  const auto begin = world.warm.begin();
  const auto end = std::remove_if(begin, begin + world.warmCount,
                                  [&](const WarmImpulse& w) { return isVoid(w.a, w.b); });
  world.warmCount = static_cast<int>(end - begin);
  for (const auto& weld : world.welds)
    if (isRefused(weld->a) || isRefused(weld->b)) weld->impulse = weld->torque = {0, 0, 0};
}

/// The state before the step, and no history.
template <class Part>
void putBack(StepData& world, Part& part, int nq, int nv) {
  std::copy_n(world.saved.q.data() + part.q0, nq, world.qOf(part));
  std::copy_n(world.saved.u.data() + part.u0, nv, world.uOf(part));
  forget(part);
  ++world.report.refused;
}

void putBack(StepData& world, System& sys) {
  putBack(world, sys, sys.topology().nq, sys.topology().nv);
  for (auto* list : {&sys.acceleration, &sys.applied}) std::fill(list->begin(), list->end(), 0.0);
  double* u = world.uOf(sys);
  if (isTorn(sys))
    moveAsFarAsLoopsClose(world, sys, world.qOf(sys), u);
  else if (sys.loops().passesChangePoint)
    for (int d = 0; d < sys.topology().nv; ++d) u[d] *= kept_share;
}

/// Marks robots and bodies that fail by themselves; returns whether there are any.
bool findFailures(StepData& world) {
  const State& s = world.state;
  const bool finite = areFinite(s.q) && areFinite(s.u);
  bool isAny = !finite;
  if (!finite) world.report.raise(StepFlag::NotFinite);
  const auto isFinite = [&](const auto& part, int nq, int nv) {
    return finite || (areFinite(world.qOf(part), static_cast<std::size_t>(nq)) &&
                      areFinite(world.uOf(part), static_cast<std::size_t>(nv)));
  };
  for (System* sys : world.systems) {
    if (!sys->isRegular) world.report.raise(StepFlag::SingularMassMatrix);
    sys->isRefused =
        !sys->isRegular || isTorn(*sys) || !isFinite(*sys, sys->topology().nq, sys->topology().nv);
    isAny |= sys->isRefused;
  }
  if (!finite)
    for (FreeBody* b : world.bodies) b->isRefused = !isFinite(*b, 7, 6);
  return isAny;
}

}  // namespace

void refuseFailures(StepData& world) {
  if (!findFailures(world)) return;
  while (spreadOnce(world)) {
  }
  dropImpulses(world);
  for (System* sys : world.systems)
    if (sys->isRefused) putBack(world, *sys);
  for (FreeBody* b : world.bodies)
    if (b->isRefused) putBack(world, *b, 7, 6);
  world.knowsEnergy = false;
}

}  // namespace espalier
