#include "espalier/world/articulated_system.h"

#include <nanobind/stl/string.h>

#include "bindings.h"
#include "casters.h"
#include "object_handle.h"

namespace espalier::python {

using namespace nb::literals;

void bindArticulatedSystem(nb::module_& m) {
  nb::class_<HandleOf<ArticulatedSystem>, HandleOf<Object>>(m, "ArticulatedSystem",
                                                            nb::type_slots(handle_slots))
      .def_prop_rw(
          "q", [](const ArticulatedSystem& s) { return s.getGeneralizedCoordinate(); },
          [](ArticulatedSystem& s, const Eigen::VectorXd& q) { s.setGeneralizedCoordinate(q); })
      .def_prop_rw(
          "u", [](const ArticulatedSystem& s) { return s.getGeneralizedVelocity(); },
          [](ArticulatedSystem& s, const Eigen::VectorXd& q) { s.setGeneralizedVelocity(q); })
      .def_prop_ro("mass_matrix", [](const ArticulatedSystem& s) { return s.getMassMatrix(); });
}

}  // namespace espalier::python
