#include "espalier/step/candidates.h"

#include <algorithm>
#include <cmath>

#include "espalier/step/contact_law.h"

namespace espalier {
namespace {

/// Solves with candidates that joined, after which the others join, too.
constexpr int most_rounds = 4;

bool isCandidate(const StepData& world, const Contact& c, double speed, const MaterialPair& pair) {
  const double bias = lawOf(world).bias(-c.depth, speed, pair);
  return staysOpen(-c.depth, speed, bias, norm(world.gravity) * world.dt);
}

void move(StepData& world, std::size_t from, std::size_t to) {
  world.contacts[to] = world.contacts[from];
  world.law[to] = world.law[from];
  world.rate[to] = world.rate[from];
  world.drift[to] = world.drift[from];
  world.place[to] = world.place[from];
}

void put(StepData& world, const Candidate& c, std::size_t to) {
  world.contacts[to] = c.contact;
  world.law[to] = c.law;
  world.rate[to] = c.rate;
  world.drift[to] = c.drift;
  world.place[to] = c.place;
}

/// Contacts and candidates that join, merged from behind in collision's order; world.start and
/// world.relaxed of the groups go along, those of a candidate are zero. Rolling friction hangs on
/// its contact: its groups are counted anew.
void merge(StepData& world, int admitted, int groups) {
  const Vec3d* start = world.lambda.data();
  auto from = static_cast<std::size_t>(world.contactCount);
  std::size_t to = from + static_cast<std::size_t>(admitted);
  keepTorsions(world);
  const auto take = [&](std::size_t a, std::size_t b) {
    world.start[b] = start[a];
    world.relaxed[b] = world.relaxed[a];
    world.isNew[b] = 0;
  };
  const auto takeContact = [&](std::size_t a, std::size_t b) {
    take(a, b);
    if (a == b) return;
    world.torsionStart[b] = world.torsionStart[a];
    world.torsionRelaxed[b] = world.torsionRelaxed[a];
    move(world, a, b);
  };
  for (auto k = static_cast<std::size_t>(groups); k > from; --k)
    take(k - 1, k - 1 + static_cast<std::size_t>(admitted));
  for (int i = world.candidateCount - 1; i >= 0; --i) {
    const Candidate& c = world.candidates[i];
    if (!c.joins) continue;
    for (; from > 0 && world.place[from - 1] > c.place; --from) takeContact(from - 1, --to);
    put(world, c, --to);
    world.start[to] = world.relaxed[to] = world.torsionStart[to] =
        world.torsionRelaxed[to] = {0, 0, 0};
    world.isNew[to] = 1;
  }
  for (; from > 0; --from) takeContact(from - 1, from - 1);
  world.contactCount += admitted;
}

}  // namespace

void keepTorsions(StepData& world) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(world.contactCount); ++k) {
    const int t = world.torsion[k];
    world.torsionStart[k] = t < 0 ? Vec3d{0, 0, 0} : world.lambda[t];
    world.torsionRelaxed[k] = t < 0 ? Vec3d{0, 0, 0} : world.relaxed[t];
  }
}

void setCandidatesAside(StepData& world) {
  int kept = 0;
  world.candidateCount = 0;
  for (int i = 0; i < world.contactCount; ++i) {
    const Contact& c = world.contacts[i];
    world.place[i] = i;
    if (isCandidate(world, c, world.rate[i].z, world.law[i])) {
      const double bias = lawOf(world).bias(-c.depth, world.rate[i].z, world.law[i]);
      world.candidates[world.candidateCount++] = {
          c, world.law[i], world.rate[i], world.drift[i], bias, i};
    } else {
      if (kept < i) move(world, i, kept);
      ++kept;
    }
  }
  world.contactCount = kept;
}

void addCandidateRows(StepData& world) {
  world.candidateRow = world.rows.size();
  for (int i = 0; i < world.candidateCount; ++i) {
    const Contact& c = world.candidates[i].contact;
    world.rows.addContact(world.geom(c.geomA), world.geom(c.geomB), c.frame, c.position);
  }
}

bool admitCandidates(StepData& world, bool isLast, int groups) {
  if (world.candidateCount == 0) return false;
  const double least = isLast ? -world.settings.tolerance : norm(world.gravity) * world.dt;
  int admitted = 0, kept = 0;
  auto& candidates = world.candidates;
  for (int i = 0; i < world.candidateCount; ++i) {
    Candidate& c = candidates[i];
    const double v = world.rows.freeVelocity(world.candidateRow + i, c.rate).z;
    c.joins = !(v + c.bias >= least);
    admitted += c.joins;
  }
  if (admitted == 0) return false;
  if (world.solvesAgain >= most_rounds) {
    for (int i = 0; i < world.candidateCount; ++i) candidates[i].joins = true;
    admitted = world.candidateCount;
  }
  merge(world, admitted, groups);
  for (int i = 0; i < world.candidateCount; ++i) {
    if (!candidates[i].joins) candidates[kept++] = candidates[i];
  }
  world.candidateCount = kept;
  askRows(world);
  return true;
}

void assembleAgain(StepData& world) {
  assembleContacts(world);
  const int groups = world.problem.size();
  std::copy_n(world.start.data(), groups, world.lambda.data());
  for (int i = 0; i < world.contactCount; ++i) {
    if (world.torsion[i] < 0) continue;
    const auto group = static_cast<std::size_t>(world.torsion[i]);
    world.lambda[group] = world.torsionStart[i];
    world.relaxed[group] = world.torsionRelaxed[i];
    world.isNew[group] = world.isNew[i];
  }
}

void takeCalmOfNew(StepData& world) {
  const auto& problem = world.problem;
  const Vec3d* relaxed = world.solver.relaxed();
  for (int k = 0; k < problem.islands(); ++k) {
    const auto island = problem.island(k);
    const bool isOther =
        std::any_of(island.begin(), island.end(), [&](int i) { return world.isNew[i] != 0; });
    if (!isOther) continue;
    for (const int i : island) world.relaxed[i] = relaxed[i];
  }
}

void listCandidates(StepData& world) {
  for (int i = 0; i < world.candidateCount; ++i)
    world.contacts[world.contactCount + i] = world.candidates[i].contact;
}

}  // namespace espalier
