#include "bindings.h"

namespace espalier::python {

/// Sets __all__: the names that `from ._espalier import *` takes over. Submodules are not in it,
/// because the package has modules of their names (espalier.io beside espalier._espalier.io).
void listPublicNames(nb::module_& m) {
  nb::list names;
  for (const auto [name, value] : nb::cast<nb::dict>(m.attr("__dict__")))
    if (nb::cast<const char*>(name)[0] != '_' && !PyModule_Check(value.ptr())) names.append(name);
  m.attr("__all__") = names;
}

}  // namespace espalier::python
