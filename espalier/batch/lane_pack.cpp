#include "espalier/batch/lane_pack.h"

#include <algorithm>

#include "espalier/batch/lane_steps.h"
#include "espalier/core/check.h"
#include "espalier/model/compile/compile_cache.h"
#include "espalier/world/world_data.h"

namespace espalier {
namespace {

const System& robotOf(const StepData& world, std::size_t index) {
  ESPALIER_REQUIRE(world.owned.size() == 1, "world " + std::to_string(index) + " has " +
                                                std::to_string(world.owned.size()) +
                                                " robots; in lanes each world has one");
  return *world.owned[0];
}

bool isSameModel(const System& a, const System& b) {
  if (a.model == b.model) return true;
  return a.spec && b.spec && contentOf(*a.spec) == contentOf(*b.spec) &&
         a.model->nv() == b.model->nv() && a.solved().nv == b.solved().nv;
}

}  // namespace

LanePack::LanePack(const std::vector<World*>& worlds) {
  ESPALIER_REQUIRE(!worlds.empty(), "a pack needs a world");
  std::vector<WorldData*> all;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    ESPALIER_REQUIRE(worlds[i], "world " + std::to_string(i) + " is null");
    WorldData& world = *worlds[i]->data_;
    ESPALIER_REQUIRE(std::find(all.begin(), all.end(), &world) == all.end(),
                     "world " + std::to_string(i) + " is in the pack already");
    takeEdits(world);
    all.push_back(&world);
    const System &robot = robotOf(world, i), &first = robotOf(*all[0], 0);
    const std::string who = "the robot of world " + std::to_string(i);
    ESPALIER_REQUIRE(isSameModel(robot, first),
                     who + " is not that of world 0: add the same description to all");
    ESPALIER_REQUIRE(haveSameClosures(*robot.model, *first.model),
                     who +
                         " has its loops closed in other places of their bodies than that of world "
                         "0: lanes share them");
    ESPALIER_REQUIRE(haveSameShapes(*robot.model, *first.model),
                     who +
                         " has its collision shapes in other places than that of world 0: lanes "
                         "share them");
    ESPALIER_REQUIRE(world.dt == all[0]->dt && world.scheme == all[0]->scheme,
                     "world " + std::to_string(i) +
                         " has another time step or scheme than world 0: lanes share them");
  }
  steps_ = std::make_unique<Steps>(std::move(all));
}

LanePack::~LanePack() = default;
LanePack::LanePack(LanePack&&) noexcept = default;

void LanePack::integrate() { steps_->integrate(); }
int LanePack::lanes() { return LaneSystem::widest(); }
int LanePack::steppedAlone() const { return steps_->steppedAlone; }
int LanePack::solvedAlone() const { return steps_->solvedAlone; }

}  // namespace espalier
