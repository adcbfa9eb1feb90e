// Actuation of a robot: motors, springs, dampers, limits, external forces.

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "articulated_bindings.h"
#include "espalier/world/overlaps.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;
using Eigen::VectorXd;

void bindActuation(RobotClass& robot) {
  robot
      .def_prop_rw("control_mode", method(&Robot::getControlMode), method(&Robot::setControlMode),
                   "ControlMode")
      .def(
          "set_pd_gains",
          [](Robot& r, const Spread& kp, const Spread& kd) {
            r.setPdGains(kp.of(r.getDOF()), kd.of(r.getDOF()));
          },
          "kp"_a, "kd"_a,
          "(nv,) each or one number for all, not negative; takes up PD_PLUS_FEEDFORWARD_TORQUE. "
          "Those of a floating\n"
          "base are not read.")
      .def(
          "set_p_gains", [](Robot& r, const Spread& kp) { r.setPGains(kp.of(r.getDOF())); }, "kp"_a,
          "(nv,) or one number for all; the control mode stays.")
      .def(
          "set_d_gains", [](Robot& r, const Spread& kd) { r.setDGains(kd.of(r.getDOF())); }, "kd"_a,
          "(nv,) or one number for all; the control mode stays.")
      .def_prop_ro("pd_gains", pairOf(&Robot::getPdGains), "(kp, kd), (nv,) each")
      .def(
          "set_pd_target",
          [](Robot& r, const VectorXd& q, const Spread& u) { r.setPdTarget(q, u.of(r.getDOF())); },
          "q"_a, "u"_a = 0.0,
          "(nq,), and (nv,) or one number for all; takes up PD_PLUS_FEEDFORWARD_TORQUE.")
      .def("set_p_target", method(&Robot::setPTarget), "q"_a,
           "(nq,); takes up PD_PLUS_FEEDFORWARD_TORQUE.")
      .def("set_d_target", method(&Robot::setDTarget), "u"_a,
           "(nv,); takes up PD_PLUS_FEEDFORWARD_TORQUE.")
      .def_prop_ro("pd_target", pairOf(&Robot::getPdTarget), "(q, u), (nq,) and (nv,)")
      .def_prop_rw(
          "generalized_force", method(&Robot::getGeneralizedForce),
          [](Robot& r, const VectorXd& tau) { r.setGeneralizedForce(tau); },
          "(nv,) N m or N. Read: the command at the present state, feedforward and PD\n"
          "within the actuation limits. Set: the feedforward, which stays until changed.")
      .def(
          "set_generalized_force",
          [](Robot& r, const VectorXd& tau) { r.setGeneralizedForce(tau); }, "tau"_a,
          "(nv,) N m or N: the feedforward, which stays until changed.")
      .def_prop_ro("feed_forward_generalized_force", method(&Robot::getFeedForwardGeneralizedForce),
                   "(nv,) N m or N, as it was set")
      .def_prop_ro("applied_generalized_force", method(&Robot::getAppliedGeneralizedForce),
                   "(nv,) N m or N: motor torque really applied in the last step")
      .def("set_actuation_limits", method(&Robot::setActuationLimits), "upper"_a, "lower"_a,
           "(nv,) each, N m or N.")
      .def_prop_ro("actuation_upper_limits", method(&Robot::getActuationUpperLimits),
                   "(nv,) N m or N")
      .def_prop_ro("actuation_lower_limits", method(&Robot::getActuationLowerLimits),
                   "(nv,) N m or N")
      .def_prop_rw("torque_limits", method(&Robot::getTorqueLimits),
                   method(&Robot::setTorqueLimits), "TorqueLimits");
}

