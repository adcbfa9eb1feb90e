#pragma once

// A Newton step on all contacts of one island at once (Alart and Curnier 1991), where the island is
// small: the short way home for Gauss-Seidel, which only creeps when contacts are strongly coupled.
//
// Each contact's status is read from x = lambda - (v + mu |v_T| n) / D (contact/cone.h):
//   open   x in the polar cone:    D lambda = 0
//   stick  x in the cone:          v = 0
//   slip   otherwise:              v_N = 0,  D (lambda_T - mu lambda_N e) = 0,
//                                  e = y / |y|,  y = lambda_T - v_T / D
// The step solves the linearised equations, with P = 1 - e e', k = min(mu lambda_N / |y|, 1):
//   open   rows  D dlambda
//   stick  rows  dv,  dv = G dlambda
//   slip   rows  dv_N,  D (1 - k P) dlambda_T - D mu e dlambda_N + k P dv_T
// by LU on 3 x 3 blocks without exchanges. A resting robot's statuses are right at once, its
// equations are linear, and one step is exact. Redundant contacts (a box on its four corners) make
// G singular: velocity rows get delta D on the diagonal, which damps what moves nothing. Whether a
// step was good is for the caller to say, who knows the residual.

#include "espalier/contact/problem.h"

namespace espalier::contact {

template <class T>
class Newton {
 public:
  /// Islands up to this size are tried: beyond, sweeps are cheaper than the cube of the size.
  static constexpr int largest = 16;

  /// Sets the capacity; the only call that allocates.
  void reserve(int maxGroups);
  /// Forgets the factors: another G, mu or island comes.
  void forget() { factored_ = false; }

  /// Residual of the island at lambda, m/s; keeps velocities and statuses for `step`.
  T evaluate(const Problem<T>& problem, typename Problem<T>::Island island, const Vec3<T>* lambda);
  /// One step from where `evaluate` stood, in lanes `live`.
  void step(const Problem<T>& problem, typename Problem<T>::Island island, Vec3<T>* lambda,
            mask_t<T> live);

 private:
  struct Status {
    mask_t<T> open, slip;
    bool operator==(const Status& other) const {
      const mask_t<T> differs =
          (open & !other.open) | (other.open & !open) | (slip & !other.slip) | (other.slip & !slip);
      return !any(differs);
    }
  };
  void assemble(const Problem<T>& problem, typename Problem<T>::Island island,
                const Vec3<T>* lambda, bool sameMatrix);
  void setRows(int row, int col, const Mat3<T>& g);
  void factor(int n);
  void substitute(int n);
  Mat3<T>& at(int row, int col) { return block_[row * stride_ + col]; }

  /// B of one group: its rows are A dlambda + B dv. Tangential part symmetric.
  struct VelocityRows {
    T xx, xy, yy, n;
    bool slips;  // in some lane
  };

  bool factored_ = false;
  int stride_ = 0;
  Status status_[largest], factoredStatus_[largest];
  VelocityRows rows_[largest];
  Vec3<T> v_[largest], y_[largest], step_[largest];
  bool filled_[largest][largest];
  AlignedArray<Mat3<T>> block_;
};

}  // namespace espalier::contact
