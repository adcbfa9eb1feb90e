#pragma once

// Newton's method on the velocities of one island: an augmented Lagrangian for the impulses, and
// inside it a semismooth Newton method in the numbers a of its movers (contact/side.h), of which
// there are as many as degrees of freedom, whatever the number of contacts.
//
//   v_i(a) = b_i + Y_i' a,      w_i = v_i + mu |v_T,i| n           (De Saxce and Feng 1998)
//   P_i(a) = P_K(c_i - rho_i w_i),   rho_i = s / D_i               c: the multipliers
//   F(a)   = a - sum (Y_i D)' P_i(a) = 0                           then c = P(a)
//   H      = 1 + sum (Y_i D)' K_i Y_i',   K_i = rho_i dP_i dw_i/dv_i    3 x 3
//
// A sliding contact makes its K unsymmetric. A contact adds a block to H on the dofs that move its
// body, where the mass matrix has its pattern already, so H is factored by a sparse LU; redundant
// contacts only add to what is there. Dry friction, motors and limits of joints are such blocks of
// one row; their sum is kept, since few of them change their status in a step. Rolling friction hangs on the P of its contact.
//
// The multipliers converge linearly, by a factor of about 1/s: s begins low, where Newton's steps
// are long, and grows while one step an update is enough. Where a line search fails, s falls.
//
//   from  Alart and Curnier 1991; Todorov 2014 (Newton's method in joint space, for soft contact)
//
// The law is met where |c - P| D / s and F vanish; the residual reported is that of the law itself.

#include "espalier/contact/island_rows.h"

namespace espalier::contact {

/// Outcome of a solve, by lane.
template <class T>
struct PrimalReport {
  T residual;  ///< m/s, the largest over the groups at the impulses handed back
  int steps = 0;
};

/// How long a solve may take: so many steps. After n of them, from `firstSteps` on, it is given up
/// where the multipliers' change was never less than far (firstSteps / n)^4, m/s.
template <class T>
struct PrimalBudget {
  int steps;
  int firstSteps = steps;
  T far = bc<T>(0.0);

  T wanted(int n) const {
    const auto share = value_t<T>(firstSteps) / value_t<T>(n);
    return far * bc<T>(share * share * share * share);
  }
};

/// One row of the joints' terms, low <= P <= high.
template <class T>
struct BoundedRow {
  T inverse;    ///< 1 / D
  T soft;       ///< Problem::own
  T low, high;  ///< N s or N m s
};

template <class T>
class PrimalNewton {
 public:
  /// Room for so many groups of an island and so many numbers of its movers; the only call that
  /// allocates.
  ///   in  groups, numbers, columns  of the problem (Capacity)
  void reserve(int groups, int numbers, int columns);
  /// Forgets what was loaded: another G or island comes.
  void forget() { island_ = -1; }

  /// Reads an island, once; false where it is too large, or given by blocks instead of sides.
  bool load(const Problem<T>& problem, typename Problem<T>::Island island);
  /// Of the island's movers.   pre  load(problem, island)
  int numbers() const { return rows_.numbers(); }
  /// Multiplications of one step, about.   pre  load(problem, island)
  long operations() const { return lu_.operations() + rows_.operations(); }
  /// The largest residual of the groups, m/s.   pre  load(problem, island)
  T residual(const Problem<T>& problem, typename Problem<T>::Island island, Vec3<T>* lambda);
  /// Solves an island in the lanes `live`.
  ///   io   lambda    the warm start; on return the best that was met, the warm start included
  ///   in   residual  m/s, of the warm start
  ///   pre  load(problem, island)
  PrimalReport<T> solve(const Problem<T>& problem, typename Problem<T>::Island island,
                        Vec3<T>* lambda, const T& residual, value_t<T> tolerance,
                        const PrimalBudget<T>& budget, mask_t<T> live);
  /// Primal-dual steps, eight at most. They find the solution in one or two where the warm start has
  /// nearly the status of every contact, and do not always find it elsewhere:
  ///
  ///   x = lambda - w / D,  R = P_K(x) - lambda,  J = dP_K,  B = (1 - (1 - e) J)^-1
  ///   dlambda = B (R - J dw / D),   (1 + sum (Y D)' K Y') da = sum (Y D)' B R,   K = B J dw/dv / D
  ///
  /// e = 1 / s regularises contacts that are redundant and keeps impulses near the last ones: s begins
  /// high, and falls where a step does not lower the residual, because contacts at the edge between two
  /// statuses are then found without a round of multipliers. The residual may rise for three steps in a
  /// row, since a contact that changes its status often raises it once, and impulses need not be
  /// admissible on the way. The R of rolling friction also has what its bound gains by the dlambda of
  /// its contact.
  ///   io   lambda    the warm start; on return the best that was met, admissible where it is a solution
  ///   in   residual  m/s, of the warm start
  ///   pre  residual(problem, island, lambda) was the last call: v of the warm start is known
  PrimalReport<T> trySteps(const Problem<T>& problem, typename Problem<T>::Island island,
                           Vec3<T>* lambda, const T& residual, value_t<T> tolerance,
                           mask_t<T> live);

