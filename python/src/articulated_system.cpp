#include "espalier/world/articulated_system.h"

#include <nanobind/stl/string.h>

#include "bindings.h"
#include "casters.h"

namespace espalier::python {

using namespace nb::literals;

void bindArticulatedSystem(nb::module_& m) {
  nb::class_<Object>(m, "Object");
  nb::class_<ArticulatedSystem, Object>(m, "ArticulatedSystem")
      .def_prop_rw(
          "q", [](const ArticulatedSystem& s) { return s.getGeneralizedCoordinate(); },
          [](ArticulatedSystem& s, const Eigen::VectorXd& q) { s.setGeneralizedCoordinate(q); })
      .def_prop_ro("mass_matrix", &ArticulatedSystem::getMassMatrix);
}

}  // namespace espalier::python
