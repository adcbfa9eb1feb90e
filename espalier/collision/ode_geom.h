#pragma once

// The ODE twin of a geom, brought up to date only when an ODE function needs it.

#include <cstdint>
#include <memory>

#include "espalier/collision/geom.h"

struct dxGeom;
struct dxTriMeshData;
struct dxHeightfieldData;

namespace espalier::collision {

class OdeGeom {
 public:
  /// Data of the shape (triangles, heights) must outlive this.
  explicit OdeGeom(const Geom& geom);
  ~OdeGeom();
  OdeGeom(const OdeGeom&) = delete;
  OdeGeom& operator=(const OdeGeom&) = delete;

  /// The dGeomID in the geom's present pose, every length grown by `inflation` on each side.
  dxGeom* synced(const Geom& geom, double inflation);

 private:
  dxGeom* id_ = nullptr;
  std::uint64_t stamp_ = ~std::uint64_t{0};
  double inflation_ = 0;
};

}  // namespace espalier::collision
