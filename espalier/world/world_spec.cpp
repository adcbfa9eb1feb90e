// A world from its spec, and back.

#include <filesystem>

#include "espalier/core/check.h"
#include "espalier/io/export/export.h"
#include "espalier/io/world_xml/world_node.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/world/added.h"
#include "espalier/world/objects.h"
#include "espalier/world/template_parameters.h"
#include "espalier/world/world.h"

namespace espalier {

namespace {

Eigen::VectorXd vectorOf(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

void start(ArticulatedSystem& robot, const PlacedSystemSpec& placed) {
  const Eigen::VectorXd q = vectorOf(placed.q), u = vectorOf(placed.u);
  if (q.size() > robot.getGeneralizedCoordinateDim())
    robot.setSpanningCoordinate(q);
  else if (q.size() > 0)
    robot.setGeneralizedCoordinate(q);
  if (u.size() > robot.getDOF())
    robot.setSpanningVelocity(u);
  else if (u.size() > 0)
    robot.setGeneralizedVelocity(u);
}

}  // namespace

World::World(const WorldSpec& spec) : World() {
  setGravity(spec.gravity);
  setTimeStep(spec.timeStep);
  setERP(spec.erp, spec.slop);
  setMaxDepenetrationVelocity(spec.maxDepenetrationVelocity);
  setDefaultMaterial(spec.defaultMaterial);
  for (const MaterialPairSpec& pair : spec.materials) setMaterialPairProp(pair);
  for (const BodySpec& body : spec.bodies) addBody(body);
  for (const PlacedSystemSpec& placed : spec.systems) {
    ArticulatedSystem* robot = addArticulatedSystem(placed.system);
    start(*robot, placed);
    System& sys = *data_->owned.back();
    sys.startQ.assign(data_->qOf(sys), data_->qOf(sys) + sys.model->nq());
    sys.startU.assign(data_->uOf(sys), data_->uOf(sys) + sys.model->nv());
  }
}

namespace {

WorldSpec load(const std::string& fileOrText, const TemplateParameters& parameters) {
  io::WorldOptions options;
  options.parameters = plainNames(parameters);
  return valueOrThrow(io::loadWorld(fileOrText, options), "the world cannot be read");
}

/// The colour that an appearance names, on every visual; other texts change nothing.
void colour(BodySpec& body, const std::string& appearance) {
  const auto rgba = io::parseAppearance(appearance);
  if (!rgba) return;
  if (body.visuals.empty())
    for (const CollisionSpec& c : body.collisions) {
      VisualSpec& visual = body.visuals.emplace_back();
      visual.shape = c.shape;
      visual.meshScale = c.meshScale;
      visual.X_LG = c.X_LG;
    }
  for (VisualSpec& visual : body.visuals) visual.rgba = *rgba;
}

}  // namespace

World::World(const std::string& fileOrText) : World(fileOrText, TemplateParameters{}) {}
World::World(const std::string& fileOrText, const TemplateParameters& parameters)
    : World(load(fileOrText, parameters)) {}

void World::exportToXml(const std::string& file) const {
  const Diagnostics remarks = io::saveWorld(spec(), file);
  ESPALIER_REQUIRE(!remarks.hasErrors(), remarks.toString());
}
void World::exportToXml(const std::string& folder, const std::string& file) const {
  exportToXml((std::filesystem::path(folder) / file).string());
}

BodySpec SingleBodyObject::spec() const {
  BodySpec now = *body_.spec;
  now.name = getName();
  now.type = body_.type;
  now.inertial = {body_.mass, {identity3<double>(), body_.com}, body_.I};
  const Eigen::Vector3d p = getPosition(), v = getLinearVelocity(), r = getAngularVelocity();
  const Eigen::Vector4d o = getQuaternion();
  // What stands still is no part of the state: a copy has to have its rotation to the bit.
  now.X_WB =
      body_.type == BodyType::STATIC
          ? body_.X_WB
          : Transformd{rotation(Quat<double>{o[0], o[1], o[2], o[3]}), {p.x(), p.y(), p.z()}};
  now.velocity = {v.x(), v.y(), v.z()};
  now.angularVelocity = {r.x(), r.y(), r.z()};
  std::size_t k = 0;
  for (CollisionSpec& c : now.collisions) {
    if (!hasGeometry(c.shape)) continue;
    const PlacedGeom& g = world_.geom(body_.geoms[k++]);
    c.material = world_.materials.name(g.material);
    c.shape = world_.scene.shape(g.id);
    c.group = world_.scene.group(g.id);
    c.mask = world_.scene.mask(g.id);
  }
  colour(now, appearance_);
  return now;
}

WorldSpec World::spec() const {
  WorldData& w = *data_;
  requireBetweenSteps(w);
  takeEdits(w);
  WorldSpec spec;
  spec.gravity = w.gravity;
  spec.timeStep = w.dt;
  spec.erp = w.settings.erp;
  spec.slop = w.settings.slop;
  spec.maxDepenetrationVelocity = w.settings.maxDepenetrationVelocity;
  spec.defaultMaterial = w.materials.defaultSpec();
  spec.materials = w.materials.pairSpecs();
  for (const auto& sys : w.owned) {
    const Object& object = *w.objects[sys->object];
    const auto& robot = static_cast<const ArticulatedSystem&>(object);
    ESPALIER_REQUIRE(sys->options.doNotCollideWithParent,
                     "robot '" + object.getName() +
                         "' collides with its parents (ArticulatedSystemOption), which a world "
                         "file cannot say: add it by code");
    PlacedSystemSpec placed{robot.spec(), {}, {}};
    placed.system.name = object.getName();
    const Eigen::VectorXd q = robot.getGeneralizedCoordinate();
    const Eigen::VectorXd u = robot.getGeneralizedVelocity();
    placed.q.assign(q.data(), q.data() + q.size());
    placed.u.assign(u.data(), u.data() + u.size());
    spec.systems.push_back(std::move(placed));
  }
  for (const auto& body : w.free)
    spec.bodies.push_back(static_cast<const SingleBodyObject&>(*w.objects[body->object]).spec());
  return spec;
}

}  // namespace espalier
