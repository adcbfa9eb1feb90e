#include "espalier/batch/lane_pack.h"

#include <algorithm>

#include "espalier/batch/lane_steps.h"
#include "espalier/core/check.h"

namespace espalier {

LanePack::LanePack(const std::vector<World*>& worlds) {
  ESPALIER_REQUIRE(!worlds.empty(), "a pack needs a world");
  std::vector<WorldData*> all;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    ESPALIER_REQUIRE(worlds[i], "world " + std::to_string(i) + " is null");
    WorldData& world = dataOf(*worlds[i]);
    ESPALIER_REQUIRE(std::find(all.begin(), all.end(), &world) == all.end(),
                     "world " + std::to_string(i) + " is in the pack already");
    all.push_back(&world);
  }
  steps_ = std::make_unique<LaneSteps>(std::move(all));
}

LanePack::~LanePack() = default;
LanePack::LanePack(LanePack&&) noexcept = default;

void LanePack::integrate() { steps_->integrate(steps_->size()); }
int LanePack::lanes() { return LaneSystem::widest(); }
int LanePack::steppedAlone() const { return steps_->steppedAlone; }
int LanePack::solvedAlone() const { return steps_->solvedAlone; }

}  // namespace espalier
