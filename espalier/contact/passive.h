#pragma once

// The impulses applied after a solve that did not reach its tolerance: they add no energy to the
// system beyond that of the law's own bias speeds.
//
// Let g be the part of b = J u_free + g that is not a velocity of the movers: the speed at which the
// law pushes bodies apart, and the motion of kinematic bodies. Every solution has
//   lambda . v <= 0                                   (normals do no work on v, friction takes some)
// so that the kinetic energy changes by at most -lambda . g. Impulses that are no solution are scaled
// by the largest factor s <= 1 with
//   s lambda . (s G lambda + b) <= 0,   s lambda . (b - g) + s^2/2 lambda . G lambda <= E
//   E = 1/2 m |g|^2 + sum over rows of 1/2 g_r^2 / (n G_rr)
// m is the mass of the island's movers, |g| the largest g of a contact, n the number of contacts of the
// same two bodies; normals count only where g pushes. E is the energy that gives all of them the
// speed g, plus that of each row's effective mass at its g_r. Cones, intervals that hold zero and
// ellipsoids are closed under scaling.
//
// The second bound ends jams: where a moving plate presses a body against the ground no impulse
// satisfies the law, or only because the two are not quite parallel, by impulses without limit. It holds
// for solutions, too. Where the scaled impulses are far from the law those of a compliant contact are
// tried: the minimum over the cones of
//   1/2 lambda . (G + diag n G_rr) lambda + b . lambda
// which is convex and has both properties. It is found by projected Gauss-Seidel steps from zero. The
// mean square of the law's residuals decides between the two: by the largest one a tall pile whose sweeps
// end early would be made compliant, and sink.

#include "espalier/contact/problem.h"

namespace espalier::contact {

template <class T>
struct PassiveReport {
  T residual;              ///< m/s, of the impulses handed back
  bool isReduced = false;  ///< by more than 1e-3, or compliant contacts took their place
};

/// Whether the law or a kinematic body pushes a contact by more than 0.1 m/s: the second bound is
/// then checked after converged solves, too.
template <class T>
bool pushes(const Vec3<T>& given) {
  const T most = T(0.1);
  return given.z < -most || given.x * given.x + given.y * given.y > most * most;
}

/// T is a plain number: lanes leave failed solves to the scalar path.
template <class T>
class Passive {
 public:
  /// The only call that allocates.
  ///   in  groups, numbers  of the problem
  void reserve(int groups, int numbers);

  /// io  lambda    the impulses of an island
  ///   in  residual  m/s, theirs;  isSolved  whether it is good enough
  PassiveReport<T> limit(const Problem<T>& problem, typename Problem<T>::Island island,
                         Vec3<T>* lambda, T residual, bool isSolved);

  /// A tenth of the largest speed that the law asks for, m/s: a larger residual is far from it.
  static T farFrom(const Problem<T>& problem, typename Problem<T>::Island island);
  static bool isFar(const Problem<T>& problem, typename Problem<T>::Island island, T residual) {
    return !(residual <= farFrom(problem, island));
  }
  /// pushes() of some contact.
  static bool isPushed(const Problem<T>& problem, typename Problem<T>::Island island);

 private:
  using Island = typename Problem<T>::Island;
  void push(const Problem<T>& problem, Island island, const Vec3<T>* lambda);
  Vec3<T> velocity(const Problem<T>& problem, int i, const Vec3<T>* lambda) const {
    return problem.hasBlocks(i) ? problem.velocity(i, lambda)
                                : problem.velocity(i, lambda, a_.data());
  }
  void findCrowds(const Problem<T>& problem, Island island);
  T allowed(const Problem<T>& problem, Island island);
  T share(const Problem<T>& problem, Island island, const Vec3<T>* lambda, bool isSolved);
  T scale(const Problem<T>& problem, Island island, Vec3<T>* lambda, bool isSolved);
  /// Of an island: the largest, m/s, and the sum of their squares, (m/s)^2.
  struct Residuals {
    T largest = T(0), square = T(0);
  };
  Residuals residuals(const Problem<T>& problem, Island island, const Vec3<T>* lambda);
  void comply(const Problem<T>& problem, Island island, Vec3<T>* lambda, int sweeps);

  AlignedArray<T> a_;            // numbers of the movers: sum of (Y' D)' lambda
  AlignedArray<Vec3<T>> other_;  // groups
  AlignedArray<T> crowd_;        // groups: n
  AlignedArray<bool> isSeen_;    // numbers: the mover that begins there
};

extern template class Passive<double>;
extern template class Passive<float>;

}  // namespace espalier::contact
