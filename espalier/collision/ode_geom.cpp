#include "espalier/collision/ode_geom.h"

#include <ode/ode.h>

namespace espalier::collision {
namespace {

/// The triangles are read where they are; only the tree over them is ODE's own.
dTriMeshDataID createData(const Geom& g) {
  if (g.kind != Kind::Trimesh) return nullptr;
  static_assert(sizeof(Vec3d) == 3 * sizeof(double) && sizeof(dTriIndex) == sizeof(int));
  const dTriMeshDataID data = dGeomTriMeshDataCreate();
  const std::vector<Vec3d>& v = g.mesh->vertices;
  const auto& t = g.mesh->triangles;
  dGeomTriMeshDataBuildDouble(data, v.data(), sizeof(Vec3d), static_cast<int>(v.size()), t.data(),
                              static_cast<int>(3 * t.size()), 3 * sizeof(int));
  return data;
}

dGeomID create(const Geom& g, dTriMeshDataID data) {
  switch (g.kind) {
    case Kind::Sphere: return dCreateSphere(nullptr, g.size.x);
    case Kind::Box: return dCreateBox(nullptr, 2 * g.size.x, 2 * g.size.y, 2 * g.size.z);
    case Kind::Cylinder: return dCreateCylinder(nullptr, g.size.x, 2 * g.size.z);
    case Kind::Capsule: return dCreateCapsule(nullptr, g.size.x, 2 * g.size.z);
    case Kind::Plane: return dCreatePlane(nullptr, 0, 0, 1, 0);
    case Kind::Trimesh: return dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
    case Kind::Hull:
    case Kind::Heightfield: break;
  }
  return nullptr;
}

void resize(dGeomID id, const Geom& g, double by) {
  const Vec3d& s = g.size;
  switch (g.kind) {
    case Kind::Sphere: return dGeomSphereSetRadius(id, s.x + by);
    case Kind::Box: return dGeomBoxSetLengths(id, 2 * (s.x + by), 2 * (s.y + by), 2 * (s.z + by));
    case Kind::Cylinder: return dGeomCylinderSetParams(id, s.x + by, 2 * (s.z + by));
    case Kind::Capsule: return dGeomCapsuleSetParams(id, s.x + by, 2 * s.z);
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
  const dMatrix3 r = {R.r0.x, R.r0.y, R.r0.z, 0,      R.r1.x, R.r1.y,
                      R.r1.z, 0,      R.r2.x, R.r2.y, R.r2.z, 0};
  dGeomSetRotation(id, r);
  dGeomSetPosition(id, p.x, p.y, p.z);
}

}  // namespace

OdeGeom::OdeGeom(const Geom& geom) : data_(createData(geom)), id_(create(geom, data_)) {}

OdeGeom::~OdeGeom() {
  if (id_) dGeomDestroy(id_);
  if (data_) dGeomTriMeshDataDestroy(data_);
}

dxGeom* OdeGeom::synced(const Geom& geom, double inflation) {
  if (inflation != inflation_) {
    resize(id_, geom, inflation);
    inflation_ = inflation;
  }
  if (stamp_ != geom.poseStamp) {
    place(id_, geom);
    stamp_ = geom.poseStamp;
  }
  return id_;
}

}  // namespace espalier::collision
