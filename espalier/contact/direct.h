#pragma once

// Solver 2: one island as a dense problem, for what sweeps cannot do: stacks, mass ratios, jams.
//
// Every group is written in numbers x = P^-1 lambda, w = P v that make its own block of P G P
// about one and leave its law a cone, a ball or an interval:
//   Coulomb  P = 1 / sqrt(D_i)     Bounded  P_r = 1 / sqrt(G_rr)     Torsion  P = s / sqrt(D_i)
//
// ADMM (Carpentier, Le Lidec and Montaut 2024; De Saxce's shift mu |w_T| n and the reach of a
// Torsion group are those of the iterate)
//   (G + rho 1) x = rho (z - u) - b - shift
//   z = P_K(x + u),   u += x - z,   w + shift = -rho u in the end
// comes near, redundant rows included, but no single rho serves all, and it may circle.
//
// Newton (contact/direct_newton_impl.h) on Alart and Curnier's equation F(x) = 0 finishes from near
// in a few steps. The proximal method brings it near when all else fails: with c its last answer,
//   w = G x + b + softness (x - c)
// has a solution close to c when the softness is large, which Newton finds; that is the next c, and
// the softness falls as long as Newton is quick and rises when it is not. Its fixed points are
// solutions of the problem itself, and what moves nothing stays where it was.
//
// Contacts that are redundant may be asked for velocities that do not quite fit one another: 1e-9
// m/s, say, between the feet of a robot and what they lean on. Statuses that fit exist, but impulses
// have to go far to reach them, along what moves next to nothing, and nothing improves on the way.
// So Newton is also let go without line search, each step bounded by the impulses themselves; and
// where the proximal method creeps, its centers run ahead.
//
// What is handed back is the best iterate by the law's own residual.

#include "espalier/contact/dense.h"
#include "espalier/contact/problem.h"

namespace espalier::contact {

/// What a solve by solver 2 came to.
template <class T>
struct DirectReport {
  T residual = T(0);   // m/s, the largest over the groups
  int iterations = 0;  // of ADMM
  int newtonSteps = 0;
};

/// T is a plain number: worlds side by side would wait for each other's pivots.
template <class T>
class Direct {
 public:
  /// Sets the capacity; the only call that allocates.
  void reserve(int maxGroups);
  int maxGroups() const { return maxGroups_; }

  /// io  lambda  the warm start; on return the best of what was met, the warm start included
  DirectReport<T> solve(const Problem<T>& problem, typename Problem<T>::Island island,
                        Vec3<T>* lambda, T tolerance);

 private:
  /// One group in its own numbers.
  struct Group {
    Kind kind;
    T mu;           // of a Torsion group: reach over the normal x
    T toResidual;   // m/s of a unit of x - P_K(x - w); Bounded: by rows, 1 / scale
    int normal;     // where the x is that bounds a Torsion group
    Vec3<T> scale;  // P
    Vec3<T> low, high;
  };

  // The problem
  void load(const Problem<T>& problem, typename Problem<T>::Island island, const Vec3<T>* lambda);
  void addBlock(int row, int col, const Mat3<T>& g);
  void multiply(const T* x, T* w);
  Vec3<T> project(int k, const Vec3<T>& a, const T* x) const;
  Vec3<T> shifted(int k, const T* w) const;
  T reach(int k, const T* x) const;
  T residual(const T* x, const T* w) const;
  bool judge(const T* x);
  /// Whether only velocities that are next to nothing are missing.
  bool isNear() const { return report_.residual <= T(1000) * tolerance_; }

  // ADMM
  bool approach(T rho);
  bool factorShifted(T rho);
  void iterate(T rho);

  // Newton
  bool newton(int steps);
  bool chase(const T* from, T share);
  bool proximal(int steps);
  void balance();
  bool step();
  bool direction();
  void addSoftness(const T* x, T* w) const;
  T equation(const T* x, const T* w, T* f) const;
  void assemble();
  void writeRow(int k, int r, const Vec3<T>& onW, Vec3<T> onX, T right);
  bool rests(int k, int r) const;

  DenseView<T> g() { return {g_.data(), static_cast<std::size_t>(n_), n_}; }
  DenseView<T> shiftedG() { return {f_.data(), static_cast<std::size_t>(n_), n_}; }
  DenseView<T> newtonMatrix() { return {f_.data(), static_cast<std::size_t>(rows_), rows_}; }
  static Vec3<T> at(const T* x, int k) { return {x[3 * k], x[3 * k + 1], x[3 * k + 2]}; }
  static void put(T* x, int k, const Vec3<T>& a) {
    x[3 * k] = a.x;
    x[3 * k + 1] = a.y;
    x[3 * k + 2] = a.z;
  }

  int maxGroups_ = 0, groups_ = 0, n_ = 0;
  T tolerance_ = T(0);
  DirectReport<T> report_;
  AlignedArray<Group> group_;
  AlignedArray<T> g_, f_;              // [n n] P G P, and a factor
  AlignedArray<T> b_, best_, x_, w_;   // [n]
  AlignedArray<T> z_, u_;              // [n] of the proximal method: z_ its last answer
  AlignedArray<T> center_, equation_;  // [n]
  AlignedArray<T> step_, trial_;       // [n]
  AlignedArray<int> pivot_, place_;    // [n] place_: of a row among Newton's unknowns, or -1
  int rows_ = 0;                       // Newton's unknowns
  T softness_ = T(0), balance_ = T(1);
  T merit_ = T(0);  // |F|^2 where Newton stands
};

extern template class Direct<double>;
extern template class Direct<float>;

}  // namespace espalier::contact
