// espalier.io: files to Specs and back.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "diagnostics.h"
#include "espalier/io/export/export.h"
#include "espalier/io/spec_difference.h"
#include "paths.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// The result of a reader, read without the GIL.
template <class Read>
auto readFree(const Read& read, Diagnostics* remarks) {
  auto expected = [&] {
    const nb::gil_scoped_release release;
    return read();
  }();
  return valueOf(std::move(expected), remarks);
}

constexpr const char* remarks_doc =
    " Warnings go to `warnings`, or all remarks to `diagnostics` where given. SpecError, a "
    "ValueError, "
    "with every problem.";

/// The doc of a reader.
std::string reader(const char* doc) { return std::string(doc) + remarks_doc; }

void bindReaders(nb::module_& m) {
  m.def(
      "load_urdf",
      [](const FileName& path, const io::UrdfOptions& options, Diagnostics* remarks) {
        return readFree([&] { return io::loadUrdf(path, options); }, remarks);
      },
      "path"_a, "options"_a, "diagnostics"_a = nb::none(),
      reader("A SystemSpec from a URDF file, with the loops of the robot.yaml beside it.").c_str());
  m.def(
      "parse_urdf",
      [](const std::string& text, const std::string& name, const io::UrdfOptions& options,
         Diagnostics* remarks) {
        return readFree([&] { return io::parseUrdf(text, name, options); }, remarks);
      },
      "text"_a, "name"_a, "options"_a, "diagnostics"_a = nb::none(),
      reader("A SystemSpec from URDF text; name: what remarks call it.").c_str());
  m.def(
      "load_robot",
      [](const FileName& pathOrText, const io::UrdfOptions& options, Diagnostics* remarks) {
        return readFree([&] { return io::loadRobot(pathOrText, options); }, remarks);
      },
      "path_or_text"_a, "options"_a, "diagnostics"_a = nb::none(),
      reader("A SystemSpec from a file or its text, which begins with '<': URDF, xacro, MJCF, SDF.")
          .c_str());
  m.def(
      "load_gravity",
      [](const FileName& pathOrText) {
        const nb::gil_scoped_release release;
        return io::loadGravity(pathOrText);
      },
      "path_or_text"_a,
      "(3,) m/s^2, the gravity that a robot's file gives its world: of MuJoCo's files; else None.");
  m.def(
      "parse_mjcf_robot",
      [](const std::string& text, const std::string& name, const io::MjcfOptions& options,
         Diagnostics* remarks) {
        return readFree([&] { return io::parseMjcfRobot(text, name, options); }, remarks);
      },
      "text"_a, "name"_a, "options"_a, "diagnostics"_a = nb::none(),
      reader("The one mechanism of a MuJoCo model, as a SystemSpec.").c_str());
  m.def(
      "parse_mjcf_gravity",
      [](const std::string& text, const std::string& name, const FileName& folder) {
        const nb::gil_scoped_release release;
        return io::parseMjcfGravity(text, name, folder);
      },
      "text"_a, "name"_a, "folder"_a = FileName{"."},
      "(3,) m/s^2, gravity in a MuJoCo model's world; None where the text has errors there.");
  m.def(
      "parse_mjcf_world",
      [](const std::string& text, const std::string& name, const io::MjcfOptions& options,
         Diagnostics* remarks) {
        return readFree([&] { return io::parseMjcfWorld(text, name, options); }, remarks);
      },
      "text"_a, "name"_a, "options"_a, "diagnostics"_a = nb::none(),
      reader("A MuJoCo model as a WorldSpec.").c_str());
  m.def(
      "is_mjcf", [](const std::string& text) { return io::isMjcf(text); }, "text"_a,
      "Whether text is MuJoCo's, by its outermost element.");
  m.def(
      "parse_sdf_robot",
      [](const std::string& text, const std::string& name, const io::SdfOptions& options,
         Diagnostics* remarks) {
        return readFree([&] { return io::parseSdfRobot(text, name, options); }, remarks);
      },
      "text"_a, "name"_a, "options"_a, "diagnostics"_a = nb::none(),
      reader("The first <model> of SDF text, as a SystemSpec.").c_str());
  m.def(
      "parse_sdf_world",
      [](const std::string& text, const std::string& name, const io::SdfOptions& options,
         Diagnostics* remarks) {
        return readFree([&] { return io::parseSdfWorld(text, name, options); }, remarks);
      },
      "text"_a, "name"_a, "options"_a, "diagnostics"_a = nb::none(),
      reader("The first <world> of SDF text, as a WorldSpec.").c_str());
  m.def(
      "is_sdf", [](const std::string& text) { return io::isSdf(text); }, "text"_a,
      "Whether text is SDF, by its outermost element.");
  m.def(
      "is_sdf_world", [](const std::string& text) { return io::isSdfWorld(text); }, "text"_a,
      "Whether SDF text holds a <world>, not only models.");
  m.def(
      "load_world",
      [](const FileName& fileOrText, const io::WorldOptions& options, Diagnostics* remarks) {
        return readFree([&] { return io::loadWorld(fileOrText, options); }, remarks);
      },
      "file_or_text"_a, "options"_a, "diagnostics"_a = nb::none(),
      reader(
          "A WorldSpec from a file or its text, which begins with '<': ours, RaiSim's, MuJoCo's or "
          "Gazebo's.")
          .c_str());
  m.def(
      "is_world",
      [](const FileName& fileOrText) {
        const nb::gil_scoped_release release;
        return io::isWorld(fileOrText);
      },
      "file_or_text"_a, "Whether a file or text is a world, not a robot.");
}

