#pragma once

// A Newton step on all groups of one island at once (Alart and Curnier 1991), where the island is
// small: it finishes what Gauss-Seidel, slow where contacts are strongly coupled, has begun.
//
// Each group's status is read from x = lambda - w / D, the argument of its projection:
//   open   x in the polar cone:    D lambda = 0
//   stick  x in the cone:          v = 0
//   slip   otherwise:              v_N = 0,  D (lambda_T - mu lambda_N e) = 0,
//                                  e = y / |y|,  y = lambda_T - v_T / D
// The step solves the linearised equations, with P = 1 - e e', k = min(mu lambda_N / |y|, 1):
//   open   rows  D dlambda
//   stick  rows  dv,  dv = G dlambda
//   slip   rows  dv_N,  D (1 - k P) dlambda_T - D mu e dlambda_N + k P dv_T
// A bounded row is open at its bound, or sticks. Rolling and spinning friction, in the variables
// in which its ellipsoid is a ball (contact/ellipsoid.h), sticks or slips with all three rows, the
// reach kappa lambda_N in the place of mu lambda_N.
// An open contact without an impulse is idle: dlambda = 0, and it is left out. The rest is solved by
// LU on 3 x 3 blocks without exchanges. A resting robot's statuses are right at once, its
// equations are linear, and one step is exact. Redundant contacts (a box on its four corners) make
// G singular: velocity rows get delta D on the diagonal, which damps impulses that move nothing, so
// that of all solutions the step takes the one nearest to where it starts. The caller, which knows
// the residual, accepts or rejects a step.

#include "espalier/contact/problem.h"

namespace espalier::contact {

template <class T>
class Newton {
 public:
  /// Sets the capacity; the only call that allocates.
  void reserve(int maxGroups);
  /// Forgets the factors: another G, mu or island comes.
  void forget() { factored_ = false; }

  /// Residual of the island at lambda, m/s; keeps velocities and statuses for `step`.
  ///   pre  at most small_island groups, with blocks
  T evaluate(const Problem<T>& problem, typename Problem<T>::Island island, const Vec3<T>* lambda);
  /// One step from where `evaluate` stood, in lanes `live`.
  void step(const Problem<T>& problem, typename Problem<T>::Island island, Vec3<T>* lambda,
            mask_t<T> live);

 private:
  /// A group's status: which rows rest at a value (open, at a bound), and whether it slips.
  struct Status {
    mask_t<T> x, y, z, slip;
    bool operator==(const Status& o) const {
      const auto differ = [](mask_t<T> a, mask_t<T> b) { return (a & !b) | (b & !a); };
      return !any(differ(x, o.x) | differ(y, o.y) | differ(z, o.z) | differ(slip, o.slip));
    }
  };
  /// The linearised rows A dlambda + B dv = r of one group.
  struct Rows {
    Mat3<T> a;
    Sym3<T> b;
    bool isDiagonal;  // b
  };

  void findBusy(const Problem<T>& problem, typename Problem<T>::Island island,
                const Vec3<T>* lambda);
  void assemble(const Problem<T>& problem, typename Problem<T>::Island island,
                const Vec3<T>* lambda, bool sameMatrix);
  void coupleNormal(int normal, int r, const Vec3<T>& pull);
  void coulombRows(const Problem<T>& problem, int i, int k, const Vec3<T>& lambda, Rows& rows);
  void boundedRows(const Problem<T>& problem, int i, int k, const Vec3<T>& lambda, Rows& rows);
  void torsionRows(const Problem<T>& problem, int i, int k, const Vec3<T>* lambda, Rows& rows);
  void setBlock(const Problem<T>& problem, int k, int i, int col, int j,
                const Block<T>& rowsOfOther, const Rows& rows);
  void factor();
  void substitute();
  Block<T>& at(int row, int col) { return block_[row * stride_ + col]; }

  bool factored_ = false;
  int stride_ = 0;
  int busy_ = 0;              // groups that are not idle: the matrix's rows
  int member_[small_island];  // of a row: its place in the island
  int row_[small_island];     // of a place: its row, or -1
  int factoredMember_[small_island];
  Status status_[small_island], factoredStatus_[small_island];
  Vec3<T> v_[small_island], x_[small_island], step_[small_island];
  Vec3<T> pull_[small_island];  // of a slipping Torsion group: coefficient of d lambda_N
  bool filled_[small_island][small_island];
  AlignedArray<Block<T>> block_;  // of the matrix's transpose, which needs only sums of rows
};

}  // namespace espalier::contact