void bindJointProperties(RobotClass& robot) {
  robot
      .def_prop_rw(
          "joint_limits", method(&Robot::getJointLimits), method(&Robot::setJointLimits),
          "(joints, 2) lower and upper, rad or m, of each coordinate of a joint; infinite:\n"
          "free. Of a spherical joint 0 and the greatest angle of its rotation. The base\n"
          "is the first.")
      .def("spherical_limits", method(&Robot::getSphericalLimits), "joint"_a,
           "SphericalLimits: angle, swing and twist of a spherical joint, rad")
      .def("set_spherical_limits", method(&Robot::setSphericalLimits), "joint"_a, "limits"_a,
           "Takes SphericalLimits; ValueError where the joint is no spherical one.")
      .def_prop_ro(
          "joint_limit_violations", [](const Robot& r) { return r.getJointLimitViolations(); },
          "list[JointLimitViolation]: joints at or beyond a limit")
      .def_prop_rw("joint_velocity_limits", method(&Robot::getJointVelocityLimits),
                   method(&Robot::setJointVelocityLimits),
                   "(nv,) rad/s or m/s, > 0; infinite: free. They act only when enforced.")
      .def("enforce_joint_velocity_limits",
           noted("enforce_joint_velocity_limits", &Robot::enforceJointVelocityLimits), "on"_a,
           "Whether joint_velocity_limits act.")
      .def_prop_rw("joint_damping", method(&Robot::getJointDamping),
                   method(&Robot::setJointDamping), "(nv,) N m s/rad or N s/m")
      .def_prop_rw("joint_friction", method(&Robot::getJointFriction),
                   method(&Robot::setJointFriction), "(nv,) dry friction, N m or N")
      .def_prop_rw("spring_stiffness", method(&Robot::getSpringStiffness),
                   method(&Robot::setSpringStiffness), "(nv,) N m/rad or N/m")
      .def_prop_rw("spring_mount", method(&Robot::getSpringMount), method(&Robot::setSpringMount),
                   "(nq,) where springs rest")
      .def("add_spring", method(&Robot::addSpring), "spring"_a,
           "A SpringElement on a joint that has none.")
      .def_prop_ro("springs", method(&Robot::getSprings), "list[SpringElement]")
      .def(
          "set_compute_inverse_dynamics", method(&Robot::setComputeInverseDynamics), "on"_a,
          "Whether steps compute forces within joints, which costs about one more pass of inverse\n"
          "dynamics.")
      .def_prop_ro("computes_inverse_dynamics", method(&Robot::getComputeInverseDynamics),
                   "bool: whether steps compute forces within joints")
      .def(
          "force_at_joint_in_world_frame", ofBody(&Robot::getForceAtJointInWorldFrame), "joint"_a,
          "(3,) N, world axes: what the joint exerted on the body it carries in the last step, at\n"
          "the joint. ValueError unless inverse dynamics is on and a step was taken.")
      .def("torque_at_joint_in_world_frame", ofBody(&Robot::getTorqueAtJointInWorldFrame),
           "joint"_a, "(3,) N m, world axes, as force_at_joint_in_world_frame()");
}

void bindForces(RobotClass& robot) {
  using Frame = Robot::Frame;
  robot
      .def(
          "set_external_force",
          [](Robot& r, int body, const Vec<3>& force) { r.setExternalForce(body, force); },
          "body"_a, "force"_a,
          "A force (3,) in N for one step; forces of one step add up. Bodies by index or, but "
          "here, by\n"
          "their link's name. At the body's centre of mass,\n"
          "world axes.")
      .def(
          "set_external_force",
          [](Robot& r, const BodyArg& body, const Vec<3>& point_B, const Vec<3>& force) {
            r.setExternalForce(body.in(r), point_B, force);
          },
          "body"_a, "point_B"_a, "force"_a,
          "At a point of the body (3,) m, in its frame; the force in world axes.")
      .def(
          "set_external_force",
          [](Robot& r, const BodyArg& body, Frame frameOfForce, const Vec<3>& force,
             Frame frameOfPoint, const Vec<3>& point) {
            r.setExternalForce(body.in(r), frameOfForce, force, frameOfPoint, point);
          },
          "body"_a, "frame_of_force"_a, "force"_a, "frame_of_point"_a, "point"_a,
          "At a point (3,) m; both in frames of one's own choice.")
      .def(
          "set_external_force",
          [](Robot& r, const std::string& frame, const Vec<3>& force) {
            r.setExternalForce(frame, force);
          },
          "frame"_a, "force"_a, "At a frame's origin, world axes.")
      .def("set_external_torque", ofBody(&Robot::setExternalTorque), "body"_a, "torque"_a,
           "A torque (3,) in N m, world axes, for one step.")
      .def("set_external_torque_in_body_frame", ofBody(&Robot::setExternalTorqueInBodyFrame),
           "body"_a, "torque_B"_a, "A torque (3,) in N m, axes of the body, for one step.")
      .def("clear_external_forces_and_torques", method(&Robot::clearExternalForcesAndTorques),
           "Takes back what was set for the next step.")
      .def("clear_external_forces", method(&Robot::clearExternalForces),
           "The same as clear_external_forces_and_torques().")
      .def("ignore_collision_between",
           noted("ignore_collision_between", &Robot::ignoreCollisionBetween), "body_a"_a,
           "body_b"_a, "These two bodies never collide with each other.")
      .def(
          "ignore_overlaps",
          [](HandleOf<Robot>& handle) {
            const auto& robot = static_cast<Robot&>(handle.use());
            Overlaps overlaps = findOverlaps(robot.model(), robot.getSpanningCoordinate());
            const auto ignore = noted("ignore_collision_between", &Robot::ignoreCollisionBetween);
            for (const auto& [pair, depth] : overlaps) ignore(handle, pair.first, pair.second);
            return overlaps;
          },
          "Bodies that overlap at the present pose by more than 0.1 mm never collide with each\n"
          "other from now on. dict of {(body a, body b): depth in m}.")
      .def("set_integration_scheme", method(&Robot::setIntegrationScheme), "scheme"_a,
           "A World has one Scheme: sets it for all that is in it.");
}

}  // namespace espalier::python
