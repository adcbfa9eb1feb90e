#include "espalier/dynamics/loops/dependent_predictor.h"

#include <algorithm>
#include <cmath>

#include "espalier/scalar/runs.h"

namespace espalier {
namespace {

/// Points nearer to one another say nothing new.
constexpr double least_way = 1e-4;

/// By so many times their distance from one another points reach.
constexpr double reach = 1.5;

}  // namespace

DependentPredictor::DependentPredictor(const Topology& t, const Mechanism& m) {
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
  ahead_ = AlignedArray<double>(joints_.size());
}

bool DependentPredictor::weigh(const double* at, double y, double* v, double* w) {
  double least = std::abs(at[0] - at[1]);
  for (int k = 0; k < points; ++k)
    for (int i = 0; i < k; ++i) least = std::min(least, std::abs(at[k] - at[i]));
  if (!(least > least_way && std::abs(y - at[0]) < reach * least)) return false;
  using Four = Lanes<double, points>;  // one k in each
  const Four one(1.0), none(0.0), x(Four::Vector{at[0], at[1], at[2], at[3]}), ahead = Four(y) - x;
  Four l = one, slope = none;
  for (int i = 0; i < points; ++i) {
    const Four way = x - Four(at[i]);
    const auto isSelf = (way <= none) & (way >= none);
    l = select(isSelf, l, l * (Four(y - at[i]) / way));
    slope = select(isSelf, slope, slope + one / way);
  }
  const Four vs = (one - Four(2.0) * slope * ahead) * l * l, ws = ahead * l * l;
  for (int k = 0; k < points; ++k) {
    v[k] = lane(vs, k);
    w[k] = lane(ws, k);
  }
  return true;
}

void DependentPredictor::predict(double* q, int apart) {
  const std::size_t n = joints_.size();
  for (std::size_t i = 0; i < linkages_.size(); ++i) {
    const Linkage& linkage = linkages_[i];
    double v[points], w[points];
    if (known_[i] < points || !weigh(&y_[points * i], q[linkage.leader * apart], v, w)) continue;
    const double *q0 = &q_[linkage.first], *G0 = &G_[linkage.first];
    double* ahead = &ahead_[linkage.first];
    forRun(0, linkage.count, [&]<class T>(int j) {
      const T last = load<T>(q0 + j);
      T way = T(w[0]) * load<T>(G0 + j);
      for (std::size_t k = 1; k < points; ++k)
        way =
            way + (T(v[k]) * (load<T>(q0 + k * n + j) - last) + T(w[k]) * load<T>(G0 + k * n + j));
      store(ahead + j, last + way);
    });
    const Joint* joints = &joints_[linkage.first];
    for (int j = 0; j < linkage.count; ++j) q[joints[j].q * apart] = ahead[j];
  }
}

void DependentPredictor::remember(const double* q, const double* G, int apart) {
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

void DependentPredictor::forget() {
  for (AlignedArray<double>* list : {&known_, &y_, &q_, &G_})
    std::fill(list->begin(), list->end(), 0.0);
}

}  // namespace espalier
