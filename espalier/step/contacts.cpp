// The contact problem of a step: contacts, joint rows and welds, each with its law (contact_law.h).
//
// Tangential rows of a MIDPOINT step carry (dt/2) (dJ/dt u)_T: second order in contact too.
//
// Groups come in the order contacts, joint rows, motors, welds (linear, angular), loops, torsion.

#include <algorithm>
#include <array>
#include <span>

#include "espalier/step/backoff.h"
#include "espalier/step/bilateral.h"
#include "espalier/step/candidates.h"
#include "espalier/step/contact_law.h"
#include "espalier/step/motion.h"
#include "espalier/step/room.h"
#include "espalier/step/row_columns.h"
#include "espalier/step/solve_budget.h"
#include "espalier/step/warm_start.h"
#include "espalier/step/welds.h"

namespace espalier {
namespace {

/// Relative velocity of kinematic bodies, A against B, at a point: a part of J u that no impulse
/// changes.
Vec3d givenVelocity(const Endpoint& a, const Endpoint& b, const Vec3d& point) {
  const auto of = [&](const Endpoint& end) {
    return end.free && !end.free->isDynamic() ? pointVelocity(end, point) : Vec3d{0, 0, 0};
  };
  return of(a) - of(b);
}
Vec3d givenSpin(const Endpoint& a, const Endpoint& b) {
  const auto of = [](const Endpoint& end) {
    return end.free && !end.free->isDynamic() ? end.free->w : Vec3d{0, 0, 0};
  };
  return of(a) - of(b);
}

/// The law's bias of each contact, and its warm start.
void askContacts(StepData& w) {
  const double evaluationOffset = evaluationOffsetOf(w.scheme, w.dt);
  WarmStart warm(w);
  int torsions = 0;
  for (int i = 0; i < w.contactCount; ++i) {
    const Contact& c = w.contacts[i];
    const MaterialPair& pair = w.law[i];
    const WarmImpulse* known = warm.find(i);
    const Vec3d half = w.drift[i] * evaluationOffset;
    w.bias[i] = {half.x, half.y, lawOf(w).bias(-c.depth, w.rate[i].z, pair)};
    w.lambda[i] = known ? mul(c.frame, known->impulse) : Vec3d{0, 0, 0};
    const bool isLoaded = known && dot(known->impulse, c.normal) > 0;
    w.correction[i] = correctionOf(w, -c.depth, w.bias[i].z, isLoaded);
    w.torsion[i] = -1;
    if (!pair.hasTorsion()) continue;
    w.torsion[i] = torsions++;
    w.torsionWarm[w.torsion[i]] = known ? mul(c.frame, known->torque) : Vec3d{0, 0, 0};
  }
}

/// The rate that a joint row speaks of, without its sign, as a sum of rates.
///   in  own  room for the terms of a joint
std::span<const RotorInfo::Term> termsOf(const JointRow& row, std::array<RotorInfo::Term, 3>& own) {
  if (row.angle == LimitedAngle::COORDINATE) return termsOf(*row.system->model, row.dof, own[0]);
  own = {{{0, row.dof, row.direction.x},
          {0, row.dof + 1, row.direction.y},
          {0, row.dof + 2, row.direction.z}}};
  return own;
}

double rateOf(const JointRow& row, const double* u) {
  if (row.angle == LimitedAngle::COORDINATE) return rateOf(*row.system, row.dof, u);
  return dot(row.direction, Vec3d{u[row.dof], u[row.dof + 1], u[row.dof + 2]});
}

/// The same of joint rows, whose groups come next.
void askJoints(StepData& w) {
  auto k = static_cast<std::size_t>(w.contactCount);
  for (int i = 0; i < w.jointRowCount; ++i, ++k) {
    const JointRow& row = w.jointRows[i];
    const double rate = rateOf(row, row.system->rates.data());
    w.rate[k] = {0, 0, row.sign * rate};
    w.bias[k] = {0, 0, row.bias};
    w.lambda[k] = {0, 0, row.warm() - row.known};
  }
}

/// kg, of all bodies but a fixed base.
double movingMass(const System& sys) {
  double mass = 0;
  for (int b = sys.topology().floating ? 0 : 1; b < sys.topology().nb; ++b)
    mass += sys.parameters.bodies[b].I.m;
  return mass;
}

class Assembly {
 public:
  explicit Assembly(StepData& world) : w_(world) {
    w_.rows.clear();
    w_.problem.clear();
    if (w_.contactCount == 0) return;
    for (const System* sys : w_.systems) w_.problem.setMass(sys->mover, movingMass(*sys));
    for (const FreeBody* b : w_.bodies) w_.problem.setMass(b->mover, b->mass);
  }

