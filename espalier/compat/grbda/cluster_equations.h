#pragma once

// Loop constraints and cluster joints as data, and their mathematics for any scalar.
// The objects that users hold stand in compat/grbda/loop_constraints.h and compat/grbda/cluster_joints.h.
//
//   phi(q) = 0,   K u = 0,       K udot = k        k = -Kdot u
//   q = gamma(y), u = G ydot,    udot = G yddot + g        g = Gdot ydot
//
// In the body coordinates of each body b of a cluster, [angular; linear], P the body of the
// cluster that carries it (its output body outside the cluster: V_P = 0), V_rel = S_b u_b:
//
//   vJ_b = X_bP vJ_P + S_b u_b                                  = S ydot
//   cJ_b = X_bP cJ_P - V_rel x (X_bP vJ_P) + Sring_b u_b + S_b g_b   = Sring ydot
//
// the ring: the rate of a vector's numbers in b. From Featherstone 2008, ch. 3, 4; Chignoli et al.
// 2023 (arXiv 2311.13732).

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "espalier/model/joints/alone.h"
#include "espalier/model/loops/dense_matrix.h"
#include "espalier/model/spec/play.h"

namespace espalier {

/// How the coordinates of a cluster are tied. Without a tape G and K are constant.
///
/// A spherical joint has four coordinates, the unit quaternion w x y z of the child in the joint
/// frame, and three rates, its angular velocity in the joint frame (model/joints/spherical.h):
///   qdot = E(q) u,   E u = 1/2 (0, u) * q,   at udot = 0:  qddot = -1/4 |u|^2 q
struct ConstraintData {
  int nq = 0, nv = 0;        ///< spanning
  DenseMatrix<double> G, K;  ///< constant ones
  std::optional<Tape> phi;   ///< over all coordinates
  std::vector<int>
      independent;   ///< with a tape: the rates that ydot is, ascending; q = scale y ...
  double scale = 1;  ///< ... for all but quaternions
  std::vector<int> quaternions;  ///< with a tape: the first coordinate of each, ascending

  int ny() const { return phi ? static_cast<int>(independent.size()) : G.columns(); }
  /// Coordinates that y is: a quaternion's four for its three rates.
  int nyPositions() const {
    int count = ny();
    forEachJoint([](int, int) {}, [&](int, int u) { count += isIndependent(u) ? 1 : 0; });
    return count;
  }
  /// Calls scalar(q, u) with the place of every plain coordinate and its rate, and ball(q, u) with
  /// the first places of every quaternion and its rates, in order.
  template <class Scalar, class Ball>
  void forEachJoint(Scalar&& scalar, Ball&& ball) const {
    std::size_t next = 0;
    for (int q = 0, u = 0; q < nq;) {
      if (next < quaternions.size() && quaternions[next] == q) {
        ball(q, u);
        ++next;
        q += 4;
        u += 3;
      } else {
        scalar(q++, u++);
      }
    }
  }
  int rows() const { return phi ? phi->rows() : K.rows(); }
  bool isIndependent(int j) const {
    for (const int i : independent)
      if (i == j) return true;
    return false;
  }
};

template <class T>
struct ConstraintValues {
  std::vector<T> phi;  ///< [rows]
  DenseMatrix<T> K, G;
  std::vector<T> k, g;
};

namespace cluster_detail {

/// X of A X = B, in place of B; rows are exchanged by select, so that no Scalar is branched on.
template <class T>
void solveInPlace(DenseMatrix<T> A, DenseMatrix<T>& B) {
  const int n = A.rows();
  const auto exchange = [](const mask_t<T>& m, T& a, T& b) {
    const T kept = a;
    a = select(m, b, a);
    b = select(m, kept, b);
  };
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      const mask_t<T> larger = abs(A(i, k)) > abs(A(k, k));
      for (int j = 0; j < n; ++j) exchange(larger, A(k, j), A(i, j));
      for (int j = 0; j < B.columns(); ++j) exchange(larger, B(k, j), B(i, j));
    }
    const T inverse = bc<T>(1.0) / A(k, k);
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const T l = A(i, k) * inverse;
      for (int j = k; j < n; ++j) A(i, j) = fnma(l, A(k, j), A(i, j));
      for (int j = 0; j < B.columns(); ++j) B(i, j) = fnma(l, B(k, j), B(i, j));
    }
    for (int j = 0; j < B.columns(); ++j) B(k, j) = B(k, j) * inverse;
    for (int j = k + 1; j < n; ++j) A(k, j) = A(k, j) * inverse;
  }
}

