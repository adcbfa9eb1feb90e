#pragma once

// The definitions of dynamics/loops/closure.h, for the translation units that instantiate them.

#include <algorithm>

#include "espalier/dynamics/loops/closure_blocks.h"
#include "espalier/dynamics/loops/closure_rows.h"
#include "espalier/dynamics/tree/kinematics_impl.h"
#include "espalier/model/joints/dispatch.h"
#include "espalier/model/loops/mechanism_layout.h"

namespace espalier {

namespace closure_detail {

/// Residuals below this are rounding, m or rad.
template <class S>
inline constexpr S settled = sizeof(S) == 8 ? S(1e-15) : S(1e-7);

/// R, x and S of a body on its parent.
template <class T, class P>
ESPALIER_INLINE void placeBody(const Topology& t, const Lowered<P>& par, int i, const T* q,
                               Workspace<T>& ws) {
  const BodyTopology& body = t.bodies[i];
  withJoint(
      body.kind, [&]<class J>() __attribute__((always_inline)) {
        JointFrames<T> f;
        kinematics_detail::findFrames<J>(par.bodies[i], par.extra[i], q + body.q, ws.R[body.parent],
                                         ws.x[body.parent], f);
        J::columns(par.extra[i], q + body.q, f, &ws.S[body.u]);
        ws.R[i] = f.R_XC;
        ws.x[i] = f.o;
      });
}

/// R, x and S of the clusters' bodies alone.
template <class T, class P>
void placeClusters(const Topology& t, const Lowered<P>& par, const Mechanism& m, const T* q,
                   Workspace<T>& ws) {
  for (const Cluster& c : m.clusters)
    for (const int i : c.bodies) {
      if (t.bodies[i].parent >= 0)
        placeBody(t, par, i, q, ws);
      else if (t.floating)
        kinematics_detail::placeFloating(q, ws);
    }
}

/// One step of Newton where loops are open yet: q_d <- q_d (+) -K_d^-1 phi. Other lanes stay as they
/// are, to the bit.
///   returns 1 where it went further than 0.5, else `strayed`
template <class T, class Mask>
T correct(const Topology& t, const Mechanism& m, const Mask& isOpen, T* q, T strayed,
          LoopWorkspace<T>& loops) {
  for (const Cluster& c : m.clusters) {
    const LoopPlan& plan = loops.planOf(m, c);
    factorBlocks(c, plan, loops);
    T* x = loops.local.data();
    for (const int j : plan.independent) x[j] = bc<T>(0.0);
    solveColumns<1>(c, plan, loops, x, 1, [&](int r) { return -loops.phi[c.firstRow + r]; });
    for (std::size_t j = 0; j < c.dofs.size(); ++j) {
      const T step = select(isOpen, x[j], bc<T>(0.0));
      loops.step[c.dofs[j]] = step;
      strayed = select(abs(step) > bc<T>(0.5), bc<T>(1.0), strayed);
    }
    for (const int b : c.bodies) {
      const BodyTopology& body = t.bodies[b];
      withJoint(body.kind, [&]<class J>() {
        T* at = q + body.q;
        T before[J::nq];
        for (int k = 0; k < J::nq; ++k) before[k] = at[k];
        J::advance(at, &loops.step[body.u], at);
        for (int k = 0; k < J::nq; ++k) at[k] = select(isOpen, at[k], before[k]);
      });
    }
  }
  return strayed;
}

/// G of one cluster.
///   pre  factorBlocks()
template <class T>
void solveFactored(const Mechanism& m, const Cluster& c, LoopWorkspace<T>& loops) {
  fewByFew(c.ny(), [&]<int C>(int first) {
    solveColumns<C>(c, loops.planOf(m, c), loops, &loops.G[c.firstG] + first, c.ny(),
                    [](int) { return bc<T>(0.0); });
  });
}

template <class T>
void ratesOf(const Mechanism& m, const Cluster& c, LoopWorkspace<T>& loops) {
  factorBlocks(c, loops.planOf(m, c), loops);
  solveFactored(m, c, loops);
}

}  // namespace closure_detail

template <class T>
LoopWorkspace<T>::LoopWorkspace(const Topology& t, const Mechanism& m)
    : LoopPlans(m),
      axes(m.rows),
      turned(m.rows),
      ends(m.closures.size()),
      point(m.closures.size()),
      phi(m.rows),
      k(m.rows),
      K(m.sizeK),
      G(m.sizeG),
      g(t.nv),
      lu(m.sizeK),
      step(t.nv),
      local(m.mostDofs),
      a0(t.nb),
      reducedColumn(m.firstReduced.back()),
      wrench(std::max(m.reduced.nv, 6)),
      sum(m.reduced.nv) {
  for (T& x : g) x = bc<T>(0.0);
  takeClosures(m);
  std::size_t total = 0, longest = 0;
  for (const Coupling& coupling : m.couplings) {
    if (!coupling.phi) continue;
    total += static_cast<std::size_t>(coupling.phi->inputs);
    longest = std::max(longest, static_cast<std::size_t>(coupling.phi->values()));
  }
  inputs = AlignedArray<T>(total);
  values = AlignedArray<T>(longest);
  tangents = AlignedArray<Dual<T>>(longest);
  jets = AlignedArray<Jet2<T>>(longest);
  for (const Cluster& c : m.clusters) takePlan(m, c);
}

template <class T>
void LoopWorkspace<T>::takeClosures(const Mechanism& m) {
  for (std::size_t i = 0; i < m.closures.size(); ++i)
    ends[i] = {bc<T>(m.closures[i].X_CA.p), bc<T>(m.closures[i].X_CB.p)};
  for (const Cluster& c : m.clusters)
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      if (c.rows[r].closure < 0) continue;
      const Closure& closure = m.closures[c.rows[r].closure];
      const RowKind& kind = rowTable(closure.kind)[c.rows[r].index];
      RowAxes<T>& own = axes[c.firstRow + static_cast<int>(r)];
      own.a = bc<T>(axisOf(closure.X_CA.R, kind.a));
      if (kind.form == RowKind::Form::TURN)
        own.b = bc<T>(kind.b == 3 ? mul(closure.X_CB.R, closure.axis2)
                                  : axisOf(closure.X_CB.R, kind.b));
    }
}

