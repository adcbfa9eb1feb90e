#include "espalier/world/world.h"

#include <nanobind/stl/string.h>

#include "bindings.h"
#include "casters.h"

namespace espalier::python {

using namespace nb::literals;

void bindWorld(nb::module_& m) {
  nb::class_<StepReport>(m, "StepReport").def_ro("contacts", &StepReport::contacts);
  nb::class_<World>(m, "World")
      .def(nb::init<>())
      .def("add_ground", [](World& world) { world.addGround(); })
      .def(
          "add_articulated_system",
          [](World& world, const std::string& fileOrText) {
            return world.addArticulatedSystem(fileOrText);
          },
          "file_or_text"_a, nb::rv_policy::reference_internal)
      .def("integrate", &World::integrate, nb::call_guard<nb::gil_scoped_release>(),
           nb::rv_policy::reference_internal)
      .def_prop_rw("gravity", &World::getGravity, &World::setGravity);
}

}  // namespace espalier::python
