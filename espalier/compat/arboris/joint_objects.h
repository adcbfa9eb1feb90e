#pragma once

// Ideal joints as objects: one joint between a reference frame r and a new frame n, with its
// coordinates gpos and velocities gvel that answers queries by itself (arboris' conventions).
// The kinds are defined in model/joints/<kind>.h; these objects call them.
//
//   H_rn    pose of n in r, 4x4
//   T_nr    twist of n over r, [angular; linear], in n at n's origin;  T_nr = J(gpos) gvel
//   T_rn    twist of r over n, in r at r's origin;                     T_rn = -Ad(H_rn) T_nr
//   Ad(H) = [R 0; [p]R R],  ad(T) = [[w] 0; [v] [w]]
//
//   RzJoint hinge(3.14 / 3, 2.);
//   hinge.pose();  hinge.twist();  hinge.jacobian();
//   hinge.setGvel(0.5);
//   hinge.integrate(0.01);              // gpos + 0.01 gvel
//   spec.joints.push_back(hinge.spec("elbow", "arm", "forearm", X_PJ));
//
// Simulation::addLink() puts one between two frames (compat/arboris/simulation.h).

#include <array>
#include <string>

#include "espalier/model/joints/joint_kind.h"
#include "espalier/model/spec/spec.h"
#include "espalier/spatial/motion.h"

namespace espalier {

using Matrix4 = std::array<std::array<double, 4>, 4>;  ///< rows
using Matrix6 = std::array<std::array<double, 6>, 6>;
using Twist = std::array<double, 6>;  ///< [angular; linear]

/// Ad(H_ab): takes a twist in b at b's origin to a at a's origin.
Matrix6 adjoint(const Matrix4& H_ab);
/// The 4x4 matrix of a pose, and the pose of one.
Matrix4 poseMatrix(const Transformd& X);
Transformd poseOf(const Matrix4& H);
/// H_ba = H_ab^-1
Matrix4 inversePose(const Matrix4& H_ab);

/// What follows from the pose() and twist() of a joint.
template <class Joint>
class JointQueries {
 public:
  Matrix4 ipose() const;      ///< H_nr
  Twist itwist() const;       ///< T_rn
  Matrix6 iadjoint() const;   ///< Ad(H_nr)
  Matrix6 idadjoint() const;  ///< its rate, -ad(T_nr) Ad(H_nr)
};

/// A joint of N dofs whose velocities are the rates of its coordinates.
template <int N>
class JointObject : public JointQueries<JointObject<N>> {
 public:
  using Coordinates = std::array<double, N>;
  using Jacobian = std::array<std::array<double, N>, 6>;  ///< 6 rows

  static constexpr int ndof() { return N; }
  const Coordinates& gpos() const { return gpos_; }
  const Coordinates& gvel() const { return gvel_; }
  ///   errors  throws std::invalid_argument where a number is not finite; nothing has changed then
  void setGpos(const Coordinates& gpos);
  void setGvel(const Coordinates& gvel);
  void setGpos(double gpos) requires(N == 1) { setGpos(Coordinates{gpos}); }
  void setGvel(double gvel) requires(N == 1) { setGvel(Coordinates{gvel}); }

  /// gpos += dt gvel, in arboris' order: with the velocities at the end of the step.
  ///   in   dt  s; finite, else std::invalid_argument
  void integrate(double dt);
  /// setGvel(gvel), then integrate(dt).
  void integrate(const Coordinates& gvel, double dt);

  /// This joint between two links of a SystemSpec. gpos and gvel are the state's and not in it.
  ///   in   X_PJ  r in the parent link; n is the child link's frame
  JointSpec spec(const std::string& name, const std::string& parent, const std::string& child,
                 const Transformd& X_PJ = identityTransform<double>()) const;

  Matrix4 pose() const;  ///< H_rn
  Twist twist() const;   ///< T_nr
  Jacobian jacobian() const;
  Jacobian djacobian() const;  ///< the Jacobian's rate along gvel