template <class T>
void LoopWorkspace<T>::usePublic(const Mechanism& m, const Cluster& c) {
  takePublicPlan(m, c);
  takePlan(m, c);
}

template <class T>
void LoopWorkspace<T>::takePlan(const Mechanism& m, const Cluster& c) {
  const LoopPlan& plan = planOf(m, c);
  for (int i = 0; i < c.ny(); ++i) {
    dofOfY[c.y + i] = c.dofs[plan.independent[i]];
    for (int j = 0; j < c.ny(); ++j)
      G[c.firstG + plan.independent[i] * c.ny() + j] = bc<T>(i == j ? 1.0 : 0.0);
  }
}

template <class T, class P>
T closePlacedLoops(const Topology& t, const Lowered<P>& par, const Mechanism& m, T* q,
                   value_t<T> tolerance, int iterations, Workspace<T>& ws,
                   LoopWorkspace<T>& loops) {
  using namespace closure_detail;
  T strayed = bc<T>(0.0);
  for (int i = 0;; ++i) {
    T worst = bc<T>(0.0);
    for (const Cluster& c : m.clusters) worst = max(worst, evaluateRows(t, m, c, q, ws, loops));
    const auto isOpen = worst > bc<T>(tolerance);
    if (i == iterations || !any(isOpen)) return max(worst, strayed);
    strayed = correct(t, m, isOpen, q, strayed, loops);
    placeClusters(t, par, m, q, ws);
  }
}

template <class T, class P>
T closeLoops(const Topology& t, const Lowered<P>& par, const Mechanism& m, T* q,
             value_t<T> tolerance, int iterations, Workspace<T>& ws, LoopWorkspace<T>& loops) {
  closure_detail::placeClusters(t, par, m, q, ws);
  return closePlacedLoops(t, par, m, q, tolerance, iterations, ws, loops);
}

template <class T, class P>
void placeBodies(const Topology& t, const Lowered<P>& par, const T* q, Workspace<T>& ws) {
  kinematics_detail::placeRoot(t, par, q, ws);
  for (int i = 1; i < t.nb; ++i) closure_detail::placeBody(t, par, i, q, ws);
}

template <class T, class P>
void placeInertias(const Topology& t, const Lowered<P>& par, Workspace<T>& ws) {
  kinematics_detail::placeAllInertias(t, par, ws);
}

template <class T>
void solveRates(const Mechanism& m, LoopWorkspace<T>& loops) {
  for (const Cluster& c : m.clusters) closure_detail::ratesOf(m, c, loops);
}

