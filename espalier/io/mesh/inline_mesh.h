#pragma once

// Triangles that stand in the XML itself:
//   <mesh><vertices value="x y z  x y z ..."/><triangles value="0 1 2 ..."/></mesh>

#include <optional>

#include "espalier/geometry/shape.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {

bool isInlineMesh(const XMLElement& mesh);

/// None, and an Error, where a number is bad or a triangle names a vertex that is not there.
std::optional<Shape> readInlineMesh(XmlReader& xml, const XMLElement& mesh);

}  // namespace espalier::io
