// Parts of robots: joints, links, frames, and small values about joints.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include "articulated_bindings.h"
#include "espalier/core/check.h"

namespace espalier::python {

using namespace nb::literals;
using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

namespace {

template <class Ref>
std::pair<Vector3d, Matrix3d> poseOf(const Ref& ref) {
  std::pair<Vector3d, Matrix3d> pose;
  ref.getPose(pose.first, pose.second);
  return pose;
}

void bindJointRef(nb::module_& m) {
  nb::class_<Part<JointRef>>(
      m, "JointRef", nb::type_slots(partSlots<JointRef>()),
      "A joint of a robot's file, movable or fixed. Poses and velocities are those of its frame,\n"
      "world axes.")
      .def_prop_ro("name", method(&JointRef::getName), "str")
      .def_prop_ro("type", method(&JointRef::getType), "JointKind")
      .def_prop_ro("is_movable", method(&JointRef::isMovable), "bool")
      .def_prop_ro("index", method(&JointRef::getIndex),
                   "int: the body's; of a fixed joint that of the body it is part of")
      .def_prop_ro("idx_in_generalized_velocity", method(&JointRef::getIdxInGeneralizedVelocity),
                   "int: first place in u; -1 where the joint has none")
      .def_prop_ro("idx_in_generalized_coordinate",
                   method(&JointRef::getIdxInGeneralizedCoordinate),
                   "int: first place in q; -1 where the joint has none")
      .def_prop_ro("position", filled(&JointRef::getPosition), "(3,) m")
      .def_prop_ro("orientation", method(&JointRef::getOrientation), "(3, 3) R_WF")
      .def_prop_ro("pose", &poseOf<JointRef>, "(position, R_WF), (3,) m and (3, 3)")
      .def_prop_ro("linear_velocity", method(&JointRef::getLinearVelocity), "(3,) m/s")
      .def_prop_ro("angular_velocity", method(&JointRef::getAngularVelocity), "(3,) rad/s")
      .def_prop_ro("axis", method(&JointRef::getAxis), "(3,) unit, of its first dof")
      .def_prop_ro("position_in_parent_frame", method(&JointRef::getPositionInParentFrame),
                   "(3,) m, in the frame of the body that carries it, as authored")
      .def_prop_ro("joint_axis", method(&JointRef::getJointAxis),
                   "(3,) in the frame of the body that carries it, as authored")
      .def_prop_rw(
          "joint_coordinate", [](const JointRef& j) { return j.getJointCoordinate(); },
          method(&JointRef::setJointCoordinate),
          "its numbers of q; ValueError when a fixed joint's is set")
      .def_prop_rw("joint_velocity", method(&JointRef::getJointVelocity),
                   method(&JointRef::setJointVelocity), "its numbers of u")
      .def_prop_rw("joint_angle", method(&JointRef::getJointAngle),
                   method(&JointRef::setJointAngle), "float: its first coordinate, rad or m")
      .def_prop_ro("applied_force", method(&JointRef::getAppliedForce),
                   "its motor's in the last step, N m or N")
      .def("set_feed_forward_force", method(&JointRef::setFeedForwardForce), "tau"_a,
           "Its numbers of the feedforward, N m or N.")
      .def_prop_ro("limits", method(&JointRef::getLimits), "(2,) lower and upper, rad or m")
      .def("set_limits", method(&JointRef::setLimits), "lower"_a, "upper"_a, "rad or m.")
      .def("__repr__",
           [](const JointRef& j) { return "<espalier.JointRef '" + j.getName() + "'>"; });
}

void bindLinkRef(nb::module_& m) {
  nb::class_<Part<LinkRef>>(m, "LinkRef", nb::type_slots(partSlots<LinkRef>()),
                            "A link of a robot's file. Poses and velocities are its own, also "
                            "where it is welded to others;\n"
                            "masses and shapes are those of the whole body it is part of.")
      .def_prop_ro("name", method(&LinkRef::getName), "str")
      .def_prop_ro("body_index", method(&LinkRef::getBodyIndex), "int: of the body it is part of")
      .def_prop_ro("position", filled(&LinkRef::getPosition), "(3,) m, world")
      .def_prop_ro("orientation", filled(&LinkRef::getOrientation), "(3, 3) R_WL")
      .def_prop_ro("pose", &poseOf<LinkRef>, "(position, R_WL), (3,) m and (3, 3)")
      .def_prop_ro("linear_velocity", method(&LinkRef::getLinearVelocity), "(3,) m/s, world axes")
      .def_prop_ro("angular_velocity", method(&LinkRef::getAngularVelocity),
                   "(3,) rad/s, world axes")
      .def(
          "set_external_force", [](LinkRef& l, const Vec<3>& force) { l.setExternalForce(force); },
          "force"_a, "A force (3,) in N, world axes, for one step, at the body's centre of mass.")
      .def(
          "set_external_force",
          [](LinkRef& l, const Vec<3>& point_L, const Vec<3>& force) {
            l.setExternalForce(point_L, force);
          },
          "point_L"_a, "force"_a, "At a point of the link (3,) m, in its frame.")
      .def("set_external_torque", method(&LinkRef::setExternalTorque), "torque"_a,
           "A torque (3,) in N m, world axes, for one step.")
      .def_prop_rw("weight", method(&LinkRef::getWeight), method(&LinkRef::setWeight),
                   "float: kg, of the body; edits take effect as those of ArticulatedSystem.mass")
      .def_prop_rw("inertia", method(&LinkRef::getInertia), method(&LinkRef::setInertia),
                   "(3, 3) kg m^2 about the body's centre of mass, axes of the body")
      .def_prop_rw("com_position_in_parent_frame", method(&LinkRef::getComPositionInParentFrame),
                   method(&LinkRef::setComPositionInParentFrame), "(3,) m, in the body's frame")
      .def_prop_ro("collision_set", method(&LinkRef::getCollisionSet),
                   "dict[str, CollisionBody] of the body")
      .def_prop_ro("visual_set", method(&LinkRef::getVisualSet), "dict[str, VisObject] of the body")
      .def("collision_definition", method(&LinkRef::getCollisionDefinition), "name"_a,
           "CollisionBody of this name, or None")
      .def("visual_object", method(&LinkRef::getVisualObject), "name"_a,
           "VisObject of this name, or None")
      .def("__repr__", [](const LinkRef& l) { return "<espalier.LinkRef '" + l.getName() + "'>"; });
}

void bindCoordinateFrame(nb::module_& m) {
  nb::class_<Part<CoordinateFrame>>(m, "CoordinateFrame",
                                    nb::type_slots(partSlots<CoordinateFrame>()),
                                    "A frame fixed to a body. Edits of a robot's frame show in "
                                    "what is asked about it, never in the\n"
                                    "motion; one of one's own is for queries.")
      .def(
          "__init__",
          [](Part<CoordinateFrame>* self, int parent, const Vec<3>& position,
             const std::optional<Mat<3, 3>>& orientation, const std::string& name) {
            CoordinateFrame frame;
            frame.parentId = frame.currentBodyId = parent;
            frame.position = position;
            frame.orientation = orientation.value_or(Mat<3, 3>(identity3<double>()));
            frame.name = name;
            new (self) Part<CoordinateFrame>(nullptr, std::move(frame));
          },
          "parent_id"_a, "position"_a = nb::make_tuple(0.0, 0.0, 0.0), "orientation"_a = nb::none(),
          "name"_a = "",
          "in  parent_id    body that carries it\n"
          "in  position     (3,) m, in the body's frame\n"
          "in  orientation  (3, 3) R_BF; None: the body's axes")
      .def_prop_rw(
          "orientation", [](const CoordinateFrame& f) { return f.orientation; },
          [](CoordinateFrame& f, const Mat<3, 3>& R) { f.orientation = R; },
          "(3, 3) R_BF, B the frame of the body that carries it")
      .def_prop_rw(
          "position", [](const CoordinateFrame& f) { return f.position; },
          [](CoordinateFrame& f, const Vec<3>& p) { f.position = p; }, "(3,) m, in B")
      .def_prop_ro(
          "parent_id", [](const CoordinateFrame& f) { return f.parentId; },
          "int: the body that carries it")
      .def_prop_ro(
          "current_body_id", [](const CoordinateFrame& f) { return f.currentBodyId; },
          "int: the same")
      .def_prop_rw(
          "name", [](const CoordinateFrame& f) { return f.name; },
          [](CoordinateFrame& f, const std::string& name) { f.name = name; }, "str: of the joint")
      .def_prop_ro(
          "parent_name", [](const CoordinateFrame& f) { return f.parentName; },
          "str: of the joint's parent link")
      .def_prop_ro(
          "body_name", [](const CoordinateFrame& f) { return f.bodyName; },
          "str: of the joint's child link")
      .def_prop_ro(
          "is_child", [](const CoordinateFrame& f) { return f.isChild; },
          "bool: the joint moves; False: it is a weld")
      .def_prop_ro(
          "joint_type", [](const CoordinateFrame& f) { return f.jointType; }, "JointKind")
      .def_prop_ro(
          "rotor", [](const CoordinateFrame& f) { return f.rotor; },
          "int: the geared rotor that it turns with; -1: none")
      .def("__repr__", [](const CoordinateFrame& f) {
        return "<espalier.CoordinateFrame '" + f.name + "' on body " + std::to_string(f.parentId) +
               ">";
      });
}

void bindValues(nb::module_& m) {
  nb::class_<SparseJacobian>(m, "SparseJacobian",
                             "A Jacobian (3, nv) by its columns that are not zero.")
      .def_ro("idx", &SparseJacobian::idx, "list[int]: their places in u, root first")
      .def_ro("v", &SparseJacobian::v, "(3, size): column i belongs to idx[i]")
      .def_ro("size", &SparseJacobian::size, "int: number of columns")
      .def("times", &SparseJacobian::times, "u"_a, "(3,) J u")
      .def(
          "dense",
          [](const SparseJacobian& J, int dof) {
            ESPALIER_REQUIRE(dof >= 0 && dof < (1 << 24), "dof is the number of velocities");
            MatrixXd dense = MatrixXd::Zero(3, dof);
            J.fill(dense);
            return dense;
          },
          "dof"_a, "(3, dof), zeros elsewhere")
      .def(
          "fill",
          [](const SparseJacobian& J, MatrixXd dense) {
            J.fill(dense);
            return dense;
          },
          "dense"_a, "A copy of dense (3, nv) with these columns in it.")
      .def("__repr__", [](const SparseJacobian& J) {
        return "<espalier.SparseJacobian of " + std::to_string(J.size) + " columns>";
      });
  nb::enum_<LimitedAngle>(m, "LimitedAngle", "What a limit bounds.")
      .value("COORDINATE", LimitedAngle::COORDINATE, "a coordinate of its joint")
      .value("ROTATION", LimitedAngle::ROTATION, "angle of a spherical joint's rotation")
      .value("SWING", LimitedAngle::SWING, "angle between its axis and where that is carried")
      .value("TWIST", LimitedAngle::TWIST, "turn about its axis");
  nb::class_<JointLimitViolation>(m, "JointLimitViolation",
                                  "A joint at or beyond one of its limits.")
      .def_ro("joint_id", &JointLimitViolation::jointId, "int: joint, which is the body")
      .def_ro("dof", &JointLimitViolation::dof, "int: place in u; of a spherical joint its first")
      .def_ro("is_upper", &JointLimitViolation::isUpper, "bool")
      .def_ro("depth", &JointLimitViolation::depth, "float: rad or m beyond the limit")
      .def_ro("impulse", &JointLimitViolation::impulse,
              "float: N m s or N s with which it was pushed back in the last step")
      .def_ro("angle", &JointLimitViolation::angle, "LimitedAngle");
  nb::class_<SpringElement>(m, "SpringElement",
                            "A spring between a body and the one that carries it.")
      .def(
          "__init__",
          [](SpringElement* self, int body, double stiffness, const VectorXd& q) {
            ESPALIER_REQUIRE(q.size() <= 4, "q_ref has at most 4 numbers");
            SpringElement spring{body, stiffness, {}};
            spring.q_ref.head(q.size()) = q;
            new (self) SpringElement(spring);
          },
          "child_body_id"_a = 0, "stiffness"_a = 0.0, "q_ref"_a = nb::make_tuple())
      .def_rw("child_body_id", &SpringElement::childBodyId, "int: body, which is the joint")
      .def_rw("stiffness", &SpringElement::stiffness, "float: N m/rad or N/m")
      .def_rw("q_ref", &SpringElement::q_ref,
              "(4,) where it rests: as many numbers as the joint has coordinates count")
      .def_prop_rw(
          "spring_mount", &SpringElement::getSpringMount,
          [](SpringElement& s, const Vec<4>& q) { s.q_ref = q; }, "(4,) the same");
}

}  // namespace

void bindShapesOfRobots(nb::module_& m);  // articulated_shapes.cpp

void bindArticulatedParts(nb::module_& m) {
  bindCoordinateFrame(m);
  bindShapesOfRobots(m);
  bindJointRef(m);
  bindLinkRef(m);
  bindValues(m);
}

}  // namespace espalier::python
