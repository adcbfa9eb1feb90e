#pragma once

// What the geoms of a scene point to. ODE outlives its geoms.

#include <map>
#include <memory>
#include <vector>

#include "espalier/collision/hull.h"
#include "espalier/collision/ode_geom.h"
#include "espalier/collision/ode_library.h"
#include "espalier/collision/scene.h"

namespace espalier {

struct Scene::Assets {
  struct Asset {
    Shape shape;  // keeps mesh and heightfield data alive
    std::shared_ptr<const collision::Hull> hull;
    std::unique_ptr<collision::OdeGeom> inflatable;  // for static meshes and what may meet one
    std::unique_ptr<collision::OdeGeom> twin;        // for odeGeom()
  };

  collision::OdeLibrary ode;
  std::vector<Asset> of;        // by geom
  std::vector<int> twinned;     // geoms somebody has asked the dGeomID of
  std::vector<GeomId> changed;  // what syncFromOde() answered
  std::map<const TriangleMesh*, std::weak_ptr<const collision::Hull>> hulls;

  /// One hull for all geoms of one mesh.
  std::shared_ptr<const collision::Hull> hullOf(const std::shared_ptr<const TriangleMesh>& mesh) {
    std::weak_ptr<const collision::Hull>& known = hulls[mesh.get()];
    std::shared_ptr<const collision::Hull> hull = known.lock();
    if (!hull) known = hull = collision::convexHull(*mesh);
    return hull;
  }

  void remove(int geom) {
    std::erase(twinned, geom);
    const auto* mesh = std::get_if<Mesh>(&of[static_cast<std::size_t>(geom)].shape);
    const TriangleMesh* data = mesh ? mesh->data.get() : nullptr;
    of[static_cast<std::size_t>(geom)] = {};
    const auto known = hulls.find(data);
    if (known != hulls.end() && known->second.expired()) hulls.erase(known);
  }
};

}  // namespace espalier
