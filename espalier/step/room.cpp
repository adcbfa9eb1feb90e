#include "espalier/step/room.h"

#include <algorithm>

#include "espalier/contact/island_rows.h"

namespace espalier {
namespace {

/// Rows of one tendon: LOWER, UPPER, FRICTION, SPRING, MOTOR.
constexpr int rows_of_tendon = 5;

int shapesOf(const StepData& world) {
  return static_cast<int>(std::count_if(world.geoms.begin(), world.geoms.end(),
                                        [](const PlacedGeom& g) { return g.object >= 0; }));
}

int mostJointRows(const System& sys) {
  const Actuation& a = sys.actuation;
  const int nv = sys.model->nv(), rotors = static_cast<int>(sys.model->rotors.size());
  int rows = 2 * (static_cast<int>(sys.limits.size()) + rotors) +
             4 * static_cast<int>(sys.limitedBalls.size()) +
             rows_of_tendon * static_cast<int>(sys.tendons.size());
  if (a.limitsSpeed) rows += nv + rotors;
  if (sys.hasFriction) rows += nv;
  if (a.torqueLimits == TorqueLimits::EXACT) rows += nv;
  return rows;
}

/// Sides of all rows of a system's tendons.
int sidesOfTendons(const System& sys) {
  int sides = 0;
  for (const TendonInfo& tendon : sys.model->tendons)
    sides += rows_of_tendon * static_cast<int>(tendon.terms.size() + 2 * tendon.segments.size());
  return sides;
}

/// The widest side of a mover: its dofs, and what a row on them takes in IslandRows.
struct Width {
  int dofs = 0, filled = 0;
  void take(const int* dof, int count) {
    dofs = std::max(dofs, count);
    filled = std::max(filled, contact::filledColumns(dof, count));
  }
};

Width widestSide(const StepData& world) {
  Width width;
  constexpr int body[] = {0, 1, 2, 3, 4, 5};
  if (!world.bodies.empty()) width.take(body, 6);
  for (const System* sys : world.systems)
    for (int b = 0; b < sys->model->nb(); ++b) {
      const DofChain chain = chainOf(*sys, b);
      width.take(chain.dofs, chain.count);
    }
  return width;
}

template <class T>
void grow(std::vector<T>& v, int count) {
  if (v.size() < static_cast<std::size_t>(count)) v.resize(static_cast<std::size_t>(count));
}

/// Room for so many contacts and joint rows.
void reserve(StepData& world, int contacts, int jointRows) {
  int dofs = 0, tendonSides = 0, loops = 0;
  for (const System* sys : world.systems) {
    dofs += sys->model->nv();
    tendonSides += sidesOfTendons(*sys);
    loops += static_cast<int>(sys->loopImpulses.size());
  }
  const int bodies = static_cast<int>(world.bodies.size());
  const int movers = static_cast<int>(world.systems.size()) + bodies;
  const int welds = static_cast<int>(world.welds.size());
  const int torsions = world.materials.haveTorsion() || world.onContact ? contacts : 0;
  // A joint row has one side, all others but those of tendons two.
  const int pairs = contacts + torsions + 2 * welds + loops;
  const int groups = pairs + jointRows, sides = 2 * pairs + jointRows + tendonSides;
  const Width width = widestSide(world);
  world.rows.reserve(groups, sides, width.dofs);
  world.problem.reserve(
      {.groups = groups,
       .couplings = std::min(8 * groups, contact::small_island * (contact::small_island - 1) / 2 *
                                             movers),  // all that small islands can have
       .sides = sides,
       .numbers = dofs + 6 * bodies});
  world.solver.reserve({.groups = groups,
                        .numbers = dofs + 6 * bodies,
                        .columns = static_cast<int>(std::min(1L << 30, 1L * sides * width.filled)),
                        .batched = bodies > 0 ? contacts : 0});
  world.contactRoom = contacts;
  world.jointRowRoom = jointRows;
  grow(world.contacts, contacts);
  grow(world.warm, contacts);
  grow(world.candidates, contacts);
  grow(world.place, contacts);
  grow(world.torsionStart, contacts);
  grow(world.torsionRelaxed, contacts);
  grow(world.law, contacts);
  grow(world.torsion, contacts);
  grow(world.correction, contacts);
  grow(world.torsionWarm, contacts);
  grow(world.jointRows, jointRows);
  grow(world.sliding, dofs);
  grow(world.isNew, groups);
  for (auto* v :
       {&world.lambda, &world.rate, &world.bias, &world.drift, &world.start, &world.relaxed})
    grow(*v, groups);
}

}  // namespace

int mostContacts(const StepData& world) {
  if (world.settings.maxContacts > 0) return world.settings.maxContacts;
  return 128 + 12 * shapesOf(world);
}

int mostJointRows(const StepData& world) {
  int rows = 0;
  for (const System* sys : world.systems) rows += mostJointRows(*sys);
  return rows;
}

void reserveRoom(StepData& world) {
  const int most = mostContacts(world);
  world.points.resize(static_cast<std::size_t>(most));
  world.warmCount = std::min(world.warmCount, most);
  const bool isGiven = world.settings.maxContacts > 0;
  const int first = isGiven ? most : 16 + shapesOf(world) / 2;
  reserve(world, std::min(most, std::max(first, world.contactRoom)), mostJointRows(world));
}

void makeRoomForContacts(StepData& world, int contacts) {
  if (contacts <= world.contactRoom) return;
  const int most = static_cast<int>(world.points.size());
  reserve(world, std::min(std::max(contacts, 2 * world.contactRoom), most), world.jointRowRoom);
}

void makeRoomForJointRows(StepData& world) {
  const int rows = mostJointRows(world);
  if (rows > world.jointRowRoom) reserve(world, world.contactRoom, rows);
}

}  // namespace espalier
