#include "espalier/robot/collision_body.h"

#include "espalier/core/check.h"
#include "espalier/step/placed_geom.h"
#include "espalier/step/sleeping.h"
#include "espalier/step/step_data.h"

namespace espalier {

CollisionBody::CollisionBody(StepData& world, GeomId geom, const CollisionInfo& info)
    : CollisionOffset{info.X_LG.p, info.X_LG.R},
      name(info.name),
      bodyIdx(static_cast<std::size_t>(info.body)),
      localIdx(bodyIdx),
      colObj(world, geom),
      world_(&world),
      geom_(geom),
      shape_(info.shape),
      material_(info.material),
      group_(info.group),
      mask_(info.mask) {}

const Shape& CollisionBody::getShape() const {
  return geom_.isValid() ? world_->scene.shape(geom_) : shape_;
}
void CollisionBody::setMaterial(const std::string& material) {
  material_ = material;
  if (geom_.isValid()) world_->geom(geom_).material = world_->materials.id(material);
  wakeBeforeStep(*world_);
}
void CollisionBody::setShape(const Shape& shape) {
  requireBetweenSteps(*world_);
  ESPALIER_REQUIRE(geom_.isValid(), "'" + name + "' has no geometry: its mesh file is missing");
  world_->scene.setShape(geom_, asRobotShape(shape));
  refreshGeom(*world_, geom_);
}
std::uint64_t CollisionBody::getCollisionGroup() const {
  return geom_.isValid() ? world_->scene.group(geom_) : group_;
}
std::uint64_t CollisionBody::getCollisionMask() const {
  return geom_.isValid() ? world_->scene.mask(geom_) : mask_;
}
void CollisionBody::setCollisionGroup(std::uint64_t group) {
  group_ = group;
  if (geom_.isValid()) world_->scene.setFilter(geom_, group, getCollisionMask());
  wakeBeforeStep(*world_);
}
void CollisionBody::setCollisionMask(std::uint64_t mask) {
  mask_ = mask;
  if (geom_.isValid()) world_->scene.setFilter(geom_, getCollisionGroup(), mask);
  wakeBeforeStep(*world_);
}
OdeGeomHandle::operator dxGeom*() const {
  return geom_.isValid() ? world_->scene.odeGeom(geom_) : nullptr;
}

}  // namespace espalier
