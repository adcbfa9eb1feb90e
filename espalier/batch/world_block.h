#pragma once

// ACCURATE mode: as many Worlds as fill a register take the numbers of some worlds of the batch, step side by
// side (lane_steps.h), or alone where lanes do not have what they ask for, and give them back. A State is
// whole, so that it does not matter which World a world of the batch is in.

#include <functional>
#include <memory>
#include <vector>

#include "espalier/batch/batch_stepper.h"
#include "espalier/batch/lane_steps.h"
#include "espalier/world/world.h"

namespace espalier {

class WorldBlock final : public BatchStepper<double> {
 public:
  using Make = std::function<std::shared_ptr<World>()>;
  /// The worlds of this block's own.
  explicit WorldBlock(const Make& make);

  int width() const override { return static_cast<int>(worlds_.size()); }
  void step(BatchData<double>& data, std::span<const int> worlds, int steps) override;

 private:
  /// A World and what is in force in it.
  struct Place {
    std::shared_ptr<World> world;
    WorldData* data;
    std::vector<std::vector<RigidInertia<double>>> inertias;  // [systems][nb] as built
    std::vector<std::vector<double>> armatures;               // [systems][nv] as built
    std::vector<double> mass, armature;                       // [bodies], [nu] factors in force
    std::vector<Vec3d> standing;                              // [free] where STATIC ones were built
    Vec3d terrain{0, 0, 0};                                   // m, in force
    State saved;                                              // scratch
  };
  void put(Place& place, const BatchData<double>& data, int world);
  void putActuation(const WorldData& to, const BatchData<double>& data, int world);
  void putMotors(System& sys, const BatchData<double>& data, int world);
  void putInertias(Place& place, const BatchData<double>& data, int world);
  void putTerrain(Place& place, const BatchData<double>& data, int world);
  void putWrenches(Place& place, const BatchData<double>& data, int world);
  void take(Place& place, BatchData<double>& data, int world);
  void takeContactForces(const Place& place, BatchData<double>& data, int world);

  std::vector<Place> worlds_;
  std::unique_ptr<LaneSteps> lanes_;  // none: each steps alone
};

/// How many numbers of each quantity a world has.
BatchSizes batchSizesOf(const WorldData& world);
/// Inputs of world w as they are in a World.
template <class S>
void takeInputs(const WorldData& from, BatchData<S>& data, int world);

}  // namespace espalier
