#include "espalier/world/collision_body.h"

#include "espalier/world/world_data.h"

namespace espalier {

CollisionBody::CollisionBody(WorldData& world, GeomId geom, const CollisionInfo& info)
    : CollisionOffset{info.X_LG.p, info.X_LG.R},
      name(info.name),
      bodyIdx(static_cast<std::size_t>(info.body)),
      localIdx(bodyIdx),
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
}
void CollisionBody::setCollisionGroup(std::uint64_t group) {
  group_ = group;
  if (geom_.isValid()) world_->scene.setFilter(geom_, group_, mask_);
}
void CollisionBody::setCollisionMask(std::uint64_t mask) {
  mask_ = mask;
  if (geom_.isValid()) world_->scene.setFilter(geom_, group_, mask_);
}
dxGeom* CollisionBody::getCollisionObject() {
  return geom_.isValid() ? world_->scene.odeGeom(geom_) : nullptr;
}

}  // namespace espalier
