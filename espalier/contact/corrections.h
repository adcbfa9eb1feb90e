#pragma once

// Detects solutions whose position corrections add more energy than their speeds account for.
//
// Let g be the part of b that is no velocity of the movers (Problem::given). Impulses lambda change
// their kinetic energy, beside what it would be without them, by
//   lambda . (b - g) + 1/2 lambda . G lambda  =  1/2 lambda . (v + b) - lambda . g  <=  -lambda . g
// The speeds |g| of all contacts that carry a load, one after another, given to all that moves, are worth
// 1/2 m (sum |g|)^2, those of rows of joints 1/2 g^2 / G_rr each; normals count where g pushes. Close to
// where links wedge one another a tiny speed along a contact calls for a large one of the joints, and for
// energy without limit.

#include "espalier/contact/problem.h"

namespace espalier::contact {

/// kg, mass of an island's movers, each once.
template <class T>
value_t<T> massOf(const Problem<T>& problem, typename Problem<T>::Island island) {
  value_t<T> mass = 0;
  for (int k = 0; k < island.size(); ++k)
    for (const Side<T>& side : problem.sides(island[k])) {
      bool isNew = true;
      for (int j = 0; j < k && isNew; ++j)
        for (const Side<T>& other : problem.sides(island[j])) isNew &= other.mover != side.mover;
      if (isNew) mass += problem.mass(side.mover);
    }
  return mass;
}

/// The lanes in which a solution's corrections put more than twice in what they call for. Motors, welds and loops
/// have none: what they put in is theirs.
///   in  velocity  velocity(i) is v_i at lambda; asked only where g may matter
template <class T, class Velocity>
mask_t<T> putsMuchIn(const Problem<T>& problem, typename Problem<T>::Island island,
                     const Vec3<T>* lambda, const Velocity& velocity) {
  const T zero = bc<T>(0.0), half = bc<T>(0.5);
  T onGiven = zero, onFree = zero;
  for (const int i : island) {
    onFree = onFree + abs(dot(lambda[i], problem.freeVelocity(i)));
    if (problem.kind(i) != Kind::Bounded) onGiven = onGiven - dot(lambda[i], problem.given(i));
  }
  const mask_t<T> mayMatter = onGiven > onFree * bc<T>(1e-3);
  if (!any(mayMatter)) return mayMatter;
  T put = zero, speed = zero, ofJoints = zero;
  for (const int i : island) {
    Vec3<T> g = problem.given(i);
    const Vec3<T>& l = lambda[i];
    const T own = half * dot(l, velocity(i) + problem.freeVelocity(i)) - dot(l, g);
    if (problem.kind(i) == Kind::Bounded) {
      put = put + min(own, zero);
      continue;
    }
    put = put + own;
    g.z = min(g.z, zero);
    const Sym3<T>& G = problem.diagonal(i);
    const T square = select(dot(l, l) > zero, dot(g, g), zero);
    const mask_t<T> isContact = G.xx > zero;
    speed = speed + select(isContact, sqrt(square), zero);
    ofJoints = ofJoints + select(isContact | !(G.zz > zero), zero, half * square / G.zz);
  }
  const T mass = bc<T>(massOf(problem, island));
  return mayMatter & (put > fma(mass, speed * speed, ofJoints + ofJoints));
}

}  // namespace espalier::contact
