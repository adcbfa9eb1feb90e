#include "espalier/model/compile/singular.h"

#include <algorithm>

#include "espalier/model/compile/placement.h"
#include "espalier/model/joints/dispatch.h"
#include "espalier/model/loops/assembly.h"

namespace espalier {
namespace {

/// Pivots of an elimination without exchange, each against the most that its motion could weigh.
template <class J>
bool isSingular(const JointExtra<double>& extra, const RigidInertia<double>& I, double armature) {
  double q[J::nq], A[J::nv][J::nv];
  Motion<double> S[J::nv];
  neutral(J::kind, q);
  J::columns(extra, q, {identity3<double>(), identity3<double>(), {0, 0, 0}}, S);
  for (int j = 0; j < J::nv; ++j)
    for (int k = 0; k < J::nv; ++k) A[j][k] = dot(S[j], mul(I, S[k])) + (j == k ? armature : 0);
  const double turning = I.I.xx + I.I.yy + I.I.zz;
  for (int j = 0; j < J::nv; ++j) {
    const double most = dot(S[j].w, S[j].w) * turning + dot(S[j].v, S[j].v) * I.m + armature;
    if (!(A[j][j] > 1e-12 * most)) return true;
    for (int i = j + 1; i < J::nv; ++i)
      for (int k = j + 1; k < J::nv; ++k) A[i][k] -= A[i][j] * A[j][k] / A[j][j];
  }
  return false;
}

/// M of the spanning tree, [nv][nv], by S' Ic S about the world's origin.
std::vector<double> massMatrix(const Topology& t, const Lowered<double>& lowered,
                               const std::vector<double>& rotors, const double* q) {
  const Placement at(t, lowered, q);
  std::vector<RigidInertia<double>> carried;
  for (int b = 0; b < t.nb; ++b)
    carried.push_back(toParent(transpose(at.R[b]), at.x[b], lowered.bodies[b].I));
  for (int b = t.nb - 1; b > 0; --b) carried[t.bodies[b].parent] += carried[b];
  std::vector<double> M(static_cast<std::size_t>(t.nv) * t.nv, 0.0);
  for (int i = 0; i < t.nv; ++i) {
    const Force<double> F = mul(carried[t.dofBody[i]], at.S[i]);
    for (int b = t.dofBody[i]; b >= 0; b = t.bodies[b].parent)
      for (int j = t.bodies[b].u; j < t.bodies[b].u + t.bodies[b].nv; ++j)
        M[i * t.nv + j] = M[j * t.nv + i] = dot(at.S[j], F);
    M[i * t.nv + i] += rotors[i];
  }
  return M;
}

/// Whether a symmetric positive semidefinite matrix is definite, by its Cholesky pivots.
bool isDefinite(std::vector<double> A, int n) {
  std::vector<double> most;
  for (int i = 0; i < n; ++i) most.push_back(A[i * n + i]);
  for (int k = 0; k < n; ++k) {
    if (!(A[k * n + k] > 1e-12 * most[k])) return false;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) A[i * n + j] -= A[i * n + k] * A[k * n + j] / A[k * n + k];
  }
  return true;
}

}  // namespace

bool isRegular(const Topology& t, const Lowered<double>& lowered, const std::vector<double>& rotors,
               const Mechanism& mechanism, const double* q) {
  std::vector<double> A = massMatrix(t, lowered, rotors, q);
  const LoopEquations e = loopsOf(t, lowered, mechanism).equations(q);
  double mass = 0, rows = 0;
  for (int i = 0; i < t.nv; ++i) mass = std::max(mass, A[i * t.nv + i]);
  for (const double k : e.J) rows = std::max(rows, k * k);
  const double weight = rows > 0 ? mass / rows : 0;
  for (int i = 0; i < t.nv; ++i)
    for (int j = 0; j < t.nv; ++j)
      for (int r = 0; r < e.rows; ++r)
        A[i * t.nv + j] += weight * e.J[r * t.nv + i] * e.J[r * t.nv + j];
  return isDefinite(std::move(A), t.nv);
}

bool movesNothing(JointKind kind, const JointExtra<double>& extra,
                  const RigidInertia<double>& carried, double armature) {
  // A sequence of three turns reaches every turn; where its own axes fall together is no matter of
  // mass, and may well be at q = 0.
  const JointKind asked = kind == JointKind::Euler ? JointKind::Spherical : kind;
  bool singular = false;
  withJoint(asked, [&]<class J>() { singular = isSingular<J>(extra, carried, armature); });
  return singular;
}

void carriedInertias(const Topology& t, const Lowered<double>& lowered,
                     std::vector<RigidInertia<double>>& carried) {
  carried.resize(static_cast<std::size_t>(t.nb));
  for (int b = 0; b < t.nb; ++b) carried[b] = lowered.bodies[b].I;
  for (int b = t.nb - 1; b > 0; --b) {
    const LoweredBody<double>& low = lowered.bodies[b];
    carried[t.bodies[b].parent] += toParent(low.E, low.p, carried[b]);
  }
}

SingularJoints::SingularJoints(const Topology& topology, const Lowered<double>& lowered,
                               const std::vector<double>& rotors, const Mechanism& mechanism,
                               std::vector<RigidInertia<double>>& carried)
    : t_(topology), lowered_(lowered), rotors_(rotors), mechanism_(mechanism), carried_(carried) {
  carriedInertias(t_, lowered_, carried);
}

bool SingularJoints::contains(int body) {
  const BodyTopology& joint = t_.bodies[body];
  double rotor = joint.nv > 0 ? rotors_[joint.u] : 0;
  for (int d = joint.u; d < joint.u + joint.nv; ++d) rotor = std::min(rotor, rotors_[d]);
  if (!movesNothing(joint.kind, lowered_.extra[body], carried_[body], rotor)) return false;
  if (mechanism_.clusterOf[body] < 0) return true;
  if (!isRegular_)
    isRegular_ = isRegular(t_, lowered_, rotors_, mechanism_, mechanism_.assembled.data());
  return !*isRegular_;
}

}  // namespace espalier
