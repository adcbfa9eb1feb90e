// Queries of a robot's dynamics: M, h, energies, momenta, frames, Jacobians.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "articulated_bindings.h"

namespace espalier::python {

using namespace nb::literals;
using Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
using RobotFrame = Robot::Frame;

namespace {

using Point = std::optional<Vec<3>>;

Vector3d velocity(const Robot& r, const BodyArg& of, const Point& point, RobotFrame ofPoint,
                  RobotFrame ofVelocity) {
  Vector3d v;
  const int body = of.in(r);
  if (!point && ofVelocity == Robot::WORLD_FRAME)
    r.getVelocity(body, v);
  else
    r.getVelocity(body, point ? ofPoint : Robot::BODY_FRAME, point.value_or(Vec<3>()), ofVelocity,
                  v);
  return v;
}

/// A matrix [3][nv] that a function fills.
template <class F>
MatrixXd jacobian(const Robot& r, F&& fill) {
  MatrixXd J = MatrixXd::Zero(3, r.getDOF());
  fill(J);
  return J;
}

template <class F>
SparseJacobian sparse(F&& fill) {
  SparseJacobian J;
  fill(J);
  return J;
}

void bindMomentum(RobotClass& robot) {
  robot.def_prop_ro("total_mass", method(&Robot::getTotalMass), "float: kg")
      .def_prop_ro("com", method(&Robot::getCOM), "(3,) m, centre of mass")
      .def_prop_ro("body_com_W", method(&Robot::getBodyCOM_W),
                   "(bodies, 3) m, centres of mass in the world")
      .def_prop_ro("composite_mass", method(&Robot::getCompositeMass),
                   "(bodies,) kg, of each body and all it carries")
      .def_prop_ro("composite_com", method(&Robot::getCompositeCOM),
                   "(bodies, 3) m, of each body and all it carries")
      .def_prop_ro(
          "composite_inertia", method(&Robot::getCompositeInertia),
          "(bodies, 3, 3) kg m^2 of each body and all it carries, about their own centre,\n"
          "world axes")
      .def_prop_ro("linear_momentum", method(&Robot::getLinearMomentum), "(3,) N s")
      .def(
          "angular_momentum",
          [](const Robot& r, const Point& point_W) {
            return point_W ? r.getAngularMomentum(*point_W) : r.getAngularMomentum();
          },
          "point_W"_a = nb::none(),
          "(3,) N m s about a point of the world (m); None: the centre of mass");
}

void bindOperationalSpace(RobotClass& robot) {
  robot
      .def(
          "inverse_operational_space_inertia_matrix",
          [](const Robot& r, const std::vector<FrameArg>& frames, RobotFrame axes) {
            std::vector<FrameOf> all;
            for (const FrameArg& frame : frames) all.push_back(frame.of());
            return r.inverseOperationalSpaceInertiaMatrix(all, axes);
          },
          "frames"_a, "axes"_a = Robot::WORLD_FRAME,
          "(6 k, 6 k) J M^-1 J' of k frames' origins, angular rows first of each; 1/(kg m^2), "
          "1/kg.\n"
          "Axes of the world, or BODY_FRAME for each frame's own.")
      .def(
          "apply_test_force",
          [](const Robot& r, const FrameArg& frame, const Vec<3>& force) {
            VectorXd udot;
            const double share = r.applyTestForce(frame.of(), force, udot);
            return std::pair(share, udot);
          },
          "frame"_a, "force"_a,
          "(float, (nv,)): change of udot by a force (3,) in N, world axes, at a frame's origin; "
          "and\n"
          "force . change of the point's acceleration: of a unit force 1 / the mass it feels.")
      .def(
          "apply_test_force",
          [](const Robot& r, const BodyArg& body, const Vec<3>& point_B, const Vec<3>& force) {
            VectorXd udot;
            Vector3d acceleration;
            const double share = r.applyTestForce(body.in(r), point_B, force, udot, acceleration);
            return std::tuple(share, udot, acceleration);
          },
          "body"_a, "point_B"_a, "force"_a,
          "At any point of a body (3,) m; and the change of that point's acceleration (3,) m/s^2.");
}

}  // namespace

void bindDynamics(RobotClass& robot) {
  robot.def_prop_ro("mass_matrix", method(&Robot::getMassMatrix), "(nv, nv) M, undamped")
      .def_prop_ro("inverse_mass_matrix", method(&Robot::getInverseMassMatrix),
                   "(nv, nv) its inverse")
      .def_prop_ro("damped_mass_matrix", method(&Robot::getDampedMassMatrix),
                   "(nv, nv) M + diag w, which the step solves with: w holds gains, springs and\n"
                   "dampers as the scheme and the time step take them implicitly")
      .def_prop_ro("damped_inverse_mass_matrix", method(&Robot::getDampedInverseMassMatrix),
                   "(nv, nv) its inverse")
      .def(
          "nonlinearities",
          [](const Robot& r, const Point& gravity) {
            return gravity ? r.getNonlinearities(*gravity) : r.getNonlinearities();
          },
          "gravity"_a = nb::none(),
          "(nv,) h of M udot + h = tau; gravity (3,) m/s^2, None: the world's")
      .def("compute_forward_dynamics", method(&Robot::computeForwardDynamics), "tau"_a,
           "(nv,) udot for the torques (nv,), without contacts, springs, dampers and limits")
      .def_prop_ro("udot", method(&Robot::getUdot),
                   "(nv,) compute_forward_dynamics() of the command, generalized_force")
      .def("compute_inverse_dynamics", method(&Robot::computeInverseDynamics), "udot"_a,
           "(nv,) M udot + h")
      .def(
          "mass_matrix_vec_mul",
          [](const Robot& r, const VectorXd& u) {
            VectorXd Mu;
            r.massMatrixVecMul(u, Mu);
            return Mu;
          },
          "u"_a, "(nv,) M u, M never formed")
      .def_prop_ro("kinetic_energy", method(&Robot::getKineticEnergy), "float: J")
      .def(
          "potential_energy",
          [](const Robot& r, const Point& gravity) {
            return gravity ? r.getPotentialEnergy(*gravity) : r.getPotentialEnergy();
          },
          "gravity"_a = nb::none(),
          "float: J, 0 at the world's origin; springs do not count. None: the world's gravity")
      .def(
          "energy",
          [](const Robot& r, const Point& gravity) {
            return gravity ? r.getEnergy(*gravity) : r.getEnergy();
          },
          "gravity"_a = nb::none(), "float: J, kinetic and potential")
      .def_prop_ro("generalized_momentum", method(&Robot::getGeneralizedMomentum), "(nv,) M u");
  bindMomentum(robot);
  bindOperationalSpace(robot);
}

void bindFrames(RobotClass& robot) {
  robot
      .def(
          "frame_pose", [](const Robot& r, const FrameArg& f) { return r.getFramePose(f.of()); },
          "frame"_a, "(4, 4) X_WF, homogeneous; frames by index, joint's name or CoordinateFrame")
      .def(
          "frame_position",
          [](const Robot& r, const FrameArg& f) { return r.getFramePosition(f.of()); }, "frame"_a,
          "(3,) m, world")
      .def(
          "frame_orientation",
          [](const Robot& r, const FrameArg& f) { return r.getFrameOrientation(f.of()); },
          "frame"_a, "(3, 3) R_WF")
      .def(
          "frame_velocity",
          [](const Robot& r, const FrameArg& f) { return r.getFrameVelocity(f.of()); }, "frame"_a,
          "(3,) m/s of its origin, world axes")
      .def(
          "frame_angular_velocity",
          [](const Robot& r, const FrameArg& f) { return r.getFrameAngularVelocity(f.of()); },
          "frame"_a, "(3,) rad/s, world axes")
      .def(
          "frame_acceleration",
          [](const Robot& r, const FrameArg& f) { return r.getFrameAcceleration(f.of()); },
          "frame"_a,
          "(3,) m/s^2 of its origin in the last step, world axes, gravity not subtracted;\n"
          "ValueError unless set_compute_inverse_dynamics(True) and a step was taken")
      .def(
          "frame_angular_acceleration",
          [](const Robot& r, const FrameArg& f) { return r.getFrameAngularAcceleration(f.of()); },
          "frame"_a, "(3,) rad/s^2 in the last step, likewise")
      .def(
          "position_in_frame",
          [](const Robot& r, const FrameArg& f, const Vec<3>& point_F) {
            Vector3d point_W;
            r.getPositionInFrame(f.of(), point_F, point_W);
            return point_W;
          },
          "frame"_a, "point_F"_a, "(3,) m: a point given in the frame, in the world")
      .def(
          "body_pose",
          [](const Robot& r, const BodyArg& body) { return r.getBodyPose(body.in(r)); }, "body"_a,
          "(4, 4) X_WB, homogeneous; bodies by index or by their link's name")
      .def("body_position", filledOfBody(&Robot::getBodyPosition), "body"_a, "(3,) m, world")
      .def("body_orientation", filledOfBody(&Robot::getBodyOrientation), "body"_a, "(3, 3) R_WB")
      .def("orientation", filledOfBody(&Robot::getOrientation), "body"_a,
           "(3, 3) R_WB, the same as body_orientation()")
      .def(
          "position",
          [](const Robot& r, const BodyArg& body, const Point& point_B) {
            Vector3d point_W;
            if (point_B)
              r.getPosition(body.in(r), *point_B, point_W);
            else
              r.getPosition(body.in(r), point_W);
            return point_W;
          },
          "body"_a, "point_B"_a = nb::none(),
          "(3,) m, world: of a point of the body (3,) m in its frame; None: its origin")
      .def(
          "position_in_body_coordinate",
          [](const Robot& r, const BodyArg& body, const Vec<3>& point_W) {
            Vector3d point_B;
            r.getPositionInBodyCoordinate(body.in(r), point_W, point_B);
            return point_B;
          },
          "body"_a, "point_W"_a, "(3,) m: a point of the world in the body's frame")
      .def("velocity", &velocity, "body"_a, "point"_a = nb::none(),
           "frame_of_point"_a = Robot::BODY_FRAME, "frame_of_velocity"_a = Robot::WORLD_FRAME,
           "(3,) m/s of a point fixed to the body (3,) m; None: its origin")
      .def("angular_velocity", filledOfBody(&Robot::getAngularVelocity), "body"_a,
           "(3,) rad/s, world axes")
      .def("contact_point_vel", filled(&Robot::getContactPointVel), "contact"_a,
           "(3,) m/s of this robot's side of a contact, by its place in contacts()")
      .def("joint_axis", ofBody(&Robot::getJointAxis), "joint"_a,
           "(3,) unit, world axes; of its first dof")
      .def_prop_ro("lowest_collision_point", method(&Robot::getLowestCollisionPoint),
                   "float: m, lowest z of the collision bodies; infinite without any");
}

void bindJacobians(RobotClass& robot) {
  robot
      .def(
          "dense_jacobian",
          [](const Robot& r, const BodyArg& body, const Vec<3>& point, RobotFrame frameOfPoint) {
            return jacobian(
                r, [&](auto& J) { r.getDenseJacobian(body.in(r), frameOfPoint, point, J); });
          },
          "body"_a, "point"_a, "frame_of_point"_a = Robot::WORLD_FRAME,
          "(3, nv) J u = velocity of a point fixed to the body (3,) m, world axes")
      .def(
          "dense_rotational_jacobian",
          [](const Robot& r, const BodyArg& body) {
            return jacobian(r, [&](auto& J) { r.getDenseRotationalJacobian(body.in(r), J); });
          },
          "body"_a, "(3, nv) J u = angular velocity, world axes")
      .def(
          "dense_frame_jacobian",
          [](const Robot& r, const FrameArg& f) { return r.getDenseFrameJacobian(f.of()); },
          "frame"_a, "(3, nv) J u = velocity of a frame's origin, world axes")
      .def(
          "dense_frame_rotational_jacobian",
          [](const Robot& r, const FrameArg& f) {
            return r.getDenseFrameRotationalJacobian(f.of());
          },
          "frame"_a, "(3, nv) J u = angular velocity of a frame, world axes")
      .def(
          "sparse_jacobian",
          [](const Robot& r, const BodyArg& body, const Vec<3>& point, RobotFrame frameOfPoint) {
            return sparse(
                [&](auto& J) { r.getSparseJacobian(body.in(r), frameOfPoint, point, J); });
          },
          "body"_a, "point"_a, "frame_of_point"_a = Robot::WORLD_FRAME,
          "SparseJacobian of a point fixed to the body (3,) m, world axes")
      .def(
          "sparse_rotational_jacobian",
          [](const Robot& r, const BodyArg& body) {
            return sparse([&](auto& J) { r.getSparseRotationalJacobian(body.in(r), J); });
          },
          "body"_a, "SparseJacobian of the angular velocity, world axes")
      .def(
          "sparse_frame_jacobian",
          [](const Robot& r, const FrameArg& f) {
            return sparse([&](auto& J) { r.getSparseFrameJacobian(f.of(), J); });
          },
          "frame"_a, "SparseJacobian of a frame's origin, world axes")
      .def(
          "sparse_frame_rotational_jacobian",
          [](const Robot& r, const FrameArg& f) {
            return sparse([&](auto& J) { r.getSparseFrameRotationalJacobian(f.of(), J); });
          },
          "frame"_a, "SparseJacobian of a frame's angular velocity, world axes")
      .def_static(
          "convert_sparse_jacobian_to_dense",
          [](const SparseJacobian& sparse, MatrixXd dense) {
            Robot::convertSparseJacobianToDense(sparse, dense);
            return dense;
          },
          "sparse"_a, "dense"_a, "A copy of dense (3, nv) with the columns in it.")
      .def(
          "time_derivative_of_sparse_jacobian",
          [](const Robot& r, const BodyArg& body, const Vec<3>& point, RobotFrame frameOfPoint) {
            return sparse([&](auto& J) {
              r.getTimeDerivativeOfSparseJacobian(body.in(r), frameOfPoint, point, J);
            });
          },
          "body"_a, "point"_a, "frame_of_point"_a = Robot::WORLD_FRAME,
          "SparseJacobian dJ/dt along the present u: a = dJ u + J udot")
      .def(
          "time_derivative_of_sparse_rotational_jacobian",
          [](const Robot& r, const BodyArg& body) {
            return sparse(
                [&](auto& J) { r.getTimeDerivativeOfSparseRotationalJacobian(body.in(r), J); });
          },
          "body"_a, "SparseJacobian, likewise of the angular velocity")
      .def(
          "time_derivative_of_sparse_frame_jacobian",
          [](const Robot& r, const FrameArg& f) {
            return sparse([&](auto& J) { r.getTimeDerivativeOfSparseFrameJacobian(f.of(), J); });
          },
          "frame"_a, "SparseJacobian, likewise of a frame's origin");
}

}  // namespace espalier::python
