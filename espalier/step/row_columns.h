#pragma once

// J' of rows on a body, and what the body answers them with, Y = L'^-1 J' and Y' D^-1: in one world
// (contact_rows.h) or in several side by side (lane_contacts_impl.h).

#include <algorithm>
#include <span>

#include "espalier/contact/column3.h"
#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/model/model.h"

namespace espalier {

/// What six numbers of a rigid motion (v of a centre, w) do to a point at r from it: v + w x r,
/// or to its spin where there is no point; row . (e x r) = e . (r x row).
template <class T>
void putRigid(contact::Column3<T>* y, const Mat3<T>& frame, const Vec3<T>* r, const T& sign) {
  using Column3 = contact::Column3<T>;
  const Vec3<T> none = zero3<T>();
  const Mat3<T> turn =
      r ? Mat3<T>{cross(*r, frame.r0), cross(*r, frame.r1), cross(*r, frame.r2)} : frame;
  y[0] = Column3(r ? columnX(frame) : none) * sign;
  y[1] = Column3(r ? columnY(frame) : none) * sign;
  y[2] = Column3(r ? columnZ(frame) : none) * sign;
  y[3] = Column3(columnX(turn)) * sign;
  y[4] = Column3(columnY(turn)) * sign;
  y[5] = Column3(columnZ(turn)) * sign;
}

/// J' of a point at r from the system's origin, or of the spin where there is none.
///   in  reduced column(k)  how the body moves with the k-th of its n movers; the first six are the
///   base's
///                 own where that floats
template <class T, class ReducedColumn>
void putColumns(bool isFloating, const Mat3<T>& frame, const Vec3<T>* r, const T& sign, int n,
                ReducedColumn&& reducedColumn, contact::Column3<T>* y) {
  const contact::Block<T> columns = transpose(frame);
  if (isFloating) putRigid(y, frame, r, sign);
  for (int k = isFloating ? 6 : 0; k < n; ++k) {
    const Motion<T> s = reducedColumn(k);
    y[k] = tmul(columns, r ? velocityAt(s, *r) : s.w) * sign;
  }
}

/// The rate of one of System::rowDofs() as a sum of rates; of a tendon that of its joints.
///   in  own  room for the one term of a dof
ESPALIER_INLINE std::span<const RotorInfo::Term> termsOf(const Model& model, int dof,
                                                         RotorInfo::Term& own) {
  own = {0, dof, 1};
  if (dof < model.nv()) return {&own, 1};
  const auto rotor = static_cast<std::size_t>(dof - model.nv());
  if (rotor < model.rotors.size()) return model.rotors[rotor].terms;
  return model.tendons[rotor - model.rotors.size()].terms;
}

/// J' of sign (sum of factor u), u = G u_y with loops, as the third row. All terms lie on one way up;
/// what moves a dof stands side by side in the chain of its body.
///   in   gRowOf(u)  GRow of a dof;  chainOf(body)  what is solved for, on the way up to a body
///   returns what takes part: a joint's later dofs do not
template <class T, class GRowOf, class ChainOf>
DofChain putJoint(const Topology& t, std::span<const RotorInfo::Term> terms, const T& sign,
                  GRowOf&& gRowOf, ChainOf&& chainOf, contact::Column3<T>* y) {
  int deepest = 0, last = 0;
  for (const RotorInfo::Term& term : terms) {
    const GRow<T> by = gRowOf(term.u);
    deepest = std::max(deepest, t.dofBody[term.u]);
    last = std::max(last, by.y + by.count - 1);
  }
  const int* chain = chainOf(deepest);
  int n = 1;
  while (chain[n - 1] != last) ++n;
  for (int i = 0; i < n; ++i) y[i] = contact::Column3<T>();
  const T none = bc<T>(0.0);
  for (const RotorInfo::Term& term : terms) {
    const GRow<T> by = gRowOf(term.u);
    int at = 0;
    while (chain[at] != by.y) ++at;
    for (int i = 0; i < by.count; ++i)
      y[at + i] = contact::Column3<T>(Vec3<T>{none, none, sign * bc<T>(term.factor) * by.at(i)}) +
                  y[at + i];
  }
  return {chain, n};
}

/// Y from J' in place, every dof handing its share to its ancestors, deepest first; behind it Y' D^-1.
///   in  t, solver  of the dofs that are solved for, factored;  dofs  [n] ascending, one way up
template <class T>
void halfSolveRows(const Topology& t, const Workspace<T>& solver, const int* dofs, int n,
                   contact::Column3<T>* y) {
  for (int k = n - 1; k >= 0; --k) {
    const contact::Column3<T> own = y[k];
    const T* row = &solver.H[t.row[dofs[k]]];
    for (int j = 0; j < k; ++j) y[j] = nmadd(own, row[j], y[j]);
    y[n + k] = own * solver.Dinv[dofs[k]];
  }
}

/// halfSolveRows() in lanes, where the first two rows are zero, as of joints.
template <class T>
void halfSolveThirdRow(const Topology& t, const Workspace<T>& solver, const int* dofs, int n,
                       contact::Column3<T>* y) {
  const T none = bc<T>(0.0);
  for (int k = n - 1; k >= 0; --k) {
    const T own = y[k].z();
    const T* row = &solver.H[t.row[dofs[k]]];
    for (int j = 0; j < k; ++j) y[j].v.z = fnma(own, row[j], y[j].z());
    y[n + k] = contact::Column3<T>(Vec3<T>{none, none, own * solver.Dinv[dofs[k]]});
  }
}

}  // namespace espalier
