#pragma once

#include <nlohmann/json.hpp>

#include "espalier/spatial/inertia.h"

namespace espalier {

/// The box of uniform density that has this inertia: sizes from I_x = m (y^2 + z^2) / 12 and so on.
///   in   I  kg m^2 about com, axes of the body
///   returns  {"size", "pose"} in the body's frame; null without a mass
nlohmann::json inertiaBoxJson(double mass, const Vec3d& com, const Sym3<double>& I);

}  // namespace espalier
