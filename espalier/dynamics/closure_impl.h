#pragma once

// The definitions of dynamics/closure.h, for the translation units that instantiate them.

#include <algorithm>

#include "espalier/dynamics/closure.h"
#include "espalier/model/joints/dispatch.h"
#include "espalier/model/loop_rows.h"
#include "espalier/model/play.h"

namespace espalier {

namespace closure_detail {

/// A dof's column; a floating base's six are implied in the workspace.
template <class T>
inline Motion<T> columnOf(const Topology& t, const Workspace<T>& ws, int dof) {
  if (!t.floating || dof >= 6) return ws.S[dof];
  const Mat3<T> e = identity3<T>();
  const Vec3<T> axis = dof % 3 == 0 ? e.r0 : (dof % 3 == 1 ? e.r1 : e.r2);
  return dof < 3 ? Motion<T>{zero3<T>(), axis} : Motion<T>{axis, zero3<T>()};
}

template <class T>
inline LoopFrames<T> framesAt(const Closure& c, const Workspace<T>& ws) {
  const Mat3<T> one = identity3<T>();
  return framesOf(c, c.a < 0 ? one : ws.R[c.a], c.a < 0 ? -ws.origin : ws.x[c.a],
                  c.b < 0 ? one : ws.R[c.b], c.b < 0 ? -ws.origin : ws.x[c.b]);
}

/// phi and K of a row of a tape.
template <class T>
void tapeRow(const Cluster& c, const LoopRow& row, const Coupling& coupling, const T* q,
             LoopWorkspace<T>& loops, T& phi, T* K) {
  const Tape& tape = *coupling.phi;
  T* inputs = &loops.inputs[coupling.firstInput];
  for (int i = 0; i < tape.inputs; ++i) inputs[i] = q[coupling.terms[i].q];
  playValues(tape, inputs, loops.values.data(), &phi);
  for (const int column : row.columns)
    for (int j = 0; j < tape.inputs; ++j) {
      if (coupling.terms[j].u != c.dofs[column]) continue;
      for (int i = 0; i < tape.inputs; ++i)
        loops.tangents[i] = {inputs[i], bc<T>(i == j ? 1.0 : 0.0)};
      play(tape, loops.tangents.data());
      K[column] = loops.tangents[tape.outputs[0]].d;
    }
}

/// k of a row of a tape.
///   pre  tapeRow() at q
template <class T>
T tapeBias(const Coupling& coupling, const T* u, LoopWorkspace<T>& loops) {
  const Tape& tape = *coupling.phi;
  for (int i = 0; i < tape.inputs; ++i)
    loops.jets[i] = {loops.inputs[coupling.firstInput + i], u[coupling.terms[i].u], bc<T>(0.0)};
  play(tape, loops.jets.data());
  return -loops.jets[tape.outputs[0]].dd;
}

/// phi and K of one cluster.
template <class T>
void evaluateRows(const Topology& t, const Mechanism& m, const Cluster& c, const T* q,
                  const Workspace<T>& ws, LoopWorkspace<T>& loops) {
  const int n = static_cast<int>(c.dofs.size());
  int known = -1;
  LoopFrames<T> f{};
  for (std::size_t r = 0; r < c.rows.size(); ++r) {
    const LoopRow& row = c.rows[r];
    T* K = &loops.K[c.firstK + static_cast<int>(r) * n];
    T& phi = loops.phi[c.firstRow + static_cast<int>(r)];
    if (row.closure < 0) {
      const Coupling& coupling = m.couplings[row.coupling];
      if (coupling.phi) {
        tapeRow(c, row, coupling, q, loops, phi, K);
        continue;
      }
      phi = bc<T>(-coupling.offset);
      for (const Coupling::Term& term : coupling.terms)
        phi = fma(bc<T>(term.factor), q[term.q], phi);
      for (std::size_t j = 0; j < row.columns.size(); ++j) K[row.columns[j]] = bc<T>(row.sign[j]);
      continue;
    }
    const Closure& closure = m.closures[row.closure];
    if (known != row.closure) f = framesAt(closure, ws);
    known = row.closure;
    Force<T> W;
    phi = rowOf(closure, rowTable(closure.kind)[row.index], f, W);
    for (std::size_t j = 0; j < row.columns.size(); ++j)
      K[row.columns[j]] = dot(columnOf(t, ws, c.dofs[row.columns[j]]), W) * bc<T>(row.sign[j]);
  }
}

/// L U of every block of K_d, in place; the order was chosen at compile.
template <class T>
void factorBlocks(const Cluster& c, const LoopPlan& plan, LoopWorkspace<T>& loops) {
  const int n = static_cast<int>(c.dofs.size());
  T* lu = &loops.lu[c.firstK];
  for (const LoopBlock& block : plan.blocks) {
    const int s = block.size;
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j)
        lu[i * s + j] =
            loops.K[c.firstK + plan.rows[block.first + i] * n + plan.dependent[block.first + j]];
    for (int k = 0; k < s; ++k) {
      lu[k * s + k] = bc<T>(1.0) / lu[k * s + k];  // the pivot's inverse
      for (int i = k + 1; i < s; ++i) {
        const T l = lu[i * s + k] = lu[i * s + k] * lu[k * s + k];
        for (int j = k + 1; j < s; ++j) lu[i * s + j] = fnma(l, lu[k * s + j], lu[i * s + j]);
      }
    }
    lu += s * s;
  }
}

/// x of the dependent dofs from K_d x_d = r - K_i x_i, block by block; x [dofs] with a stride.
template <class T, class Right>
void solveBlocks(const Cluster& c, const LoopPlan& plan, const LoopWorkspace<T>& loops, T* x,
                 int stride, Right&& right) {
  const int n = static_cast<int>(c.dofs.size());
  const T* lu = &loops.lu[c.firstK];
  for (const LoopBlock& block : plan.blocks) {
    const int s = block.size;
    const int* dofs = &plan.dependent[block.first];
    for (int i = 0; i < s; ++i) x[dofs[i] * stride] = bc<T>(0.0);
    // The right-hand sides, which need what other blocks found, before any is overwritten.
    for (int i = 0; i < s; ++i) {
      const int r = plan.rows[block.first + i];
      const T* K = &loops.K[c.firstK + r * n];
      T sum = right(r);
      for (const int j : c.rows[r].columns) {
        bool isOwn = false;
        for (int d = 0; d < s; ++d) isOwn |= dofs[d] == j;
        if (!isOwn) sum = fnma(K[j], x[j * stride], sum);
      }
      for (int k = 0; k < i; ++k) sum = fnma(lu[i * s + k], x[dofs[k] * stride], sum);
      x[dofs[i] * stride] = sum;
    }
    for (int i = s - 1; i >= 0; --i) {
      T sum = x[dofs[i] * stride];
      for (int k = i + 1; k < s; ++k) sum = fnma(lu[i * s + k], x[dofs[k] * stride], sum);
      x[dofs[i] * stride] = sum * lu[i * s + i];
    }
    lu += s * s;
  }
}

/// Poses and columns of the clusters' bodies alone.
template <class T, class P>
void placeClusters(const Topology& t, const Lowered<P>& par, const Mechanism& m, const T* q,
                   Workspace<T>& ws) {
  for (const Cluster& c : m.clusters)
    for (const int i : c.bodies) {
      const BodyTopology& body = t.bodies[i];
      if (body.parent < 0) {
        if (!t.floating) continue;
        ws.origin = {q[0], q[1], q[2]};
        ws.R[0] = rotation(Quat<T>{q[3], q[4], q[5], q[6]});
        continue;
      }
      withJoint(body.kind, [&]<class J>() {
        Mat3<T> e;
        Vec3<T> p;
        J::pose(par.bodies[i], par.extra[i], q + body.q, e, p);
        const Mat3<T>& Rp = ws.R[body.parent];
        JointFrames<T> f{mul(Rp, transpose(e)), {}, ws.x[body.parent] + mul(Rp, p)};
        if constexpr (J::needsJointAxes) f.R_XJ = mul(Rp, transpose(bc<T>(par.bodies[i].E)));
        J::columns(par.extra[i], q + body.q, f, &ws.S[body.u]);
        ws.R[i] = f.R_XC;
        ws.x[i] = f.o;
      });
    }
}

}  // namespace closure_detail

