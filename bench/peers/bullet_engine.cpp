// Bullet as an Engine: free solids only, in double precision, no body ever put to sleep. Scheme:
// SI, its sequential impulses with the settings it has by default (10 iterations).
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>

#include "bench/engine/engine.h"

namespace bench {
namespace {

static_assert(sizeof(btScalar) == sizeof(double), "Bullet in double precision is asked for");

btVector3 toBullet(const Vec3& v) { return {v[0], v[1], v[2]}; }
Vec3 fromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

/// Bullet multiplies the frictions of two materials; a scene has a table of pairs instead.
const Scene* sceneOfFrictions = nullptr;
std::vector<std::string> materials;

double combinedFriction(const btCollisionObject* a, const btCollisionObject* b) {
  const std::string& first = materials[a->getUserIndex()];
  const std::string& second = materials[b->getUserIndex()];
  for (const Friction& f : sceneOfFrictions->frictions)
    if ((f.first == first && f.second == second) || (f.first == second && f.second == first))
      return f.value;
  return sceneOfFrictions->friction;
}

class BulletEngine final : public Engine {
 public:
  explicit BulletEngine(const Scene& scene) : scene_(scene) {
    if (!scene.robots.empty() || scene.terrain)
      throw std::invalid_argument("this engine builds neither robots nor terrain");
    sceneOfFrictions = &scene;
    materials = {"ground"};
    gCalculateCombinedFrictionCallback = combinedFriction;
    if (scene.erp) world_.getSolverInfo().m_erp = world_.getSolverInfo().m_erp2 = *scene.erp;
    if (scene.iterations) world_.getSolverInfo().m_numIterations = *scene.iterations;
    world_.setGravity({0, 0, -scene.gravity});
    if (scene.hasGround) {
      shapes_.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0));
      add(0, {0, 0, 0}, 0);
    }
    first_ = bodies_.size();
    for (const Solid& solid : scene.solids) {
      if (solid.kind == Solid::Kind::Ball)
        shapes_.push_back(std::make_unique<btSphereShape>(solid.size[0]));
      else
        shapes_.push_back(std::make_unique<btBoxShape>(0.5 * toBullet(solid.size)));
      materials.push_back(solid.material);
      add(solid.mass, solid.position, static_cast<int>(materials.size()) - 1);
      bodies_.back()->setLinearVelocity(toBullet(solid.velocity));
    }
  }

  ~BulletEngine() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override { world_.stepSimulation(scene_.dt, 0, scene_.dt); }

  StepFacts facts() const override {
    StepFacts facts;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* manifold = dispatcher_.getInternalManifoldPointer()[i];
      for (int k = 0; k < manifold->getNumContacts(); ++k) {
        const btManifoldPoint& point = manifold->getContactPoint(k);
        if (point.getAppliedImpulse() > 0) ++facts.contacts;
        facts.depth = std::max(facts.depth, -point.getDistance());
      }
    }
    return facts;
  }

  Vec3 position(int solid) const override {
    return fromBullet(at(solid).getWorldTransform().getOrigin());
  }
  Quaternion orientation(int solid) const override {
    const btQuaternion q = at(solid).getWorldTransform().getRotation();
    return {q.w(), q.x(), q.y(), q.z()};
  }
  Vec3 velocity(int solid) const override { return fromBullet(at(solid).getLinearVelocity()); }
  Vec3 spin(int solid) const override { return fromBullet(at(solid).getAngularVelocity()); }
  void push(int solid, const Vec3& force) override {
    bodies_[first_ + static_cast<std::size_t>(solid)]->applyCentralForce(toBullet(force));
  }

 private:
  const btRigidBody& at(int solid) const {
    return *bodies_[first_ + static_cast<std::size_t>(solid)];
  }

  void add(double mass, const Vec3& position, int material) {
    btCollisionShape* shape = shapes_.back().get();
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setOrigin(toBullet(position));
    info.m_restitution = scene_.restitution;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setUserIndex(material);
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
  }

  const Scene& scene_;
  btDefaultCollisionConfiguration configuration_;
  mutable btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::size_t first_ = 0;  // of the solids among the bodies
};

}  // namespace

std::unique_ptr<Engine> makeEngine(const Scene& scene, const std::string& scheme) {
  if (scheme != "SI") throw std::invalid_argument("Bullet has no scheme '" + scheme + "'");
  return std::make_unique<BulletEngine>(scene);
}

}  // namespace bench
