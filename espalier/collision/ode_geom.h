#pragma once

// The ODE twin of a geom, brought up to date only when an ODE function needs it.
//
// A mesh's twin has its triangles. ODE's heightfield has y upwards and its rows along +z; turned
// by a quarter about x and with its rows in opposite order it is ours.

#include <cstdint>

#include "espalier/collision/geom.h"

struct dxGeom;
struct dxTriMeshData;
struct dxHeightfieldData;

namespace espalier::collision {

class OdeGeom {
 public:
  /// The triangles must outlive this.
  explicit OdeGeom(const Geom& geom);
  ~OdeGeom();
  OdeGeom(const OdeGeom&) = delete;
  OdeGeom& operator=(const OdeGeom&) = delete;

  /// The dGeomID in the geom's present pose, every length grown by `inflation` on each side.
  dxGeom* synced(const Geom& geom, double inflation);

  /// The size as somebody may have set it through ODE, in the geom's terms; only for spheres,
  /// boxes, cylinders and capsules, else the geom's own.
  Vec3d sizeInOde(const Geom& geom) const;
  void takeBackSize(const Geom& geom);
  bool isEnabledInOde() const;
  void setEnabled(bool isEnabled);

 private:
  dxTriMeshData* triangles_ = nullptr;
  dxHeightfieldData* heights_ = nullptr;
  dxGeom* id_ = nullptr;
  std::uint64_t stamp_ = ~std::uint64_t{0};
  double inflation_ = 0;
};

}  // namespace espalier::collision
