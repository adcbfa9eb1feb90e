#pragma once

// Geared rotors that need no body of their own. Such a rotor is symmetric about its joint's axis a,
// has its centre of mass on it, carries nothing, and spins by s = sum of n_j u_j, as one coupling or
// mimic says. Its inertia is its carrier P's as if it were welded there; what spinning adds is
//
//   T = 1/2 I s^2 + I s a . w_P              I about a
//
// Where the joints j and the ones between them and P turn about axes along a, a . w_P is what the
// carrier of j turns plus a sum of rates, and T is quadratic in rates but for one term of each j:
//
//   T = 1/2 u' M0 u + sum of kappa_j u_j z_j . w_carrier(j)
//
// with constants M0 and kappa: no state, no pass over rotors. Exact, gyroscopic couples included. The
// rates are those of the spanning tree, so that loops beside it change nothing.

#include <string>
#include <vector>

#include "espalier/model/spec/spec.h"

namespace espalier {

/// One such rotor; joints are indices in SystemSpec::joints.
struct Gyrostat {
  int joint = 0;
  struct Term {
    int joint;
    double factor;
  };
  std::vector<Term> terms;  ///< its angle: sum of factor q + offset
  double offset = 0;        ///< rad
  double inertia = 0;       ///< kg m^2 about its axis
};

/// Terms of a system's gyrostats in its equations of motion.
struct Gyrostats {
  std::vector<Gyrostat> rotors;       ///< in order of their joints
  std::vector<char> isRotor;          ///< [joints]
  std::vector<double> spin, inertia;  ///< [joints] kappa and the diagonal of M0, kg m^2
  struct Pair {
    int joint, carrier;  ///< the carrier's joint
    double inertia;
  };
  std::vector<Pair> pairs;  ///< the other entries of M0 that are not zero

  /// Links that resemble a gyrostat (flagged dependent, or nearly one) but stay bodies.
  struct Kept {
    int joint;
    std::string why;
  };
  std::vector<Kept> kept;  ///< in order of their joints

  bool isEmpty() const { return rotors.empty(); }
  bool isA(int joint) const { return !rotors.empty() && isRotor[joint] != 0; }
};

/// The gyrostats of a system; its other rotors are bodies of clusters. None where
/// SystemSpec::rotorsAsBodies says so.
///   pre  checkSpec() had no error
Gyrostats findGyrostats(const SystemSpec& spec);

}  // namespace espalier
