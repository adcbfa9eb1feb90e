#pragma once

// One collision body of an articulated system as users see and edit it, in RaiSim's names.
//
//   CollisionBody& foot = robot->getCollisionBody("FOOT/0");
//   foot.posOffset[2] -= 0.01;   // from the next step on
//   foot.setMaterial("rubber");

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/core/id.h"
#include "espalier/geometry/shape.h"
#include "espalier/robot/math.h"

struct dxGeom;  // ODE's dGeomID is a dxGeom*

namespace espalier {

struct StepData;

/// ODE's geom of a shape, made when first asked for.
class OdeGeomHandle {
 public:
  /// Null for a mesh whose file was missing.
  operator dxGeom*() const;

 private:
  friend class CollisionBody;
  OdeGeomHandle(StepData& world, GeomId geom) : world_(&world), geom_(geom) {}
  StepData* world_;
  GeomId geom_;
};

/// Where the shape sits in the body's joint frame; edits take effect in the next step.
struct CollisionOffset {
  Vec<3> posOffset;     ///< m
  Mat<3, 3> rotOffset;  ///< R of the shape in that frame
};

class CollisionBody : public CollisionOffset {
 public:
  std::string name;      ///< LINK/i; a label, may be changed
  std::size_t bodyIdx;   ///< of the body it is fixed to; not read
  std::size_t localIdx;  ///< the same, RaiSim's other name
  OdeGeomHandle colObj;  ///< dGeomID; the same as getCollisionObject()

  const Shape& getShape() const;
  /// Other lengths of the same kind of shape; from the next step on.
  ///   errors  throws std::invalid_argument for another kind, or lengths that are not positive
  void setShape(const Shape& shape);
  const std::string& getMaterial() const { return material_; }
  /// Contacts of the next step on follow the new pair.
  void setMaterial(const std::string& material);
  /// The groups it is in, and those it collides with; from the next step on.
  std::uint64_t getCollisionGroup() const;
  std::uint64_t getCollisionMask() const;
  void setCollisionGroup(std::uint64_t group);
  void setCollisionMask(std::uint64_t mask);
  /// ODE's geom. ODE's own functions may change its lengths, its category and collide bits (group
  /// and mask) and switch it off, from the next step on. One that is moved by dGeomSetPosition or
  /// dGeomSetRotation makes the next step throw: edit posOffset and rotOffset.
  dxGeom* getCollisionObject() const { return colObj; }

 private:
  friend struct Editing;
  CollisionBody(StepData& world, GeomId geom, const struct CollisionInfo& info);

  StepData* world_;
  GeomId geom_;  // not valid where the shape has no geometry
  Shape shape_;
  std::string material_;
  std::uint64_t group_, mask_;
};

// RaiSim's later names.
using CollisionDefinition = CollisionBody;
using CollisionSet = std::vector<CollisionBody>;

}  // namespace espalier
