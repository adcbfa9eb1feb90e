// Espalier as an Engine. Schemes: MIDPOINT, TRAPEZOID, SEMI_IMPLICIT, EULER, RUNGE_KUTTA_4.
#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include "bench/engine/engine.h"
#include "bench/engine/espalier_forward.h"
#include "espalier/batch/lane_steps.h"
#include "espalier/world/world.h"

namespace bench {
namespace {

using namespace espalier;

Scheme schemeOf(const std::string& name) {
  const auto isSame = [](char a, char b) { return std::tolower(a) == b; };
  for (const SchemeInfo& known : schemes)
    if (std::ranges::equal(name, std::string_view(known.name), isSame)) return known.scheme;
  throw std::invalid_argument("no scheme '" + name + "'");
}

bench::Vec3 fromEigen(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

class WorldsInLanes final : public Abreast {
 public:
  explicit WorldsInLanes(std::vector<WorldData*> worlds) : steps_(std::move(worlds)) {}
  void step() override { steps_.integrate(steps_.size()); }

 private:
  LaneSteps steps_;
};

class EspalierEngine final : public Engine {
 public:
  EspalierEngine(const Scene& scene, const std::string& scheme) {
    world_.setTimeStep(scene.dt);
    world_.setIntegrationScheme(schemeOf(scheme));
    world_.setGravity({0, 0, -scene.gravity});
    gravity_ = scene.gravity;
    if (scene.erp) world_.setERP(*scene.erp);
    const ContactSettings usual;
    world_.setContactSolverParam(scene.tolerance.value_or(usual.tolerance),
                                 scene.iterations.value_or(usual.maxSweeps));
    // Whatever comes down bounces where anything does.
    const double threshold = scene.restitution > 0 ? 0 : 0.01;
    world_.setDefaultMaterial(scene.friction, scene.restitution, threshold);
    for (const Friction& f : scene.frictions)
      world_.setMaterialPairProp(f.first, f.second, f.value, scene.restitution, threshold);
    addGround(scene);
    for (const Solid& solid : scene.solids) addSolid(solid);
    for (const Robot& robot : scene.robots) addRobot(robot);
    const Diagnostics problems = world_.diagnostics();
    if (problems.hasErrors()) throw std::invalid_argument(problems.toString());
  }

  void step() override { world_.integrate(); }
  std::unique_ptr<Abreast> abreast(const std::vector<Engine*>& all) override {
    std::vector<WorldData*> worlds;
    for (Engine* engine : all)
      worlds.push_back(&dataOf(dynamic_cast<EspalierEngine&>(*engine).world_));
    return std::make_unique<WorldsInLanes>(std::move(worlds));
  }
  void forwardDynamics(int robot) override {
    Driven& driven = robots_[robot];
    if (robot != 0) throw std::logic_error("only the first robot's state stands first");
    if (!driven.forward) driven.forward.emplace(driven.system->model());
    if (driven.zero.empty())
      driven.zero.resize(static_cast<std::size_t>(driven.system->model().nv()));
    (*driven.forward)({0, 0, -gravity_}, world_.coordinates().data(), world_.velocities().data(),
                      driven.zero.data());
  }
  void forwardDynamicsInLanes(int robot) override {
    Driven& driven = robots_[robot];
    if (robot != 0) throw std::logic_error("only the first robot's state stands first");
    if (!driven.inLanes)
      driven.inLanes = makeForwardInLanes(driven.system->model(), gravity_,
                                          world_.coordinates().data(), world_.velocities().data());
    driven.inLanes->run();
  }
  int lanes() const override { return LaneSystem::widest(); }
  void beginStep() override { world_.integrate1(); }
  void endStep() override { world_.integrate2(); }

  StepFacts facts() const override {
    const StepReport& report = world_.report();
    const bool hasLoops = std::any_of(robots_.begin(), robots_.end(), [](const Driven& d) {
      return !d.system->model().mechanism.isTree();
    });
    return {report.activeContacts, report.penetration,        report.residual,
            report.iterations,     report.flags != 0 ? 1 : 0, hasLoops ? report.closure : -1};
  }

  bench::Vec3 position(int solid) const override { return fromEigen(at(solid).getPosition()); }
  Quaternion orientation(int solid) const override {
    const Eigen::Vector4d q = at(solid).getQuaternion();
    return {q[0], q[1], q[2], q[3]};
  }
  bench::Vec3 velocity(int solid) const override {
    return fromEigen(at(solid).getLinearVelocity());
  }
  bench::Vec3 spin(int solid) const override { return fromEigen(at(solid).getAngularVelocity()); }
  void push(int solid, const bench::Vec3& force) override {
    at(solid).setExternalForce(Eigen::Vector3d(force[0], force[1], force[2]));
  }

  Place joint(int robot, const std::string& name) const override {
    const Model& model = robots_[robot].system->model();
    const auto& body = model.topology.bodies[model.joint(name)];
    const Place place{model.publicCoordinate[body.q], model.publicDof[body.u]};
    if (place.q < 0) throw std::invalid_argument("joint '" + name + "' follows others");
    return place;
  }
  RobotState state(int robot) override {
    Driven& driven = robots_[robot];
    driven.system->getState(driven.q, driven.u);
    return {driven.q.data(), driven.u.data(), driven.tau.data()};
  }
  void applyTorque(int robot) override {
    Driven& driven = robots_[robot];
    driven.system->setGeneralizedForce(driven.tau);
  }
  void pushBase(int robot, const bench::Vec3& force) override {
    robots_[robot].system->setExternalForce(0, ArticulatedSystem::WORLD_FRAME,
                                            {force[0], force[1], force[2]},
                                            ArticulatedSystem::BODY_FRAME, {0.0, 0.0, 0.0});
  }
  std::vector<bench::Vec3> feet(int robot) const override {
    const ArticulatedSystem& system = *robots_[robot].system;
    std::vector<bench::Vec3> centres;
    for (const CollisionInfo& c : system.model().collisions) {
      if (!std::holds_alternative<SphereShape>(c.shape)) continue;
      const Mat3d& R_LC = system.model().bodies[c.body].R_LC;
      const Vec3d p = system.getBodyPose(c.body) * mul(R_LC, c.X_CG.p);
      centres.push_back({p.x, p.y, p.z});
    }
    return centres;
  }
  double mass(int robot) const override { return robots_[robot].system->getTotalMass(); }
  double energy(int robot) override { return robots_[robot].system->getEnergy(); }
  /// Of the state, as a world of its own sees it: between the halves of a MIDPOINT step queries
  /// speak of the evaluation point, where u has another momentum.
  bench::Vec3 momentum(int robot) override {
    Driven& driven = robots_[robot];
    if (!driven.twin) {
      mirror_.push_back(std::make_unique<World>());
      driven.twin = mirror_.back()->addArticulatedSystem(driven.spec);
    }
    driven.system->getState(driven.q, driven.u);
    driven.twin->setState(driven.q, driven.u);
    return fromEigen(driven.twin->getLinearMomentum());
  }

 private:
  struct Driven {
    ArticulatedSystem* system;
    Eigen::VectorXd q, u, tau;
    SystemSpec spec;
    ArticulatedSystem* twin = nullptr;  // in a world of its own
    std::optional<ForwardDynamics<double>> forward;
    std::unique_ptr<ForwardInLanes> inLanes;
    std::vector<double> zero;  // [nv] of all joints
  };

  SingleBodyObject& at(int solid) const { return *solids_[solid]; }

  void addGround(const Scene& scene) {
    if (!scene.hasGround) return;
    if (!scene.terrain) {
      world_.addGround(0, "ground");
      return;
    }
    const Terrain& t = *scene.terrain;
    world_.addHeightMap(t.xSamples, t.ySamples, t.xSize, t.ySize, 0, 0, t.heights, "ground");
  }

  void addSolid(const Solid& solid) {
    BodySpec spec;
    CollisionSpec collision;
    const auto [x, y, z] = solid.size;
    if (solid.kind == Solid::Kind::Ball)
      collision.shape = SphereShape{x};
    else
      collision.shape = BoxShape{{x, y, z}};
    collision.material = solid.material;
    spec.type = solid.mass > 0 ? BodyType::DYNAMIC : BodyType::STATIC;
    spec.inertial.mass = solid.mass;
    if (solid.mass > 0) spec.inertial.I = inertia(collision.shape, solid.mass).I;
    spec.collisions.push_back(std::move(collision));
    spec.X_WB.p = {solid.position[0], solid.position[1], solid.position[2]};
    spec.velocity = {solid.velocity[0], solid.velocity[1], solid.velocity[2]};
    solids_.push_back(world_.addBody(spec));
  }

  void addRobot(const Robot& robot) {
    io::UrdfOptions options;
    options.keepsHinges = true;  // as the peers have them
    auto spec = io::loadRobot(robot.file, options);
    if (!spec) throw std::invalid_argument(spec.diagnostics().toString());
    if (!robot.collides)
      for (LinkSpec& link : spec->links) link.collisions.clear();
    ArticulatedSystem* system = world_.addArticulatedSystem(*spec);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(system->getDOF());
    robots_.push_back(
        {system, system->getGeneralizedCoordinate(), zero, zero, *spec, nullptr, {}, {}, {}});
    Eigen::VectorXd q = system->getSpanningCoordinate();
    for (int i = 0; i < 3; ++i) q[i] = robot.position[i];
    const Model& model = system->model();
    for (const Angle& angle : robot.angles)
      q[model.spanningCoordinate[model.topology.bodies[model.joint(angle.joint)].q]] = angle.value;
    system->setSpanningCoordinate(q);
    system->setControlMode(ControlMode::FORCE_AND_TORQUE);
  }

  World world_;
  double gravity_ = 0;
  std::vector<std::unique_ptr<World>> mirror_;
  std::vector<SingleBodyObject*> solids_;
  std::vector<Driven> robots_;
};

}  // namespace

std::unique_ptr<Engine> makeEngine(const Scene& scene, const std::string& scheme) {
  return std::make_unique<EspalierEngine>(scene, scheme);
}

}  // namespace bench