void bindWriters(nb::module_& m) {
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  m.def(
      "export_urdf", &io::exportUrdf, "system"_a, free,
      "A SystemSpec as URDF text, which reads back as the same Spec. ValueError where a link has a "
      "height map.");
  m.def(
      "export_world_xml",
      [](const WorldSpec& world, const FileName& folder) {
        return io::exportWorldXml(world, folder);
      },
      "world"_a, "folder"_a = FileName{""}, free,
      "A WorldSpec as XML text. Files below `folder` or beside it are named by [THIS_DIR]; empty: "
      "by "
      "absolute paths.");
  m.def(
      "save_world",
      [](const WorldSpec& world, const FileName& file) {
        const Diagnostics diagnostics = [&] {
          const nb::gil_scoped_release release;
          return io::saveWorld(world, file);
        }();
        if (diagnostics.hasErrors()) throwErrors(diagnostics);
        warnAll(diagnostics);
      },
      "world"_a, "file"_a, "export_world_xml to a file. SpecError where it cannot be written.");
  const auto difference = [&]<class T>(const char* doc) {
    m.def(
        "difference",
        [](const T& a, const T& b, double tolerance) { return io::difference(a, b, tolerance); },
        "a"_a, "b"_a, "tolerance"_a = 0.0, doc);
  };
  difference.operator()<SystemSpec>("");
  difference.operator()<BodySpec>("");
  difference.operator()<WorldSpec>(
      "The first place where two Specs differ, such as \"links[2].collisions[0].X_LG\"; empty "
      "where "
      "they say the same. Lines and file names are not compared. tolerance: of entries of rotation "
      "matrices.");
  m.def("is_same_shape", &io::isSameShape, "a"_a, "b"_a,
        "Meshes by their file and triangles, height maps by their heights.");
}

}  // namespace

void bindIo(nb::module_& parent) {
  nb::module_ m = parent.def_submodule("io", "Files to Specs and back.");
  nb::class_<io::ReadingBudget>(m, "ReadingBudget",
                                "Counts what one reading takes up, all of its files together.")
      .def(nb::init<const io::ReadingLimits&>(), "limits"_a)
      .def_prop_ro("is_spent", &io::ReadingBudget::isSpent, "whether some bound is exceeded")
      .def_prop_ro("text_left", &io::ReadingBudget::textLeft, "bytes of text that may be taken")
      .def_prop_ro(
          "limits", [](const io::ReadingBudget& budget) { return budget.limits(); }, "a copy");
  bindReaders(m);
  bindWriters(m);
}

}  // namespace espalier::python
