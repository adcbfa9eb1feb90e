// Single bodies.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bind_members.h"
#include "bindings.h"
#include "casters.h"
#include "object_handle.h"
#include "orientation.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

using Body = SingleBodyObject;
using Eigen::Matrix3d, Eigen::Vector3d, Eigen::Vector4d;
using BodyClass = nb::class_<HandleOf<Body>, HandleOf<Object>>;

template <class R>
using Getter = R (Body::*)() const;

void bindState(BodyClass& body) {
  body.def_prop_rw(
          "body_type", [](const Body& b) { return b.getBodyType(); }, method(&Body::setBodyType),
          "BodyType: STATIC bodies never move, KINEMATIC ones keep the velocity they are\n"
          "given, DYNAMIC ones obey forces. ValueError for a plane, a height map or a body\n"
          "without mass that should become DYNAMIC.")
      .def_prop_rw(
          "position", method(Getter<Vector3d>(&Body::getPosition)),
          [](Body& b, const Vector3d& p) { b.setPosition(p); },
          "(3,) m, of the body's origin, world axes")
      .def_prop_rw(
          "quaternion", method(Getter<Vector4d>(&Body::getQuaternion)),
          [](Body& b, const Vec<4>& q) { b.setOrientation(q); },
          "(4,) w, x, y, z, body to world; made unit when set")
      .def_prop_ro("rotation_matrix", method(Getter<Matrix3d>(&Body::getRotationMatrix)),
                   "(3, 3) R_WB")
      .def_prop_rw(
          "orientation", method(Getter<Matrix3d>(&Body::getOrientation)),
          [](Body& b, const Orientation& o) {
            std::visit([&b](const auto& x) { b.setOrientation(x); }, o.checked());
          },
          "(3, 3) R_WB; may be set to a quaternion (w, x, y, z), too. ValueError for a zero\n"
          "quaternion or a matrix that is no rotation.")
      .def_prop_rw("linear_velocity", method(Getter<Vector3d>(&Body::getLinearVelocity)),
                   method(&Body::setLinearVelocity),
                   "(3,) m/s, of the body's origin, world axes. ValueError for a STATIC body.")
      .def_prop_rw("angular_velocity", method(Getter<Vector3d>(&Body::getAngularVelocity)),
                   method(&Body::setAngularVelocity),
                   "(3,) rad/s, world axes. ValueError for a STATIC body.")
      .def_prop_ro("com_position", method(&Body::getComPosition),
                   "(3,) m, of the centre of mass, world axes")
      .def(
          "set_pose",
          [](Body& b, const Vector3d& p, const Orientation& o) {
            std::visit([&](const auto& x) { b.setPose(p, x); }, o.checked());
          },
          "position"_a, "orientation"_a,
          "Position (3,) in m and orientation, a quaternion (w, x, y, z) or R_WB (3, 3), at once.")
      .def(
          "set_velocity",
          [](Body& b, const Vector3d& v, const Vector3d& w) { b.setVelocity(v, w); }, "linear"_a,
          "angular"_a, "Of the body's origin, m/s, and rad/s, both (3,) in world axes.")
      .def(
          "velocity",
          [](const Body& b, const std::optional<Vec<3>>& point_B) {
            Vector3d v;
            if (point_B)
              b.getVelocity(0, *point_B, v);
            else
              b.getVelocity(0, v);
            return v;
          },
          "point_B"_a = nb::none(),
          "(3,) m/s, world axes, of a point of the body (m, from its origin, body axes; None: the\n"
          "origin).");
}

void bindInertia(BodyClass& body) {
  body.def_prop_rw("mass", method(&Body::getMass), method(&Body::setMass),
                   "float: kg; setting it keeps the inertia. Takes effect in the next step.")
      .def_prop_rw("inertia_B", method(&Body::getInertia_B), method(&Body::setInertia),
                   "(3, 3) kg m^2 about the centre of mass, body axes")
      .def("set_inertia", method(&Body::setInertia), "inertia"_a, "The same as inertia_B = ...")
      .def_prop_ro("inertia_matrix_B", method(&Body::getInertiaMatrix_B), "The same as inertia_B")
      .def_prop_ro("inertia_matrix_W", method(&Body::getInertiaMatrix_W),
                   "(3, 3) kg m^2 about the centre of mass, world axes")
      .def_prop_rw("com", method(&Body::getCom), method(&Body::setCom),
                   "(3,) m, centre of mass in the body frame")
      .def_prop_ro("com_B", method(&Body::getCom_B), "The same as com")
      .def_prop_rw("linear_damping", method(&Body::getLinearDamping),
                   method(&Body::setLinearDamping), "float: N s/m")
      .def_prop_rw("angular_damping", method(&Body::getAngularDamping),
                   method(&Body::setAngularDamping), "float: N m s/rad");
}