/// E(q) of a quaternion, 4 x 3 by rows.
template <class T>
std::array<std::array<T, 3>, 4> quaternionRates(const T* q) {
  const T half = bc<T>(0.5);
  const T w = q[0] * half, x = q[1] * half, y = q[2] * half, z = q[3] * half;
  return {{{-x, -y, -z}, {w, z, -y}, {-z, w, x}, {y, -x, w}}};
}

/// How q moves with u, and at udot = 0 how that changes.
template <class T>
void coordinateRates(const ConstraintData& c, const T* q, const T* u, T* qdot, T* qddot) {
  c.forEachJoint(
      [&](int i, int d) {
        qdot[i] = u[d];
        qddot[i] = bc<T>(0.0);
      },
      [&](int i, int d) {
        const auto E = quaternionRates(q + i);
        const T square = fma(u[d], u[d], fma(u[d + 1], u[d + 1], u[d + 2] * u[d + 2]));
        for (int k = 0; k < 4; ++k) {
          qdot[i + k] = fma(E[k][0], u[d], fma(E[k][1], u[d + 1], E[k][2] * u[d + 2]));
          qddot[i + k] = q[i + k] * square * bc<T>(-0.25);
        }
      });
}

/// phi, K and G where they are constant.
template <class T>
void constantRates(const ConstraintData& c, const T* q, ConstraintValues<T>& out) {
  for (int i = 0; i < c.nv; ++i)
    for (int j = 0; j < c.ny(); ++j) out.G(i, j) = bc<T>(c.G(i, j));
  for (int i = 0; i < c.rows(); ++i)
    for (int j = 0; j < c.nv; ++j) {
      out.K(i, j) = bc<T>(c.K(i, j));
      out.phi[i] = fma(out.K(i, j), q[j], out.phi[i]);
    }
}

/// phi and K = d phi / d q E of a tape.
template <class T>
void tapeRates(const ConstraintData& c, const T* q, ConstraintValues<T>& out) {
  const int rows = c.rows();
  std::vector<Dual<T>> values(static_cast<std::size_t>(c.phi->values()));
  std::vector<T> plain(values.size());
  playValues(*c.phi, q, plain.data(), out.phi.data());
  DenseMatrix<T> J(rows, c.nq);  // d phi / d q
  playJacobian(*c.phi, q, values.data(), J.row(0));
  c.forEachJoint(
      [&](int i, int d) {
        for (int r = 0; r < rows; ++r) out.K(r, d) = J(r, i);
      },
      [&](int i, int d) {
        const auto E = quaternionRates(q + i);
        for (int r = 0; r < rows; ++r)
          for (int k = 0; k < 3; ++k)
            out.K(r, d + k) =
                fma(J(r, i), E[0][k],
                    fma(J(r, i + 1), E[1][k], fma(J(r, i + 2), E[2][k], J(r, i + 3) * E[3][k])));
      });
}

/// K's columns of the dependent rates.
template <class T>
DenseMatrix<T> dependentColumns(const ConstraintData& c, const DenseMatrix<T>& K) {
  DenseMatrix<T> K_d(K.rows(), K.rows());
  for (int i = 0; i < K.rows(); ++i)
    for (int j = 0, d = 0; j < c.nv; ++j)
      if (!c.isIndependent(j)) K_d(i, d++) = K(i, j);
  return K_d;
}

