#pragma once

// Results of methods of Python's classes, checked before the engine takes them.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "casters.h"
#include "espalier/core/check.h"

namespace espalier::python {

namespace nb = nanobind;

inline std::string classOf(nb::handle object) {
  return nb::cast<std::string>(object.type().attr("__name__"));
}

/// An array of this size, all finite.
///   in  what  of the class: "update()"; for the message
///   errors  throws nb::type_error, std::invalid_argument
template <class Matrix>
Matrix resultOf(nb::handle self, const char* what, nb::handle array, Eigen::Index rows,
                Eigen::Index columns) {
  Matrix result;
  try {
    result = nb::cast<Matrix>(array);
  } catch (const std::exception& e) {
    throw nb::type_error(
        (classOf(self) + "." + what + " is no array of numbers of the right shape: " + e.what())
            .c_str());
  }
  ESPALIER_REQUIRE(result.rows() == rows && result.cols() == columns,
                   classOf(self) + "." + what + " is " + std::to_string(result.rows()) + " x " +
                       std::to_string(result.cols()) + " numbers, not " + std::to_string(rows) +
                       " x " + std::to_string(columns));
  ESPALIER_REQUIRE(result.allFinite(),
                   classOf(self) + "." + what + " has a number that is not finite");
  return result;
}

}  // namespace espalier::python
