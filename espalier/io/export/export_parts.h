#pragma once

// The parts a Spec is written in.

#include <string>

#include "espalier/io/text/rotation_text.h"
#include "espalier/io/text/xml_writer.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

inline bool isZero(const Vec3d& v) { return v.x == 0 && v.y == 0 && v.z == 0; }
inline bool isPlaced(const Transformd& pose) { return !isZero(pose.p) || !isIdentity(pose.R); }

// export_urdf.cpp
/// <robot> ... </robot>
void writeRobot(XmlWriter& xml, const SystemSpec& system);

// export_constraint.cpp
/// <constraint> ... </constraint>
///   pre  checkSpec() had no error
void writeConstraint(XmlWriter& xml, const SystemSpec& system, const ConstraintSpec& constraint);

// export_shape.cpp
/// Whether the mesh's triangles have no file to be read from.
bool needsTriangles(const MeshShape& mesh);
/// The children of a <mesh> whose triangles stand in the XML.
void writeTriangles(XmlWriter& xml, const TriangleMesh& mesh);
/// The shape as an element of a world: "sphere", "ground", ...
const char* shapeTag(const Shape& shape);
/// Its attributes, to stand before any child: a mesh's file, a height map's heights.
void writeShapeAttributes(XmlWriter& xml, const Shape& shape, const Vec3d& meshScale,
                          const std::string& folder);
/// Its children: <dim>, triangles.
void writeShapeChildren(XmlWriter& xml, const Shape& shape);

// export_body.cpp
void writeBody(XmlWriter& xml, const BodySpec& body, const std::string& folder);

// export_world.cpp
/// path as [THIS_DIR]/... where it lies below or beside the folder, else absolute; URIs and names
/// of missing files as they are.
std::string writtenPath(const std::string& path, const std::string& folder);

}  // namespace espalier::io
