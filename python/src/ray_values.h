#pragma once

// Hits of rays, with Python's objects.

#include <nanobind/nanobind.h>

#include "espalier/spatial/vec3.h"

namespace espalier::python {

namespace nb = nanobind;

struct RayValue {
  nb::object object;
  int body = 0;
  Vec3d position{}, normal{};
  double distance = 0;
};

struct CastRayValue {
  Vec3d start{}, end{};
  nb::object object;  ///< None: none, or removed since
  int body = 0;
};

}  // namespace espalier::python
