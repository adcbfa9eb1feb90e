// Contacts of a step: found by the scene, filtered, written as rows, and given the law.
//
// The law, without restitution (v_N+ is the normal velocity after the step):
//   open gap         v_N+ >= -gap / dt: the evaluation point of the next step just touches
//   penetration      v_N+ >= erp (depth - slop)+ / dt
// With restitution, on a closed contact that approaches faster than the threshold, or separates:
//   0 <= lambda_N  perp  v_N+ + e v_N(u) >= 0                (Moreau)
// and such an approach across an open gap is let through: held back, it would arrive slowly.
// Tangential rows of a MIDPOINT step carry (dt/2) (dJ/dt u)_T: second order in contact too.

#include <algorithm>
#include <cmath>

#include "espalier/dynamics/jacobian.h"
#include "espalier/world/world_data.h"

namespace espalier {
namespace {

const PlacedGeom& geomOf(const WorldData& world, GeomId id) {
  return world.geoms[static_cast<std::size_t>(id.value)];
}

/// Rows t1, t2, n; t1 is made from the axis least aligned with n.
Mat3d contactFrame(const Vec3d& n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const Vec3d seed = z <= x && z <= y ? Vec3d{0, 0, 1} : (y <= x ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0});
  Vec3d t1 = seed - n * dot(seed, n);
  t1 = t1 * (1 / norm(t1));
  return {t1, cross(n, t1), n};
}

/// Velocity of a body's point, and its acceleration at udot = 0 where the contact point rolls
/// with the given radius: a_c + alpha x (p - c), c the centre of the rounding.
struct PointMotion {
  Vec3d velocity{0, 0, 0}, acceleration{0, 0, 0};
};

PointMotion pointMotion(WorldData& world, int system, int body, const Vec3d& p,
                        const Vec3d& toCentre) {
  if (system < 0) return {};
  const System& sys = world.system(system);
  const Vec3d r = p - sys.ws.origin, c = r + toCentre;
  const Motion<double>&V = sys.ws.V[body], &A = sys.ws.A[body];
  PointMotion m;
  m.velocity = velocityAt(V, r);
  m.acceleration = A.v + world.gravity + cross(A.w, r) + cross(V.w, velocityAt(V, c));
  return m;
}

/// How far a geom's surface may move in two half steps; widens its margin.
void placeGeoms(WorldData& world) {
  for (const PlacedGeom& g : world.geoms) {
    if (g.system < 0) continue;
    const System& sys = world.system(g.system);
    const Transformd X_WC{sys.ws.R[g.body], sys.ws.origin + sys.ws.x[g.body]};
    const Transformd X_WG = X_WC * g.X_CG;
    world.scene.setPose(g.id, X_WG);
    const Motion<double>& V = sys.ws.V[g.body];
    const double speed = norm(velocityAt(V, X_WG.p - sys.ws.origin)) + norm(V.w) * g.reach;
    world.scene.setMargin(g.id, std::min(2 * world.dt * speed, 1.0));
  }
}

/// An approach fast enough to bounce.
bool bounces(const MaterialPair& pair, double speed) {
  return pair.restitution > 0 && speed < -pair.restitutionThreshold;
}

double lawOf(const WorldData& world, double gap, double speed, const MaterialPair* pair) {
  if (pair && gap <= 0 && (bounces(*pair, speed) || (pair->restitution > 0 && speed > 0)))
    return pair->restitution * speed;
  if (gap > 0) return gap / world.dt;
  return -world.settings.erp * std::max(-gap - world.settings.slop, 0.0) / world.dt;
}

void findLimits(WorldData& world) {
  world.limitCount = 0;
  int slot = 0;
  for (std::size_t s = 0; s < world.systems.size(); ++s) {
    const System& sys = *world.systems[s];
    const double* u = world.uOf(sys);
    for (const LimitedDof& l : sys.limits) {
      const double q = sys.qm[l.q], reach = 0.01 + 2 * world.dt * std::abs(u[l.u]);
      const double gaps[2] = {q - l.lower, l.upper - q};
      for (int side = 0; side < 2; ++side, ++slot)
        if (gaps[side] < reach)
          world.limits[world.limitCount++] = {static_cast<int>(s), l.u, slot,
                                              side == 0 ? 1.0 : -1.0, gaps[side]};
    }
  }
}

}  // namespace

