// The path of a mechanism through a change point: its data at the start, and the prediction from
// them at any q and u.

#include <algorithm>
#include <cmath>

#include "espalier/dynamics/loops/closure_impl.h"
#include "espalier/dynamics/loops/singularity_traversal.h"
#include "espalier/model/coordinates.h"

namespace espalier {
namespace {

/// Larger rates at the start of the path are discarded: it began in the change point itself.
constexpr double most_rate = 20;

/// w'x of a cluster's independent dofs.
double along(const Cluster& c, const LoopPlan& plan, const double* way, const double* x) {
  double sum = 0;
  for (const int j : plan.independent) sum += way[c.dofs[j]] * x[c.dofs[j]];
  return sum;
}

}  // namespace

void SingularityTraversal::remember(const Cluster& c, const double* q0, const double* u0,
                                    const double* q, const LoopWorkspace<double>& loops) {
  const LoopPlan& plan = loops.planOf(m_, c);
  for (const int b : c.bodies) {
    const BodyTopology& body = t_.bodies[b];
    std::copy_n(q0 + body.q, body.nq, &from_[body.q]);
    std::copy_n(q + body.q, body.nq, &where_[body.q]);
  }
  double square = 0;
  for (const int j : plan.independent) square += u0[c.dofs[j]] * u0[c.dofs[j]];
  const bool moves = square > 0 && std::isfinite(square);
  for (const int d : c.dofs) {
    way_[d] = moves ? u0[d] / std::sqrt(square) : 1 / std::sqrt(static_cast<double>(c.ny()));
    bend_[d] = moves && std::isfinite(loops.g[d]) ? loops.g[d] / square : 0;
  }
  const int size = static_cast<int>(c.dofs.size()) * c.ny();
  for (int i = c.firstG; i < c.firstG + size; ++i)
    G_[i] = std::abs(loops.G[i]) < most_rate ? loops.G[i] : 0;
}

/// phi of the last row beside the centre, with the determining rows closed.
double SingularityTraversal::gapAt(const Lowered<double>& par, const Cluster& c, double x, double z,
                                   Workspace<double>& ws, LoopWorkspace<double>& loops) {
  using namespace closure_detail;
  const LoopPlan& plan = loops.planOf(m_, c);
  double* local = loops.local.data();
  for (double& s : loops.step) s = 0;
  for (const int j : plan.independent) loops.step[c.dofs[j]] = x * way_[c.dofs[j]];
  loops.step[c.dofs[plan.dependent[plan.solved]]] = z;
  advance(t_, centre_.data(), loops.step.data(), beside_.data());
  for (double& s : loops.step) s = 0;
  for (int i = 0; i < 4; ++i) {
    placeClusters(t_, par, m_, beside_.data(), ws);
    evaluateRows(t_, m_, c, beside_.data(), ws, loops);
    if (i == 3) break;
    for (std::size_t j = 0; j < c.dofs.size(); ++j) local[j] = 0;
    factorBlocks(c, plan, loops);
    solveColumns<1>(c, plan, loops, local, 1, [&](int r) { return -loops.phi[c.firstRow + r]; });
    for (std::size_t j = 0; j < c.dofs.size(); ++j) loops.step[c.dofs[j]] = local[j];
    advance(t_, beside_.data(), loops.step.data(), beside_.data());
  }
  return loops.phi[c.firstRow + plan.rows[plan.solved]];
}

/// f, G and c where one dof is undetermined, from differences of phi.
///   pre  centre_ near the stationary point, plan of hold()
void SingularityTraversal::lookAround(const Lowered<double>& par, const Cluster& c,
                                      Workspace<double>& ws, LoopWorkspace<double>& loops) {
  constexpr double h = 1e-3, near = 0.1, most = 1e-4;
  const std::size_t index = indexOf(c);
  const LoopPlan& plan = loops.plans[index];
  misfit_[index] = 0;
  if (plan.solved + 1 != static_cast<int>(c.rows.size())) return;
  const auto gap = [&](double x, double z) { return gapAt(par, c, x, z, ws, loops); };
  double f = 0, xx = 0, xz = 0, zz = 0, moved = 0;
  for (int i = 0; i < 4; ++i) {
    f = gap(0, 0);
    const double ahead = gap(h, 0), back = gap(-h, 0), up = gap(0, h), down = gap(0, -h);
    const double fx = (ahead - back) / (2 * h), fz = (up - down) / (2 * h);
    xx = (ahead - 2 * f + back) / (h * h);
    zz = (up - 2 * f + down) / (h * h);
    xz = (gap(h, h) - ahead - up + f) / (h * h);
    const double det = xx * zz - xz * xz;
    const double x = (xz * fz - zz * fx) / det, z = (xz * fx - xx * fz) / det;
    moved += std::abs(x) + std::abs(z);
    if (!(det < 0) || !(moved < near)) return;  // no two branches cross there
    f += 0.5 * (fx * x + fz * z);
    gap(x, z);
    std::copy(beside_.begin(), beside_.end(), centre_.begin());
  }
  if (!(std::abs(f) < most)) return;
  misfit_[index] = f;

  const int held = plan.dependent[plan.solved], row = c.firstG + held * c.ny();
  difference(t_, centre_.data(), from_.data(), d_.data());
  const double x0 = along(c, plan, way_.data(), d_.data());
  double rate = 0;
  for (int y = 0; y < c.ny(); ++y) rate += way_[c.dofs[plan.independent[y]]] * G_[row + y];
  const double root = std::sqrt(xz * xz - xx * zz), sum = -xz - std::copysign(root, xz);
  const double one = sum / zz, other = xx / sum;
  const double slope = std::abs(one - rate) < std::abs(other - rate) ? one : other;
  const double bent = -f / (xz + zz * slope) / (x0 * x0);
  const bool isFar = std::abs(x0) > h && std::abs(bent) < 0.1;
  const double from = isFar ? rate + bent : slope;
  bend_[c.dofs[held]] = isFar ? (from - slope) / x0 : 0;
  for (int y = 0; y < c.ny(); ++y) G_[row + y] += (from - rate) * way_[c.dofs[plan.independent[y]]];
}

void SingularityTraversal::extrapolate(const double* q, LoopWorkspace<double>& loops) {
  difference(t_, from_.data(), q, d_.data());
  for (std::size_t i = 0; i < m_.clusters.size(); ++i) {
    if (isOn_[i] == 0) continue;
    const Cluster& c = m_.clusters[i];
    const LoopPlan& plan = loops.plans[i];
    const double x = along(c, plan, way_.data(), d_.data());
    for (int k = plan.solved; k < static_cast<int>(plan.dependent.size()); ++k)
      for (int y = 0; y < c.ny(); ++y) {
        const int place = c.firstG + plan.dependent[k] * c.ny() + y;
        loops.G[place] =
            G_[place] + bend_[c.dofs[plan.dependent[k]]] * x * way_[c.dofs[plan.independent[y]]];
      }
  }
}

void SingularityTraversal::dependentBias(const double* u, LoopWorkspace<double>& loops) const {
  for (std::size_t i = 0; i < m_.clusters.size(); ++i) {
    if (isOn_[i] == 0) continue;
    const Cluster& c = m_.clusters[i];
    const LoopPlan& plan = loops.plans[i];
    const double x = along(c, plan, way_.data(), u);
    for (int k = plan.solved; k < static_cast<int>(plan.dependent.size()); ++k) {
      const int d = c.dofs[plan.dependent[k]];
      loops.g[d] = bend_[d] * x * x;
    }
  }
}

}  // namespace espalier
