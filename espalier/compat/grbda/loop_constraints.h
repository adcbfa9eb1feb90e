#pragma once

// Loop constraints by the names of generalized_rbda: how the coordinates q of the bodies
// of a cluster follow from fewer, y.
//
//              position        velocity       acceleration
//   implicit   phi(q) = 0      K u = 0        K udot = k          k = -Kdot u
//   explicit   q = gamma(y)    u = G ydot     udot = G yddot + g  g = Gdot ydot
//
//   LoopConstraint::Generic pin({true, false, false}, [](const auto& q) {
//     return std::array{0.4 * cos(q[0]) + cos(q[0] + q[1]) - 1.0 - 0.8 * cos(q[2]),
//                       0.4 * sin(q[0]) + sin(q[0] + q[1]) - 0.8 * sin(q[2])};
//   });
//   const std::vector<double> q = pin.gamma({0.3}, {0.3, 0.5, 1.5});
//   pin.K(q);  pin.G(q);  pin.k(q, u);  pin.g(q, u);
//
// Immutable; a cluster joint shares one. For other scalars than double: data() and
// compat/grbda/cluster_equations.h.

#include <array>
#include <vector>

#include "espalier/compat/grbda/cluster_equations.h"
#include "espalier/model/spec/trace.h"

namespace espalier::LoopConstraint {

class Base {
 public:
  virtual ~Base() = default;

  int numSpanningPos() const { return data_.nq; }
  int numSpanningVel() const { return data_.nv; }
  virtual int numIndependentPos() const { return data_.nyPositions(); }
  int numIndependentVel() const { return data_.ny(); }
  int numConstraints() const { return data_.rows(); }
  /// Whether gamma(y) needs no place to start from.
  virtual bool isExplicit() const { return false; }

  /// All coordinates of y.
  ///   pre  isExplicit(), else std::invalid_argument
  virtual std::vector<double> gamma(const std::vector<double>& y) const;
  /// All coordinates of y, nearest to `near`: Newton on the dependent ones.
  ///   pre  it reaches |phi| < 1e-13 from there, else std::invalid_argument with what is left
  std::vector<double> gamma(const std::vector<double>& y, const std::vector<double>& near) const;
  /// y of all coordinates on the constraint.
  std::vector<double> independentOf(const std::vector<double>& q) const;

  std::vector<double> phi(const std::vector<double>& q) const;  ///< [numConstraints]
  DenseMatrix<double> K(const std::vector<double>& q) const;    ///< [numConstraints][nv]
  DenseMatrix<double> G(const std::vector<double>& q) const;    ///< [nv][numIndependentVel]
  std::vector<double> k(const std::vector<double>& q, const std::vector<double>& u) const;
  std::vector<double> g(const std::vector<double>& q, const std::vector<double>& u) const;
  /// All of them at once; u spanning.
  ConstraintValues<double> at(const std::vector<double>& q) const;
  ConstraintValues<double> at(const std::vector<double>& q, const std::vector<double>& u) const;

  const ConstraintData& data() const { return data_; }

 protected:
  explicit Base(ConstraintData data);

 private:
  ConstraintData data_;
};

/// G and K constant, g = k = 0.
class Static : public Base {
 public:
  /// pre  K G = 0, and together they have as many columns and rows as there are coordinates and
  ///      full rank
  Static(const DenseMatrix<double>& G, const DenseMatrix<double>& K);

  bool isExplicit() const override { return true; }
  using Base::gamma;
  std::vector<double> gamma(const std::vector<double>& y) const override;
};

/// Nothing is tied. Seven positions (x y z, quaternion w x y z) for six velocities.
class Free : public Base {
 public:
  Free();

  int numIndependentPos() const override { return 7; }
  bool isExplicit() const override { return true; }
  using Base::gamma;
  std::vector<double> gamma(const std::vector<double>& y) const override { return y; }
};

/// A user's own, written once as a function of a scalar type (model/spec/trace.h).
class Generic : public Base {
 public:
  /// Implicit.
  ///   in   isIndependent  of each coordinate
  ///   in   phi            of all coordinates; as many numbers as there are dependent rates
  ///   in   quaternions    the first coordinate of each spherical joint: four coordinates w x y z, of
  ///                       one unit quaternion, for three rates; independent or dependent as a
  ///                       whole. That it is unit is no row of phi
  template <class Phi>
  Generic(const std::vector<bool>& isIndependent, const Phi& phi,
          const std::vector<int>& quaternions = {})
      : Generic(isIndependent, trace(static_cast<int>(isIndependent.size()), phi), quaternions) {}
  Generic(const std::vector<bool>& isIndependent, const Tape& phi,
          const std::vector<int>& quaternions = {});

  /// Explicit: all coordinates of y, each y among them.
  template <class Gamma>
  static Generic fromGamma(int independent, const Gamma& gamma) {
    return fromGamma(trace(independent, gamma));
  }
  static Generic fromGamma(const Tape& gamma);

  bool isExplicit() const override { return gamma_.has_value(); }
  using Base::gamma;
  std::vector<double> gamma(const std::vector<double>& y) const override;

 private:
  explicit Generic(ConstraintData data) : Base(std::move(data)) {}

  std::optional<Tape> gamma_;
};

/// A planar four-bar. q = first joint of the first path, joint of the second path, second joint of
/// the first path; the second path begins at `offset` and its end meets that of the first.
class FourBar : public Base {
 public:
  ///   in  path1, path2  lengths of the links
  ///   in  independent   place in q
  FourBar(const std::array<double, 2>& path1, double path2, const std::array<double, 2>& offset,
          int independent);
};

/// The differential drives of the Tello humanoid: two rotors drive two joints in series by two rods
/// each. q = rotor 1, rotor 2, joint 1, joint 2; y = the rotors behind their gears.
class TelloDifferential : public Base {
 public:
  enum class Kind { HIP, KNEE_ANKLE };

  explicit TelloDifferential(Kind kind, double gear_ratio = 6);

  /// The rotors (before their gears) that hold the joints, in closed form; the way the robot is
  /// built, of the two that there are.
  ///   pre  the rods reach, else std::invalid_argument
  std::array<double, 2> rotorsAt(const std::array<double, 2>& joints) const;

 private:
  Kind kind_;
  double gear_ratio_;
};

}  // namespace espalier::LoopConstraint
