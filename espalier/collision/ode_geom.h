#pragma once

// The ODE twin of a geom, brought up to date only when somebody asks for it.
//
// A mesh's twin has its triangles. ODE's heightfield has y upwards and its rows along +z; turned
// by a quarter about x and with its rows in opposite order it is ours.

#include <array>
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

  /// The dGeomID in the geom's present pose.
  dxGeom* synced(const Geom& geom);

  /// The size as somebody may have set it through ODE, in the geom's terms; only for spheres,
  /// boxes, cylinders and capsules, else the geom's own.
  Vec3d sizeInOde(const Geom& geom) const;
  void takeBackSize(const Geom& geom);
  bool isEnabledInOde() const;
  void setEnabled(bool isEnabled);
  /// Category and collide bits: the geom's group and mask. ODE holds them as unsigned long.
  std::uint64_t groupInOde() const;
  std::uint64_t maskInOde() const;
  void setFilter(std::uint64_t group, std::uint64_t mask);
  /// Whether ODE's pose is no longer the one that synced() gave it.
  bool isMovedInOde() const;
  /// Gives the twin the pose of the last synced() again.
  void takeBackPose(const Geom& geom);

 private:
  dxTriMeshData* triangles_ = nullptr;
  dxHeightfieldData* heights_ = nullptr;
  dxGeom* id_ = nullptr;
  using OdePose = std::array<double, 16>;  ///< position and rotation; of a plane its parameters
  OdePose poseInOde() const;

  std::uint64_t stamp_ = ~std::uint64_t{0};
  OdePose placed_{};  ///< as ODE held it after synced()
};

}  // namespace espalier::collision
