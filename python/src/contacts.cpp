// Contacts, rays and materials as values.

#include "espalier/step/contact.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdio>

#include "bindings.h"
#include "casters.h"
#include "espalier/robot/contact_view.h"
#include "espalier/step/materials.h"
#include "espalier/world/material_manager.h"
#include "paths.h"
#include "ray_values.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

std::string textOf(const Contact& c) {
  char text[200];
  std::snprintf(text, sizeof text,
                "<espalier.Contact of objects %d and %d at (%.4g, %.4g, %.4g) m, depth %.3g m, "
                "impulse (%.3g, %.3g, %.3g) N s>",
                c.objectA, c.objectB, c.position.x, c.position.y, c.position.z, c.depth,
                c.impulse.x, c.impulse.y, c.impulse.z);
  return text;
}

void bindContact(nb::module_& m) {
  nb::class_<Contact>(
      m, "Contact", "One contact point of the last step, at the scheme's evaluation point: a copy.")
      .def_ro("object_a", &Contact::objectA, "int: place in World.obj_list")
      .def_ro("object_b", &Contact::objectB, "int: place in World.obj_list")
      .def_ro("body_a", &Contact::bodyA, "int: body of object A")
      .def_ro("body_b", &Contact::bodyB, "int: body of object B")
      .def_ro("type_a", &Contact::typeA, "BodyType")
      .def_ro("type_b", &Contact::typeB, "BodyType")
      .def_ro("position", &Contact::position, "(3,) m, world")
      .def_ro("normal", &Contact::normal, "(3,) unit, world, the push on A")
      .def_ro("frame", &Contact::frame, "(3, 3) rows t1, t2, normal: R_CW")
      .def_ro("impulse", &Contact::impulse, "(3,) N s on A, in the contact frame (t1, t2, normal)")
      .def_prop_ro(
          "impulse_W", [](const Contact& c) { return tmul(c.frame, c.impulse); },
          "(3,) N s on A, world axes")
      .def_ro("torque", &Contact::torque,
              "(3,) N m s on A, in the contact frame: rolling and spinning friction")
      .def_ro("depth", &Contact::depth, "float: m; negative: a gap")
      .def_ro("friction", &Contact::friction, "float")
      .def_ro("feature", &Contact::feature, "int: what of the two shapes touches")
      .def_prop_ro("is_active", &Contact::isActive, "bool: it carries an impulse")
      .def_prop_ro("is_closed", &Contact::isClosed, "bool: its gap is at most 1e-5 m")
      .def_prop_ro("touches", &Contact::touches, "bool: is_active or is_closed")
      .def("__repr__", &textOf);
  m.attr("CLOSED_GAP") = closed_gap;
}

void bindContactView(nb::module_& m) {
  nb::class_<ContactView>(
      m, "ContactView",
      "A contact as one of its two objects sees it: a copy. The impulse acts on\n"
      "object A, its opposite on B.")
      .def_prop_ro("position", &ContactView::getPosition, "(3,) m, world")
      .def_prop_ro("normal", &ContactView::getNormal, "(3,) unit, world, the push on A")
      .def_prop_ro("contact_frame", &ContactView::getContactFrame,
                   "(3, 3) R_CW: rows t1, t2, normal")
      .def_prop_ro(
          "impulse", [](const ContactView& c) { return Vec<3>(c.getImpulse().e()); },
          "(3,) N s on A over the last step, in the contact frame; divide by the time step\n"
          "for the mean force")
      .def_prop_ro("impulse_on_this", &ContactView::getImpulseOnThis,
                   "(3,) N s on this object, world axes")
      .def_prop_ro("depth", &ContactView::getDepth, "float: m; negative: a gap")
      .def_prop_ro("is_active", &ContactView::isActive, "bool: it carries an impulse or is closed")
      .def_prop_ro("friction", &ContactView::getFriction, "float")
      .def_prop_ro("is_object_a", &ContactView::isObjectA, "bool: this object is A")
      .def_prop_ro("is_self_collision", &ContactView::isSelfCollision, "bool")
      .def_prop_ro("skip", &ContactView::skip,
                   "bool: the second view of a self-collision, so that sums count it once")
      .def_prop_ro("local_body_index", &ContactView::getlocalBodyIndex,
                   "int: body of this object; 0 for single bodies")
      .def_prop_ro("pair_object_index", &ContactView::getPairObjectIndex,
                   "int: the other object's place in World.obj_list")
      .def_prop_ro("pair_body_index", &ContactView::getPairBodyIndex, "int: its body")
      .def_prop_ro("pair_object_body_type", &ContactView::getPairObjectBodyType, "BodyType")
      .def_prop_ro("index_in_world", &ContactView::getIndexInWorld, "int: place in World.contacts")
      .def_prop_ro("index_in_object_contact_list", &ContactView::getIndexInObjectContactList,
                   "int: place in this object's contacts(), for the same filter")
      .def_prop_ro("pair_contact_index_in_pair_object",
                   &ContactView::getPairContactIndexInPairObject,
                   "int: place of the same contact in the other object's contacts()")
      .def_prop_ro(
          "contact", [](const ContactView& c) { return Contact(c.contact()); }, "Contact")
      .def("__repr__", [](const ContactView& c) { return textOf(c.contact()); });
}

