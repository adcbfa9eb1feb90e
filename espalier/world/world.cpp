#include "espalier/world/world.h"

#include <algorithm>
#include <cmath>

#include "espalier/core/check.h"
#include "espalier/model/coordinates.h"
#include "espalier/world/world_data.h"

namespace espalier {
namespace {

template <class T>
T valueOrThrow(Expected<T>&& expected, const char* what) {
  ESPALIER_REQUIRE(expected.hasValue(),
                   std::string(what) + ":\n" + expected.diagnostics().toString());
  return std::move(expected).value();
}

bool isFinite(const Transformd& x) {
  return std::isfinite(norm(x.p)) && std::isfinite(norm(x.R.r0)) && std::isfinite(norm(x.R.r1)) &&
         std::isfinite(norm(x.R.r2));
}

}  // namespace

World::World() : data_(std::make_unique<WorldData>()) { data_->materials.id("default"); }
World::~World() = default;

ArticulatedSystem* World::addArticulatedSystem(const std::string& fileOrText,
                                               const io::UrdfOptions& options) {
  return addArticulatedSystem(
      valueOrThrow(io::loadRobot(fileOrText, options), "the robot cannot be read"));
}

ArticulatedSystem* World::addArticulatedSystem(const SystemSpec& spec) {
  ArticulatedSystem* robot = addArticulatedSystem(
      std::make_shared<const Model>(valueOrThrow(compile(spec), "the robot cannot be simulated")));
  if (robot->model().topology.floating) {  // a fixed one has its place from compile()
    double* q = data_->qOf(*data_->owned.back());
    const Vec3d p = spec.X_WB.p;
    const Quat<double> o = quaternion(spec.X_WB.R);
    const double start[7] = {p.x, p.y, p.z, o.w, o.x, o.y, o.z};
    std::copy(start, start + 7, q);
  }
  return robot;
}

ArticulatedSystem* World::addArticulatedSystem(std::shared_ptr<const Model> model) {
  ESPALIER_REQUIRE(model != nullptr, "a model is needed");
  ESPALIER_REQUIRE(!data_->isBetween, "finish the step with integrate2() first");
  WorldData& w = *data_;
  const int index = static_cast<int>(w.owned.size());
  w.owned.push_back(std::make_unique<System>(model, static_cast<int>(w.state.q.size()),
                                             static_cast<int>(w.state.u.size())));
  w.handles.push_back(std::make_unique<ArticulatedSystem>(w, *w.owned.back()));
  const State added = neutralState(*model);
  w.state.q.insert(w.state.q.end(), added.q.begin(), added.q.end());
  w.state.u.insert(w.state.u.end(), added.u.begin(), added.u.end());
  neutral(model->topology, w.qOf(*w.owned.back()));
  addGeoms(w, index);
  w.isPrepared = false;
  w.knowsEnergy = false;
  return w.handles.back().get();
}

GeomId World::addGround(double height, const std::string& material) {
  StaticSpec ground;
  ground.name = "ground";
  ground.shape = Plane{};
  ground.X_WG.p.z = height;
  ground.material = material;
  return addStatic(ground);
}

GeomId World::addStatic(const StaticSpec& spec) {
  ESPALIER_REQUIRE(!data_->isBetween, "finish the step with integrate2() first");
  ESPALIER_REQUIRE(isFinite(spec.X_WG), "the place of '" + spec.name + "' must be finite");
  PlacedGeom geom;
  geom.id =
      data_->scene.addGeom(spec.shape, {.group = spec.group, .mask = spec.mask, .isStatic = true});
  data_->scene.setPose(geom.id, spec.X_WG);
  geom.material = data_->materials.id(spec.material);
  data_->geoms.push_back(geom);
  data_->isPrepared = false;
  return geom.id;
}

Diagnostics World::diagnostics() { return data_->scene.build(); }

void World::setTimeStep(double dt) {
  ESPALIER_REQUIRE(std::isfinite(dt) && dt > 0,
                   "the time step must be positive, not " + std::to_string(dt));
  data_->dt = dt;
}
double World::getTimeStep() const { return data_->dt; }

void World::setGravity(const Vec3d& g) {
  ESPALIER_REQUIRE(std::isfinite(norm(g)), "gravity must be finite");
  data_->gravity = g;
  data_->knowsEnergy = false;
}
Vec3d World::getGravity() const { return data_->gravity; }
void World::setIntegrationScheme(Scheme scheme) {
  ESPALIER_REQUIRE(!data_->isBetween, "finish the step with integrate2() first");
  data_->scheme = scheme;
}
Scheme World::getIntegrationScheme() const { return data_->scheme; }

void World::setERP(double erp, double slop) {
  ESPALIER_REQUIRE(erp >= 0 && erp <= 1 && slop >= 0, "erp lies in [0, 1], slop is not negative");
  data_->settings.erp = erp;
  data_->settings.slop = slop;
}
void World::setContactSolverParam(double tolerance, int maxSweeps) {
  ESPALIER_REQUIRE(tolerance > 0 && maxSweeps > 0, "tolerance and maxSweeps must be positive");
  data_->settings.tolerance = tolerance;
  data_->settings.maxSweeps = maxSweeps;
}
void World::setContactMargin(double margin) {
  ESPALIER_REQUIRE(margin >= 0 && std::isfinite(margin), "the margin must not be negative");
  data_->settings.margin = margin;
}
void World::setMaxContacts(int count) {
  ESPALIER_REQUIRE(count > 0 && count <= 100000, "maxContacts lies in 1 to 100,000");
  ESPALIER_REQUIRE(!data_->isBetween, "finish the step with integrate2() first");
  data_->settings.maxContacts = count;
  data_->isPrepared = false;
}
void World::setDefaultMaterial(double friction, double restitution, double threshold) {
  data_->materials.setDefault({friction, restitution, threshold});
}
void World::setMaterialPairProp(const std::string& first, const std::string& second,
                                double friction, double restitution, double threshold) {
  data_->materials.setPair(first, second, {friction, restitution, threshold});
}
void World::setEnergyMonitoring(bool on) {
  data_->monitorsEnergy = on;
  data_->knowsEnergy = false;
}

namespace {

void beginStep(WorldData& w) {
  ESPALIER_REQUIRE(!w.isBetween, "integrate1() was called already; integrate2() comes next");
  prepare(w);
  if (w.monitorsEnergy && !w.knowsEnergy) {
    w.energyBefore = mechanicalEnergy(w);
    w.knowsEnergy = true;
  }
  evaluate(w);
  findContacts(w);
  w.isBetween = true;
}

}  // namespace

void World::integrate1() {
  beginStep(*data_);
  exportBodies(*data_);  // getters between the two halves read them
}

const StepReport& World::integrate2() {
  WorldData& w = *data_;
  ESPALIER_REQUIRE(w.isBetween, "integrate1() comes first");
  solveStep(w);
  const double work = w.monitorsEnergy ? workOfStep(w) : 0;
  finishStep(w);
  if (w.monitorsEnergy) {
    w.report.energy = mechanicalEnergy(w);
    w.report.energyBalance = w.report.energy - w.energyBefore - work;
    w.energyBefore = w.report.energy;
  }
  w.isBetween = false;
  return w.report;
}

const StepReport& World::integrate() {
  beginStep(*data_);
  return integrate2();
}

const StepReport& World::report() const { return data_->report; }
std::span<const Contact> World::contacts() const {
  return {data_->contacts.data(), static_cast<std::size_t>(data_->contactCount)};
}
double World::getWorldTime() const { return data_->state.time; }
int World::systemCount() const { return static_cast<int>(data_->owned.size()); }
ArticulatedSystem* World::system(int index) {
  ESPALIER_REQUIRE(index >= 0 && index < systemCount(),
                   "there is no system " + std::to_string(index));
  return data_->handles[static_cast<std::size_t>(index)].get();
}
const State& World::getState() const { return data_->state; }
void World::setState(const State& state) {
  WorldData& w = *data_;
  ESPALIER_REQUIRE(!w.isBetween, "finish the step with integrate2() first");
  ESPALIER_REQUIRE(state.q.size() == w.state.q.size() && state.u.size() == w.state.u.size(),
                   "the state is another world's: " + std::to_string(state.q.size()) +
                       " coordinates, not " + std::to_string(w.state.q.size()));
  for (const auto* numbers : {&state.q, &state.u})
    for (double x : *numbers) ESPALIER_REQUIRE(std::isfinite(x), "a state must be finite");
  ESPALIER_REQUIRE(std::isfinite(state.time), "the time of a state must be finite");
  w.state = state;
  for (const auto& sys : w.owned) makeUnit(*sys, w.qOf(*sys));
  w.warmCount = 0;
  for (double& x : w.warmLimits) x = 0;
  w.knowsEnergy = false;
}
std::uint64_t World::stateHash() const { return hash(data_->state); }

}  // namespace espalier
