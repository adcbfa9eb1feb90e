#pragma once

// Materials of Wavefront OBJ files, of which the colour is read.

#include <map>
#include <string>
#include <string_view>

#include "espalier/geometry/shape.h"

namespace espalier::io {

/// Kd (diffuse colour) and d or 1 - Tr (opacity) of each newmtl that has a Kd. Other statements, and
/// those whose numbers cannot be read, are passed over: a colour is no reason to refuse a mesh.
std::map<std::string, Rgba8> parseMtl(std::string_view text);

/// The same of a file.
///   in  name  as in mtllib, relative to the folder of objFile
///   returns  nothing where there is no such file, it is not a regular one, or larger than 1 MiB
std::map<std::string, Rgba8> readMtl(const std::string& objFile, const std::string& name);

}  // namespace espalier::io
