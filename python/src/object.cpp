// Common members of the objects of a World.

#include "espalier/robot/object.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind_members.h"
#include "bindings.h"
#include "casters.h"
#include "object_handle.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

std::string textOf(nb::handle_t<HandleOf<Object>> self) {
  const auto* handle = &heldBy<HandleOf<Object>>(self);
  const std::string kind = nb::cast<std::string>(self.type().attr("__name__"));
  if (!handle->object) return "<espalier." + kind + ", removed>";
  const Object& object = handle->use();
  return "<espalier." + kind + " '" + object.getName() + "', object " +
         std::to_string(object.getIndexInWorld()) + ">";
}

}  // namespace

void bindObject(nb::module_& m) {
  nb::enum_<ObjectType> types(m, "ObjectType", "Kinds of objects.");
  for (const auto& [name, type] : object_types) types.value(name, type);
  nb::enum_<ContactFilter>(m, "ContactFilter", "Which contacts Object.contacts() lists.")
      .value("TOUCHING", ContactFilter::TOUCHING, "those that carry an impulse or are closed")
      .value("ALL", ContactFilter::ALL, "near misses too, as World.contacts");

  nb::class_<HandleOf<Object>>(
      m, "Object", nb::type_slots(handle_slots),
      "A thing in a World. Objects keep their World; once removed from it, every call raises\n"
      "RuntimeError. Each object of a World is one object in Python.")
      .def_prop_rw("name", method(&Object::getName), method(&Object::setName),
                   "str: any text; World.object(name) finds the first that has it")
      .def_prop_ro("index_in_world", method(&Object::getIndexInWorld),
                   "int: its place in World.obj_list; changes when an earlier one is removed")
      .def_prop_ro("body_type", method(&Object::getBodyType), "BodyType")
      .def_prop_ro("object_type", method(&Object::getObjectType), "ObjectType")
      .def(
          "contacts",
          [](const Object& object, ContactFilter filter) { return object.getContacts(filter); },
          "filter"_a = ContactFilter::TOUCHING,
          "list[ContactView]: its contacts of the last step, as it sees them; between "
          "integrate1()\n"
          "and integrate2() those of the step in progress, without impulses. A contact between "
          "two\n"
          "bodies of this object is there twice; the second says skip.")
      .def("__repr__", &textOf);
}

}  // namespace espalier::python
