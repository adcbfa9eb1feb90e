#pragma once

// The contact problem of one robot in several worlds of one contact pattern: the same pairs of
// bodies, the same rows of joints, in the same order. What ContactRows and the assembly of
// contacts.cpp do for one world; one island, with blocks.

#include "espalier/batch/lane_system.h"
#include "espalier/contact/gauss_seidel.h"
#include "espalier/step/row_columns.h"

namespace espalier {

/// The robot as rows see it.
template <class T>
struct LaneMover {
  const Model& model;
  const Topology& solved;  ///< the dofs that are solved for
  const Vec3<T>& origin;
  const Motion<T>* S;                         ///< [nv] of a tree
  const Workspace<T>& solver;                 ///< of `solved`, factored
  const LoopWorkspace<T>* at;                 ///< none in a tree
  const double* const* reducedColumns;        ///< with loops: where each Motion<T> is
  const std::vector<int>&chain, &chainBegin;  ///< of a tree

  DofChain chainTo(int body) const {
    if (at) return chainOf(*model.mechanism, body);
    const auto b = static_cast<std::size_t>(body);
    return {chain.data() + chainBegin[b], chainBegin[b + 1] - chainBegin[b]};
  }
};

template <class T>
class LaneContacts {
 public:
  /// in  dofs  of the robot that are solved for
  explicit LaneContacts(int dofs);

  void clear() { count_ = 0; }
  void addContact(int bodyA, int bodyB) { row_[count_++] = {bodyA, bodyB, -1, false}; }
  void addJoint(int dof, bool isOneSided) { row_[count_++] = {-1, -1, dof, isOneSided}; }

  /// Sides and G of all groups.
  ///   in  z  L'^-1 dt (force - h)
  void assemble(const LaneMover<T>& mover, const T* z);
  /// io  lambda, z;  in  takesPart  1 in lanes whose z takes the impulses
  ///   out  residual  m/s; infinite where the sweeps did not do
  ///   returns  the steps of the slowest lane
  int solve(const contact::SolveOptions<T>& options, bool again, const T& takesPart, T* z,
            T& residual);

  AlignedArray<LaneGroup<T>> group;  ///< [contact::small_island]
  AlignedArray<Vec3<T>> lambda;      ///< likewise

 private:
  using Side = contact::Side<T>;
  using Column3 = contact::Column3<T>;
  struct Row {
    int a, b, dof;  // bodies of a contact, or a joint's dof; else -1
    bool isOneSided;
  };
  void addEnd(const LaneMover<T>& mover, int body, const LaneGroup<T>& g, const T& sign);
  void addJointSide(const LaneMover<T>& mover, const Row& row, const LaneGroup<T>& g);
  void close(const LaneMover<T>& mover, const DofChain& chain, Column3* y);
  Vec3<T> freeVelocity(int group, const T* z) const;

  int count_ = 0, sides_ = 0, numbers_ = 0;
  Row row_[contact::small_island];
  Side side_[2 * contact::small_island];
  int firstSide_[contact::small_island + 1];
  AlignedArray<Column3> y_;
  contact::Problem<T> problem_;
  contact::GaussSeidel<T> solver_;
};

}  // namespace espalier
