#include "espalier/model/loops/first_assembly.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>

#include "espalier/model/coordinates.h"
#include "espalier/model/loops/clusters.h"
#include "espalier/model/loops/rounding.h"
#include "espalier/model/spec/check_report.h"

namespace espalier {
namespace {

constexpr double margin = 0.05;                  // of the range
constexpr double widest = 0.1;                   // rad or m
constexpr int rounds = 30;                       // each at least halves the excess over a limit
constexpr double parallel = 1e-3, almost = 0.3;  // rad
constexpr double as_good_as_inside = 1e-6;       // rad or m

/// Clamps coordinates to their limits; returns whether any was outside.
bool moveInside(const Model& model, const std::vector<char>& isTied, std::vector<double>& q) {
  bool moved = false;
  for (int i = 1; i < model.nb(); ++i) {
    const BodyTopology& b = model.topology.bodies[i];
    const JointLimits& l = model.bodies[i].limits;
    if (!isTied[i] || b.nq != b.nv || !(l.lower < l.upper)) continue;
    const double inside = std::min(margin * (l.upper - l.lower), widest);
    for (int k = b.q; k < b.q + b.nq; ++k) {
      if (q[k] >= l.lower && q[k] <= l.upper) continue;
      q[k] = q[k] < l.lower ? l.lower + inside : l.upper - inside;
      moved = true;
    }
  }
  return moved;
}

/// rad or m by which a joint is outside its limits.
double outsideBy(const Model& model, int body, const std::vector<double>& q) {
  const BodyTopology& b = model.topology.bodies[body];
  const JointLimits& l = model.bodies[body].limits;
  if (body == 0 || b.nq != b.nv || !(l.lower < l.upper)) return 0;
  double most = 0;
  for (int k = b.q; k < b.q + b.nq; ++k) most = std::max({most, l.lower - q[k], q[k] - l.upper});
  return most;
}

/// Loops, and the bodies that they tie.
struct TiedLoops {
  const Model& model;
  const LoopSystem& loops;
  std::vector<char> isTied;  // [nb]

