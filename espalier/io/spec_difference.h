#pragma once

// Whether two Specs say the same. Lines and file names of robots and worlds are not compared.

#include <string>

#include "espalier/model/spec/spec.h"

namespace espalier::io {

/// The first place where they differ, such as "links[2].collisions[0].X_LG"; empty where they are
/// the same.
///   in   tolerance   of entries of rotation matrices; every other number has to be the same
std::string difference(const SystemSpec& a, const SystemSpec& b, double tolerance = 0);
std::string difference(const BodySpec& a, const BodySpec& b, double tolerance = 0);
std::string difference(const WorldSpec& a, const WorldSpec& b, double tolerance = 0);

/// Meshes by their file and triangles, height maps by their heights.
bool isSameShape(const Shape& a, const Shape& b);

}  // namespace espalier::io
