#include <cmath>

#include "espalier/core/check.h"
#include "espalier/step/sleeping.h"
#include "espalier/world/objects.h"
#include "espalier/world/world.h"
#include "espalier/world/world_data.h"

namespace espalier {
namespace {

/// m; a slop beyond it shows, and is most often another program's number.
constexpr double large_slop = 1e-3;

}  // namespace

void World::setTimeStep(double dt) {
  ESPALIER_REQUIRE(std::isfinite(dt) && dt > 0,
                   "the time step must be positive, not " + std::to_string(dt));
  if (dt != data_->dt) wakeBeforeStep(*data_);
  data_->dt = dt;
}
double World::getTimeStep() const { return data_->dt; }

void World::setGravity(const Vec<3>& gravity) {
  const Vec3d g = gravity;
  ESPALIER_REQUIRE(std::isfinite(norm(g)), "gravity must be finite");
  if (g.x != data_->gravity.x || g.y != data_->gravity.y || g.z != data_->gravity.z)
    wakeBeforeStep(*data_);
  data_->gravity = g;
  data_->knowsEnergy = false;
}
Vec<3> World::getGravity() const { return data_->gravity; }

void World::setIntegrationScheme(Scheme scheme) {
  requireBetweenSteps(*data_);
  data_->scheme = scheme;
  for (const auto& sys : data_->owned) sys->knowsMomentum = false;  // another scheme's bookkeeping
  for (const auto& body : data_->free) body->knowsL = false;
}
Scheme World::getIntegrationScheme() const { return data_->scheme; }

void World::setERP(double erp, double slop) {
  ESPALIER_REQUIRE(erp >= 0 && erp <= 1 && slop >= 0, "erp lies in [0, 1], slop is not negative");
  data_->settings.erp = erp;
  data_->settings.slop = slop;
  wakeBeforeStep(*data_);
}
void World::setMaxDepenetrationVelocity(double speed) {
  ESPALIER_REQUIRE(speed > 0, "the speed at which penetration is removed must be positive, not " +
                                  std::to_string(speed));
  data_->settings.maxDepenetrationVelocity = speed;
}
double World::getMaxDepenetrationVelocity() const {
  return data_->settings.maxDepenetrationVelocity;
}
Diagnostics World::diagnostics() {
  Diagnostics all = data_->scene.build();
  if (data_->settings.slop > large_slop)
    all.add({Severity::Warning, "", 0,
             "contacts are left " + std::to_string(data_->settings.slop) +
                 " m deep: the second number of setERP() is the penetration that is left alone",
             "RaiSim's second number (erp2) is another thing: leave it out, or give a slop of at "
             "most a millimetre"});
  return all;
}
void World::setContactSolverParam(double tolerance, int maxSweeps) {
  ESPALIER_REQUIRE(tolerance > 0 && maxSweeps > 0, "tolerance and maxSweeps must be positive");
  data_->settings.tolerance = tolerance;
  data_->settings.maxSweeps = maxSweeps;
}
void World::setContactSolverParam(double alphaInit, double alphaMin, double alphaDecay,
                                  int maxSweeps, double threshold) {
  ESPALIER_REQUIRE(std::isfinite(alphaInit) && std::isfinite(alphaMin) && std::isfinite(alphaDecay),
                   "the three numbers of RaiSim's relaxation must be finite");
  setContactSolverParam(threshold, maxSweeps);
}
void World::setContactMargin(double margin) {
  ESPALIER_REQUIRE(margin >= 0 && std::isfinite(margin), "the margin must not be negative");
  data_->settings.margin = margin;
}
void World::setMaxContacts(int count) {
  ESPALIER_REQUIRE(count > 0 && count <= 1000000, "maxContacts lies in 1 to 1,000,000");
  requireBetweenSteps(*data_);
  data_->settings.maxContacts = count;
  data_->isPrepared = false;
}

void World::setDefaultMaterial(double friction, double restitution, double threshold) {
  data_->materials.setDefault({friction, restitution, threshold});
  wakeBeforeStep(*data_);
}
void World::setDefaultMaterial(const MaterialPairSpec& pair) {
  requireBetweenSteps(*data_);
  data_->materials.setDefault(materialPair(pair));
  data_->isPrepared = false;
}
void World::setMaterialPairProp(const std::string& first, const std::string& second,
                                double friction, double restitution, double threshold) {
  data_->materials.setPair(first, second, {friction, restitution, threshold});
  wakeBeforeStep(*data_);
}
void World::setMaterialPairProp(const std::string& first, const std::string& second,
                                double friction, double restitution, double threshold,
                                double staticFriction, double staticVelocity) {
  data_->materials.setPair(first, second,
                           {friction, restitution, threshold, staticFriction, staticVelocity});
  wakeBeforeStep(*data_);
}
void World::setMaterialPairProp(const MaterialPairSpec& pair) {
  requireBetweenSteps(*data_);
  data_->materials.setPair(pair.first, pair.second, materialPair(pair));
  data_->isPrepared = false;  // rolling friction needs room
}

void World::updateMaterialProp(const MaterialManager& materials) {
  requireBetweenSteps(*data_);
  Materials changed = data_->materials;
  changed.clearPairs();
  changed.setDefault(materialPair(materials.byDefault));
  for (const MaterialPairSpec& pair : materials.pairs)
    changed.setPair(pair.first, pair.second, materialPair(pair));
  data_->materials = std::move(changed);
  data_->isPrepared = false;
}

void World::setContactCallback(ContactCallback callback) {
  requireBetweenSteps(*data_);
  data_->onContact = std::move(callback);
  data_->isPrepared = false;  // it may ask for rolling friction
}
void World::setSleeping(bool on, double linearSpeed, double angularSpeed, int quietSteps) {
  requireBetweenSteps(*data_);
  ESPALIER_REQUIRE(linearSpeed >= 0 && angularSpeed >= 0 && quietSteps > 0,
                   "speeds must not be negative, the number of steps must be positive");
  data_->sleeping = {on, linearSpeed, angularSpeed, quietSteps};
  if (!on) wakeAll(*data_);
}
void World::setEnergyMonitoring(bool on) {
  data_->monitorsEnergy = on;
  data_->knowsEnergy = false;
}
bool World::getEnergyMonitoring() const { return data_->monitorsEnergy; }

}  // namespace espalier