template <class T>
LoopWorkspace<T>::LoopWorkspace(const Topology& t, const Mechanism& m)
    : LoopPlans(m),
      phi(m.rows),
      k(m.rows),
      K(m.sizeK),
      G(m.sizeG),
      g(t.nv),
      lu(m.sizeK),
      step(t.nv),
      local(m.mostDofs),
      a0(t.nb),
      screw(m.firstScrew.back()),
      wrench(std::max(m.reduced.nv, 6)),
      sum(m.reduced.nv) {
  for (T& x : g) x = bc<T>(0.0);
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
T closeLoops(const Topology& t, const Lowered<P>& par, const Mechanism& m, T* q,
             value_t<T> tolerance, int iterations, Workspace<T>& ws, LoopWorkspace<T>& loops) {
  using namespace closure_detail;
  T worst = bc<T>(0.0), strayed = bc<T>(0.0);
  for (int i = 0;; ++i) {
    placeClusters(t, par, m, q, ws);
    worst = bc<T>(0.0);
    for (const Cluster& c : m.clusters) {
      evaluateRows(t, m, c, q, ws, loops);
      for (std::size_t r = 0; r < c.rows.size(); ++r)
        worst = max(worst, abs(loops.phi[c.firstRow + static_cast<int>(r)]));
    }
    if (i == iterations || !any(worst > bc<T>(tolerance))) return max(worst, strayed);
    for (const Cluster& c : m.clusters) {
      factorBlocks(c, loops.planOf(m, c), loops);
      T* x = loops.local.data();
      const int n = static_cast<int>(c.dofs.size());
      for (int j = 0; j < n; ++j) x[j] = bc<T>(0.0);
      solveBlocks(c, loops.planOf(m, c), loops, x, 1,
                  [&](int r) { return -loops.phi[c.firstRow + r]; });
      for (int j = 0; j < n; ++j) {
        loops.step[c.dofs[j]] = x[j];
        strayed = select(abs(x[j]) > bc<T>(0.5), bc<T>(1.0), strayed);
      }
      for (const int b : c.bodies) {
        const BodyTopology& body = t.bodies[b];
        withJoint(body.kind,
                  [&]<class J>() { J::advance(q + body.q, &loops.step[body.u], q + body.q); });
      }
    }
  }
}

namespace closure_detail {

template <class T>
void ratesOf(const Mechanism& m, const Cluster& c, LoopWorkspace<T>& loops) {
  const LoopPlan& plan = loops.planOf(m, c);
  factorBlocks(c, plan, loops);
  for (int i = 0; i < c.ny(); ++i)
    solveBlocks(c, plan, loops, &loops.G[c.firstG + i], c.ny(), [](int) { return bc<T>(0.0); });
}

}  // namespace closure_detail

template <class T>
void loopRates(const Topology& t, const Mechanism& m, const T* q, const Workspace<T>& ws,
               LoopWorkspace<T>& loops) {
  using namespace closure_detail;
  for (const Cluster& c : m.clusters) {
    evaluateRows(t, m, c, q, ws, loops);
    ratesOf(m, c, loops);
  }
}

template <class T>
void loopAccelerations(const Topology& t, const Mechanism& m, const T* u, const Workspace<T>& ws,
                       LoopWorkspace<T>& loops) {
  using namespace closure_detail;
  for (const Cluster& c : m.clusters) {
    for (const int b : c.bodies) {
      const int parent = t.bodies[b].parent;
      const bool isInside = parent >= 0 && m.clusterOf[parent] == m.clusterOf[b];
      loops.a0[b] = isInside ? loops.a0[parent] + ws.c[b] : ws.c[b];
    }
    const auto accelerationOf = [&](int b) {
      const bool isInside = b >= 0 && m.clusterOf[b] == m.clusterOf[c.bodies[0]];
      return isInside ? loops.a0[b] : zeroMotion<T>();
    };
    const auto twistOf = [&](int b) { return b < 0 ? zeroMotion<T>() : ws.V[b]; };
    int known = -1;
    LoopFrames<T> f{};
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      const LoopRow& row = c.rows[r];
      T& k = loops.k[c.firstRow + static_cast<int>(r)];
      k = bc<T>(0.0);
      if (row.closure < 0) {
        const Coupling& coupling = m.couplings[row.coupling];
        if (coupling.phi) k = tapeBias(coupling, u, loops);
        continue;
      }
      const Closure& closure = m.closures[row.closure];
      if (known != row.closure) f = framesAt(closure, ws);
      known = row.closure;
      Force<T> W;
      const RowKind& kind = rowTable(closure.kind)[row.index];
      rowOf(closure, kind, f, W);
      const Motion<T> a = accelerationOf(closure.b) - accelerationOf(closure.a);
      k = -(dot(a, W) + velocityTerm(kind, f, twistOf(closure.a), twistOf(closure.b)));
    }
    T* x = loops.local.data();
    const int n = static_cast<int>(c.dofs.size());
    for (int j = 0; j < n; ++j) x[j] = bc<T>(0.0);
    solveBlocks(c, loops.planOf(m, c), loops, x, 1, [&](int r) { return loops.k[c.firstRow + r]; });
    for (int j = 0; j < n; ++j) loops.g[c.dofs[j]] = x[j];
  }
}

