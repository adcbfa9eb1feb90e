// The extension module espalier._espalier; users import it through the package espalier.

#include "array.h"
#include "bindings.h"

NB_MODULE(_espalier, m) {
  espalier::python::importNumpy();
  m.doc() = "Articulated systems as they are really built, with hard contact";
  m.attr("__version__") = ESPALIER_VERSION;
  espalier::python::bindDiagnostics(m);
  espalier::python::bindObject(m);
  espalier::python::bindBodies(m);
  espalier::python::bindArticulatedSystem(m);
  espalier::python::bindWorld(m);
}
