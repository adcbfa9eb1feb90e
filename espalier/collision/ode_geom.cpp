#include "espalier/collision/ode_geom.h"

#include <ode/ode.h>

namespace espalier::collision {
namespace {

dGeomID create(const Geom& g) {
  switch (g.kind) {
    case Kind::Sphere: return dCreateSphere(nullptr, g.size.x);
    case Kind::Box: return dCreateBox(nullptr, 2 * g.size.x, 2 * g.size.y, 2 * g.size.z);
    case Kind::Cylinder: return dCreateCylinder(nullptr, g.size.x, 2 * g.size.z);
    case Kind::Capsule: return dCreateCapsule(nullptr, g.size.x, 2 * g.size.z);
    case Kind::Plane: return dCreatePlane(nullptr, 0, 0, 1, 0);
    case Kind::Mesh:
    case Kind::Heightfield: return nullptr;
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
    case Kind::Plane:
    case Kind::Mesh:
    case Kind::Heightfield: return;
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
  const dMatrix3 r = {R.r0.x, R.r0.y, R.r0.z, 0, R.r1.x, R.r1.y, R.r1.z, 0,
                      R.r2.x, R.r2.y, R.r2.z, 0};
  dGeomSetRotation(id, r);
  dGeomSetPosition(id, p.x, p.y, p.z);
}

}  // namespace

OdeGeom::OdeGeom(const Geom& geom) : id_(create(geom)) {}

OdeGeom::~OdeGeom() {
  if (id_) dGeomDestroy(id_);
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
