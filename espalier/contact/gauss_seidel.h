#pragma once

// Solver 1: nonlinear Gauss-Seidel. Each contact in turn is solved exactly (contact/single.h) while
// the others hold still; sweeps run to and fro until the true residual is below the tolerance.

#include "espalier/contact/problem.h"
#include "espalier/contact/single.h"
#include "espalier/scalar/instantiate.h"

namespace espalier::contact {

template <class T>
struct SolveOptions {
  /// Largest residual of a contact, m/s.
  value_t<T> tolerance = sizeof(value_t<T>) == 8 ? value_t<T>(1e-10) : value_t<T>(1e-5);
  int maxSweeps = 1000;
};

template <class T>
struct SolveReport {
  T residual;             // the largest over the contacts, m/s; evaluated at the result
  mask_t<T> converged;    // residual <= tolerance
  int sweeps = 0;         // of the slowest lane
};

template <class T>
class GaussSeidel {
 public:
  GaussSeidel() = default;
  explicit GaussSeidel(int maxGroups) { reserve(maxGroups); }
  /// Sets the capacity; the only call that allocates.
  void reserve(int maxGroups);

  /// Impulses of a finished problem.
  ///   io   lambda  [size]  N s, (t1, t2, n); on entry the warm start (zero: none)
  ///   uses this    overwritten; no allocation
  ///   cost some 0.15 us a sweep for four contacts of one robot, in double
  SolveReport<T> solve(const Problem<T>& problem, Vec3<T>* lambda,
                       const SolveOptions<T>& options = {});

  /// The same for a problem of which only b has changed since `solve`: factors are kept.
  SolveReport<T> resolve(const Problem<T>& problem, Vec3<T>* lambda,
                         const SolveOptions<T>& options = {});

 private:
  T sweep(const Problem<T>& problem, Vec3<T>* lambda, bool forward, mask_t<T> live) const;
  T update(const Problem<T>& problem, Vec3<T>* lambda, int i, Vec3<T> other,
           mask_t<T> live) const;
  T residualOf(const Problem<T>& problem, const Vec3<T>* lambda) const;

  AlignedArray<T> scale_, inverseScale_;  // D_i and its inverse
  AlignedArray<SingleFactor<T>> factor_;
};

extern template class GaussSeidel<double>;
extern template class GaussSeidel<float>;
extern template class GaussSeidel<DoubleLanes>;
extern template class GaussSeidel<FloatLanes>;

}  // namespace espalier::contact
