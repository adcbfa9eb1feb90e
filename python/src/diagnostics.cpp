#include "diagnostics.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

nb::object errorsModule() { return nb::module_::import_("espalier.errors"); }

void bindDiagnostic(nb::module_& m) {
  nb::enum_<Severity>(m, "Severity", "How bad a remark is.")
      .value("NOTE", Severity::Note, "worth knowing")
      .value("WARNING", Severity::Warning, "odd, or left out")
      .value("ERROR", Severity::Error, "cannot be built");
  nb::class_<Diagnostic>(
      m, "Diagnostic",
      "One remark about a file or a Spec: where, how bad, what, and what to do about it.")
      .def(
          "__init__",
          [](Diagnostic* self, Severity severity, std::string file, int line, std::string what,
             std::string remedy, bool isOmission) {
            new (self) Diagnostic{severity,        std::move(file),   line,
                                  std::move(what), std::move(remedy), isOmission};
          },
          "severity"_a = Severity::Error, "file"_a = "", "line"_a = 0, "what"_a = "",
          "remedy"_a = "", "is_omission"_a = false)
      .def_rw("severity", &Diagnostic::severity, "Severity")
      .def_rw("file", &Diagnostic::file, "path, or \"<text>\"; empty if unknown")
      .def_rw("line", &Diagnostic::line, "1-based; 0 if unknown")
      .def_rw("what", &Diagnostic::what, "the problem, naming link, joint or attribute")
      .def_rw("remedy", &Diagnostic::remedy, "what to do about it")
      .def_rw("is_omission", &Diagnostic::isOmission,
              "a warning about something left out that acts where the file comes from")
      .def("__str__", [](const Diagnostic& d) { return toString(d); })
      .def("__repr__", [](const Diagnostic& d) { return toString(d); })
      .def("__getstate__",
           [](const Diagnostic& d) {
             return std::make_tuple(static_cast<int>(d.severity), d.file, d.line, d.what, d.remedy,
                                    d.isOmission);
           })
      .def("__setstate__",
           [](Diagnostic& d,
              const std::tuple<int, std::string, int, std::string, std::string, bool>& s) {
             const auto& [severity, file, line, what, remedy, isOmission] = s;
             new (&d)
                 Diagnostic{static_cast<Severity>(severity), file, line, what, remedy, isOmission};
           });
}

}  // namespace

void warnAll(const Diagnostics& diagnostics) {
  if (diagnostics.count(Severity::Warning) == 0) return;
  const nb::object warn = errorsModule().attr("warn");
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::Warning) warn(toString(d));
}

void throwErrors(const Diagnostics& diagnostics) {
  const nb::object type = errorsModule().attr("SpecError");
  const nb::object error = type(diagnostics.toString());
  error.attr("diagnostics") = diagnostics;
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

void bindDiagnostics(nb::module_& m) {
  bindDiagnostic(m);
  nb::class_<Diagnostics>(m, "Diagnostics",
                          "Remarks in order of appearance: a sequence of Diagnostic.")
      .def(nb::init<>())
      .def("add", &Diagnostics::add, "diagnostic"_a, "Appends a remark.")
      // By value: it may be its own.
      .def(
          "append", [](Diagnostics& d, Diagnostics other) { d.append(other); }, "other"_a,
          "Appends all remarks of another.")
      .def_prop_ro("has_errors", &Diagnostics::hasErrors, "whether one is an error")
      .def("count", &Diagnostics::count, "severity"_a, "How many have this severity.")
      .def("omissions", &Diagnostics::omissions,
           "Those that tell of something left out that acts where the file comes from.")
      .def_prop_ro("all", &Diagnostics::all, nb::rv_policy::copy, "list of copies")
      .def("to_string", &Diagnostics::toString, "One line each.")
      .def("__str__", &Diagnostics::toString)
      .def("__repr__",
           [](const Diagnostics& d) {
             return d.all().empty() ? std::string("<no diagnostics>") : d.toString();
           })
      .def("__len__", [](const Diagnostics& d) { return d.all().size(); })
      .def("__bool__", [](const Diagnostics& d) { return !d.all().empty(); })
      .def(
          "__getitem__",
          [](const Diagnostics& d, Py_ssize_t i) {
            const auto size = static_cast<Py_ssize_t>(d.all().size());
            if (i < 0) i += size;
            if (i < 0 || i >= size) throw nb::index_error("there are not so many diagnostics");
            return d.all()[i];
          },
          "index"_a)
      .def("__iter__", [](const Diagnostics& d) { return nb::iter(nb::cast(d.all())); })
      .def("__getstate__", [](const Diagnostics& d) { return d.all(); })
      .def("__setstate__", [](Diagnostics& d, const std::vector<Diagnostic>& all) {
        new (&d) Diagnostics();
        for (const Diagnostic& diagnostic : all) d.add(diagnostic);
      });
}

}  // namespace espalier::python