void bindForces(BodyClass& body) {
  body.def(
          "set_external_force",
          [](Body& b, const Vector3d& force, const std::optional<Vector3d>& point_B) {
            if (point_B)
              b.setExternalForce(force, *point_B);
            else
              b.setExternalForce(force);
          },
          "force"_a, "point_B"_a = nb::none(),
          "A force (3,) in N, world axes, for one step; at the centre of mass, or at a point of "
          "the\n"
          "body (3,) in m from its origin, body axes. Forces of one step add up.")
      .def(
          "set_external_torque",
          [](Body& b, const Vector3d& torque) { b.setExternalTorque(torque); }, "torque"_a,
          "A torque (3,) in N m, world axes, for one step; torques of one step add up.")
      .def("clear_external_forces_and_torques", method(&Body::clearExternalForcesAndTorques),
           "Takes back what was set for the next step.")
      .def_prop_ro("kinetic_energy", method(&Body::getKineticEnergy), "float: J")
      .def("potential_energy", method(&Body::getPotentialEnergy), "gravity"_a,
           "float: J, 0 at the world's origin; gravity (3,) in m/s^2")
      .def("energy", method(&Body::getEnergy), "gravity"_a,
           "float: J, kinetic and potential; gravity (3,) in m/s^2")
      .def_prop_ro("linear_momentum", method(&Body::getLinearMomentum), "(3,) N s, world axes")
      .def_prop_ro("angular_momentum", method(&Body::getAngularMomentum),
                   "(3,) N m s about the centre of mass, world axes");
}

void bindShapes(BodyClass& body) {
  body.def("spec", method(&Body::spec), "BodySpec: as data, in its present state, with all edits");
  body.def_prop_rw(
          "material", method(&Body::getMaterial), method(&Body::setMaterial),
          "str: of its first shape, empty without any; all its shapes get the one that is\n"
          "set, from the next step on")
      .def_prop_rw(
          "collision_group", method(Getter<std::uint64_t>(&Body::getCollisionGroup)),
          [](Body& b, std::uint64_t group) { b.setCollisionGroup(group); },
          "int: bits; two shapes meet where each one's group is in the other's mask. Of its\n"
          "first shape; all get the one that is set.")
      .def_prop_rw("collision_mask", method(&Body::getCollisionMask),
                   method(&Body::setCollisionMask), "int: bits, groups that it collides with")
      .def_prop_rw("appearance", method(&Body::getAppearance), method(&Body::setAppearance),
                   "str: a colour's name, or red, green, blue and opacity in [0, 1]\n"
                   "('0.8 0.3 0.3 1'), or any other text");
}

template <class T>
nb::class_<HandleOf<T>, HandleOf<Body>> kind(nb::module_& m, const char* name, const char* doc) {
  return {m, name, nb::type_slots(handle_slots), doc};
}

void bindKinds(nb::module_& m) {
  kind<Sphere>(m, "Sphere", "A ball.")
      .def_prop_ro("radius", method(&Sphere::getRadius), "float: m");
  kind<Box>(m, "Box", "A box.")
      .def_prop_ro("dim", method(&Box::getDim), "(3,) m, whole edge lengths");
  kind<Cylinder>(m, "Cylinder", "A cylinder along its z axis.")
      .def_prop_ro("radius", method(&Cylinder::getRadius), "float: m")
      .def_prop_ro("height", method(&Cylinder::getHeight), "float: m");
  kind<Capsule>(m, "Capsule", "A cylinder along its z axis with half balls at both ends.")
      .def_prop_ro("radius", method(&Capsule::getRadius), "float: m")
      .def_prop_ro("height", method(&Capsule::getHeight),
                   "float: m, distance of the two sphere centres");
  kind<Mesh>(m, "Mesh", "A triangle mesh; while it can move it collides as its convex hull.")
      .def_prop_ro("mesh_file_name", method(&Mesh::getMeshFileName), "str")
      .def_prop_ro(
          "mesh", [](const Mesh& mesh) { return TriangleMesh(mesh.getMesh()); },
          "TriangleMesh: scale applied, in the body's frame; a copy");
  kind<Ground>(m, "Ground", "The half space below a plane.")
      .def_prop_ro("height", method(&Ground::getHeight), "float: m, z of its origin");
  kind<HeightMap>(m, "HeightMap", "A terrain by its heights on a grid.")
      .def_prop_ro(
          "data", [](const HeightMap& h) { return HeightfieldData(h.data()); },
          "HeightfieldData: a copy")
      .def_prop_ro("x_samples", method(&HeightMap::getXSamples), "int")
      .def_prop_ro("y_samples", method(&HeightMap::getYSamples), "int")
      .def_prop_ro("x_size", method(&HeightMap::getXSize), "float: m")
      .def_prop_ro("y_size", method(&HeightMap::getYSize), "float: m")
      .def_prop_ro("center_x", method(&HeightMap::getCenterX), "float: m")
      .def_prop_ro("center_y", method(&HeightMap::getCenterY), "float: m")
      .def_prop_ro(
          "height_vector", [](const HeightMap& h) { return h.getHeightVector(); },
          "(y_samples * x_samples,) m, x fastest")
      .def("height", method(&HeightMap::getHeight), "x"_a, "y"_a,
           "float: m, z of the surface at a point of the world; ValueError where there is none")
      .def(
          "normal",
          [](const HeightMap& h, double x, double y) {
            Vector3d normal;
            h.getNormal(x, y, normal);
            return normal;
          },
          "x"_a, "y"_a, "(3,) unit, upward; ValueError where there is no surface");
  kind<Compound>(m, "Compound", "Several shapes as one body, or none.");
}

}  // namespace

void bindBodies(nb::module_& m) {
  BodyClass body(m, "SingleBodyObject", nb::type_slots(handle_slots),
                 "A rigid body on its own: a ball, a crate, the ground, a terrain.\n"
                 "World axes unless said otherwise. State is set between steps only.");
  bindState(body);
  bindInertia(body);
  bindForces(body);
  bindShapes(body);
  bindKinds(m);
}

}  // namespace espalier::python
