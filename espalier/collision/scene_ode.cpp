// The geoms of a scene as ODE sees them: for rays at static meshes, and for whoever wants a dGeomID.

#include <string>

#include "espalier/collision/scene_assets.h"
#include "espalier/core/check.h"
#include "espalier/core/overloaded.h"

namespace espalier {

using collision::Geom;
using collision::Kind;

void Scene::makeOdeTwin(Geom& g, int id) {
  auto& twin = assets_->of[id].forRays;
  twin = std::make_unique<collision::OdeGeom>(g);
  g.ode = twin.get();
}

dxGeom* Scene::odeGeom(GeomId id) {
  const Geom& g = edited(id);
  auto& twin = assets_->of[id.value].twin;
  if (!twin) {
    twin = std::make_unique<collision::OdeGeom>(g);
    twin->setEnabled(g.isEnabled);
    twin->setFilter(g.group, g.mask);
    assets_->twinned.push_back(id.value);
  }
  return twin->synced(g);
}

namespace {

bool isWhole(const Shape& shape) {
  return std::visit(Overloaded{[](const ParametricShape auto& s) { return hasExtent(s); },
                               [](const auto&) { return true; }},
                    shape);
}

Shape shapeOf(Kind kind, const Vec3d& size) {
  switch (kind) {
    case Kind::Box: return BoxShape{size * 2.0};
    case Kind::Cylinder: return CylinderShape{size.x, 2 * size.z};
    case Kind::Capsule: return CapsuleShape{size.x, 2 * size.z};
    default: return SphereShape{size.x};
  }
}

}  // namespace

void Scene::takeBackOdePoses() {
  int moved = -1;
  for (const int i : assets_->twinned) {
    collision::OdeGeom& twin = *assets_->of[i].twin;
    if (!twin.isMovedInOde()) continue;
    twin.takeBackPose(geom(GeomId(i)));
    moved = i;
  }
  ESPALIER_REQUIRE(moved < 0, "geom " + std::to_string(moved) + " (" +
                                  shapeName(shape(GeomId(moved))) +
                                  ") was moved by dGeomSetPosition or dGeomSetRotation, but its "
                                  "pose follows from its body: edit posOffset and rotOffset of its "
                                  "CollisionBody, or set the body's position");
}

const std::vector<GeomId>& Scene::syncFromOde() {
  assets_->changed.clear();
  takeBackOdePoses();
  for (const int i : assets_->twinned) {
    const Geom& g = geom(GeomId(i));
    collision::OdeGeom& twin = *assets_->of[i].twin;
    bool isChanged = false;
    const Vec3d size = twin.sizeInOde(g);
    if (size.x != g.size.x || size.y != g.size.y || size.z != g.size.z) {
      const Shape shape = shapeOf(g.kind, size);
      isChanged = isWhole(shape);
      isChanged ? setGeom(GeomId(i), shape, g.isStatic) : twin.takeBackSize(g);
    }
    if (twin.groupInOde() != g.group || twin.maskInOde() != g.mask) {
      setFilter(GeomId(i), twin.groupInOde(), twin.maskInOde());
      isChanged = true;
    }
    if (twin.isEnabledInOde() != g.isEnabled) {
      setEnabled(GeomId(i), !g.isEnabled);
      isChanged = true;
    }
    if (isChanged) assets_->changed.push_back(GeomId(i));
    twin.synced(g);
  }
  return assets_->changed;
}

}  // namespace espalier
