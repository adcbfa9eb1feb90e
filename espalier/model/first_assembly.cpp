#include "espalier/model/first_assembly.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "espalier/model/check_report.h"
#include "espalier/model/coordinates.h"

namespace espalier {
namespace {

constexpr double margin = 0.05;                  // of the range
constexpr double widest = 0.1;                   // rad or m
constexpr int rounds = 30;                       // each halves what is beyond a limit, or better
constexpr double parallel = 1e-3, almost = 0.3;  // rad

/// Moves what is outside its limits inside; whether anything was.
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

}  // namespace

AssemblyResult assembleFirst(const Model& model, const std::vector<Closure>& closures,
                             const std::vector<Coupling>& couplings,
                             const std::vector<std::vector<int>>& ties, std::vector<double>& q) {
  const Topology& t = model.topology;
  std::vector<char> isTied(model.bodies.size(), 0);
  for (const std::vector<int>& bodies : ties)
    for (const int b : bodies) isTied[b] = 1;
  std::vector<double> start(t.nq);
  neutral(t, start.data());
  q = start;
  if (moveInside(model, isTied, start)) {
    for (int round = 0; round < rounds; ++round) {
      if (!closeNear(t, model.lowered, closures, couplings, start).isClosed) break;
      std::vector<double> inside = start;
      if (!moveInside(model, isTied, inside)) {
        q = std::move(start);
        return assemble(t, model.lowered, closures, couplings, {}, q);
      }
      start = std::move(inside);
    }
  }
  return assemble(t, model.lowered, closures, couplings, {}, q);
}

std::vector<std::vector<double>> closedNearby(const Model& model,
                                              const std::vector<Closure>& closures,
                                              const std::vector<Coupling>& couplings,
                                              const std::vector<double>& assembled, double spread) {
  const Topology& t = model.topology;
  std::vector<std::vector<double>> found{assembled};
  std::vector<double> q(t.nq), random(t.nq), none(t.nq), step(t.nv);
  neutral(t, none.data());
  for (int s = 0; s < 8; ++s) {
    randomConfiguration(t, static_cast<std::uint64_t>(1000 + s), 1.0, random.data());
    difference(t, none.data(), random.data(), step.data());
    for (double& x : step) x *= spread * (1 + s);
    advance(t, assembled.data(), step.data(), q.data());
    if (assemble(t, model.lowered, closures, couplings, {}, q).isClosed) found.push_back(q);
  }
  return found;
}

std::string whatBinds(const Model& model, const std::vector<int>& dofs,
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
  if (2 * most.size() <= dofs.size()) return "";
  for (const int d : dofs) {
    const double off = isTurn(d) ? angle(most[0], d) : 0;
    if (off < parallel || off > almost) continue;
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", off * 180 / std::numbers::pi);
    return ": joint " + inQuotes(model.bodies[model.topology.dofBody[d]].joint) + " turns " + text +
           " degrees off the direction that the others turn about";
  }
  return "";
}

}  // namespace espalier