/// G from K_d G_d = -K_i scale; a quaternion's rates are not scaled.
template <class T>
void solveRates(const ConstraintData& c, ConstraintValues<T>& out) {
  std::vector<T> scale(static_cast<std::size_t>(c.nv), bc<T>(c.scale));
  c.forEachJoint([](int, int) {},
                 [&](int, int u) {
                   for (int k = 0; k < 3; ++k) scale[u + k] = bc<T>(1.0);
                 });
  DenseMatrix<T> right(c.rows(), c.ny());
  for (int j = 0, y = 0; j < c.nv; ++j) {
    if (!c.isIndependent(j)) continue;
    for (int i = 0; i < c.rows(); ++i) right(i, y) = -out.K(i, j) * scale[j];
    out.G(j, y++) = scale[j];
  }
  solveInPlace(dependentColumns(c, out.K), right);
  for (int j = 0, d = 0; j < c.nv; ++j) {
    if (c.isIndependent(j)) continue;
    for (int i = 0; i < c.ny(); ++i) out.G(j, i) = right(d, i);
    ++d;
  }
}

}  // namespace cluster_detail

/// phi, K and G at q.
///   in   q  [nq]
template <class T>
void constraintRates(const ConstraintData& c, const T* q, ConstraintValues<T>& out) {
  out.phi.assign(static_cast<std::size_t>(c.rows()), bc<T>(0.0));
  out.K = DenseMatrix<T>(c.rows(), c.nv);
  out.G = DenseMatrix<T>(c.nv, c.ny());
  if (!c.phi) return cluster_detail::constantRates(c, q, out);
  cluster_detail::tapeRates(c, q, out);
  cluster_detail::solveRates(c, out);
}

/// k and g at q and u.
///   pre  constraintRates() at q
template <class T>
void constraintBiases(const ConstraintData& c, const T* q, const T* u, ConstraintValues<T>& out) {
  const int rows = c.rows();
  out.k.assign(static_cast<std::size_t>(rows), bc<T>(0.0));
  out.g.assign(static_cast<std::size_t>(c.nv), bc<T>(0.0));
  if (!c.phi) return;
  std::vector<Jet2<T>> values(static_cast<std::size_t>(c.phi->values()));
  std::vector<T> qdot(static_cast<std::size_t>(c.nq)), qddot(qdot.size());
  cluster_detail::coordinateRates(c, q, u, qdot.data(), qddot.data());
  for (int i = 0; i < c.nq; ++i) values[i] = {q[i], qdot[i], qddot[i]};
  play(*c.phi, values.data());
  for (int r = 0; r < rows; ++r) out.k[r] = -values[c.phi->outputs[r]].dd;
  DenseMatrix<T> right(rows, 1);
  for (int i = 0; i < rows; ++i) right(i, 0) = out.k[i];
  cluster_detail::solveInPlace(cluster_detail::dependentColumns(c, out.K), right);
  for (int j = 0, d = 0; j < c.nv; ++j)
    if (!c.isIndependent(j)) out.g[j] = right(d++, 0);
}

/// A body of a cluster and the joint that carries it. The body's frame is the joint's at q = 0.
struct ClusterBody {
  int parent = -1;  ///< place in the cluster, before its own; -1: its output body, outside
  Transformd X_PJ = identityTransform<double>();                 ///< the joint in the parent
  std::array<Vec3d, 3> axes{{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}};  ///< unit, in the joint
  /// Floating counts its velocities as cluster joints do: the twist in the body's coordinates.
  /// Spherical counts them as models do: the angular velocity in the joint frame.
  JointKind kind = JointKind::Revolute;
  double pitch = 0;  ///< m/rad, helical only
};

template <class T>
struct ClusterKinematics {
  std::vector<Transform<T>> X;  ///< [bodies] pose in the output body
  DenseMatrix<T> S;             ///< [6 bodies][ny]
  std::vector<T> vJ, cJ;        ///< [6 bodies]
};

