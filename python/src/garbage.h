#pragma once

// Python objects that a C++ object refers to, shown to Python's garbage collector, so that circles
// (a controller that knows the Simulation that knows the controller) are freed.
//
//   struct Holder { std::vector<nb::object>& references(); };
//   nb::class_<Holder>(m, "Holder", nb::type_slots(collected<Holder>))

#include <nanobind/nanobind.h>

#include <vector>

namespace espalier::python {

namespace nb = nanobind;

/// A base, beside the engine's class, of classes that refer to objects of Python.
struct Referring {
  virtual ~Referring() = default;
  std::vector<nb::object> needs;
};

/// The references of a bound object; null where it has none.
template <class T>
std::vector<nb::object>* referencesOf(T& object) {
  if constexpr (requires { object.references(); }) {
    return &object.references();
  } else {
    auto* referring = dynamic_cast<Referring*>(&object);
    return referring ? &referring->needs : nullptr;
  }
}

template <class T>
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  if (const auto* references = referencesOf(*nb::inst_ptr<T>(self)))
    for (const nb::object& reference : *references) Py_VISIT(reference.ptr());
  return 0;
}

template <class T>
int clear(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  if (auto* references = referencesOf(*nb::inst_ptr<T>(self))) {
    const std::vector<nb::object> dropped = std::move(*references);
    references->clear();
  }
  return 0;
}

template <class T>
inline PyType_Slot collected[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse<T>)},
                                  {Py_tp_clear, reinterpret_cast<void*>(clear<T>)},
                                  {0, nullptr}};

}  // namespace espalier::python