  /// Closes the loops and puts joints inside their limits by turns.
  ///   returns whether both hold in the end
  bool closeInside(std::vector<double>& q) const {
    for (int round = 0; round < rounds; ++round) {
      if (!loops.closeNear({}, q).isClosed) return false;
      if (!moveInside(model, isTied, q)) return true;
    }
    return false;
  }
};

/// Of the closed configurations within the limits that are found from starts all over them, the one
/// nearest to `wanted`; whether there is any.
bool searchInside(const TiedLoops& ties, const std::vector<double>& wanted,
                  std::vector<double>& q) {
  constexpr int starts = 16;
  const Topology& t = ties.model.topology;
  std::vector<double> random(t.nq), none(t.nq), way(t.nv), trial(t.nq);
  neutral(t, none.data());
  double nearest = HUGE_VAL;
  for (int s = 1; s <= starts; ++s) {
    randomConfiguration(t, static_cast<std::uint64_t>(s), 1.0, random.data());
    difference(t, none.data(), random.data(), way.data());
    for (int d = 0; d < t.nv; ++d)
      way[d] = ties.isTied[t.dofBody[d]] ? way[d] * (3.0 * s / starts) : 0;
    advance(t, wanted.data(), way.data(), trial.data());
    moveInside(ties.model, ties.isTied, trial);
    if (!ties.closeInside(trial)) continue;
    difference(t, wanted.data(), trial.data(), way.data());
    double distance = 0;
    for (const double x : way) distance += x * x;
    if (!(distance < nearest)) continue;
    nearest = distance;
    q = trial;
  }
  return nearest < HUGE_VAL;
}

bool isClosedButForRounding(const Model& model, const LoopSystem& loops,
                            const std::vector<double>& q) {
  std::vector<Closure> closures(loops.closures.begin(), loops.closures.end());
  std::vector<Coupling> couplings(loops.couplings.begin(), loops.couplings.end());
  std::vector<Misfit> misfits;
  return closeFrames(model, q, closures, couplings, misfits);
}

}  // namespace

AssemblyResult assembleFirst(const Model& model, const Transformd& X_WB, const LoopSystem& loops,
                             const std::vector<std::vector<int>>& ties, std::vector<double>& q) {
  const Topology& t = model.topology;
  TiedLoops all{model, loops, std::vector<char>(model.bodies.size(), 0)};
  for (const std::vector<int>& bodies : ties)
    for (const int b : bodies) all.isTied[b] = 1;
  std::vector<double> drawn(t.nq);
  neutral(t, drawn.data());
  std::vector<double> other;  // the other place of a base that is tied
  if (t.floating && all.isTied[0]) {
    const Quat<double> r = quaternion(X_WB.R);
    const double base[7] = {X_WB.p.x, X_WB.p.y, X_WB.p.z, r.w, r.x, r.y, r.z};
    std::vector<double> placed = drawn;
    std::copy(std::begin(base), std::end(base), placed.begin());
    const auto gapAt = [&](const std::vector<double>& at) {
      return loops.equations(at.data()).largest();
    };
    if (gapAt(placed) <= gapAt(drawn)) drawn.swap(placed);
    other = placed;
  }
  std::vector<double> start = drawn;
  const auto closeAt = [&](const std::vector<double>& from) {
    q = from;
    return loops.assemble({}, q);
  };
  if (moveInside(model, all.isTied, start) && all.closeInside(start)) return closeAt(start);
  q = drawn;
  AssemblyResult result = loops.closeNear({}, q);
  if (!result.isClosed && isClosedButForRounding(model, loops, q)) return result;
  if (!result.isClosed) result = closeAt(drawn);
  if (!result.isClosed && !other.empty()) result = closeAt(drawn = other);
  if (!result.isClosed) return result;
  for (const std::vector<int>& bodies : findClusters(t, ties)) {
    if (outsideLimits(model, {bodies}, q).empty()) continue;
    TiedLoops one{model, loops, std::vector<char>(model.bodies.size(), 0)};
    start = q;
    std::vector<double> wanted = q;
    for (const int b : bodies) {
      one.isTied[b] = 1;
      std::copy_n(&drawn[t.bodies[b].q], t.bodies[b].nq, &wanted[t.bodies[b].q]);
    }
    if (one.closeInside(start) || searchInside(one, wanted, start)) result = closeAt(start);
  }
  return result;
}

std::vector<int> outsideLimits(const Model& model, const std::vector<std::vector<int>>& ties,
                               const std::vector<double>& q) {
  std::set<int> found;
  for (const std::vector<int>& bodies : ties)
    for (const int b : bodies)
      if (outsideBy(model, b, q) > as_good_as_inside) found.insert(b);
  return {found.begin(), found.end()};
}

std::vector<std::vector<double>> closedNearby(const LoopSystem& loops,
                                              const std::vector<double>& assembled, double spread) {
  const Topology& t = loops.t;
  std::vector<std::vector<double>> found{assembled};
  std::vector<double> q(t.nq), random(t.nq), none(t.nq), step(t.nv);
  neutral(t, none.data());
  for (int s = 0; s < 8; ++s) {
    randomConfiguration(t, static_cast<std::uint64_t>(1000 + s), 1.0, random.data());
    difference(t, none.data(), random.data(), step.data());
    for (double& x : step) x *= spread * (1 + s);
    advance(t, assembled.data(), step.data(), q.data());
    if (loops.assemble({}, q).isClosed) found.push_back(q);
  }
  return found;
}

AskewAxis askewAxis(const Model& model, const std::vector<int>& dofs,
                    const std::vector<double>& q) {
  const std::vector<Motion<double>> S = jointMotions(model.topology, model.lowered, q.data());
  const auto isTurn = [&](int d) {
    const JointKind kind = model.topology.bodies[model.topology.dofBody[d]].kind;
    return kind == JointKind::Revolute;
  };
  const auto angle = [&](int a, int b) {
    const Vec3d x = S[a].w, y = S[b].w;
    return std::asin(std::min(1.0, norm(cross(x, y)) / (norm(x) * norm(y))));
  };
  std::vector<int> most;
  for (const int a : dofs) {
    std::vector<int> same;
    for (const int b : dofs)
      if (isTurn(a) && isTurn(b) && angle(a, b) < parallel) same.push_back(b);
    if (same.size() > most.size()) most = std::move(same);
  }
  AskewAxis found;
  if (2 * most.size() <= dofs.size()) return found;
  for (const int d : dofs) {
    const double off = isTurn(d) ? angle(most[0], d) : 0;
    if (off >= parallel && off <= almost && off > found.angle) found = {d, off};
  }
  return found;
}

std::string whatBinds(const Model& model, const std::vector<int>& dofs,
                      const std::vector<double>& q) {
  const AskewAxis axis = askewAxis(model, dofs, q);
  if (axis.dof < 0) return "";
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", axis.angle * 180 / std::numbers::pi);
  return ": joint " + inQuotes(model.bodies[model.topology.dofBody[axis.dof]].joint) + " turns " +
         text + " degrees off the direction that the others turn about";
}

}  // namespace espalier
