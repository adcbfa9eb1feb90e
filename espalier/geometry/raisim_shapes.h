#pragma once

// RaiSim's names of what a world holds and of what is drawn.

namespace espalier {

/// The kinds of objects in a World.
enum class ObjectType {
  SPHERE,
  BOX,
  CYLINDER,
  CAPSULE,
  MESH,
  COMPOUND,
  HALFSPACE,
  HEIGHTMAP,
  ARTICULATED_SYSTEM,
  ELLIPSOID  // RaiSim has none
};

/// Their names, for Python.
struct ObjectTypeName {
  const char* name;
  ObjectType type;
};
inline constexpr ObjectTypeName object_types[] = {
    {"SPHERE", ObjectType::SPHERE},
    {"BOX", ObjectType::BOX},
    {"CYLINDER", ObjectType::CYLINDER},
    {"CAPSULE", ObjectType::CAPSULE},
    {"MESH", ObjectType::MESH},
    {"COMPOUND", ObjectType::COMPOUND},
    {"HALFSPACE", ObjectType::HALFSPACE},
    {"HEIGHTMAP", ObjectType::HEIGHTMAP},
    {"ARTICULATED_SYSTEM", ObjectType::ARTICULATED_SYSTEM},
    {"ELLIPSOID", ObjectType::ELLIPSOID}};

/// RaiSim's names and numbers of shapes; there is no cone.
enum class ShapeType {
  Box,
  Cylinder,
  Sphere,
  Mesh,
  Capsule,
  Cone,
  Ground,
  NotShape,
  Ellipsoid  // RaiSim has none
};

struct ShapeTypeName {
  const char* name;
  ShapeType type;
};
inline constexpr ShapeTypeName shape_types[] = {{"BOX", ShapeType::Box},
                                                {"CYLINDER", ShapeType::Cylinder},
                                                {"SPHERE", ShapeType::Sphere},
                                                {"MESH", ShapeType::Mesh},
                                                {"CAPSULE", ShapeType::Capsule},
                                                {"CONE", ShapeType::Cone},
                                                {"GROUND", ShapeType::Ground},
                                                {"NOT_SHAPE", ShapeType::NotShape},
                                                {"ELLIPSOID", ShapeType::Ellipsoid}};

}  // namespace espalier