  void contacts() {
    for (int i = 0; i < w_.contactCount; ++i) {
      const Contact& c = w_.contacts[i];
      const auto sides =
          w_.rows.addContact(w_.geom(c.geomA), w_.geom(c.geomB), c.frame, c.position);
      const int group = w_.problem.addGroup(sides, free(), c.friction);
      if (group < 0) continue;
      w_.problem.setCorrection(group, w_.correction[i]);
      w_.problem.setHeight(group, -dot(w_.gravity, c.position));
      give(group, mul(c.frame, givenVelocity(w_.geom(c.geomA), w_.geom(c.geomB), c.position)));
    }
  }

  void joints() {
    for (int i = 0; i < w_.jointRowCount; ++i) {
      const JointRow& row = w_.jointRows[i];
      std::array<RotorInfo::Term, 3> own;
      const int tendon = row.dof - row.system->firstTendon();
      const auto sides = tendon >= 0 ? w_.rows.addTendon(*row.system, tendon, row.sign)
                                     : w_.rows.addJoint(*row.system, termsOf(row, own), row.sign);
      const int group = row.isOneSided()
                            ? w_.problem.addGroup(sides, free(), 0.0)
                            : w_.problem.addBounded(sides, free(), {0, 0, row.lower},
                                                    {0, 0, row.upper}, {0, 0, row.softness});
      give(group);
    }
  }

  void welds() {
    const Mat3d axes = identity3<double>();
    const Vec3d most{unlimited, unlimited, unlimited};
    for (const auto& weld : w_.welds) {
      const WeldState s = stateOf(w_, *weld);
      const auto linear = w_.rows.addContact(weld->a, weld->b, axes, s.point);
      const Vec3d b =
          open(s.velocity, closureBias(w_, s.gap, s.velocity, s.acceleration), weld->impulse);
      give(w_.problem.addBounded(linear, b, -most, most), givenVelocity(weld->a, weld->b, s.point));
      const auto angular = w_.rows.addAngular(weld->a, weld->b, axes);
      const Vec3d turn =
          open(s.angularVelocity, closureBias(w_, s.turn, s.angularVelocity, s.angularAcceleration),
               weld->torque);
      give(w_.problem.addBounded(angular, turn, -most, most), givenSpin(weld->a, weld->b));
    }
  }

  void loops() {
    for (System* sys : w_.systems) {
      const BilateralLoops& loops = sys->model->bilateral;
      for (std::size_t g = 0; g < loops.groups.size(); ++g) {
        const RowGroup& group = loops.groups[g];
        const Closure& c = loops.closures[group.closure];
        const ClosureRows rows = closureRows(loops, group, w_.gravity, sys->ws);
        const auto sides = w_.rows.addWrenches(*sys, c.a, c.b, rows.W);
        const Vec3d bound{unlimited, group.count > 1 ? unlimited : 0,
                          group.count > 2 ? unlimited : 0};
        const Vec3d b =
            open(rows.rate, closureBias(w_, rows.gap, rows.rate, rows.k), sys->loopImpulses[g]);
        give(w_.problem.addBounded(sides, b, -bound, bound));
      }
    }
  }

  void torsions() {
    for (int i = 0; i < w_.contactCount; ++i) {
      int& place = w_.torsion[i];
      if (place < 0) continue;
      const Contact& c = w_.contacts[i];
      const MaterialPair& pair = w_.law[i];
      const PlacedGeom &a = w_.geom(c.geomA), &b = w_.geom(c.geomB);
      const auto sides = w_.rows.addAngular(a, b, c.frame);
      const Vec3d free =
          open(mul(c.frame, spinOf(a) - spinOf(b)), {0, 0, 0}, w_.torsionWarm[place]);
      place = w_.rows.size() - 1;
      const int group = w_.problem.addTorsion(sides, free, i, pair.rolling, pair.spinning,
                                              std::max(pair.rolling, pair.spinning));
      give(group, mul(c.frame, givenSpin(a, b)));
    }
  }

  void finish() {
    if (!w_.problem.complete()) w_.report.raise(StepFlag::ContactsOverflow);
    w_.problem.finish();
  }

 private:
  /// b of the newest group.
  Vec3d free() const {
    const int group = w_.rows.size() - 1;
    return w_.rows.freeVelocity(group, w_.rate[group]) + w_.bias[group];
  }
  /// The same where its numbers are not known yet.
  Vec3d open(const Vec3d& rate, const Vec3d& bias, const Vec3d& warm) {
    const auto k = static_cast<std::size_t>(w_.rows.size() - 1);
    w_.rate[k] = rate;
    w_.bias[k] = bias;
    w_.lambda[k] = warm;
    return free();
  }
  /// Tells the problem which part of b impulses do not change: the bias, and motions from outside.
  ///   in  group  -1: it found no room
  void give(int group, const Vec3d& outside = {0, 0, 0}) {
    if (group >= 0) w_.problem.setGiven(group, w_.bias[group] + outside);
  }

