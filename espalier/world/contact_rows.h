#pragma once

// Contacts and joint limits of one step as rows on the systems' dofs, and as the contact problem.
//
// For a system with M~ = L' D L a row block J (3 x nv) is kept as Y = L'^-1 J' on the ancestor
// dofs alone, so that
//   J M~^-1 J_k'       = Y' D^-1 Y_k          the Delassus blocks, over the dofs both share
//   J (u_free - u)     = Y' D^-1 z            with z = L'^-1 dt f
//   u+ = u + L^-1 D^-1 (z + sum Y lambda)     so that no row is ever solved twice

#include <vector>

#include "espalier/contact/problem.h"
#include "espalier/core/aligned.h"
#include "espalier/world/contact.h"
#include "espalier/world/system.h"

namespace espalier {

/// One body's rows of one group: a single chain of ancestor dofs. A contact between two bodies of
/// one system has two sides there.
struct RowSide {
  int group = -1, system = -1;
  const int* chain = nullptr;  ///< ancestor dofs, ascending; the k-th lies at depth k
  int count = 0;
  int y = 0;  ///< first of six runs of `count` numbers: Y' by rows t1, t2, n, and
              ///< the same times D^-1
};

class ContactRows {
 public:
  ContactRows() = default;
  /// Room for so many groups on so many systems of at most maxNv dofs; the only call that
  /// allocates.
  ContactRows(int maxGroups, int maxSystems, int maxNv);

  void clear() { sides_ = numbers_ = 0; }

  /// Rows of a contact's frame: v = frame (v_A - v_B) at a point. Bodies of -1 do not move.
  ///   pre  kinematics and factor of the systems
  void addContact(int group, const std::vector<System*>& systems, const Contact& contact);
  /// The row sign * u_dof as the normal of a group.
  void addLimit(int group, int system, const System& sys, int dof, double sign);

  /// Group's velocity without contact impulses: J u (given) + Y' D^-1 z.
  Vec3d freeVelocity(int group, const Vec3d& Ju, const std::vector<System*>& systems) const;
  /// G_ii of a group.
  Sym3<double> diagonal(int group) const;
  /// All blocks between groups that share a system; false where the problem had no room.
  bool addCouplings(const std::vector<System*>& systems, contact::Problem<double>& problem);
  /// z += Y lambda on every system.
  void addImpulses(const Vec3d* lambda, const std::vector<System*>& systems) const;

 private:
  RowSide& open(int group, int system, const System& sys, int body);
  void finish(const RowSide& side, const System& sys);
  Mat3d couple(const RowSide& a, const RowSide& b) const;

  int sides_ = 0, numbers_ = 0;
  AlignedArray<RowSide> side_;
  AlignedArray<double> y_;
  AlignedArray<int> firstSide_;             // [groups + 1] sides of a group lie together
  AlignedArray<int> newestOf_, olderThan_;  // [systems], [sides]: sides of a system, linked
};

}  // namespace espalier
