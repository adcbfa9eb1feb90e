#pragma once

// The rows of a cluster at work: phi and K at q, k at q and u. Mathematics: model/loops/loop_rows.h; here
// only those axes are turned that a row asks for.
//
//   point row   phi = a . d,  W = [p x a; a],  k = -a . d''
//   turn row    phi = a . b,  W = [b x a; 0],  k = -a . ((A_b - A_a - w_a x w_b) x b + w x (w x b))

#include "espalier/dynamics/loops/closure.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/model/loops/loop_rows.h"
#include "espalier/model/spec/play.h"

namespace espalier::closure_detail {

/// Of the world, if body is -1.
template <class T>
ESPALIER_INLINE Mat3<T> axesOf(const Workspace<T>& ws, int body) {
  return body < 0 ? identity3<T>() : ws.R[body];
}
template <class T>
ESPALIER_INLINE Vec3<T> placeOf(const Workspace<T>& ws, int body) {
  return body < 0 ? -ws.origin : ws.x[body];
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

/// phi and W of a screw row, which alone asks for whole frames.
template <class T>
T screwRow(const Closure& c, const RowKind& kind, const Workspace<T>& ws, Force<T>& W) {
  return rowOf(c, kind,
               framesOf(c, axesOf(ws, c.a), placeOf(ws, c.a), axesOf(ws, c.b), placeOf(ws, c.b)),
               W);
}

/// phi and K of one cluster; leaves loops.turned and loops.point.
///   returns the largest |phi|
template <class T>
T evaluateRows(const Topology& t, const Mechanism& m, const Cluster& c, const T* q,
               const Workspace<T>& ws, LoopWorkspace<T>& loops) {
  const int n = static_cast<int>(c.dofs.size());
  T worst = bc<T>(0.0);
  int known = -1;
  Vec3<T> p{}, d{};
  for (std::size_t r = 0; r < c.rows.size(); ++r) {
    const LoopRow& row = c.rows[r];
    const int place = c.firstRow + static_cast<int>(r);
    T* K = &loops.K[c.firstK + static_cast<int>(r) * n];
    T& phi = loops.phi[place];
    const LoopColumn* column = &c.columns[c.firstColumn[r]];
    const LoopColumn* end = c.columns.data() + c.firstColumn[r + 1];
    if (row.closure < 0) {
      const Coupling& coupling = m.couplings[row.coupling];
      if (coupling.phi) {
        tapeRow(c, row, coupling, q, loops, phi, K);
      } else {
        phi = bc<T>(-coupling.offset);
        for (const Coupling::Term& term : coupling.terms)
          phi = fma(bc<T>(term.factor), q[term.q], phi);
        for (; column != end; ++column) K[column->place] = bc<T>(column->sign);
      }
      worst = max(worst, abs(phi));
      continue;
    }
    const Closure& closure = m.closures[row.closure];
    if (known != row.closure) {
      const ClosureEnds<T>& own = loops.ends[row.closure];
      p = placeOf(ws, closure.b) + mul(axesOf(ws, closure.b), own.B);
      d = p - placeOf(ws, closure.a) - mul(axesOf(ws, closure.a), own.A);
      loops.point[row.closure] = p;
    }
    known = row.closure;
    const RowKind& kind = rowTable(closure.kind)[row.index];
    const RowAxes<T>& own = loops.axes[place];
    RowAxes<T>& axes = loops.turned[place];
    axes.a = mul(axesOf(ws, closure.a), own.a);
    Force<T> W;
    if (kind.form == RowKind::Form::POINT) {
      phi = dot(axes.a, d);
      W = {cross(p, axes.a), axes.a};
    } else if (kind.form == RowKind::Form::TURN) {
      axes.b = mul(axesOf(ws, closure.b), own.b);
      phi = dot(axes.a, axes.b);
      W = {cross(axes.b, axes.a), zero3<T>()};
    } else {
      phi = screwRow(closure, kind, ws, W);
    }
    worst = max(worst, abs(phi));
    for (; column != end; ++column)
      K[column->place] = dot(espalier::column(t, ws, column->dof), W) * bc<T>(column->sign);
  }
  return worst;
}

/// k of one cluster.
///   pre  evaluateRows() at q, ws.V and loops.a0 at u
template <class T>
void evaluateBias(const Mechanism& m, const Cluster& c, const T* u, const Workspace<T>& ws,
                  LoopWorkspace<T>& loops) {
  const int cluster = m.clusterOf[c.bodies[0]];
  // References: a copy's wide loads would wait for the narrow stores before them.
  const Motion<T> none = zeroMotion<T>();
  const auto accelerationOf = [&](int b) -> const Motion<T>& {
    return b >= 0 && m.clusterOf[b] == cluster ? loops.a0[b] : none;
  };
  const auto twistOf = [&](int b) -> const Motion<T>& { return b < 0 ? none : ws.V[b]; };
  int known = -1;
  Motion<T> A{};
  Vec3<T> acceleration{};  // of d
  for (std::size_t r = 0; r < c.rows.size(); ++r) {
    const LoopRow& row = c.rows[r];
    const int place = c.firstRow + static_cast<int>(r);
    T& k = loops.k[place];
    if (row.closure < 0) {
      const Coupling& coupling = m.couplings[row.coupling];
      k = coupling.phi ? tapeBias(coupling, u, loops) : bc<T>(0.0);
      continue;
    }
    const Closure& closure = m.closures[row.closure];
    const Motion<T>&Va = twistOf(closure.a), &Vb = twistOf(closure.b);
    if (known != row.closure) {
      A = accelerationOf(closure.b) - accelerationOf(closure.a);
      const Vec3<T>& p = loops.point[row.closure];
      const Vec3<T> va = Va.v + cross(Va.w, p), vb = Vb.v + cross(Vb.w, p);
      acceleration = A.v + cross(A.w, p) + cross(Vb.w, vb) - cross(Va.w, va) -
                     cross(Va.w, vb - va) * bc<T>(2.0);
    }
    known = row.closure;
    const RowKind& kind = rowTable(closure.kind)[row.index];
    const RowAxes<T>& axes = loops.turned[place];
    if (kind.form == RowKind::Form::TURN) {
      const Vec3<T> w = Vb.w - Va.w;
      k = -dot(axes.a, cross(A.w - cross(Va.w, Vb.w), axes.b) + cross(w, cross(w, axes.b)));
    } else {
      k = -dot(axes.a, acceleration);
      if (kind.form == RowKind::Form::SCREW) k += bc<T>(closure.pitch) * dot(axes.a, A.w);
    }
  }
}

}  // namespace espalier::closure_detail
