#pragma once

// The contact problem of one robot in several worlds of one contact pattern: the same pairs of
// bodies, the same rows of joints, in the same order. What ContactRows and the assembly of
// contacts.cpp do for one world; one island, with blocks.

#include "espalier/contact/gauss_seidel.h"
#include "espalier/dynamics/loops/reduction.h"
#include "espalier/step/row_columns.h"

namespace espalier {

/// What a group of rows is made of, and what its law asks for: of a contact, of its rolling and spinning friction, or
/// of a joint's row.
template <class T>
struct LaneGroup {
  Mat3<T> frame;  ///< t1, t2, n
  Vec3<T> point;  ///< m, world
  Vec3<T> rate;   ///< J u
  Vec3<T> bias;
  T friction;
  T sign;                ///< of a joint's row
  T lower, upper, soft;  ///< of a joint's row that is bounded
  T rolling, spinning;   ///< m, of friction of those kinds
};

/// The robot as rows see it.
template <class T>
struct LaneMover {
  const Model& model;
  const Topology& solved;  ///< the dofs that are solved for
  const Vec3<T>& origin;
  const Workspace<T>& solver;       ///< of `solved`, factored
  const LoopWorkspace<T>& at;       ///< G
  const Motion<T>* reducedColumns;  ///< by Mechanism::columnReduced
};

template <class T>
class LaneContacts {
 public:
  /// in  dofs    of the robot that are solved for
  ///     groups  at most
  ///     sides   of a group, at most: two bodies of a contact, the joints of a tendon
  LaneContacts(int dofs, int groups, int sides = 2);

  void clear() { count_ = 0; }
  int size() const { return count_; }
  int room() const { return static_cast<int>(group.size()); }
  /// in  bodyA, bodyB  of the robot; -1: what never moves
  void addContact(int bodyA, int bodyB) { row_[count_++] = {bodyA, bodyB, -1, -1, false}; }
  /// Rolling and spinning friction of a contact.
  void addTorsion(int contact) {
    row_[count_++] = {row_[contact].a, row_[contact].b, -1, contact, false};
  }
  /// in  dof  one of System::rowDofs()
  void addJoint(int dof, bool isOneSided) { row_[count_++] = {-1, -1, dof, -1, isOneSided}; }

  /// Sides and G of all groups.
  ///   in  z         L'^-1 dt (force - h)
  ///       mostWithBlocks  groups that still get blocks, of which a World gives few_groups; 0: none, for
  ///                       Newton's method on the velocities alone
  void assemble(const LaneMover<T>& mover, const T* z, int mostWithBlocks = contact::few_groups);
  /// io  lambda, z;  in  takesPart  1 in lanes whose z takes the impulses
  ///   out  residual  m/s; infinite where the sweeps did not do
  ///   returns  the steps of the slowest lane
  int solve(const contact::SolveOptions<T>& options, bool again, const T& takesPart, T* z,
            T& residual);
  /// The same; lanes whose residual is above `worst` (m/s) are solved again without corrections, and the
  /// impulses of those that remain are scaled so that they do not add to the kinetic energy.
  ///   in  Dinv     [dofs] of the factor
  ///   io  steps    what the solver took is added
  ///   returns      the lanes without corrections
  mask_t<T> solvePassively(const contact::SolveOptions<T>& options, bool again, double worst,
                           const T* Dinv, T* z, int& steps);

  int bodyA(int i) const { return row_[i].a; }
  int bodyB(int i) const { return row_[i].b; }

  AlignedArray<LaneGroup<T>> group;  ///< [room()]
  AlignedArray<Vec3<T>> lambda;      ///< likewise
  T residual{};                      ///< m/s, of the last solve, whether it converged or not

 private:
  using Side = contact::Side<T>;
  using Column3 = contact::Column3<T>;
  struct Row {
    int a, b, dof;  // bodies of a contact, or a joint's dof; else -1
    int contact;    // whose rolling and spinning friction it is; else -1
    bool isOneSided;
  };
  void addEnds(const LaneMover<T>& mover, const Row& row, const LaneGroup<T>& g);
  void addEnd(const LaneMover<T>& mover, int body, const Mat3<T>& frame, const Vec3<T>* r,
              const T& sign);
  void addToProblem(const Row& row, const LaneGroup<T>& g, std::span<const Side> sides,
                    const Vec3<T>& b);
  void addJointSides(const LaneMover<T>& mover, const Row& row, const LaneGroup<T>& g);
  void close(const LaneMover<T>& mover, const DofChain& chain, Column3* y, bool hasThirdRowAlone);
  Vec3<T> freeVelocity(int group, const T* z) const;
  contact::SolveReport<T> solveGroups(const contact::SolveOptions<T>& options, bool again,
                                      const T* z);
  contact::SolveReport<T> solveUncorrected(const contact::SolveOptions<T>& options,
                                           const mask_t<T>& where);
  void push(const mask_t<T>& takes, T* z) const;

  int count_ = 0, sides_ = 0, numbers_ = 0;
  AlignedArray<Row> row_;
  AlignedArray<Side> side_;
  AlignedArray<int> firstSide_;  // [groups + 1]
  AlignedArray<Column3> y_;
  AlignedArray<T> pushed_;  // [dofs] scratch
  contact::Problem<T> problem_;
  contact::GaussSeidel<T> solver_;
};

}  // namespace espalier
