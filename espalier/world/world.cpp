#include "espalier/world/world.h"

#include "espalier/core/check.h"
#include "espalier/robot/editing.h"
#include "espalier/step/stages.h"
#include "espalier/world/objects.h"

namespace espalier {

World::World() : data_(std::make_unique<WorldData>()) { data_->materials.id("default"); }
World::~World() = default;

void beginStep(WorldData& w) {
  requireNoCallback(w);
  ESPALIER_REQUIRE(!w.isBetween, "integrate1() was called already; integrate2() comes next");
  takeEdits(w);
  prepareStep(w);
}

void takeEdits(WorldData& world) {
  requireNoCallback(world);
  for (const auto& sys : world.owned)
    if (relowerIfChanged(world, *sys)) {
      sys->knowsMomentum = false;
      world.knowsEnergy = false;
    }
  for (const GeomId id : world.scene.syncFromOde()) refreshGeom(world, id);
}

WorldData& dataOf(World& world) { return *world.data_; }

void World::integrate1() {
  beginStep(*data_);
  firstHalf(*data_);
  exportBodies(*data_);  // getters between the two halves read them
}

const StepReport& World::integrate2() {
  requireNoCallback(*data_);
  ESPALIER_REQUIRE(data_->isBetween, "integrate1() comes first");
  secondHalf(*data_);
  return data_->report;
}

const StepReport& World::integrate() {
  beginStep(*data_);
  stepAlone(*data_);
  return data_->report;
}

const StepReport& World::report() const { return data_->report; }
std::span<const Contact> World::contacts() const {
  return {data_->contacts.data(), static_cast<std::size_t>(data_->reportedContacts())};
}
double World::getWorldTime() const { return data_->state.time; }
void World::setWorldTime(double time) {
  ESPALIER_REQUIRE(std::isfinite(time), "a time must be finite");
  data_->state.time = time;
}

}  // namespace espalier
