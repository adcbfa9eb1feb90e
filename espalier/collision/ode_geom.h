#pragma once

// The ODE twin of a geom, brought up to date only when an ODE function needs it.

#include <cstdint>

#include "espalier/collision/geom.h"

struct dxGeom;
struct dxTriMeshData;

namespace espalier::collision {

class OdeGeom {
 public:
  /// For every kind but hulls and heightfields. The triangles must outlive this.
  explicit OdeGeom(const Geom& geom);
  ~OdeGeom();
  OdeGeom(const OdeGeom&) = delete;
  OdeGeom& operator=(const OdeGeom&) = delete;

  /// The dGeomID in the geom's present pose, every length grown by `inflation` on each side.
  dxGeom* synced(const Geom& geom, double inflation);

 private:
  dxTriMeshData* data_ = nullptr;
  dxGeom* id_ = nullptr;
  std::uint64_t stamp_ = ~std::uint64_t{0};
  double inflation_ = 0;
};

}  // namespace espalier::collision
