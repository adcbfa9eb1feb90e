// Robots: the class, its names and indices.

#include "espalier/robot/articulated_system.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "articulated_bindings.h"
#include "bindings.h"
#include "espalier/robot/editing.h"
#include "model_object.h"
#include "spec_casters.h"
#include "tree_text.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

std::string textOf(const HandleOf<Robot>& self) {
  if (!self.object) return "<espalier.ArticulatedSystem, removed>";
  const auto& robot = static_cast<const Robot&>(self.use());
  return "<espalier.ArticulatedSystem '" + robot.getName() + "', object " +
         std::to_string(robot.getIndexInWorld()) + ">\n" + treeText(robot.model(), "  ");
}

/// The model in force, with what it would be compiled from. That of an edited robot changes with it
/// and is copied.
ModelObject modelOf(const Robot& robot) {
  const System& system = robot.system();
  if (!system.editing) return modelObject(system.model, system.spec);
  return modelObject(std::make_shared<const Model>(*system.model),
                     system.spec ? std::make_shared<const SystemSpec>(robot.spec()) : nullptr);
}

void print(const std::vector<std::string>& names) {
  for (const std::string& name : names) nb::print(name.c_str());
}

}  // namespace

void bindNames(RobotClass& robot) {
  robot
      .def_prop_ro("model", &modelOf,
                   "Model: what was compiled, with the edits that took effect; later edits do not\n"
                   "show in it")
      .def_prop_ro("dof", method(&Robot::getDOF), "int: nv, numbers of u")
      .def_prop_ro("generalized_velocity_dim", method(&Robot::getGeneralizedVelocityDim),
                   "int: nv, the same as dof")
      .def_prop_ro("generalized_coordinate_dim", method(&Robot::getGeneralizedCoordinateDim),
                   "int: nq, numbers of q")
      .def_prop_ro("number_of_joints", method(&Robot::getNumberOfJoints),
                   "int: the same as that of bodies, the base counted")
      .def_prop_ro("movable_joint_names", method(&Robot::getMovableJointNames),
                   "list[str]: in the authored order; the first is the base, by its root link's\n"
                   "name, also when it is fixed")
      .def_prop_ro("body_names", method(&Robot::getBodyNames),
                   "list[str]: of each body its movable link")
      .def("body_idx", method(&Robot::getBodyIdx), "link"_a, "int: -1 where there is none")
      .def("frame_idx_by_name", method(&Robot::getFrameIdxByName), "joint"_a,
           "int: -1 where there is none")
      .def("frame_idx_by_link_name", method(&Robot::getFrameIdxByLinkName), "link"_a,
           "int: the frame of the joint above the link; -1 where there is none")
      .def("generalized_velocity_index", method(&Robot::getGeneralizedVelocityIndex), "joint"_a,
           "int: first place of a joint's numbers in u; ValueError where there is none")
      .def("generalized_coordinate_index", method(&Robot::getGeneralizedCoordinateIndex), "joint"_a,
           "int: first place of a joint's numbers in q; ValueError where there is none")
      .def_prop_ro("mapping_from_body_index_to_generalized_velocity_index",
                   method(&Robot::getMappingFromBodyIndexToGeneralizedVelocityIndex),
                   "list[int]: first place in u of each body's joint; -1 for a fixed base")
      .def_prop_ro("mapping_from_body_index_to_generalized_coordinate_index",
                   method(&Robot::getMappingFromBodyIndexToGeneralizedCoordinateIndex),
                   "list[int]: first place in q of each body's joint; -1 for a fixed base")
      .def_prop_ro("mapping_from_generalized_velocity_index_to_body_index",
                   method(&Robot::getMappingFromGeneralizedVelocityIndexToBodyIndex),
                   "list[int]: [nv] the body whose joint has this number of u")
      .def_prop_ro("mapping_from_generalized_coordinate_index_to_body_index",
                   method(&Robot::getMappingFromGeneralizedCoordinateIndexToBodyIndex),
                   "list[int]: [nq] the body whose joint has this number of q")
      .def_prop_ro("parent_vector", method(&Robot::getParentVector),
                   "list[int]: what each body hangs on; -1 for body 0")
      .def("joint_type", method(&Robot::getJointType), "joint"_a,
           "JointKind: of the joint that carries a body")
      .def(
          "body_type_of", [](const Robot& r, int body) { return r.getBodyType(body); }, "body"_a,
          "BodyType: STATIC only for a fixed base")
      .def(
          "print_out_body_names_in_order", [](const Robot& r) { print(r.getBodyNames()); },
          "Prints body_names, one a line.")
      .def(
          "print_out_movable_joint_names_in_order",
          [](const Robot& r) { print(r.getMovableJointNames()); },
          "Prints movable_joint_names, one a line.")
      .def(
          "print_out_frame_names_in_order",
          [](const Robot& r) {
            for (const CoordinateFrame& frame : r.getFrames()) nb::print(frame.name.c_str());
          },
          "Prints the names of frames, one a line.")
      .def(
          "frame_by_name",
          [](Robot& r, const std::string& joint) -> CoordinateFrame& {
            return r.getFrameByName(joint);
          },
          "joint"_a,
          "CoordinateFrame: of a joint, to read or to edit; edits show in what is asked about the\n"
          "frame, never in the motion. ValueError where there is none.")
      .def(
          "frame_by_link_name",
          [](Robot& r, const std::string& link) -> CoordinateFrame& {
            return r.getFrameByLinkName(link);
          },
          "link"_a, "CoordinateFrame: of the joint above a link; ValueError where there is none")
      .def(
          "frame_by_idx",
          [](Robot& r, int frame) -> CoordinateFrame& { return r.getFrameByIdx(frame); }, "frame"_a,
          "CoordinateFrame: by its place; ValueError where there is none")
      .def_prop_ro(
          "frames", [](Robot& r) -> std::vector<CoordinateFrame>& { return r.getFrames(); },
          "list[CoordinateFrame]: one for each joint of the file")
      .def("joint", method(&Robot::getJoint), "joint"_a,
           "JointRef: a joint of the file, movable or fixed; ValueError where there is none")
      .def("link", method(&Robot::getLink), "link"_a,
           "LinkRef: a link of the file; ValueError where there is none");
}

