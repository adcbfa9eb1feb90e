#pragma once

// The parts a world file is read in.

#include <map>
#include <optional>
#include <set>
#include <string>

#include "espalier/io/mesh/mesh_library.h"
#include "espalier/io/world_xml/world_node.h"
#include "espalier/io/world_xml/world_xml.h"

namespace espalier::io {

/// State shared by the parts while one file is read.
struct WorldReading {
  Node::File file;
  ResourcePaths paths;
  MeshLibrary meshes;
  const WorldOptions& options;
  WorldSpec& world;
  std::set<std::string>& names;                      ///< of objects so far, of all files
  std::set<std::string>& materials;                  ///< named in pairs so far, of all files
  std::map<std::string, const XMLElement*> classes;  ///< object classes by tag

  Diagnostics& diagnostics() { return file.xml.diagnostics(); }
};

// world_settings.cpp
void readMaterials(WorldReading& reading, const Node& material);
void readGravity(WorldReading& reading, const Node& gravity);
void readTimeStep(WorldReading& reading, const Node& timeStep);
void readErp(WorldReading& reading, const Node& erp);
/// The NAME and value of each child of <params>.
std::map<std::string, std::string> readParameters(const Node& params);

// world_objects.cpp
/// Every child of <objects>.
void readObjects(WorldReading& reading, const Node& objects);

// world_body.cpp
/// One body of the kind "sphere", "compound", ...
BodySpec readBody(WorldReading& reading, const Node& object, const std::string& kind);
/// <state pos quat> of an object; the identity where it has none.
Transformd readPose(const Node& object);

// world_inertia.cpp
/// Mass, com and <inertia>; missing ones are those of a mass spread evenly over the shapes.
InertialSpec readBodyInertia(const Node& object, const BodySpec& body, bool meshesAreLoaded);

// world_shape.cpp
/// The shape of an object or of a compound's child; none, and an Error, where there is none.
std::optional<Shape> readWorldShape(WorldReading& reading, const Node& object,
                                    const std::string& kind, Vec3d& scale);

// world_heightmap.cpp
std::optional<Shape> readHeightmap(WorldReading& reading, const Node& object);
/// center_x, center_y, center_z and quat.
Transformd readHeightmapPose(const Node& object);

// world_robot.cpp
void readWorldRobot(WorldReading& reading, const Node& object);

}  // namespace espalier::io
