#pragma once

// The functions by which each source of this folder adds to the module. module.cpp calls them in an
// order in which types are known before they are used in signatures.

#include <nanobind/nanobind.h>

#include <cctype>
#include <string>

namespace espalier::python {

namespace nb = nanobind;

/// The table's names as Python spells those of enumerators.
inline std::string inCapitals(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

void bindDiagnostics(nb::module_& m);
void bindTrace(nb::module_& m);
void bindGeometry(nb::module_& m);
void bindSpec(nb::module_& m);
void bindModelParts(nb::module_& m);
void bindModel(nb::module_& m);
void bindModelFunctions(nb::module_& m);
void bindIo(nb::module_& m);
void bindClusterJoints(nb::module_& m);
void bindStepReport(nb::module_& m);
void bindContacts(nb::module_& m);
void bindObject(nb::module_& m);
void bindBodies(nb::module_& m);
void bindWorld(nb::module_& m);
void bindBatch(nb::module_& m);
void bindObserver(nb::module_& m);
void bindArticulatedSystem(nb::module_& m);
void listPublicNames(nb::module_& m);
void bindDynamics(nb::module_& m);
void bindVisuals(nb::module_& m);
void bindServer(nb::module_& m);
void bindRecording(nb::module_& m);
void bindRecordingReader(nb::module_& m);
/// The submodule of the command's functions.
nb::module_ applicationOf(nb::module_& m);
void bindCommand(nb::module_& m);
void bindFileView(nb::module_& m);
void bindJointObjects(nb::module_& m);
/// The submodule sim.
void bindSim(nb::module_& m);
void bindSimulation(nb::module_& m);
void bindSimFrames(nb::module_& m);
void bindSimControllers(nb::module_& m);
void bindSimConstraints(nb::module_& m);
void bindSimObservers(nb::module_& m);

}  // namespace espalier::python
