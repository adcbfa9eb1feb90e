#include "espalier/collision/ode_geom.h"

#include <ode/ode.h>

#include <algorithm>
#include <vector>

#include "espalier/collision/heightfield.h"
#include "espalier/core/check.h"

namespace espalier::collision {
namespace {

/// The triangles are read where they are; only the tree over them is ODE's own.
dTriMeshDataID createTriangles(const Geom& g) {
  if (g.kind != Kind::Trimesh && g.kind != Kind::Hull) return nullptr;
  static_assert(sizeof(Vec3d) == 3 * sizeof(double) && sizeof(dTriIndex) == sizeof(int));
  const dTriMeshDataID data = dGeomTriMeshDataCreate();
  const std::vector<Vec3d>& v = g.mesh->vertices;
  const auto& t = g.mesh->triangles;
  dGeomTriMeshDataBuildDouble(data, v.data(), sizeof(Vec3d), static_cast<int>(v.size()), t.data(),
                              static_cast<int>(3 * t.size()), 3 * sizeof(int));
  return data;
}

dHeightfieldDataID createHeights(const Geom& g) {
  if (g.kind != Kind::Heightfield) return nullptr;
  const HeightfieldData& f = g.field->data();
  const auto columns = static_cast<std::size_t>(f.xSamples);
  std::vector<double> turned;
  turned.reserve(f.heights.size());
  for (int j = f.ySamples - 1; j >= 0; --j) {
    const auto row = f.heights.begin() + static_cast<std::ptrdiff_t>(j * columns);
    turned.insert(turned.end(), row, row + f.xSamples);
  }
  const dHeightfieldDataID data = dGeomHeightfieldDataCreate();
  dGeomHeightfieldDataBuildDouble(data, turned.data(), 1, f.xSize, f.ySize, f.xSamples, f.ySamples,
                                  1, 0, max(f.xSize, f.ySize), 0);
  return data;
}

dGeomID create(const Geom& g, dTriMeshDataID triangles, dHeightfieldDataID heights) {
  switch (g.kind) {
    case Kind::Sphere: return dCreateSphere(nullptr, g.size.x);
    case Kind::Box: return dCreateBox(nullptr, 2 * g.size.x, 2 * g.size.y, 2 * g.size.z);
    case Kind::Cylinder: return dCreateCylinder(nullptr, g.size.x, 2 * g.size.z);
    case Kind::Capsule: return dCreateCapsule(nullptr, g.size.x, 2 * g.size.z);
    case Kind::Plane: return dCreatePlane(nullptr, 0, 0, 1, 0);
    case Kind::Hull:
    case Kind::Trimesh: return dCreateTriMesh(nullptr, triangles, nullptr, nullptr, nullptr);
    case Kind::Heightfield: return dCreateHeightfield(nullptr, heights, 1);
    default: core::throwInvalidArgument("ODE has such a shape", "it has no twin of this geom");
  }
}

void resize(dGeomID id, const Geom& g) {
  const Vec3d& s = g.size;
  switch (g.kind) {
    case Kind::Sphere: return dGeomSphereSetRadius(id, s.x);
    case Kind::Box: return dGeomBoxSetLengths(id, 2 * s.x, 2 * s.y, 2 * s.z);
    case Kind::Cylinder: return dGeomCylinderSetParams(id, s.x, 2 * s.z);
    case Kind::Capsule: return dGeomCapsuleSetParams(id, s.x, 2 * s.z);
    default: return;
  }
}

void place(dGeomID id, const Geom& g) {
  const Mat3d& R = g.X_WG.R;
  const Vec3d& p = g.X_WG.p;
  if (g.kind == Kind::Plane) {
    const Vec3d n{R.r0.z, R.r1.z, R.r2.z};
    dGeomPlaneSetParams(id, n.x, n.y, n.z, dot(n, p));
    return;
  }
  dMatrix3 r = {R.r0.x, R.r0.y, R.r0.z, 0, R.r1.x, R.r1.y, R.r1.z, 0, R.r2.x, R.r2.y, R.r2.z, 0};
  if (g.kind == Kind::Heightfield) {  // ODE's y is our z, ODE's z our -y
    for (double* row : {r, r + 4, r + 8}) {
      const double y = row[1];
      row[1] = row[2];
      row[2] = -y;
    }
  }
  dGeomSetRotation(id, r);
  dGeomSetPosition(id, p.x, p.y, p.z);
}

}  // namespace

OdeGeom::OdeGeom(const Geom& geom)
    : triangles_(createTriangles(geom)),
      heights_(createHeights(geom)),
      id_(create(geom, triangles_, heights_)) {}

OdeGeom::~OdeGeom() {
  dGeomDestroy(id_);
  if (triangles_) dGeomTriMeshDataDestroy(triangles_);
  if (heights_) dGeomHeightfieldDataDestroy(heights_);
}

dxGeom* OdeGeom::synced(const Geom& geom) {
  if (stamp_ != geom.poseStamp) {
    place(id_, geom);
    placed_ = poseInOde();
    stamp_ = geom.poseStamp;
  }
  return id_;
}

OdeGeom::OdePose OdeGeom::poseInOde() const {
  OdePose pose{};
  if (dGeomGetClass(id_) == dPlaneClass) {
    dGeomPlaneGetParams(id_, pose.data());
    return pose;
  }
  std::copy_n(dGeomGetPosition(id_), 3, pose.begin());
  std::copy_n(dGeomGetRotation(id_), 12, pose.begin() + 3);
  return pose;
}
bool OdeGeom::isMovedInOde() const { return poseInOde() != placed_; }
void OdeGeom::takeBackPose(const Geom& geom) {
  stamp_ = ~geom.poseStamp;
  synced(geom);
}

Vec3d OdeGeom::sizeInOde(const Geom& geom) const {
  dVector3 lengths{};
  switch (geom.kind) {
    case Kind::Sphere: {
      const double r = dGeomSphereGetRadius(id_);
      return {r, r, r};
    }
    case Kind::Box:
      dGeomBoxGetLengths(id_, lengths);
      return Vec3d{lengths[0], lengths[1], lengths[2]} * 0.5;
    case Kind::Cylinder:
      dGeomCylinderGetParams(id_, &lengths[0], &lengths[2]);
      return {lengths[0], lengths[0], lengths[2] / 2};
    case Kind::Capsule:
      dGeomCapsuleGetParams(id_, &lengths[0], &lengths[2]);
      return {lengths[0], lengths[0], lengths[2] / 2};
    default: return geom.size;
  }
}

void OdeGeom::takeBackSize(const Geom& geom) { resize(id_, geom); }
bool OdeGeom::isEnabledInOde() const { return dGeomIsEnabled(id_) != 0; }
void OdeGeom::setEnabled(bool isEnabled) { isEnabled ? dGeomEnable(id_) : dGeomDisable(id_); }
std::uint64_t OdeGeom::groupInOde() const { return dGeomGetCategoryBits(id_); }
std::uint64_t OdeGeom::maskInOde() const { return dGeomGetCollideBits(id_); }
void OdeGeom::setFilter(std::uint64_t group, std::uint64_t mask) {
  static_assert(sizeof(unsigned long) == sizeof(std::uint64_t));
  dGeomSetCategoryBits(id_, group);
  dGeomSetCollideBits(id_, mask);
}

}  // namespace espalier::collision
