// The extension module espalier._espalier; users import it through the package espalier.

#include "array.h"
#include "bindings.h"

NB_MODULE(_espalier, m) {
  espalier::python::importNumpy();
  // Objects that a program's caches and callbacks hold when Python ends are no leak of ours.
  nanobind::set_leak_warnings(false);
  m.doc() = "Articulated systems as they are really built, with hard contact";
  m.attr("__version__") = ESPALIER_VERSION;
  espalier::python::bindDiagnostics(m);
  espalier::python::bindTrace(m);
  espalier::python::bindGeometry(m);
  espalier::python::bindSpec(m);
  espalier::python::bindModelParts(m);
  espalier::python::bindModel(m);
  espalier::python::bindModelFunctions(m);
  espalier::python::bindIo(m);
  espalier::python::bindClusterJoints(m);
  espalier::python::bindStepReport(m);
  espalier::python::bindContacts(m);
  espalier::python::bindObject(m);
  espalier::python::bindBodies(m);
  espalier::python::bindArticulatedSystem(m);
  espalier::python::bindWorld(m);
  espalier::python::bindBatch(m);
  espalier::python::bindObserver(m);
  espalier::python::bindDynamics(m);
  espalier::python::bindVisuals(m);
  espalier::python::bindServer(m);
  espalier::python::bindRecording(m);
  espalier::python::bindRecordingReader(m);
  espalier::python::bindCommand(m);
  espalier::python::bindFileView(m);
  espalier::python::bindJointObjects(m);
  espalier::python::bindSim(m);
  espalier::python::listPublicNames(m);
}
