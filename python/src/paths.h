#pragma once

// Names of files, as str or os.PathLike.

#include <nanobind/nanobind.h>

#include <string>

namespace espalier::python {

/// A path; where a function says so, the text of a file instead, which begins with '<'.
struct FileName {
  std::string text;
  operator const std::string&() const { return text; }
};

}  // namespace espalier::python

namespace nanobind::detail {

template <>
struct type_caster<espalier::python::FileName> {
  NB_TYPE_CASTER(espalier::python::FileName, io_name("str | os.PathLike[str]", "str"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    PyObject* path = PyOS_FSPath(source.ptr());  // a str stays as it is
    if (path == nullptr) {
      PyErr_Clear();
      return false;
    }
    Py_ssize_t size = 0;
    const char* text = PyUnicode_Check(path) ? PyUnicode_AsUTF8AndSize(path, &size) : nullptr;
    if (text != nullptr)
      value.text.assign(text, static_cast<std::size_t>(size));
    else
      PyErr_Clear();
    Py_DECREF(path);
    return text != nullptr;
  }
  static handle from_cpp(const espalier::python::FileName& name, rv_policy,
                         cleanup_list*) noexcept {
    return PyUnicode_FromStringAndSize(name.text.data(), static_cast<Py_ssize_t>(name.text.size()));
  }
};

}  // namespace nanobind::detail
