// A robot's description: masses, joints' places, collision bodies, visuals, its file.

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "articulated_bindings.h"
#include "espalier/core/check.h"
#include "paths.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;
using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;

namespace {

/// Lengths of a shape, four at most; those that are not given are not read.
Vec<4> lengthsOf(const VectorXd& given) {
  ESPALIER_REQUIRE(given.size() <= 4, "a shape has at most 4 lengths");
  Vec<4> lengths;
  lengths.head(given.size()) = given;
  return lengths;
}

void bindCollisionBody(nb::module_& m) {
  nb::class_<Part<CollisionBody>>(
      m, "CollisionBody", nb::type_slots(partSlots<CollisionBody>()),
      "One collision body of a robot, to read and to edit; edits hold from the next step on.")
      .def_prop_rw(
          "pos_offset", [](const CollisionBody& c) { return c.posOffset; },
          [](CollisionBody& c, const Vec<3>& p) { c.posOffset = p; },
          "(3,) m, in the body's joint frame")
      .def_prop_rw(
          "rot_offset", [](const CollisionBody& c) { return c.rotOffset; },
          [](CollisionBody& c, const Mat<3, 3>& R) { c.rotOffset = R; },
          "(3, 3) R of the shape in the body's joint frame")
      .def_prop_rw(
          "name", [](const CollisionBody& c) { return c.name; },
          [](CollisionBody& c, const std::string& name) { c.name = name; },
          "str: LINK/i; a label, may be changed")
      .def_prop_ro(
          "body_idx", [](const CollisionBody& c) { return c.bodyIdx; },
          "int: of the body it is fixed to")
      .def_prop_ro(
          "local_idx", [](const CollisionBody& c) { return c.localIdx; }, "int: the same")
      .def_prop_rw(
          "shape", method(&CollisionBody::getShape), method(&CollisionBody::setShape),
          "SphereShape, BoxShape, ...; other lengths of the same kind may be set, ValueError\n"
          "for another kind")
      .def_prop_rw("material", method(&CollisionBody::getMaterial),
                   method(&CollisionBody::setMaterial), "str")
      .def_prop_rw("collision_group", method(&CollisionBody::getCollisionGroup),
                   method(&CollisionBody::setCollisionGroup), "int: bits, the groups it is in")
      .def_prop_rw("collision_mask", method(&CollisionBody::getCollisionMask),
                   method(&CollisionBody::setCollisionMask),
                   "int: bits, the groups it collides with")
      .def("__repr__", [](const CollisionBody& c) {
        return "<espalier.CollisionBody '" + c.name + "' on body " + std::to_string(c.bodyIdx) +
               ">";
      });
}

void bindVisObject(nb::module_& m) {
  nb::enum_<ShapeType> types(m, "ShapeType", "RaiSim's names and numbers of shapes.");
  for (const auto& [name, type] : shape_types)
    types.value(name, type, type == ShapeType::Cone ? "there is none" : nullptr);
  nb::class_<Part<VisObject>>(
      m, "VisObject", nb::type_slots(partSlots<VisObject>()),
      "What a viewer draws of a robot. Edits show in viewers and in spec(), never in the motion.")
      .def_prop_rw(
          "shape", [](const VisObject& v) { return v.shape; },
          [](VisObject& v, ShapeType s) { v.shape = s; }, "ShapeType")
      .def_prop_rw(
          "vis_shape_param", [](const VisObject& v) { return v.visShapeParam; },
          [](VisObject& v, const std::vector<double>& p) { v.visShapeParam = p; },
          "m: sphere (radius,); box (x, y, z); cylinder and capsule (radius, height)")
      .def_prop_rw(
          "offset", [](const VisObject& v) { return v.offset; },
          [](VisObject& v, const Vec<3>& p) { v.offset = p; }, "(3,) m, in the body's frame")
      .def_prop_rw(
          "rot", [](const VisObject& v) { return v.rot; },
          [](VisObject& v, const Mat<3, 3>& R) { v.rot = R; },
          "(3, 3) R of the shape in the body's frame")
      .def_prop_rw(
          "color", [](const VisObject& v) { return v.color; },
          [](VisObject& v, const Vec<4>& c) { v.color = c; },
          "(4,) red, green, blue, opacity, in [0, 1]")
      .def_prop_rw(
          "scale", [](const VisObject& v) { return v.scale; },
          [](VisObject& v, const Vec<3>& s) { v.scale = s; }, "(3,) of a mesh")
      .def_prop_rw(
          "file_name", [](const VisObject& v) { return v.fileName; },
          [](VisObject& v, const std::string& f) { v.fileName = f; }, "str: of a mesh")
      .def_prop_rw(
          "name", [](const VisObject& v) { return v.name; },
          [](VisObject& v, const std::string& n) { v.name = n; }, "str: as in the file, or LINK/i")
      .def_prop_rw(
          "local_idx", [](const VisObject& v) { return v.localIdx; },
          [](VisObject& v, std::size_t body) { v.localIdx = body; },
          "int: body that it is fixed to")
      .def_prop_rw(
          "material", [](const VisObject& v) { return v.material; },
          [](VisObject& v, const std::string& n) { v.material = n; },
          "str: name of the file's material; may be empty")
      .def_prop_ro(
          "link", [](const VisObject& v) { return v.link; },
          "int: place among the file's links; -1: the body's own")
      .def_prop_ro(
          "triangles", [](const VisObject& v) { return v.triangles; },
          "TriangleMesh of a mesh, as read at its scale; None where there is none")
      .def(
          "__eq__", [](const VisObject& a, const VisObject& b) { return a == b; },
          nb::is_operator())
      .def("__repr__", [](const VisObject& v) {
        return "<espalier.VisObject '" + v.name + "' on body " + std::to_string(v.localIdx) + ">";
      });
}

/// Takes all of a list that the engine hands out for writing.
template <class T>
auto writer(std::vector<T>& (Robot::*list)(), const char* what) {
  return [list, what](Robot& r, const std::vector<T>& values) {
    std::vector<T>& to = (r.*list)();
    ESPALIER_REQUIRE(values.size() == to.size(), std::string(what) + " has " +
                                                     std::to_string(to.size()) + " rows, not " +
                                                     std::to_string(values.size()));
    to = values;
  };
}
template <class T>
auto reader(const std::vector<T>& (Robot::*list)() const) {
  return [list](const Robot& r) { return (r.*list)(); };
}
template <class T>
using Written = std::vector<T>& (Robot::*)();
template <class T>
using Read = const std::vector<T>& (Robot::*)() const;
using Points = Vec<3>;
using Matrices = Mat<3, 3>;

void bindMasses(RobotClass& robot) {
  robot
      .def_prop_rw(
          "mass",
          [](const Robot& r) {
            VectorXd mass(r.getNumberOfJoints());
            for (int b = 0; b < mass.size(); ++b) mass[b] = r.getMass(b);
            return mass;
          },
          writer(Written<double>(&Robot::getMass), "mass"),
          "(bodies,) kg, authored. A copy: assign all, or use set_mass(). Edits of the\n"
          "description take effect when the next step begins, or at update_mass_info();\n"
          "impossible ones raise ValueError there and change nothing.")
      .def_prop_rw(
          "body_com_B", reader(Read<Points>(&Robot::getBodyCOM_B)),
          writer(Written<Points>(&Robot::getBodyCOM_B), "body_com_B"),
          "(bodies, 3) m, centre of mass in the body's frame, its joint's at q = 0; as mass")
      .def_prop_rw("link_com", reader(Read<Points>(&Robot::getBodyCOM_B)),
                   writer(Written<Points>(&Robot::getLinkCOM), "link_com"), "The same.")
      .def_prop_rw("inertia", reader(Read<Matrices>(&Robot::getInertia)),
                   writer(Written<Matrices>(&Robot::getInertia), "inertia"),
                   "(bodies, 3, 3) kg m^2 about the centre of mass, axes of the body; as mass")
      .def_prop_rw("joint_pos_P", reader(Read<Points>(&Robot::getJointPos_P)),
                   writer(Written<Points>(&Robot::getJointPos_P), "joint_pos_P"),
                   "(bodies, 3) m, of the joint in the frame of the body that carries it; as mass")
      .def_prop_rw("joint_orientation_P", reader(Read<Matrices>(&Robot::getJointOrientation_P)),
                   writer(Written<Matrices>(&Robot::getJointOrientation_P), "joint_orientation_P"),
                   "(bodies, 3, 3) R_PB at q = 0; as mass")
      .def_prop_rw("joint_axis_P", reader(Read<Points>(&Robot::getJointAxis_P)),
                   writer(Written<Points>(&Robot::getJointAxis_P), "joint_axis_P"),
                   "(bodies, 3) of any length, in the frame of the body that carries it; as mass")
      .def("set_mass", ofBody(&Robot::setMass), "body"_a, "mass"_a, "kg; as mass.")
      .def("set_com", ofBody(&Robot::setCOM), "body"_a, "com_B"_a, "(3,) m; as mass.")
      .def("set_inertia", ofBody(&Robot::setInertia), "body"_a, "inertia_B"_a,
           "(3, 3) kg m^2 about the centre of mass; as mass.")
      .def_prop_rw("rotor_inertia", method(&Robot::getRotorInertia),
                   method(&Robot::setRotorInertia),
                   "(nv,) kg m^2 or kg, added to the diagonal of M; as mass")
      .def("update_mass_info", method(&Robot::updateMassInfo),
           "Lets all edits take effect now; between steps only.");
}

void bindCollisions(RobotClass& robot) {
  robot
      .def_prop_ro(
          "collision_bodies",
          [](Robot& r) -> std::vector<CollisionBody>& { return r.getCollisionBodies(); },
          "list[CollisionBody]: in the order of the file")
      .def(
          "collision_body",
          [](Robot& r, const std::string& name) -> CollisionBody& {
            return r.getCollisionBody(name);
          },
          "name"_a, "CollisionBody: by its name; ValueError where there is none")
      .def(
          "set_collision_object_shape_parameters",
          [](Robot& r, int collision, const VectorXd& lengths) {
            r.setCollisionObjectShapeParameters(collision, lengthsOf(lengths));
          },
          "collision"_a, "lengths"_a,
          "m: sphere (radius,); box (x, y, z); cylinder and capsule (radius, height).")
      .def("set_collision_object_position_offset", method(&Robot::setCollisionObjectPositionOffset),
           "collision"_a, "position_B"_a, "(3,) m, in the body's joint frame.")
      .def("set_collision_object_orientation_offset",
           method(&Robot::setCollisionObjectOrientationOffset), "collision"_a, "R_B"_a,
           "(3, 3) R of the shape in the body's joint frame.");
}

void bindVisuals(RobotClass& robot) {
  const auto poseBy = [](auto pose) {
    return [pose](const Robot& r, int visual) {
      std::pair<Matrix3d, Vector3d> X;
      (r.*pose)(visual, X.first, X.second);
      return X;
    };
  };
  robot
      .def_prop_ro(
          "vis_ob", [](Robot& r) -> std::vector<VisObject>& { return r.getVisOb(); },
          "list[VisObject]: link by link in the order of the file")
      .def_prop_ro(
          "vis_col_ob", [](Robot& r) -> std::vector<VisObject>& { return r.getVisColOb(); },
          "list[VisObject]: collision bodies as something to draw")
      .def("vis_ob_pose", poseBy(&Robot::getVisObPose), "visual"_a,
           "(R_W, position), (3, 3) and (3,) m, of one of vis_ob")
      .def("vis_col_ob_pose", poseBy(&Robot::getVisColObPose), "visual"_a,
           "(R_W, position), (3, 3) and (3,) m, of one of vis_col_ob")
      .def_prop_ro("options", method(&Robot::getOptions), "ArticulatedSystemOption: as added")
      .def_prop_ro("resource_dir", method(&Robot::getResourceDir),
                   "str: the folder in which meshes were looked for; may be empty")
      .def_prop_ro("robot_description_full_path", method(&Robot::getRobotDescriptionFullPath),
                   "str: its file; empty where it came as text or data")
      .def_prop_ro("robot_descriptionf_file_name", method(&Robot::getRobotDescriptionfFileName),
                   "str: the file's name")
      .def_prop_ro("robot_descriptionf_top_dir_name",
                   method(&Robot::getRobotDescriptionfTopDirName),
                   "str: the name of the file's folder")
      .def("spec", method(&Robot::spec),
           "SystemSpec: as data, with all edits that took effect; ValueError where it came as a\n"
           "compiled Model")
      .def_prop_ro("robot_description", method(&Robot::getRobotDescription),
                   "str: spec() as the text of a URDF")
      .def(
          "export_robot_description_to_urdf",
          [](const Robot& r, const FileName& file) { r.exportRobotDescriptionToURDF(file); },
          "file"_a, "Writes robot_description to a file whose name ends in .urdf.");
}

}  // namespace