  StepData& w_;
};

}  // namespace

void askLaws(StepData& world) {
  beginBackoff(world);
  makeRoomForJointRows(world);
  findJointRows(world);
  findMotorRows(world);
  setCandidatesAside(world);
  askRows(world);
}

void askRows(StepData& world) {
  askContacts(world);
  askJoints(world);
}

void assembleContacts(StepData& world) {
  Assembly assembly(world);
  assembly.contacts();
  assembly.joints();
  assembly.welds();
  assembly.loops();
  assembly.torsions();
  assembly.finish();
  addCandidateRows(world);
}

double firstTolerance(const StepData& world) {
  const double tolerance = world.settings.tolerance;
  return info(world.scheme).solvesTwice ? 1e3 * tolerance : tolerance;
}

namespace {

void runSolver(StepData& world, double tolerance, bool again) {
  const int groups = world.problem.size();
  const SolveBudget budget = budgetOf(world, tolerance);
  contact::SolveOptions<double> options;
  options.tolerance = tolerance;
  options.maxSweeps = budget.sweeps;
  options.effort = budget.effort;
  options.fallsBack = false;
  int without = again ? 0 : leaveCorrectionsOut(world);
  auto solved = again ? world.solver.resolve(world.problem, world.lambda.data(), options)
                      : world.solver.solve(world.problem, world.lambda.data(), options);
  if (solved.left > 0) {
    without += leaveCorrectionsOutOfUnsolved(world);
    options.fallsBack = true;
    solved = world.solver.retry(world.problem, world.lambda.data(), options);
    if (solved.unsolved > 0) keepCorrections(world);
  }
  world.report.uncorrected = std::max(world.report.uncorrected, without);
  world.report.residual = solved.residual;
  world.report.iterations += solved.sweeps + solved.newtonSteps;
  const bool isLast = tolerance == world.settings.tolerance;
  if (isLast && solved.reduced > 0) world.report.raise(StepFlag::ImpulsesReduced);
  if (world.problem.missed() > world.settings.tolerance)
    world.report.raise(StepFlag::ContactDropped);
  world.rows.addImpulses(world.lambda.data(), groups);
}

}  // namespace

void solveContacts(StepData& world, double tolerance, bool again) {
  const int groups = world.problem.size();
  world.solvesAgain = 0;
  if (groups == 0) return;
  if (again)
    for (int i = 0; i < groups; ++i) {
      world.lambda[i] = world.relaxed[i];
      world.problem.setFreeVelocity(i, world.rows.freeVelocity(i, world.rate[i]) + world.bias[i]);
    }
  runSolver(world, tolerance, again);
  std::copy_n(world.solver.relaxed(), groups, world.relaxed.data());
}

void solveAgain(StepData& world, double tolerance) {
  ++world.solvesAgain;
  runSolver(world, tolerance, false);
  takeCalmOfNew(world);
}

void rememberImpulses(StepData& world) {
  const Vec3d* relaxed = world.relaxed.data();
  if (!(world.report.residual <= world.settings.tolerance))
    world.report.raise(StepFlag::SolverNotConverged);
  for (int i = 0; i < world.contactCount; ++i) {
    Contact& c = world.contacts[i];
    c.impulse = world.lambda[i];
    const int torsion = world.torsion[i];
    c.torque = torsion < 0 ? Vec3d{0, 0, 0} : world.lambda[torsion];
    const Vec3d couple = torsion < 0 ? Vec3d{0, 0, 0} : relaxed[torsion];
    world.warm[i] = {
        c.geomA, c.geomB, c.feature, tmul(c.frame, relaxed[i]), tmul(c.frame, couple), c.position};
    world.report.activeContacts += c.isActive();
  }
  world.warmCount = world.contactCount;
  for (System* sys : world.systems) {
    if (sys->hasWarm)
      for (double& x : sys->warm) x = 0;
    sys->hasWarm = false;
  }
  for (int i = 0; i < world.slidingCount; ++i) {
    const SlidingJoint& joint = world.sliding[i];
    joint.system->warmOf(JointRowKind::FRICTION, joint.dof) = joint.impulse;
    joint.system->hasWarm = true;
  }
  int group = world.contactCount;
  for (int i = 0; i < world.jointRowCount; ++i, ++group) {
    const JointRow& row = world.jointRows[i];
    row.warm() = relaxed[group].z + row.known;
    row.system->hasWarm = true;
  }
  for (const auto& weld : world.welds) {
    weld->impulse = relaxed[group++];
    weld->torque = relaxed[group++];
  }
  for (System* sys : world.systems)
    for (Vec3d& impulse : sys->loopImpulses) impulse = relaxed[group++];
  endBackoff(world);
  listCandidates(world);
}

}  // namespace espalier
