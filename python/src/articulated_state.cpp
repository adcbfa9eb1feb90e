// Coordinates and velocities of robots: independent joints, all joints, rotors, tendons.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "articulated_bindings.h"
#include "orientation.h"

namespace espalier::python {

using namespace nb::literals;
using Eigen::VectorXd;

namespace {

void bindCoordinates(RobotClass& robot) {
  const auto q = method(RobotGetter<VecDyn>(&Robot::getGeneralizedCoordinate));
  const auto setQ = [](Robot& r, const VectorXd& value) { r.setGeneralizedCoordinate(value); };
  const auto u = method(RobotGetter<VecDyn>(&Robot::getGeneralizedVelocity));
  const auto setU = [](Robot& r, const VectorXd& value) { r.setGeneralizedVelocity(value); };
  robot
      .def_prop_rw(
          "q", q, setQ,
          "(nq,) coordinates, rad or m, quaternions w, x, y, z (normalised when set); set\n"
          "between steps only")
      .def_prop_rw("generalized_coordinate", q, setQ, "(nq,) the same as q")
      .def_prop_rw("u", u, setU, "(nv,) velocities, rad/s or m/s; set between steps only")
      .def_prop_rw("generalized_velocity", u, setU, "(nv,) the same as u")
      .def("set_state", method(&Robot::setState), "q"_a, "u"_a, "q (nq,) and u (nv,) at once.")
      .def_prop_ro(
          "state",
          [](const Robot& r) {
            return std::pair(r.getGeneralizedCoordinate(), r.getGeneralizedVelocity());
          },
          "(q, u), (nq,) and (nv,)")
      .def_prop_ro("generalized_acceleration", method(&Robot::getGeneralizedAcceleration),
                   "(nv,) (u+ - u) / dt of the last step; zero before the first")
      .def("update_kinematics", method(&Robot::updateKinematics),
           "Does nothing: queries compute the kinematics they need. For code that comes from "
           "RaiSim.");
}

void bindBase(RobotClass& robot) {
  robot
      .def_prop_rw("base_position", method(RobotGetter<Vec<3>>(&Robot::getBasePosition)),
                   method(&Robot::setBasePosition),
                   "(3,) m, of the base link. A fixed base may be moved, too: it jumps.")
      .def_prop_rw(
          "base_orientation", method(RobotGetter<Mat<3, 3>>(&Robot::getBaseOrientation)),
          [](Robot& r, const Orientation& o) {
            std::visit([&r](const auto& x) { r.setBaseOrientation(x); }, o.checked());
          },
          "(3, 3) R_WB of the base link; may be set to a quaternion (w, x, y, z), too")
      .def("set_base_velocity", method(&Robot::setBaseVelocity), "velocity"_a,
           "(3,) m/s, world axes; ValueError unless the base floats")
      .def("set_base_angular_velocity", method(&Robot::setBaseAngularVelocity), "velocity"_a,
           "(3,) rad/s, world axes; ValueError unless the base floats");
}

void bindSpanning(RobotClass& robot) {
  robot
      .def_prop_ro("spanning_dof", method(&Robot::getSpanningDOF),
                   "int: velocities of all joints, those that loops make dependent too")
      .def_prop_rw(
          "spanning_coordinate", method(&Robot::getSpanningCoordinate),
          method(&Robot::setSpanningCoordinate),
          "coordinates of all joints in joint order, always closed. What is set is near q;\n"
          "ValueError with the residual where the loops do not close, and nothing changed.")
      .def_prop_rw("spanning_velocity", method(&Robot::getSpanningVelocity),
                   method(&Robot::setSpanningVelocity),
                   "(spanning_dof,) velocities of all joints. Of what is set those of the\n"
                   "independent joints are taken; the others follow.")
      .def("set_spanning_pd_gains", noted("set_spanning_pd_gains", &Robot::setSpanningPdGains),
           "kp"_a, "kd"_a,
           "(spanning_dof,) each, of all joints; takes up PD_PLUS_FEEDFORWARD_TORQUE.")
      .def("set_spanning_pd_target", noted("set_spanning_pd_target", &Robot::setSpanningPdTarget),
           "q"_a, "u"_a, "Targets of all joints; takes up PD_PLUS_FEEDFORWARD_TORQUE.")
      .def("set_spanning_force", noted("set_spanning_force", &Robot::setSpanningForce), "tau"_a,
           "(spanning_dof,) feedforward of all joints, N m or N; stays until changed.")
      .def_prop_ro("spanning_applied_force", method(&Robot::getSpanningAppliedForce),
                   "(spanning_dof,) motor torque of the last step, N m or N")
      .def_prop_ro(
          "closure_residual", method(&Robot::getClosureResidual),
          "float: the largest gap of a closed loop now, m, or 1 for directions; 0 in a tree");
}

void bindRotorsAndTendons(RobotClass& robot) {
  robot
      .def_prop_ro("rotor_names", method(&Robot::getRotorNames),
                   "list[str]: joints on which geared rotors turn that are part of their carriers")
      .def_prop_ro("rotor_coordinate", method(&Robot::getRotorCoordinate),
                   "(rotors,) rad, as rotor_names")
      .def_prop_ro("rotor_velocity", method(&Robot::getRotorVelocity),
                   "(rotors,) rad/s against the carrier, as rotor_names")
      .def_prop_ro("tendon_names", method(&Robot::getTendonNames), "list[str]: as in the Spec")
      .def_prop_ro("tendon_length", method(&Robot::getTendonLength),
                   "(tendons,) m, or what the coefficients of its joints make of it")
      .def_prop_ro("tendon_velocity", method(&Robot::getTendonVelocity),
                   "(tendons,) rate of tendon_length")
      .def_prop_ro("tendon_jacobian", method(&Robot::getTendonJacobian),
                   "(tendons, nv) moment arms: tendon_velocity = J u")
      .def("set_tendon_gains", method(&Robot::setTendonGains), "kp"_a, "kd"_a,
           "(tendons,) each, not negative: of their actuators, whose force is kp (length -\n"
           "tendon_length) + kd (velocity - tendon_velocity) + tendon_force, within the file's "
           "limits.")
      .def_prop_ro("tendon_gains", pairOf(&Robot::getTendonGains), "(kp, kd), (tendons,) each")
      .def(
          "set_tendon_target",
          [](Robot& r, const VectorXd& length, const Spread& velocity) {
            r.setTendonTarget(length, velocity.of(static_cast<int>(length.size())));
          },
          "length"_a, "velocity"_a = 0.0, "(tendons,), and (tendons,) or one number for all.")
      .def_prop_ro("tendon_target", pairOf(&Robot::getTendonTarget),
                   "(length, velocity), (tendons,) each")
      .def_prop_rw("tendon_force", method(&Robot::getTendonForce), method(&Robot::setTendonForce),
                   "(tendons,) N, or N m where the length is an angle: the feedforward of their\n"
                   "actuators, positive along growing length; stays until changed.");
}

}  // namespace

void bindState(RobotClass& robot) {
  bindCoordinates(robot);
  bindBase(robot);
  bindSpanning(robot);
  bindRotorsAndTendons(robot);
}

}  // namespace espalier::python
