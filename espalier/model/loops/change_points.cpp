#include "espalier/model/loops/change_points.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "espalier/model/coordinates.h"
#include "espalier/model/loops/assembly.h"
#include "espalier/model/loops/clusters.h"
#include "espalier/model/loops/elimination.h"
#include "espalier/model/loops/loop_rows.h"

namespace espalier {
namespace {

constexpr double parallel = 1e-6;  // rad

/// rad or m, by which independent dofs are moved off a change point.
constexpr std::array<double, 8> offsets = {0.02, -0.02, 0.05, -0.05, 0.1, -0.1, 0.2, -0.2};
constexpr double farthest = 10;  // times that, of the others: further off it is another branch

/// K of a cluster's rows.
std::vector<double> jacobianOf(const Model& model, const Cluster& c, const LoopEquations& e) {
  const Mechanism& m = model.mechanism;
  std::vector<double> K;
  for (const LoopRow& row : c.rows) {
    int at = row.index;
    if (row.closure >= 0) {
      for (int i = 0; i < row.closure; ++i) at += rowsOf(m.closures[i].kind);
    } else {
      at += row.coupling;
      for (const Closure& closure : m.closures) at += rowsOf(closure.kind);
    }
    for (const int d : c.dofs) K.push_back(e.J[at * e.columns + d]);
  }
  return K;
}

std::vector<const Cluster*> clustersAtChangePoints(const Model& model, const double* q) {
  std::vector<const Cluster*> found;
  const Mechanism& m = model.mechanism;
  const LoopEquations e = loopsOf(model.topology, model.lowered, m).equations(q);
  for (const Cluster& c : m.clusters) {
    if (c.leastPivot == 0 || c.ny() == 0) continue;
    const int rows = static_cast<int>(c.rows.size());
    const Pivots p =
        choosePivots(jacobianOf(model, c, e), rows, static_cast<int>(c.dofs.size()), {}, 0);
    if (p.rank() < rows || p.size.back() < c.leastPivot) found.push_back(&c);
  }
  return found;
}

bool turnsInThePlane(LoopKind kind) {
  return kind == LoopKind::POINT || kind == LoopKind::REVOLUTE || kind == LoopKind::CYLINDRICAL;
}

}  // namespace

std::optional<double> changePointExcess(const Model& model, const Closure& loop, const double* q) {
  const Topology& t = model.topology;
  if (!turnsInThePlane(loop.kind)) return {};
  const LoopPath path = pathBetween(t, loop.a, loop.b);
  if (path.first.size() + path.second.size() != 3) return {};
  const std::vector<Motion<double>> S = jointMotions(t, model.lowered, q);
  // Along the ring: down the one way, across the loop, up the other.
  std::vector<int> ring = path.first;
  ring.insert(ring.end(), path.second.rbegin(), path.second.rend());
  std::vector<Vec3d> corners;
  Vec3d axis{};
  for (const int body : ring) {
    const BodyTopology& b = t.bodies[body];
    if (b.kind != JointKind::Revolute) return {};
    const Motion<double>& s = S[b.u];
    if (corners.empty()) axis = s.w;
    if (norm(cross(axis, s.w)) > parallel) return {};
    corners.push_back(cross(s.w, s.v));  // the axis' point nearest to the origin
  }
  const Vec3d pin = placeOfLoop(t, model.lowered, loop, q);
  corners.insert(corners.begin() + static_cast<std::ptrdiff_t>(path.first.size()),
                 pin - axis * dot(axis, pin));
  std::array<double, 4> side{};
  double all = 0;
  for (std::size_t i = 0; i < 4; ++i) all += side[i] = norm(corners[(i + 1) % 4] - corners[i]);
  std::sort(side.begin(), side.end());
  // Of the three ways to pair four sides only the longest with the shortest can be balanced.
  return std::abs(side[0] + side[3] - side[1] - side[2]) / all;
}

bool isAtChangePoint(const Model& model, const double* q) {
  return !clustersAtChangePoints(model, q).empty();
}

std::vector<JointShift> leaveChangePoints(const Model& model, std::vector<double>& q) {
  const Topology& t = model.topology;
  const std::vector<const Cluster*> clusters = clustersAtChangePoints(model, q.data());
  if (clusters.empty()) return {};
  std::vector<double> step(static_cast<std::size_t>(t.nv)), moved;
  for (const double offset : offsets) {
    std::fill(step.begin(), step.end(), 0.0);
    bool isWithinLimits = true;
    for (const Cluster* c : clusters)
      for (const int j : c->plan.independent) {
        const int d = c->dofs[j], body = t.dofBody[d];
        const JointLimits& l = model.bodies[body].limits;
        step[d] = offset;
        if (t.bodies[body].nq != t.bodies[body].nv) continue;
        const double to = q[t.bodies[body].q + d - t.bodies[body].u] + offset;
        isWithinLimits = isWithinLimits && to >= l.lower && to <= l.upper;
      }
    moved.resize(q.size());
    advance(t, q.data(), step.data(), moved.data());
    if (!isWithinLimits || !assembleDependents(t, model.lowered, model.mechanism, moved).isClosed ||
        isAtChangePoint(model, moved.data()))
      continue;
    difference(t, q.data(), moved.data(), step.data());
    std::vector<JointShift> shifts;
    double most = 0;
    for (const Cluster* c : clusters)
      for (const int d : c->dofs) {
        most = std::max(most, std::abs(step[d]));
        if (t.bodies[t.dofBody[d]].nv == 1) shifts.push_back({t.dofBody[d], step[d]});
      }
    if (most > farthest * std::abs(offset)) continue;
    q = std::move(moved);
    return shifts;
  }
  return {};
}

}  // namespace espalier
