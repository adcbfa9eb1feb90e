#pragma once

// All that moves in a world as one articulated system, whose steps can be taken in lanes: robots and single
// bodies hang side by side from a link that stands still. Its q and u are those of the world's State.

#include <memory>
#include <vector>

#include "espalier/world/world.h"
#include "espalier/world/world_data.h"

namespace espalier {

class OneRobot {
 public:
  /// in      world   prepared (step/stages.h); of what lanes can step (lane_plan.cpp)
  /// errors  throws std::invalid_argument where one of several robots came as a compiled model
  explicit OneRobot(const WorldData& world);
  ~OneRobot();

  /// The world's own, where nothing else moves.
  const System& system() const { return *system_; }

  struct Place {
    int body = -1;       ///< of system(); -1: it never moves
    int collision = -1;  ///< place in Model::collisions; -1 likewise
    int row = -1;  ///< its body among those of all robots, as in BatchSizes::bodies; -1: of none
  };
  /// Where a geom of the world belongs.
  const Place& placeOf(GeomId id) const { return places_[static_cast<std::size_t>(id.value)]; }
  /// Place::row of the bodies of system().
  const std::vector<int>& rows() const { return rows_; }

  /// What of a dof's command acts.
  enum class Drive : char { NONE, FORCE, MOTOR };
  const std::vector<Drive>& drives() const { return drives_; }  ///< by dof

 private:
  struct Part;
  static std::vector<Part> partsOf(const WorldData& world);
  System& merge(const WorldData& world, const std::vector<Part>& parts);
  void placeGeoms(const WorldData& world, const Part& part, int collision);
  int placeBodies(const System& robot, int firstRow, int body);

  std::shared_ptr<World> merged_;  // null: system_ is the world's own
  const System* system_ = nullptr;
  std::vector<Place> places_;
  std::vector<int> rows_;
  std::vector<Drive> drives_;
};

}  // namespace espalier