void bindRays(nb::module_& m) {
  nb::class_<RayValue>(m, "RayTestResult", "One surface on a ray.")
      .def_ro("object", &RayValue::object, "Object")
      .def_ro("body", &RayValue::body, "int: of the object")
      .def_prop_ro(
          "local_idx", [](const RayValue& hit) { return hit.body; }, "int: the same")
      .def_ro("position", &RayValue::position, "(3,) m, world")
      .def_ro("normal", &RayValue::normal, "(3,) unit, world")
      .def_ro("distance", &RayValue::distance, "float: m")
      .def("__repr__", [](const RayValue& hit) {
        char text[120];
        std::snprintf(text, sizeof text, " at (%.4g, %.4g, %.4g) m, distance %.4g m>",
                      hit.position.x, hit.position.y, hit.position.z, hit.distance);
        return "<espalier.RayTestResult on " + nb::cast<std::string>(nb::repr(hit.object)) + text;
      });
  nb::class_<CastRayValue>(m, "CastRay", "A ray that was cast, up to the surface that it met.")
      .def_ro("start", &CastRayValue::start, "(3,) m, world")
      .def_ro("end", &CastRayValue::end, "(3,) m, world")
      .def_ro("object", &CastRayValue::object, "Object that it met; None: none, or removed since")
      .def_ro("body", &CastRayValue::body, "int: of this object");
}

void bindMaterials(nb::module_& m) {
  nb::class_<MaterialPair>(m, "MaterialPair", "How two materials meet in a contact.")
      .def(nb::init<>())
      .def_rw("friction", &MaterialPair::friction, "float: Coulomb, dynamic")
      .def_rw("restitution", &MaterialPair::restitution, "float")
      .def_rw("restitution_threshold", &MaterialPair::restitutionThreshold, "float: m/s")
      .def_rw("static_friction", &MaterialPair::staticFriction, "float: at rest; < 0: as friction")
      .def_rw("static_velocity", &MaterialPair::staticVelocity,
              "float: m/s, slip at which friction is reached")
      .def_rw("rolling", &MaterialPair::rolling,
              "float: m, torque across the normal per normal force")
      .def_rw("spinning", &MaterialPair::spinning,
              "float: m, torque about the normal per normal force")
      .def_prop_ro("depends_on_slip", &MaterialPair::dependsOnSlip, "bool")
      .def_prop_ro("has_torsion", &MaterialPair::hasTorsion,
                   "bool: it has rolling or spinning friction")
      .def("friction_at", &MaterialPair::frictionAt<double>, "slip"_a,
           "float: coefficient at a slip speed, m/s")
      .def("__repr__", [](const MaterialPair& p) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "<espalier.MaterialPair: friction %g, restitution %g above %g m/s>",
                      p.friction, p.restitution, p.restitutionThreshold);
        return std::string(text);
      });
  m.def("material_pair", &materialPair, "spec"_a, "MaterialPair of a MaterialPairSpec");
  m.def(
      "fault_of",
      [](const MaterialPair& pair) -> nb::object {
        const char* fault = faultOf(pair);
        return fault ? nb::object(nb::str(fault)) : nb::none();
      },
      "pair"_a, nb::sig("def fault_of(pair: MaterialPair) -> str | None"),
      "What no pair can have (NaN, negative friction and the like); None where all is well.");
  nb::class_<MaterialManager>(m, "MaterialManager",
                              "Materials as a value, for World.update_material_prop().")
      .def(nb::init<>())
      .def(
          "__init__",
          [](MaterialManager* self, const FileName& worldFileOrText) {
            new (self) MaterialManager(worldFileOrText.text);
          },
          "world_file_or_text"_a, "The <material> of a world file, or of its text.")
      .def_prop_rw(
          "by_default", [](const MaterialManager& m) { return m.byDefault; },
          [](MaterialManager& m, const MaterialPairSpec& pair) { m.byDefault = pair; },
          "MaterialPairSpec, a copy")
      .def_prop_rw(
          "pairs", [](const MaterialManager& m) { return m.pairs; },
          [](MaterialManager& m, const std::vector<MaterialPairSpec>& pairs) { m.pairs = pairs; },
          "list[MaterialPairSpec], a copy")
      .def("set_default_material_prop", &MaterialManager::setDefaultMaterialProp, "friction"_a,
           "restitution"_a, "restitution_threshold"_a, "The threshold in m/s.")
      .def("set_material_pair_prop", &MaterialManager::setMaterialPairProp, "first"_a, "second"_a,
           "friction"_a, "restitution"_a, "restitution_threshold"_a, "The threshold in m/s.");
}

}  // namespace

void bindContacts(nb::module_& m) {
  bindContact(m);
  bindContactView(m);
  bindRays(m);
  bindMaterials(m);
}

}  // namespace espalier::python
