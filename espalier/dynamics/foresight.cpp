#include "espalier/dynamics/foresight.h"

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

/// Points nearer to one another say nothing new.
constexpr double least_way = 1e-4;

/// By so many times their distance from one another points reach.
constexpr double reach = 1.5;

}  // namespace

Foresight::Foresight(const Topology& t, const Mechanism& m) {
  const auto coordinateOf = [&](int dof) { return t.bodies[t.dofBody[dof]].q; };
  for (const Cluster& c : m.clusters) {
    const bool isCurved = c.gain > 0;
    const bool hasHinges = std::all_of(c.dofs.begin(), c.dofs.end(), [&](int dof) {
      const BodyTopology& body = t.bodies[t.dofBody[dof]];
      return body.nq == 1 && body.nv == 1;
    });
    if (c.ny() != 1 || !isCurved || !hasHinges) continue;
    const int first = static_cast<int>(joints_.size());
    for (const int j : c.plan.dependent) joints_.push_back({coordinateOf(c.dofs[j]), c.firstG + j});
    linkages_.push_back({coordinateOf(c.dofs[c.plan.independent[0]]), first,
                         static_cast<int>(joints_.size()) - first});
  }
  known_ = AlignedArray<double>(linkages_.size());
  y_ = AlignedArray<double>(points * linkages_.size());
  q_ = AlignedArray<double>(points * joints_.size());
  G_ = AlignedArray<double>(points * joints_.size());
  way_ = AlignedArray<double>(joints_.size());
  for (AlignedArray<double>* list : {&known_, &y_, &q_, &G_})
    std::fill(list->begin(), list->end(), 0.0);
}

bool Foresight::weigh(const double* at, double y, double* v, double* w) {
  double least = std::abs(at[0] - at[1]);
  for (int k = 0; k < points; ++k) {
    double l = 1, slope = 0;
    for (int i = 0; i < points; ++i) {
      if (i == k) continue;
      const double way = at[k] - at[i];
      least = std::min(least, std::abs(way));
      l *= (y - at[i]) / way;
      slope += 1 / way;
    }
    v[k] = (1 - 2 * slope * (y - at[k])) * l * l;
    w[k] = (y - at[k]) * l * l;
  }
  return least > least_way && std::abs(y - at[0]) < reach * least;
}

void Foresight::predict(double* q) {
  const std::size_t n = joints_.size();
  for (std::size_t i = 0; i < linkages_.size(); ++i) {
    const Linkage& linkage = linkages_[i];
    double v[points], w[points];
    if (known_[i] < points || !weigh(&y_[points * i], q[linkage.leader], v, w)) continue;
    const double *q0 = &q_[linkage.first], *G0 = &G_[linkage.first];
    double* way = &way_[linkage.first];
    for (int j = 0; j < linkage.count; ++j) way[j] = w[0] * G0[j];
    for (std::size_t k = 1; k < points; ++k) {
      const double *qk = q0 + k * n, *Gk = G0 + k * n, vk = v[k], wk = w[k];
      for (int j = 0; j < linkage.count; ++j) way[j] += vk * (qk[j] - q0[j]) + wk * Gk[j];
    }
    const Joint* joints = &joints_[linkage.first];
    for (int j = 0; j < linkage.count; ++j) q[joints[j].q] = q0[j] + way[j];
  }
}

void Foresight::remember(const double* q, const double* G, int apart) {
  const std::size_t n = joints_.size();
  for (std::size_t i = 0; i < linkages_.size(); ++i) {
    const Linkage& linkage = linkages_[i];
    double* y = &y_[points * i];
    const double now = q[linkage.leader];
    double *q0 = &q_[linkage.first], *G0 = &G_[linkage.first];
    if (known_[i] == 0 || std::abs(now - y[0]) > least_way) {
      known_[i] = std::min<double>(known_[i] + 1, points);
      for (std::size_t k = points - 1; k > 0; --k) {
        y[k] = y[k - 1];
        std::copy_n(q0 + (k - 1) * n, linkage.count, q0 + k * n);
        std::copy_n(G0 + (k - 1) * n, linkage.count, G0 + k * n);
      }
    }
    y[0] = now;
    for (int j = 0; j < linkage.count; ++j) {
      q0[j] = q[joints_[linkage.first + j].q];
      G0[j] = G[joints_[linkage.first + j].G * apart];
    }
  }
}

void Foresight::forget() { std::fill(known_.begin(), known_.end(), 0.0); }

}  // namespace espalier
