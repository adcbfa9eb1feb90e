#include "espalier/world/world.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "casters.h"
#include "object_handle.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) {
    Py_VISIT(nb::inst_ptr<WorldHandle>(self)->callback.ptr());
    Py_VISIT(nb::inst_ptr<WorldHandle>(self)->settings.ptr());
  }
  return 0;
}

int clear(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  nb::inst_ptr<WorldHandle>(self)->callback.reset();
  nb::inst_ptr<WorldHandle>(self)->settings.reset();
  return 0;
}

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {0, nullptr}};

}  // namespace

void bindWorld(nb::module_& m) {
  nb::class_<StepReport>(m, "StepReport").def_ro("contacts", &StepReport::contacts);
  nb::class_<WorldHandle>(m, "World", nb::type_slots(slots))
      .def("__init__", [](WorldHandle* self) { new (self) WorldHandle(std::make_unique<World>()); })
      .def("add_ground", [](World& world) { return world.addGround(); })
      .def("add_sphere",
           [](World& world, double radius, double mass) { return world.addSphere(radius, mass); })
      .def(
          "add_articulated_system",
          [](World& world, const std::string& fileOrText) {
            return world.addArticulatedSystem(fileOrText);
          },
          "file_or_text"_a)
      .def("remove_object", [](WorldHandle& world, Object& o) { world.remove(o); })
      .def("object", [](const World& world, int index) { return world.getObject(index); })
      .def_prop_ro("obj_list", [](const World& world) { return world.getObjList(); })
      .def("integrate",
           [](WorldHandle& world) -> StepReport {
             return withoutGil(world, [](World& w) { return w.integrate(); });
           })
      .def_prop_rw(
          "gravity", [](const World& w) { return w.getGravity(); },
          [](World& w, const Vec<3>& g) { w.setGravity(g); });
}

}  // namespace espalier::python
