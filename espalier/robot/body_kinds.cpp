#include "espalier/robot/body_kinds.h"

#include "espalier/core/check.h"
#include "espalier/step/step_data.h"

namespace espalier {

double Sphere::getRadius() const { return std::get<SphereShape>(shape()).radius; }
Vec<3> Box::getDim() const { return std::get<BoxShape>(shape()).size; }
double Cylinder::getRadius() const { return std::get<CylinderShape>(shape()).radius; }
double Cylinder::getHeight() const { return std::get<CylinderShape>(shape()).height; }
double Capsule::getRadius() const { return std::get<CapsuleShape>(shape()).radius; }
double Capsule::getHeight() const { return std::get<CapsuleShape>(shape()).height; }

const std::string& Mesh::getMeshFileName() const { return std::get<MeshShape>(shape()).file; }
const TriangleMesh& Mesh::getMesh() const {
  const auto& data = std::get<MeshShape>(shape()).data;
  ESPALIER_REQUIRE(data != nullptr, "the mesh file of '" + getName() + "' is missing");
  return *data;
}

double Ground::getHeight() const { return getPosition().z(); }

const HeightfieldData& HeightMap::data() const { return *std::get<Heightfield>(shape()).data; }

namespace {

RayHit surfaceAt(const StepData& world, GeomId geom, double x, double y) {
  RayHit hit;
  ESPALIER_REQUIRE(
      world.scene.surfaceFromAbove(geom, x, y, hit),
      "the height map has no surface at x = " + std::to_string(x) + ", y = " + std::to_string(y));
  return hit;
}

}  // namespace

double HeightMap::getHeight(double x, double y) const {
  return surfaceAt(world_, geom(), x, y).position.z;
}
void HeightMap::getNormal(double x, double y, Eigen::Vector3d& normal) const {
  normal = Vec<3>(surfaceAt(world_, geom(), x, y).normal);
}

Compound::CompoundObjectChild::operator CollisionSpec() const {
  CollisionSpec part;
  int next = 0;
  const auto solid = makeSolid(
      [&](const auto& s) { return s.objectType == objectType; },
      [&](const auto& p, auto& value) {
        forEachNumber(p.name, value, [&](const char*, double& x) { x = objectParam[next++]; });
      });
  ESPALIER_REQUIRE(solid, "a part of a compound is a " + solidNames() +
                              "; for others give addCompound() a list of CollisionSpec");
  part.shape = *solid;
  part.X_LG = {trans.rot, trans.pos};
  part.material = material;
  return part;
}

}  // namespace espalier