template <class T>
void dependentRates(const Mechanism& m, const LoopWorkspace<T>& loops, T* u) {
  for (const Cluster& c : m.clusters) {
    const int ny = c.ny();
    const LoopPlan& plan = loops.planOf(m, c);
    for (const int j : plan.dependent) {
      T sum = bc<T>(0.0);
      for (int i = 0; i < ny; ++i)
        sum = fma(loops.G[c.firstG + j * ny + i], u[c.dofs[plan.independent[i]]], sum);
      u[c.dofs[j]] = sum;
    }
  }
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_CLOSURE(T)                                                        \
  template LoopWorkspace<T>::LoopWorkspace(const Topology&, const Mechanism&);                 \
  template void LoopWorkspace<T>::usePublic(const Mechanism&, const Cluster&);                 \
  template T closeLoops<T>(const Topology&, const Lowered<value_t<T>>&, const Mechanism&, T*,  \
                           value_t<T>, int, Workspace<T>&, LoopWorkspace<T>&);                 \
  template void loopRates<T>(const Topology&, const Mechanism&, const T*, const Workspace<T>&, \
                             LoopWorkspace<T>&);                                               \
  template void loopAccelerations<T>(const Topology&, const Mechanism&, const T*,              \
                                     const Workspace<T>&, LoopWorkspace<T>&);                  \
  template void dependentRates<T>(const Mechanism&, const LoopWorkspace<T>&, T*);
