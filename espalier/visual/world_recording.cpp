#include "espalier/visual/world_recording.h"

#include <cmath>
#include <utility>

#include "espalier/core/check.h"
#include "espalier/visual/scene_json.h"
#include "espalier/visual/visuals.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

double intervalOf(double rate) {
  ESPALIER_REQUIRE(rate > 0 && std::isfinite(rate),
                   "the rate of a recording is positive and finite; 60 Hz is usual");
  return 1 / rate;
}

}  // namespace

WorldRecording::WorldRecording(World& world, const std::string& file, WorldRecordingOptions options)
    : world_(world),
      visuals_(options.visuals),
      interval_(intervalOf(options.rate)),
      capture_(world, options.visuals, std::move(options.name)),
      writer_(file, options.existing) {
  writer_.info(textOf(
      {{"espalier", ESPALIER_VERSION}, {"source", options.sources}, {"rate", options.rate}}));
}

bool WorldRecording::update(double stepTime) {
  const double time = world_.getWorldTime(), dt = world_.getTimeStep();
  // Half a step early rounds to whole steps; the small part decides ties as std::round does.
  const double elapsed = time - lastTime_, least = interval_ - (0.5 - 1e-6) * dt;
  if (frameCount_ > 0 && (elapsed == 0 || (elapsed > 0 && elapsed < least))) return false;
  capture(stepTime);
  return true;
}

void WorldRecording::capture(double stepTime) {
  ESPALIER_REQUIRE(isOpen_, "the recording is closed; begin another one");
  const double time = world_.getWorldTime();
  // Within a scene time does not go back.
  const bool isSetBack = frameCount_ > 0 && time < lastTime_;
  const bool isNewScene = capture_.update() || isSetBack;
  if (isNewScene) writer_.scene(capture_.description());
  if (visuals_ && (visuals_->updateOverlay() || isNewScene)) writer_.overlay(visuals_->overlay());
  capture_.capture(frame_, stepTime);
  writer_.frame(frame_);
  lastTime_ = time;
  ++frameCount_;
}

void WorldRecording::close() {
  if (!isOpen_) return;
  if (frameCount_ == 0 || world_.getWorldTime() != lastTime_) capture();
  isOpen_ = false;
  writer_.close();
}

}  // namespace espalier