void bindShapesOfRobots(nb::module_& m) {
  nb::class_<ArticulatedSystemOption>(m, "ArticulatedSystemOption", "How a robot is added.")
      .def(
          "__init__",
          [](ArticulatedSystemOption* self, bool doNot) {
            new (self) ArticulatedSystemOption{doNot};
          },
          "do_not_collide_with_parent"_a = true)
      .def_rw("do_not_collide_with_parent", &ArticulatedSystemOption::doNotCollideWithParent,
              "bool: False: a body collides with the body that carries it, too");
  bindCollisionBody(m);
  bindVisObject(m);
  m.def("shape_type", &shapeType, "shape"_a, "ShapeType of a SphereShape, BoxShape, ...");
  m.def("visuals_of", &visualsOf, "spec"_a, "model"_a,
        "list[VisObject]: all visuals of a robot, link by link in the order of the file");
  m.def("visuals_of_collisions", &visualsOfCollisions, "model"_a,
        "list[VisObject]: its collision bodies as something to draw");
  m.def(
      "visual_spec", [](const VisObject& visual) { return visualSpec(visual); }, "visual"_a,
      "VisualSpec: what a VisObject draws; X_LG is its pose in the body's frame");
}

void bindDescription(RobotClass& robot) {
  bindMasses(robot);
  bindCollisions(robot);
  bindVisuals(robot);
}

}  // namespace espalier::python
