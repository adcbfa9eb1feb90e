// Contacts of worlds in lanes. The largest set of worlds that touch alike is solved in lanes; every
// other world has its own problem, as always. Lanes stop where solver 2 would take over: from there
// on a world is solved alone, from the beginning, which comes to the same.

#include <algorithm>

#include "espalier/world/lane_steps.h"

namespace espalier {
namespace {

constexpr int most_sweeps = 24;  // the first hand-over comes after 32

int groupsOf(const WorldData& world) { return world.contactCount + world.jointRowCount; }

/// Whether lanes could solve it.
bool isForLanes(const WorldData& world) {
  const int groups = groupsOf(world);
  bool isPlain = groups > 0 && groups <= contact::small_island && world.bodies.empty();
  for (int i = 0; i < world.contactCount && isPlain; ++i)
    isPlain = world.torsion[static_cast<std::size_t>(i)] < 0;
  return isPlain;
}

int bodyOf(const WorldData& world, GeomId id) {
  const PlacedGeom& geom = world.geom(id);
  return geom.system ? geom.body : -1;
}

/// The same bodies and rows in the same order, and as much patience.
bool touchAlike(const WorldData& a, const WorldData& b) {
  if (a.settings.tolerance != b.settings.tolerance || a.settings.maxSweeps != b.settings.maxSweeps)
    return false;
  if (a.contactCount != b.contactCount || a.jointRowCount != b.jointRowCount) return false;
  for (int i = 0; i < a.contactCount; ++i) {
    const Contact &x = a.contacts[static_cast<std::size_t>(i)],
                  &y = b.contacts[static_cast<std::size_t>(i)];
    if (bodyOf(a, x.geomA) != bodyOf(b, y.geomA) || bodyOf(a, x.geomB) != bodyOf(b, y.geomB))
      return false;
  }
  for (int i = 0; i < a.jointRowCount; ++i) {
    const JointRow &x = a.jointRows[static_cast<std::size_t>(i)],
                   &y = b.jointRows[static_cast<std::size_t>(i)];
    if (x.dof != y.dof || x.isOneSided() != y.isOneSided()) return false;
  }
  return true;
}

}  // namespace

void LanePack::Steps::putGroups(const WorldData& world, int lane) {
  LaneGroup<double> g{};
  for (int i = 0; i < groupsOf(world); ++i) {
    const auto k = static_cast<std::size_t>(i);
    g.rate = world.rate[k];
    g.bias = world.bias[k];
    if (i < world.contactCount) {
      const Contact& c = world.contacts[k];
      g.frame = c.frame;
      g.point = c.position;
      g.friction = c.friction;
    } else {
      const JointRow& row = world.jointRows[k - static_cast<std::size_t>(world.contactCount)];
      g.sign = row.sign;
      g.lower = row.lower;
      g.upper = row.upper;
      g.soft = row.softness;
    }
    lanes_->putGroup(i, lane, g);
  }
  lanes_->put(lanes_->at.lambda, lane, &world.lambda[0].x, 3 * groupsOf(world));
}

void LanePack::Steps::assemble() {
  // The first of the largest set.
  std::size_t chosen = 0, most = 0;
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    if (!isForLanes(*seats_[i].world)) continue;
    std::size_t count = 0;
    for (const Seat& seat : seats_) count += touchAlike(*seats_[i].world, *seat.world);
    if (count > most) {
      most = count;
      chosen = i;
    }
    if (most > seats_.size() / 2) break;
  }
  for (Seat& seat : seats_)
    seat.sharesSolve =
        most > 1 && isForLanes(*seat.world) && touchAlike(*seats_[chosen].world, *seat.world);
  if (most < 2) return;
  const WorldData& first = *seats_[chosen].world;
  lanes_->clearGroups();
  for (int i = 0; i < first.contactCount; ++i) {
    const Contact& c = first.contacts[static_cast<std::size_t>(i)];
    lanes_->addContact(bodyOf(first, c.geomA), bodyOf(first, c.geomB));
  }
  for (int i = 0; i < first.jointRowCount; ++i) {
    const JointRow& row = first.jointRows[static_cast<std::size_t>(i)];
    lanes_->addJoint(row.dof, row.isOneSided());
  }
  for (int l = 0; l < lanes_->lanes; ++l) {
    const auto k = static_cast<std::size_t>(l);
    const bool shares = k < seats_.size() && seats_[k].sharesSolve;
    lanes_->at.takesPart[l] = shares;
    putGroups(shares ? *seats_[k].world : first, l);
  }
  lanes_->assemble();
}

void LanePack::Steps::solve(bool again) {
  solveShared(again);
  forSeats([&](Seat& seat, int l) {
    if (groupsOf(*seat.world) == 0 || (seat.sharesSolve && !seat.solvesAlone)) return;
    solveOne(seat, l, again);
  });
}

void LanePack::Steps::solveShared(bool again) {
  const auto shared = std::find_if(seats_.begin(), seats_.end(), [](const Seat& seat) {
    return seat.sharesSolve && !seat.solvesAlone;
  });
  if (shared == seats_.end()) return;
  std::copy_n(lanes_->at.z, zBefore_.size(), zBefore_.data());
  const ContactSettings& settings = shared->world->settings;
  const int steps =
      lanes_->solve(settings.tolerance, std::min(settings.maxSweeps, most_sweeps), again);
  forSeats([&](Seat& seat, int l) {
    if (!seat.sharesSolve || seat.solvesAlone) return;
    WorldData& world = *seat.world;
    const int groups = groupsOf(world);
    const double residual = lanes_->at.residual[l];
    if (residual <= settings.tolerance) {
      lanes_->take(lanes_->at.lambda, l, &world.lambda[0].x, 3 * groups);
      world.report.residual = residual;
      world.report.iterations += steps;
      return;
    }
    const int n = seat.sys->solved().nv;
    for (int d = 0; d < n; ++d)
      lanes_->at.z[d * lanes_->lanes + l] =
          zBefore_[static_cast<std::size_t>(d * lanes_->lanes + l)];
    lanes_->at.takesPart[l] = 0;
    seat.solvesAlone = true;
  });
}

/// From the warm start, or from what the first solve came to.
void LanePack::Steps::solveOne(Seat& seat, int lane, bool again) {
  WorldData& world = *seat.world;
  System& sys = *seat.sys;
  const int n = sys.solved().nv;
  if (sys.loops) sys.loops->isInLane = true;
  if (seat.hasProblem) {
    lanes_->take(lanes_->at.z, lane, sys.z.data(), n);
    solveContacts(world, again);
  } else {
    lanes_->takeColumns(lane, sys);
    assembleContacts(world);
    solveContacts(world, false);
    seat.hasProblem = true;
  }
  if (sys.loops) sys.loops->isInLane = false;
  lanes_->put(lanes_->at.z, lane, sys.z.data(), n);
}

void LanePack::Steps::rememberImpulses() {
  for (const Seat& seat : seats_) {
    espalier::rememberImpulses(
        *seat.world, seat.hasProblem ? seat.world->solver.calm() : seat.world->lambda.data());
    solvedAlone += seat.hasProblem;
  }
}

}  // namespace espalier
