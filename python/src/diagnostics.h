#pragma once

// How remarks of the engine reach Python: warnings by the module `warnings`, errors as
// espalier.SpecError, a ValueError. All functions need the GIL.

#include <nanobind/nanobind.h>

#include <utility>

#include "espalier/core/diagnostic.h"

namespace espalier::python {

namespace nb = nanobind;

/// Each Warning as an espalier.EspalierWarning at the line of Python that called; Notes are not
/// told. Throws nb::python_error where the user's filters make errors of warnings.
void warnAll(const Diagnostics& diagnostics);

/// Throws an espalier.SpecError: its text is every diagnostic, its attribute `diagnostics` holds
/// them.
[[noreturn]] void throwErrors(const Diagnostics& diagnostics);

/// The value, its warnings told; or an espalier.SpecError with every diagnostic.
///   in  remarks  takes the remarks in place of `warnings`; null: none
template <class T>
T valueOf(Expected<T>&& expected, Diagnostics* remarks = nullptr) {
  if (remarks != nullptr) remarks->append(expected.diagnostics());
  if (!expected.hasValue()) throwErrors(expected.diagnostics());
  if (remarks == nullptr) warnAll(expected.diagnostics());
  return std::move(expected).value();
}

}  // namespace espalier::python
