#pragma once

// Data that the geoms of a scene point to. ODE outlives its geoms.

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "espalier/collision/heightfield.h"
#include "espalier/collision/ode_geom.h"
#include "espalier/collision/ode_library.h"
#include "espalier/collision/scene.h"
#include "espalier/collision/triangle_tree.h"
#include "espalier/geometry/hull_cache.h"

namespace espalier {

struct Scene::Assets {
  struct Asset {
    Shape shape;  // keeps mesh and heightfield data alive
    std::shared_ptr<const Hull> hull;
    std::shared_ptr<const collision::Field> field;
    std::shared_ptr<const collision::TriangleTree> tree;
    std::unique_ptr<collision::OdeGeom> forRays;  // static meshes only
    std::unique_ptr<collision::OdeGeom> twin;     // for odeGeom()
  };

  collision::OdeLibrary ode;
  std::vector<Asset> of;        // by geom
  std::vector<int> twinned;     // geoms somebody has asked the dGeomID of
  std::vector<GeomId> changed;  // result of syncFromOde()

  /// One for all geoms of one mesh or one heightfield.
  std::shared_ptr<const collision::TriangleTree> treeOf(const MeshShape& mesh) {
    return shared(trees_, {mesh.data.get(), 0},
                  [&] { return std::make_shared<const collision::TriangleTree>(*mesh.data); });
  }
  std::shared_ptr<const Hull> hullOf(const MeshShape& mesh) {
    return shared(hulls_, {mesh.data.get(), mesh.maxHullVertices},
                  [&] { return cachedHull(*mesh.data, mesh.maxHullVertices); });
  }
  std::shared_ptr<const collision::Field> fieldOf(const Heightfield& field) {
    return shared(fields_, {field.data.get(), 0},
                  [&] { return std::make_shared<const collision::Field>(*field.data); });
  }

  void remove(int geom) {
    std::erase(twinned, geom);
    of[geom] = {};
    std::erase_if(hulls_, [](const auto& known) { return known.second.expired(); });
    std::erase_if(fields_, [](const auto& known) { return known.second.expired(); });
    std::erase_if(trees_, [](const auto& known) { return known.second.expired(); });
  }

 private:
  /// Address of the data, and a parameter of the object made of it.
  using Key = std::pair<const void*, int>;
  template <class Value>
  using Known = std::map<Key, std::weak_ptr<const Value>>;

  template <class Value, class Make>
  static std::shared_ptr<const Value> shared(Known<Value>& all, const Key& key, Make make) {
    std::weak_ptr<const Value>& known = all[key];
    std::shared_ptr<const Value> value = known.lock();
    if (!value) known = value = make();
    return value;
  }

  Known<Hull> hulls_;
  Known<collision::Field> fields_;
  Known<collision::TriangleTree> trees_;
};

}  // namespace espalier