  JointKind kind() const { return kind_; }
  /// In r: the axis of a hinge or slider, or those of turns in sequence.
  const std::array<Vec3d, 3>& axes() const { return axes_; }

 protected:
  JointObject(JointKind kind, const std::array<Vec3d, 3>& axes, const Coordinates& gpos,
              const Coordinates& gvel)
      : kind_(kind), axes_(axes), gpos_(gpos), gvel_(gvel) {}

 private:
  JointKind kind_;
  std::array<Vec3d, 3> axes_;
  Coordinates gpos_, gvel_;
};
extern template class JointObject<1>;
extern template class JointObject<2>;
extern template class JointObject<3>;

/// A kind and the axes of r it turns about or slides along, in sequence.
template <JointKind Kind, char... Axes>
class AxisJoint : public JointObject<info(Kind).nv> {
  using Base = JointObject<info(Kind).nv>;
  static constexpr Vec3d unit(char axis) {
    return {axis == 'x' ? 1.0 : 0.0, axis == 'y' ? 1.0 : 0.0, axis == 'z' ? 1.0 : 0.0};
  }

 public:
  using Coordinates = typename Base::Coordinates;

  explicit AxisJoint(const Coordinates& gpos = {}, const Coordinates& gvel = {})
      : Base(Kind, {unit(Axes)...}, gpos, gvel) {}
  explicit AxisJoint(double gpos, double gvel = 0) requires(info(Kind).nv == 1)
      : AxisJoint(Coordinates{gpos}, Coordinates{gvel}) {}
};

using RxJoint = AxisJoint<JointKind::Revolute, 'x'>;
using RyJoint = AxisJoint<JointKind::Revolute, 'y'>;
using RzJoint = AxisJoint<JointKind::Revolute, 'z'>;
using RzRyJoint = AxisJoint<JointKind::Universal, 'z', 'y'>;
using RzRxJoint = AxisJoint<JointKind::Universal, 'z', 'x'>;
using RyRxJoint = AxisJoint<JointKind::Universal, 'y', 'x'>;
using RzRyRxJoint = AxisJoint<JointKind::Euler, 'z', 'y', 'x'>;
using TxJoint = AxisJoint<JointKind::Prismatic, 'x'>;
using TyJoint = AxisJoint<JointKind::Prismatic, 'y'>;
using TzJoint = AxisJoint<JointKind::Prismatic, 'z'>;
using TxTyTzJoint = AxisJoint<JointKind::Translation>;

/// No constraint at all: gpos is H_rn itself, gvel the twist T_nr. (The joint kind Floating moves
/// the same way but counts velocities in r; docs/conventions.md.)
class FreeJoint : public JointQueries<FreeJoint> {
 public:
  using Jacobian = Matrix6;

  FreeJoint();
  /// pre  gpos is a pose: a rotation, a position and the row 0 0 0 1; else std::invalid_argument
  explicit FreeJoint(const Matrix4& gpos, const Twist& gvel = {});

  static constexpr int ndof() { return 6; }
  const Matrix4& gpos() const { return gpos_; }
  const Twist& gvel() const { return gvel_; }
  ///   errors  throws std::invalid_argument where gpos is no pose; nothing has changed then
  void setGpos(const Matrix4& gpos);
  ///   errors  throws std::invalid_argument where a number is not finite
  void setGvel(const Twist& gvel);

  /// gpos = gpos exp(dt gvel); the rotation stays orthonormal.
  ///   in   dt  s; finite, else std::invalid_argument
  void integrate(double dt);
  /// setGvel(gvel), then integrate(dt).
  void integrate(const Twist& gvel, double dt);

  /// As JointObject::spec(), of kind Floating, whose velocities are counted in r.
  JointSpec spec(const std::string& name, const std::string& parent, const std::string& child,
                 const Transformd& X_PJ = identityTransform<double>()) const;

  Matrix4 pose() const { return gpos_; }
  Twist twist() const { return gvel_; }
  Jacobian jacobian() const;
  Jacobian djacobian() const { return {}; }

 private:
  Matrix4 gpos_;
  Twist gvel_;
};

}  // namespace espalier
