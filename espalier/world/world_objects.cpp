// Adding, finding and removing objects.

#include <cmath>

#include "espalier/core/check.h"
#include "espalier/io/mesh/mesh_file.h"
#include "espalier/robot/math.h"
#include "espalier/step/motion.h"
#include "espalier/world/added.h"
#include "espalier/world/objects.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

Sym3<double> symmetric(const Eigen::Matrix3d& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
}

MeshShape readMesh(const std::string& file, double scale) {
  ESPALIER_REQUIRE(std::isfinite(scale) && scale > 0, "a scale must be positive");
  auto mesh = valueOrThrow(io::readMeshFile(file, {scale, scale, scale}),
                           "the mesh '" + file + "' cannot be read");
  return {file, std::make_shared<const TriangleMesh>(std::move(mesh))};
}

}  // namespace

SingleBodyObject* World::addBody(const BodySpec& spec) { return addSingleBody(*data_, spec); }

SingleBodyObject* World::addShape(const Shape& shape, double mass, const std::string& material,
                                  CollisionGroup group, CollisionGroup mask) {
  ESPALIER_REQUIRE(std::isfinite(mass) && mass > 0,
                   "a mass must be positive, not " + std::to_string(mass));
  BodySpec spec;
  spec.name = std::string(shapeName(shape)) + "_" + std::to_string(data_->objects.size());
  spec.collisions = {shapeSpec(shape, material, group, mask)};
  spec.inertial = {mass, identityTransform<double>(), inertia(shape, mass).I};
  return addBody(spec);
}

Sphere* World::addSphere(double radius, double mass, const std::string& material,
                         CollisionGroup group, CollisionGroup mask) {
  return asKind<Sphere>(addShape(SphereShape{radius}, mass, material, group, mask));
}
Box* World::addBox(double x, double y, double z, double mass, const std::string& material,
                   CollisionGroup group, CollisionGroup mask) {
  return asKind<Box>(addShape(BoxShape{{x, y, z}}, mass, material, group, mask));
}
Cylinder* World::addCylinder(double radius, double height, double mass, const std::string& material,
                             CollisionGroup group, CollisionGroup mask) {
  return asKind<Cylinder>(addShape(CylinderShape{radius, height}, mass, material, group, mask));
}
Capsule* World::addCapsule(double radius, double height, double mass, const std::string& material,
                           CollisionGroup group, CollisionGroup mask) {
  return asKind<Capsule>(addShape(CapsuleShape{radius, height}, mass, material, group, mask));
}

Mesh* World::addMesh(const std::string& file, double mass, const Eigen::Matrix3d& inertia,
                     const Eigen::Vector3d& com, double scale, const std::string& material,
                     CollisionGroup group, CollisionGroup mask) {
  BodySpec spec;
  spec.name = "mesh_" + std::to_string(data_->objects.size());
  spec.collisions = {shapeSpec(readMesh(file, scale), material, group, mask)};
  spec.inertial.mass = mass;
  spec.inertial.X_LC.p = Vec<3>(com);
  spec.inertial.I = symmetric(inertia);
  return asKind<Mesh>(addBody(spec));
}