namespace cluster_detail {

/// One joint by itself, in the axes of its child.
template <class T>
JointAlone<T> jointAt(const ClusterBody& b, const T* q, const T* u) {
  if (b.kind != JointKind::Floating) return jointAlone(b.kind, b.axes.data(), b.pitch, q, u);
  JointAlone<T> out;
  out.X_JL = {rotation(Quat<T>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}};
  const Mat3<T> e = identity3<T>();
  const Vec3<T> axes[3] = {e.r0, e.r1, e.r2};
  for (int k = 0; k < 3; ++k) {
    out.S[k] = {axes[k], zero3<T>()};
    out.S[3 + k] = {zero3<T>(), axes[k]};
    out.ring[k] = out.ring[3 + k] = zeroMotion<T>();
  }
  return out;
}

}  // namespace cluster_detail

/// X, S, vJ and cJ of a cluster.
///   in  q  [nq], u [nv]  spanning, on the constraint
///   in  c  constraintRates() and constraintBiases() there
template <class T>
void clusterKinematics(const std::vector<ClusterBody>& bodies, const ConstraintValues<T>& c,
                       const T* q, const T* u, ClusterKinematics<T>& out) {
  const std::size_t n = bodies.size();
  const int ny = c.G.columns(), nv = c.G.rows();
  std::vector<Motion<T>> v(n), bias(n);
  std::vector<std::vector<Motion<T>>> spanning(n);
  out.X.resize(n);
  out.S = DenseMatrix<T>(static_cast<int>(6 * n), ny);
  out.vJ.resize(6 * n);
  out.cJ.resize(6 * n);
  const auto put = [](const Motion<T>& m, auto&& to) {
    const T numbers[6] = {m.w.x, m.w.y, m.w.z, m.v.x, m.v.y, m.v.z};
    for (int i = 0; i < 6; ++i) to(i) = numbers[i];
  };
  int first = 0, firstQ = 0;
  for (std::size_t b = 0; b < n; ++b) {
    const ClusterBody& body = bodies[b];
    const JointAlone<T> joint = cluster_detail::jointAt(body, q + firstQ, u + first);
    const Transform<T> X_Pb = bc<T>(body.X_PJ) * joint.X_JL;
    const Mat3<T> E = transpose(X_Pb.R);
    std::vector<Motion<T>>& S = spanning[b];
    S.assign(static_cast<std::size_t>(nv), zeroMotion<T>());
    Motion<T> carried = zeroMotion<T>(), below = zeroMotion<T>();
    out.X[b] = X_Pb;
    if (body.parent >= 0) {
      const auto p = static_cast<std::size_t>(body.parent);
      out.X[b] = out.X[p] * X_Pb;
      carried = toChild(E, X_Pb.p, v[p]);
      below = toChild(E, X_Pb.p, bias[p]);
      for (std::size_t d = 0; d < S.size(); ++d) S[d] = toChild(E, X_Pb.p, spanning[p][d]);
    }
    const Motion<T> relative = partialTwist(joint.S, u + first, info(body.kind).nv);
    v[b] = carried + relative;
    bias[b] = below - crossMotion(relative, carried);
    for (int k = 0; k < info(body.kind).nv; ++k) {
      S[first + k] = joint.S[k];
      bias[b] = madd(joint.ring[k], u[first + k], bias[b]);
      bias[b] = madd(joint.S[k], c.g[first + k], bias[b]);
    }
    for (int y = 0; y < ny; ++y) {
      Motion<T> sum = zeroMotion<T>();
      for (int d = 0; d < nv; ++d) sum = madd(S[d], c.G(d, y), sum);
      put(sum, [&](int i) -> T& { return out.S(static_cast<int>(6 * b) + i, y); });
    }
    put(v[b], [&](int i) -> T& { return out.vJ[6 * b + static_cast<std::size_t>(i)]; });
    put(bias[b], [&](int i) -> T& { return out.cJ[6 * b + static_cast<std::size_t>(i)]; });
    first += info(body.kind).nv;
    firstQ += info(body.kind).nq;
  }
}

}  // namespace espalier