void bindArticulatedSystem(nb::module_& m) {
  nb::enum_<ControlMode>(m, "ControlMode", "What drives the joints.")
      .value("FORCE_AND_TORQUE", ControlMode::FORCE_AND_TORQUE, "feedforward; gains rest")
      .value("PD_PLUS_FEEDFORWARD_TORQUE", ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  nb::enum_<TorqueLimits>(m, "TorqueLimits", "How motors keep to their limits.")
      .value("COMMAND", TorqueLimits::COMMAND,
             "bounds what is commanded, as RaiSim; the implicit part of PD may exceed it")
      .value("EXACT", TorqueLimits::EXACT, "bounds the torque really applied");
  bindArticulatedParts(m);
  RobotClass robot(
      m, "ArticulatedSystem", nb::type_slots(handle_slots),
      "A robot in a World. Vectors are in the authored joint order: q (nq,), u (nv,); world axes\n"
      "unless said otherwise. Queries speak of the present state or, between integrate1() and\n"
      "integrate2(), of the step's evaluation point. Arrays are copies.");
  nb::enum_<Robot::Frame>(robot, "Frame", "The frame in which a point or a force is given.")
      .value("WORLD_FRAME", Robot::WORLD_FRAME)
      .value("PARENT_FRAME", Robot::PARENT_FRAME,
             "of the body that carries the body; the world for body 0")
      .value("BODY_FRAME", Robot::BODY_FRAME)
      .export_values();
  robot.def("__repr__", &textOf).def("_noted_calls", [](const HandleOf<Robot>& handle) {
    handle.use();
    const auto found = handle.world->callsOfRobot.find(handle.object);
    return found == handle.world->callsOfRobot.end() ? nb::list()
                                                     : nb::list(nb::dict(found->second).values());
  });
  bindNames(robot);
  bindState(robot);
  bindActuation(robot);
  bindJointProperties(robot);
  bindForces(robot);
  bindDynamics(robot);
  bindFrames(robot);
  bindJacobians(robot);
  bindDescription(robot);
}

}  // namespace espalier::python