 private:
  using Island = typename Problem<T>::Island;

  /// a = sum (Y D)' lambda
  void push(const Vec3<T>* lambda, T* a) const;
  /// P, K and F at a; |F|, m/s.
  T evaluate(const Problem<T>& problem, Island island, const T* a);
  void single(int k, const T& rate);
  void coulomb(const Problem<T>& problem, int i, int k, const Vec3<T>& v);
  /// B R in center_, and K; of rolling friction the derivative by its contact's impulse in pull_.
  void linearise(const Problem<T>& problem, int i, int k, const Vec3<T>& lambda, const Vec3<T>& v);
  void lineariseTorsion(const Problem<T>& problem, int i, int k, const Vec3<T>& lambda,
                        const Vec3<T>& v);
  /// F, K and the targets center_ of a primal-dual step from p_ and v_.
  void findTargets(const Problem<T>& problem, Island island);
  /// The first length on the way to the targets at which the residual is below `most`; p_ and v_ are there.
  ///   io   live   lanes that go on; those that find none do not
  ///   returns the residual
  T findFall(const Problem<T>& problem, Island island, Vec3<T>* lambda, const T& most,
             mask_t<T>& live);
  /// Takes the nearest impulses that the law allows, in the lanes asked.
  ///   in  found  the residual of those before, which are in p_, lambda and trial_
  ///   returns    the residual, to a hundredth of the goal
  T admit(const Problem<T>& problem, Island island, Vec3<T>* lambda, const T& found, const T& goal,
          mask_t<T> asked);
  void forgetSum();
  void setDiagonal(int k, const Vec3<T>& stiffness);
  T residualAt(const Problem<T>& problem, Island island, Vec3<T>* lambda);
  void bounded(const Problem<T>& problem, int i, int k, const Vec3<T>& v);
  void torsion(const Problem<T>& problem, int i, int k, const Vec3<T>& v);
  /// Newton's step in step_, from P, K and F.
  void findStep();
  /// Along step_ to where |F| is below `enough` or falls enough, or falls most: the share of the step, 0 where
  /// it does not fall. P, K and F are those of the last trial.
  ///   io  size  |F| at a; there
  T lineSearch(const Problem<T>& problem, Island island, mask_t<T> live, const T& enough, T& size,
               bool& isLast);
  /// The residual of the impulses P, which become lambda; where `asked` is true and it is less than
  /// the best one, they become the best.
  T judge(const Problem<T>& problem, Island island, Vec3<T>* lambda, mask_t<T> asked,
          PrimalReport<T>& report);
  /// The first a, P, K and F, and the first scale; |F|.
  T begin(const Problem<T>& problem, Island island, const Vec3<T>* lambda, const T& residual,
          const T& goal);
  /// a after a step of that length; where lanes are stuck a is that of the multipliers again.
  void move(const T& length, mask_t<T> moves, mask_t<T> stuck);
  void polish(const Problem<T>& problem, Island island, Vec3<T>* lambda, mask_t<T> asked,
              PrimalReport<T>& report);

  struct Row : BoundedRow<T> {
    T weight, isInSum;  // K / s; its part in the sum G
  };
  void readRow(const Problem<T>& problem, int i, int k);

  int island_ = -1;
  bool isLoaded_ = false;
  IslandRows<T> rows_;
  SparseLu<T> lu_;
  AlignedArray<T> weight_;                   // [numbers] |F|^2 = sum weight F^2, (m/s)^2
  AlignedArray<Vec3<T>> center_, p_, best_;  // [groups]
  AlignedArray<Vec3<T>> v_;                  // [groups] v at P, of residualAt()
  AlignedArray<Mat3<T>> k_;                  // [groups]
  AlignedArray<bool> isActive_;              // [groups] K is not zero in some lane
  AlignedArray<Row> row_;                    // [groups] of single ones
  AlignedArray<T> g_;                        // as H: the sum of the single groups' blocks by s
  AlignedArray<Vec3<T>> pull_;               // [groups] dP of rolling friction by its contact's P_N
  AlignedArray<Vec3<T>> before_;             // [groups] impulses that a step starts from
  AlignedArray<T> a_, trial_, f_, step_;     // [numbers, three more]
  T scale_{}, apart_{};                      // s; the largest |c - P| D / s, m/s
};

}  // namespace espalier::contact
