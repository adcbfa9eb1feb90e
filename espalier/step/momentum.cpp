#include "espalier/step/momentum.h"

#include <algorithm>

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/solve6.h"

namespace espalier {
namespace {

bool isSame(const double* a, const AlignedArray<double>& b) {
  return std::equal(b.begin(), b.end(), a);
}

bool reachesGround(const std::vector<TendonInfo>& tendons) {
  for (const TendonInfo& tendon : tendons)
    for (const TendonInfo::Segment& segment : tendon.segments)
      if (segment.from.body < 0 || segment.to.body < 0) return true;
  return false;
}

/// Moves the whole as one rigid body so that it has the momentum that is known.
///   in   I, now  its inertia and momentum about sys.ws.origin
void restore(const System& sys, const double* q, double* u, const auto& I,
             const Force<double>& now) {
  const Vec3d o = sys.ws.origin;
  const Force<double> wanted{sys.momentum.n - cross(o, sys.momentum.f), sys.momentum.f};
  const Motion<double> dV = solve6(I, wanted - now);
  const Vec3d dv = dV.v + cross(dV.w, Vec3d{q[0], q[1], q[2]} - o);
  const double change[6] = {dv.x, dv.y, dv.z, dV.w.x, dV.w.y, dV.w.z};
  for (int d = 0; d < 6; ++d) u[d] += change[d];
}

}  // namespace

bool hasFreeMomentum(const System& sys) { return sys.solved().floating && sys.topology().nv > 6; }
bool keepsMomentum(const System& sys, Scheme scheme) {
  return info(scheme).keepsMomentum && hasFreeMomentum(sys);
}

void correctMomentum(System& sys, const double* q, double* u) {
  sys.knowsMomentum &= isSame(q, sys.endQ) && isSame(u, sys.endU) && !sys.actuation.hasControl;
  if (sys.touchesStatic && !sys.knowsMomentum) return;
  const auto [now, inertia] = sys.evaluation->wholeMotion(sys, q, u);
  const Vec3d o = sys.ws.origin;
  if (!sys.knowsMomentum) {
    sys.momentum = {now.n + cross(o, now.f), now.f};
    sys.knowsMomentum = !sys.actuation.hasControl;
    return;
  }
  restore(sys, q, u, inertia, now);
}

void restoreMomentum(System& sys, const double* q, double* u) {
  const auto [now, inertia] = wholeMotionOf(sys, q, u);
  restore(sys, q, u, inertia, now);
}

void addForces(System& sys, const Vec3d& gravity, double dt) {
  // The base's block of M is [m 1, -m [r]; m [r], I], r = c - p_base; its rows of the generalized
  // force are the whole wrench about its origin.
  const auto M = [&](int row, int column) {
    return sys.solver().H[sys.solved().row[row] + column];
  };
  const Vec3d base{sys.qm[0], sys.qm[1], sys.qm[2]}, weight = gravity * M(0, 0);
  const Vec3d mr{M(5, 1), M(3, 2), M(4, 0)};
  const double* e = sys.force.data();
  const Vec3d f = weight + Vec3d{e[0], e[1], e[2]};
  const Vec3d n = Vec3d{e[3], e[4], e[5]} + cross(mr, gravity) + cross(base, f);
  sys.momentum += Force<double>{n * dt, f * dt};
}

void addImpulsesToMomentum(StepData& world) {
  for (System* sys : world.systems) sys->touchesStatic = false;
  const auto give = [](const PlacedGeom& to, const PlacedGeom& from, const Force<double>& f) {
    if (!to.system) return;
    to.system->momentum += f;
    const bool isHeld =
        from.free ? !from.free->isDynamic() : !from.system || !from.system->topology().floating;
    to.system->touchesStatic |= isHeld;
  };
  for (int i = 0; i < world.contactCount; ++i) {
    const Contact& c = world.contacts[i];
    if (!c.isActive()) continue;
    const PlacedGeom& a = world.geom(c.geomA);
    const PlacedGeom& b = world.geom(c.geomB);
    const Vec3d f = tmul(c.frame, c.impulse);
    const Force<double> onA{cross(c.position, f) + tmul(c.frame, c.torque), f};
    give(a, b, onA);
    give(b, a, zeroForce<double>() - onA);
  }
  for (System* sys : world.systems)
    sys->touchesStatic |=
        sys->model->bilateral.reachesGround() || reachesGround(sys->model->tendons);
  for (const auto& weld : world.welds) {
    if (weld->a.system) weld->a.system->touchesStatic = true;
    if (weld->b.system) weld->b.system->touchesStatic = true;
  }
  for (System* sys : world.systems) sys->knowsMomentum &= !sys->touchesStatic;
}

void rememberMomentum(System& sys, const double* q, const double* u) {
  std::copy(q, q + sys.topology().nq, sys.endQ.data());
  std::copy(u, u + sys.topology().nv, sys.endU.data());
}

}  // namespace espalier