Mesh* World::addMesh(const std::string& file, double mass, double scale,
                     const std::string& material, CollisionGroup group, CollisionGroup mask) {
  const MeshShape mesh = readMesh(file, scale);
  ESPALIER_REQUIRE(!mesh.data->vertices.empty(), "the mesh '" + file + "' has no vertices");
  Vec3d low = mesh.data->vertices[0], high = low;
  for (const Vec3d& v : mesh.data->vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  BodySpec spec;
  spec.name = "mesh_" + std::to_string(data_->objects.size());
  spec.collisions = {shapeSpec(mesh, material, group, mask)};
  spec.inertial.mass = mass;
  spec.inertial.X_LC.p = (low + high) * 0.5;
  spec.inertial.I = espalier::inertia(BoxShape{high - low}, mass).I;
  return asKind<Mesh>(addBody(spec));
}

Mesh* World::addMesh(const Mesh* original, const std::string& material, CollisionGroup group,
                     CollisionGroup mask) {
  ESPALIER_REQUIRE(original != nullptr, "a mesh to copy is needed");
  BodySpec spec;
  spec.name = "mesh_" + std::to_string(data_->objects.size());
  spec.collisions = {shapeSpec(original->shape(), material, group, mask)};
  spec.inertial.mass = original->getMass();
  spec.inertial.X_LC.p = Vec<3>(original->getCom());
  spec.inertial.I = symmetric(original->getInertia_B());
  return asKind<Mesh>(addBody(spec));
}

SingleBodyObject* World::addCompound(const std::vector<CollisionSpec>& children, double mass,
                                     const Eigen::Vector3d& com, const Eigen::Matrix3d& inertia) {
  ESPALIER_REQUIRE(!children.empty(), "a compound needs at least one shape");
  BodySpec spec;
  spec.name = "compound_" + std::to_string(data_->objects.size());
  spec.collisions = children;
  spec.inertial.mass = mass;
  spec.inertial.X_LC.p = Vec<3>(com);
  spec.inertial.I = symmetric(inertia);
  return addBody(spec);
}

SingleBodyObject* World::addCompound(const std::vector<Compound::CompoundObjectChild>& children,
                                     double mass, const Eigen::Vector3d& com,
                                     const Eigen::Matrix3d& inertia, CollisionGroup group,
                                     CollisionGroup mask) {
  std::vector<CollisionSpec> parts(children.begin(), children.end());
  for (CollisionSpec& part : parts) {
    part.group = group;
    part.mask = mask;
  }
  return addCompound(parts, mass, com, inertia);
}

void World::removeObject(Object* object) { espalier::removeObject(*data_, object); }
int World::objectCount() const { return static_cast<int>(data_->objects.size()); }

Object* World::getObject(int index) const {
  ESPALIER_REQUIRE(index >= 0 && index < objectCount(),
                   "there is no object " + std::to_string(index));
  return data_->objects[index].get();
}
Object* World::getObject(const std::string& name) const {
  for (const auto& object : data_->objects)
    if (object->getName() == name) return object.get();
  return nullptr;
}

const std::vector<Object*>& World::getObjList() const {
  data_->objectList.clear();
  for (const auto& object : data_->objects) data_->objectList.push_back(object.get());
  return data_->objectList;
}

int World::systemCount() const { return static_cast<int>(data_->owned.size()); }
ArticulatedSystem* World::system(int index) const {
  ESPALIER_REQUIRE(index >= 0 && index < systemCount(),
                   "there is no system " + std::to_string(index));
  const int object = data_->owned[index]->object;
  return static_cast<ArticulatedSystem*>(data_->objects[object].get());
}

int World::attach(Object* a, Object* b, int bodyA, int bodyB) {
  requireBetweenSteps(*data_);
  auto weld = std::make_unique<Weld>();
  weld->objectA = indexOf(*data_, a);
  weld->objectB = b ? indexOf(*data_, b) : -1;
  ESPALIER_REQUIRE(weld->objectA >= 0 && (!b || weld->objectB >= 0),
                   "only objects of this world can be attached");
  weld->a = endpointOf(*data_, a, bodyA);
  if (b) weld->b = endpointOf(*data_, b, bodyB);
  for (const auto& [end, body] : {std::pair(weld->a, bodyA), std::pair(weld->b, bodyB)})
    ESPALIER_REQUIRE(body == 0 || (end.system && body > 0 && body < end.system->model->nb()),
                     "there is no body " + std::to_string(body));
  ESPALIER_REQUIRE(a != b || bodyA != bodyB, "two different bodies are needed");
  // The common frame is A's own, as it stands.
  const Transformd X_WA = poseNow(*data_, weld->a), X_WB = poseNow(*data_, weld->b);
  weld->X_BF = inverse(X_WB) * X_WA;
  for (const Endpoint& end : {weld->a, weld->b})
    if (end.system) noteBody(*end.system, end.body);
  weld->id = data_->nextWeld++;
  data_->welds.push_back(std::move(weld));
  data_->isPrepared = false;
  return data_->welds.back()->id;
}

void World::detach(int id) {
  requireBetweenSteps(*data_);
  const auto erased = std::erase_if(data_->welds, [&](const auto& w) { return w->id == id; });
  ESPALIER_REQUIRE(erased == 1, "there is no weld " + std::to_string(id));
  data_->isPrepared = false;
}

}  // namespace espalier
