#include "espalier/model/change_points.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "espalier/model/assembly.h"
#include "espalier/model/clusters.h"

namespace espalier {
namespace {

constexpr double parallel = 1e-6;  // rad

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
    const BodyTopology& b = t.bodies[static_cast<std::size_t>(body)];
    if (b.kind != JointKind::Revolute) return {};
    const Motion<double>& s = S[static_cast<std::size_t>(b.u)];
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

}  // namespace espalier
