#include "espalier/model/singular.h"

#include "espalier/model/joints/dispatch.h"

namespace espalier {
namespace {

/// Pivots of an elimination without exchange, each against the most that its motion could weigh.
template <class J>
bool isSingular(const JointExtra<double>& extra, const RigidInertia<double>& I, double armature) {
  double q[J::nq], A[J::nv][J::nv];
  Motion<double> S[J::nv];
  J::neutral(q);
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

}  // namespace

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

}  // namespace espalier
