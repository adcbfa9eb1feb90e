#pragma once

// An orientation from Python: a quaternion (w, x, y, z) or a rotation matrix.

#include <string>
#include <variant>

#include "casters.h"

namespace espalier::python {

/// R_WB as a unit quaternion (4,) or a matrix (3, 3).
struct Orientation {
  std::variant<Vec<4>, Mat<3, 3>> value;
  std::string fault = {};  ///< of an array of another shape

  const std::variant<Vec<4>, Mat<3, 3>>& checked() const {
    if (!fault.empty()) throw nanobind::value_error(fault.c_str());
    return value;
  }
};

}  // namespace espalier::python

namespace nanobind::detail {

template <>
struct type_caster<espalier::python::Orientation> {
  NB_TYPE_CASTER(espalier::python::Orientation, const_name("numpy.typing.ArrayLike"))

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<espalier::Vec<4>> quaternion;
    if (!quaternion.from_python(source, flags, cleanup)) return false;
    if (quaternion.can_cast<espalier::Vec<4>>()) {
      value.value = quaternion.value;
      return true;
    }
    make_caster<espalier::Mat<3, 3>> matrix;
    if (!matrix.from_python(source, flags, cleanup)) return false;
    value.value = matrix.value;
    if (!matrix.fault.empty()) value.fault = "a quaternion (4,) or a rotation: " + matrix.fault;
    return true;
  }
};

}  // namespace nanobind::detail