template <class T>
void settleLoops(const Topology& t, const Mechanism& m, T left, T* q, LoopWorkspace<T>& loops) {
  using namespace closure_detail;
  const auto isLoose = left > bc<T>(settled<value_t<T>>);
  if (!any(isLoose)) return solveRates(m, loops);
  correct(t, m, isLoose, q, bc<T>(0.0), loops);
  for (const Cluster& c : m.clusters) solveFactored(m, c, loops);
}

template <class T>
void loopRates(const Topology& t, const Mechanism& m, const T* q, const Workspace<T>& ws,
               LoopWorkspace<T>& loops) {
  for (const Cluster& c : m.clusters) closure_detail::evaluateRows(t, m, c, q, ws, loops);
  solveRates(m, loops);
}

template <class T>
void loopAccelerations(const Topology& t, const Mechanism& m, const T* u, const Workspace<T>& ws,
                       LoopWorkspace<T>& loops) {
  using namespace closure_detail;
  for (const Cluster& c : m.clusters) {
    const int cluster = m.clusterOf[c.bodies[0]];
    for (const int b : c.bodies) {
      const int parent = t.bodies[b].parent;
      const bool isInside = parent >= 0 && m.clusterOf[parent] == cluster;
      loops.a0[b] = isInside ? loops.a0[parent] + ws.c[b] : ws.c[b];
    }
    evaluateBias(m, c, u, ws, loops);
    const LoopPlan& plan = loops.planOf(m, c);
    T* x = loops.local.data();
    for (const int j : plan.independent) x[j] = bc<T>(0.0);
    for (std::size_t k = plan.solved; k < plan.dependent.size(); ++k)
      x[plan.dependent[k]] = loops.g[c.dofs[plan.dependent[k]]];
    solveColumns<1>(c, plan, loops, x, 1, [&](int r) { return loops.k[c.firstRow + r]; });
    for (std::size_t j = 0; j < c.dofs.size(); ++j) loops.g[c.dofs[j]] = x[j];
  }
}

template <class T>
void dependentRates(const Mechanism& m, const LoopWorkspace<T>& loops, T* u) {
  for (const Cluster& c : m.clusters)
    closure_detail::withSize(c.ny(), [&]<int Y>() {
      const int ny = Y > 0 ? Y : c.ny();
      const LoopPlan& plan = loops.planOf(m, c);
      const T* G = &loops.G[c.firstG];
      const int *dofs = c.dofs.data(), *lead = plan.independent.data();
      for (const int j : plan.dependent) {
        T sum = bc<T>(0.0);
        for (int i = 0; i < ny; ++i) sum = fma(G[j * ny + i], u[dofs[lead[i]]], sum);
        u[dofs[j]] = sum;
      }
    });
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_CLOSURE(T)                                                         \
  template LoopWorkspace<T>::LoopWorkspace(const Topology&, const Mechanism&);                  \
  template void LoopWorkspace<T>::usePublic(const Mechanism&, const Cluster&);                  \
  template T closeLoops<T>(const Topology&, const Lowered<value_t<T>>&, const Mechanism&, T*,   \
                           value_t<T>, int, Workspace<T>&, LoopWorkspace<T>&);                  \
  template T closePlacedLoops<T>(const Topology&, const Lowered<value_t<T>>&, const Mechanism&, \
                                 T*, value_t<T>, int, Workspace<T>&, LoopWorkspace<T>&);        \
  template void placeBodies<T>(const Topology&, const Lowered<value_t<T>>&, const T*,           \
                               Workspace<T>&);                                                  \
  template void placeInertias<T>(const Topology&, const Lowered<value_t<T>>&, Workspace<T>&);   \
  template void solveRates<T>(const Mechanism&, LoopWorkspace<T>&);                             \
  template void settleLoops<T>(const Topology&, const Mechanism&, T, T*, LoopWorkspace<T>&);    \
  template void loopRates<T>(const Topology&, const Mechanism&, const T*, const Workspace<T>&,  \
                             LoopWorkspace<T>&);                                                \
  template void loopAccelerations<T>(const Topology&, const Mechanism&, const T*,               \
                                     const Workspace<T>&, LoopWorkspace<T>&);                   \
  template void dependentRates<T>(const Mechanism&, const LoopWorkspace<T>&, T*);
