#include "espalier/world/world.h"

#include "espalier/core/check.h"
#include "espalier/world/editing.h"
#include "espalier/world/objects.h"
#include "espalier/world/world_data.h"

namespace espalier {

World::World() : data_(std::make_unique<WorldData>()) { data_->materials.id("default"); }
World::~World() = default;

namespace {

void beginStep(WorldData& w) {
  ESPALIER_REQUIRE(!w.isBetween, "integrate1() was called already; integrate2() comes next");
  takeEdits(w);
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

void takeEdits(WorldData& world) {
  for (const auto& sys : world.owned)
    if (relowerIfChanged(world, *sys)) {
      sys->knowsMomentum = false;
      world.knowsEnergy = false;
    }
  for (const GeomId id : world.scene.syncFromOde()) refreshGeom(world, id);
}

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
void World::setWorldTime(double time) {
  ESPALIER_REQUIRE(std::isfinite(time), "a time must be finite");
  data_->state.time = time;
}

}  // namespace espalier
