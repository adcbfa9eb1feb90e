// The class World: how it is made, shown and copied.

#include "espalier/world/world.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <cstdio>

#include "bindings.h"
#include "diagnostics.h"
#include "espalier/core/diagnostic.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/world/template_parameters.h"
#include "paths.h"
#include "spec_casters.h"
#include "template_values.h"
#include "world_bindings.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

int traverseWorld(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<WorldHandle>(self)->callback.ptr());
  return 0;
}

int clearWorld(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<WorldHandle>(self)->callback.reset();
  return 0;
}

PyType_Slot world_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverseWorld)},
                             {Py_tp_clear, reinterpret_cast<void*>(clearWorld)},
                             {0, nullptr}};

std::string worldText(nb::handle_t<WorldHandle> self) {
  const World& world = heldBy<WorldHandle>(self).world();
  char head[80];
  std::snprintf(head, sizeof head, "<espalier.World at t = %.6g s, %d object%s",
                world.getWorldTime(), world.objectCount(), world.objectCount() == 1 ? "" : "s");
  std::string text = head;
  int place = 0;
  for (const Object* object : world.getObjList()) {
    const nb::object handle = nb::steal(handleOf(object, self.ptr()));
    text += "\n  " + std::to_string(place++) + "  " +
            nb::cast<std::string>(handle.type().attr("__name__")) + " '" + object->getName() + "'";
  }
  return text + ">";
}

void initFromFile(WorldHandle* self, const FileName& fileOrText, const TemplateValues& given) {
  io::WorldOptions options;
  options.parameters = plainNames(textsOf(given));
  auto loaded = [&] {
    const nb::gil_scoped_release release;
    return io::loadWorld(fileOrText.text, options);
  }();
  const WorldSpec spec = valueOf(std::move(loaded));
  auto world = std::make_unique<World>(spec);
  for (int i = 0; i < world->systemCount(); ++i)
    warnOfOverlaps(*world->system(i), spec.systems[i].system.file);
  new (self) WorldHandle(std::move(world));
}

nb::object copying(const char* function, nb::handle self) {
  return nb::module_::import_("espalier._world_copy").attr(function)(self);
}

void bindMaking(WorldClass& world) {
  world
      .def(
          "__init__", [](WorldHandle* self) { new (self) WorldHandle(std::make_unique<World>()); },
          "An empty world: gravity (0, 0, -9.81), time step 1 ms, MIDPOINT.")
      .def(
          "__init__",
          [](WorldHandle* self, const WorldSpec& spec) {
            new (self) WorldHandle(std::make_unique<World>(spec));
          },
          "spec"_a, "A world as data; ValueError with every diagnostic.")
      .def("__init__", &initFromFile, "file_or_text"_a, "parameters"_a = TemplateValues(),
           "A world configuration file, or its text (docs/world_files.md); SpecError with every\n"
           "diagnostic, warnings as EspalierWarning.\n"
           "  in  parameters  what @@NAME stands for in a template, texts or numbers by NAME")
      .def_static("set_activation_key", &World::setActivationKey, "key"_a,
                  "Does nothing, since no key is needed; for code that comes from RaiSim.")
      .def_static("set_license_file", &World::setLicenseFile, "file"_a,
                  "Does nothing, since no key is needed; for code that comes from RaiSim.");
}

void bindAsData(WorldClass& world) {
  world
      .def("diagnostics", method(&World::diagnostics),
           "Diagnostics: what of the world cannot be simulated as asked; empty where all is well")
      .def("spec", method(&World::spec), "WorldSpec: the world as data, in its present state")
      .def(
          "export_to_xml", [](const World& w, const FileName& file) { w.exportToXml(file.text); },
          "file"_a, "Writes the world, in its present state, as a world file.")
      .def(
          "export_to_xml",
          [](const World& w, const FileName& folder, const std::string& file) {
            w.exportToXml(folder.text, file);
          },
          "folder"_a, "file"_a)
      .def("__repr__", &worldText)
      .def(
          "__reduce__", [](nb::handle self) { return copying("reduce", self); },
          "For pickle and copy.deepcopy: see espalier.copy_world().")
      .def("_noted_calls", [](const WorldHandle& w) { return w.calls; })
      .def("_keyframes", [](const WorldHandle& w) { return w.keyframes; })
      .def_prop_ro("_weld_count", [](const WorldHandle& w) { return w.welds.size(); })
      .def_prop_ro("_has_contact_callback",
                   [](const WorldHandle& w) { return w.callback.is_valid(); })
      .def(
          "__copy__", [](nb::handle self) { return copying("copy_world", self); },
          "For copy.copy: the same as a deep copy, since a World owns what is in it.");
}

}  // namespace

void bindWorld(nb::module_& m) {
  WorldClass world(
      m, "World", nb::type_slots(world_slots),
      "What a simulation is made of, and its clock. It owns objects and materials, keeps\n"
      "one q and one u for all that moves, and steps them together. Objects are added\n"
      "and removed between steps. While a thread steps it (without the GIL), calls of\n"
      "other threads raise RuntimeError; different Worlds step in parallel.");
  bindMaking(world);
  bindAdding(world);
  bindObjects(world);
  bindSettings(world);
  bindStepping(world);
  bindAsData(world);
}

}  // namespace espalier::python