void findContacts(WorldData& world) {
  placeGeoms(world);
  bool overflow = false;
  const int found = world.scene.collide(world.settings.margin, world.points.data(),
                                        static_cast<int>(world.points.size()), overflow);
  if (overflow) world.report.raise(StepFlag::ContactsOverflow);
  world.contactCount = 0;
  for (int k = 0; k < found; ++k) {
    const ContactPoint& p = world.points[static_cast<std::size_t>(k)];
    const PlacedGeom &a = geomOf(world, p.a), &b = geomOf(world, p.b);
    const int i = world.contactCount;
    Contact& c = world.contacts[static_cast<std::size_t>(i)];
    c = {p.a, p.b, a.system, b.system, a.body, b.body, p.position, p.normal};
    c.depth = p.depth;
    c.feature = p.feature;
    const PointMotion ma = pointMotion(world, a.system, a.body, p.position, p.normal * a.rounding);
    const PointMotion mb = pointMotion(world, b.system, b.body, p.position, p.normal * -b.rounding);
    const Vec3d velocity = ma.velocity - mb.velocity;
    const double speed = dot(velocity, p.normal);
    if (-p.depth > world.settings.margin + 2 * world.dt * std::abs(speed)) continue;
    const MaterialPair& pair = world.materials.pair(a.material, b.material);
    if (p.depth < 0 && bounces(pair, speed)) continue;  // it bounces once it touches
    c.frame = contactFrame(p.normal);
    c.friction = pair.friction;
    world.rate[static_cast<std::size_t>(i)] = mul(c.frame, velocity);
    world.drift[static_cast<std::size_t>(i)] = mul(c.frame, ma.acceleration - mb.acceleration);
    world.report.penetration = std::max(world.report.penetration, p.depth);
    ++world.contactCount;
  }
  findLimits(world);
  world.report.contacts = world.contactCount;
  world.report.limits = world.limitCount;
}

void assembleContacts(WorldData& world) {
  world.rows.clear();
  world.problem.clear();
  int group = 0;
  const auto add = [&](double friction) {
    const Vec3d free = world.rows.freeVelocity(group, world.rate[group], world.systems);
    world.problem.addGroup(world.rows.diagonal(group), free + world.bias[group], friction);
    ++group;
  };
  const double lead = world.scheme == Scheme::MIDPOINT ? world.dt / 2 : 0;
  int w = 0;  // warm impulses are sorted as the contacts are
  const auto before = [](const WarmImpulse& x, const Contact& c) {
    if (x.a != c.geomA) return x.a < c.geomA;
    if (x.b != c.geomB) return x.b < c.geomB;
    return x.feature < c.feature;
  };
  for (int i = 0; i < world.contactCount; ++i) {
    const Contact& c = world.contacts[i];
    world.rows.addContact(group, world.systems, c);
    while (w < world.warmCount && before(world.warm[w], c)) ++w;
    const bool known = w < world.warmCount && world.warm[w].a == c.geomA &&
                       world.warm[w].b == c.geomB && world.warm[w].feature == c.feature;
    world.lambda[group] = known ? mul(c.frame, world.warm[w].impulse) : Vec3d{0, 0, 0};
    const MaterialPair& pair =
        world.materials.pair(geomOf(world, c.geomA).material, geomOf(world, c.geomB).material);
    const Vec3d half = world.drift[group] * lead;
    world.bias[group] = {half.x, half.y, lawOf(world, -c.depth, world.rate[group].z, &pair)};
    add(c.friction);
  }
  for (int i = 0; i < world.limitCount; ++i) {
    const WorldData::LimitRow& l = world.limits[i];
    const System& sys = world.system(l.system);
    world.rows.addLimit(group, l.system, sys, l.dof, l.sign);
    const double speed = l.sign * world.uOf(sys)[l.dof];
    world.rate[group] = {0, 0, speed};
    world.bias[group] = {0, 0, lawOf(world, l.gap, speed, nullptr)};
    world.lambda[group] = {0, 0, world.warmLimits[l.slot]};
    add(0);
  }
  if (!world.rows.addCouplings(world.systems, world.problem))
    world.report.raise(StepFlag::ContactsOverflow);
  world.problem.finish();
}

void solveContacts(WorldData& world, bool again) {
  const int groups = world.problem.size();
  if (groups == 0) return;
  contact::SolveOptions<double> options;
  options.tolerance = world.settings.tolerance;
  options.maxSweeps = world.settings.maxSweeps;
  if (again)
    for (int i = 0; i < groups; ++i)
      world.problem.setFreeVelocity(
          i, world.rows.freeVelocity(i, world.rate[i], world.systems) + world.bias[i]);
  const auto solved = again ? world.solver.resolve(world.problem, world.lambda.data(), options)
                            : world.solver.solve(world.problem, world.lambda.data(), options);
  world.report.residual = solved.residual;
  world.report.iterations += solved.sweeps + solved.newtonSteps;
  world.rows.addImpulses(world.lambda.data(), world.systems);
}

void rememberImpulses(WorldData& world) {
  if (!(world.report.residual <= world.settings.tolerance))
    world.report.raise(StepFlag::SolverNotConverged);
  for (int i = 0; i < world.contactCount; ++i) {
    Contact& c = world.contacts[i];
    c.impulse = world.lambda[i];
    world.warm[i] = {c.geomA, c.geomB, c.feature, tmul(c.frame, c.impulse)};
    world.report.activeContacts += c.isActive();
  }
  world.warmCount = world.contactCount;
  for (double& x : world.warmLimits) x = 0;
  for (int i = 0; i < world.limitCount; ++i)
    world.warmLimits[world.limits[i].slot] = world.lambda[world.contactCount + i].z;
}

}  // namespace espalier
