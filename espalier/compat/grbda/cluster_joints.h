#pragma once

// Cluster joints by the names of generalized_rbda: several bodies, how tree joints
// carry them, and the loop constraint that ties the coordinates of these. One answers for itself:
//
//   S    [6N][ny]  vJ = S ydot, the twist of each of its N bodies over its output body (the nearest
//                  one outside the cluster), [angular; linear] in the body's coordinates
//   vJ   [6N]
//   cJ   [6N]      Sring ydot: the rate of vJ's numbers at yddot = 0
//   G, g, K, k     of the loop constraint (compat/grbda/loop_constraints.h)
//
//   ClusterJoint::RevoluteWithRotor knee({{.axes = {{{0, 1, 0}}}}, {.axes = {{{0, 1, 0}}}}, 6.0});
//   knee.updateKinematics({0.3}, {1.2});
//   knee.S();  knee.vJ();  knee.cJ();  knee.G();
//
// For compile() and worlds these are joints, loops and couplings of a SystemSpec, where any cluster
// is found by itself (docs/loops.md). For other scalars than double: clusterKinematics() with
// bodies() and loopConstraint().data() (compat/grbda/cluster_equations.h).

#include <concepts>
#include <memory>

#include "espalier/compat/grbda/loop_constraints.h"

namespace espalier {

/// A link, its rotor on the link's output body, and the ratio of their angles.
struct GearedTransmissionModule {
  ClusterBody link, rotor;
  double gear_ratio = 1;
};

/// Link i of a chain of N, its rotor on the chain's output body and a belt that runs round the
/// joints 1 .. i of the chain:
///   q_rotor = gear_ratio sum_{j <= i} (prod_{m <= j} belt_ratios[m]) q_link_j
template <int N>
struct ParallelBeltTransmissionModule {
  ClusterBody link, rotor;
  double gear_ratio = 1;
  std::array<double, N> belt_ratios{};
};

struct TelloDifferentialModule {
  ClusterBody rotor_1, rotor_2, link_1, link_2;
  double gear_ratio = 6;
};

namespace ClusterJoint {

class Base {
 public:
  /// Sets S, vJ, cJ, G, g, K, k.
  ///   in   position  independent coordinates, of an explicit constraint, or all of them
  ///   in   velocity  independent ones, ydot, or all of them
  ///   pre  all of them agree with the constraint, |phi| and |K u| <= 1e-8, and quaternions are unit
  ///        to as much, else std::invalid_argument with what is left; nothing has changed then
  void updateKinematics(const std::vector<double>& position, const std::vector<double>& velocity);

  const DenseMatrix<double>& S() const { return kinematics_.S; }
  const std::vector<double>& vJ() const { return kinematics_.vJ; }
  const std::vector<double>& cJ() const { return kinematics_.cJ; }
  const DenseMatrix<double>& G() const { return constraint_values_.G; }
  const DenseMatrix<double>& K() const { return constraint_values_.K; }
  const std::vector<double>& g() const { return constraint_values_.g; }
  const std::vector<double>& k() const { return constraint_values_.k; }
  const std::vector<double>& spanningPosition() const { return q_; }
  const std::vector<double>& spanningVelocity() const { return u_; }
  /// Of a body in its output body.
  const Transformd& pose(int body) const;

  int numBodies() const { return static_cast<int>(bodies_.size()); }
  int numPositions() const { return constraint_->numIndependentPos(); }
  int numVelocities() const { return constraint_->numIndependentVel(); }
  const std::vector<ClusterBody>& bodies() const { return bodies_; }
  const LoopConstraint::Base& loopConstraint() const { return *constraint_; }

 protected:
  /// pre  parents stand before their bodies, axes are unit, and the joints have the coordinates
  ///      that the constraint ties
  Base(std::vector<ClusterBody> bodies, std::shared_ptr<const LoopConstraint::Base> constraint);

 private:
  std::vector<ClusterBody> bodies_;
  std::shared_ptr<const LoopConstraint::Base> constraint_;
  std::vector<double> q_, u_;
  ConstraintValues<double> constraint_values_;
  ClusterKinematics<double> kinematics_;
};

/// A floating base. q = x y z, quaternion w x y z; its velocity is the twist in its own coordinates.
class Free : public Base {
 public:
  Free();
};

class Revolute : public Base {
 public:
  explicit Revolute(const ClusterBody& link);
};

/// Two links in series, not tied. q = link 1, link 2.
class RevolutePair : public Base {
 public:
  RevolutePair(const ClusterBody& link_1, const ClusterBody& link_2);
};

/// A geared joint. q = link, rotor; y = link.
class RevoluteWithRotor : public Base {
 public:
  explicit RevoluteWithRotor(const GearedTransmissionModule& module);
};

/// Two links in series driven by belts. q = link 1, rotor 1, rotor 2, link 2; y = the links.
class RevolutePairWithRotor : public Base {
 public:
  RevolutePairWithRotor(const ParallelBeltTransmissionModule<1>& proximal,
                        const ParallelBeltTransmissionModule<2>& distal);
};

/// Three links in series driven by belts. q = links 1, 2, 3, rotors 1, 2, 3; y = the links.
class RevoluteTripleWithRotor : public Base {
 public:
  RevoluteTripleWithRotor(const ParallelBeltTransmissionModule<1>& proximal,
                          const ParallelBeltTransmissionModule<2>& intermediate,
                          const ParallelBeltTransmissionModule<3>& distal);
};

/// q = rotor 1, rotor 2, link 1, link 2; y = the rotors behind their gears.
class TelloDifferential : public Base {
 public:
  using Kind = LoopConstraint::TelloDifferential::Kind;

  TelloDifferential(Kind kind, const TelloDifferentialModule& module);
  const LoopConstraint::TelloDifferential& differential() const;
};

/// A planar four-bar in the xy plane of its frame. q = first link of the first path, link of the
/// second path, second link of the first path.
class FourBar : public Base {
 public:
  /// in  X_PF  where the first joint stands, in the output body
  FourBar(const std::array<double, 2>& path1, double path2, const std::array<double, 2>& offset,
          int independent, const Transformd& X_PF = identityTransform<double>());
};

/// Any bodies, any joints, any constraint. It has to know which coordinates are quaternions of
/// spherical joints (LoopConstraint::Generic); a floating joint stands in ClusterJoint::Free only.
class Generic : public Base {
 public:
  Generic(std::vector<ClusterBody> bodies, std::shared_ptr<const LoopConstraint::Base> constraint)
      : Base(std::move(bodies), std::move(constraint)) {}
  /// The same with a copy of the constraint.
  template <class Constraint>
  requires std::derived_from<Constraint, LoopConstraint::Base> Generic(
      std::vector<ClusterBody> bodies, const Constraint& constraint)
      : Base(std::move(bodies), std::make_shared<Constraint>(constraint)) {}
};

}  // namespace ClusterJoint
}  // namespace espalier
