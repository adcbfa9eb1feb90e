#pragma once

// How a LanePack steps its worlds: a registerful after the other, each through the stages of
// step.cpp, with those that are numbers alone in lanes (lane_system.h).

#include "espalier/world/lane_pack.h"
#include "espalier/world/lane_system.h"
#include "espalier/world/world_data.h"

namespace espalier {

class LanePack::Steps {
 public:
  explicit Steps(std::vector<WorldData*> worlds);
  void integrate();
  int lanes() const { return lanes_->lanes; }

  int steppedAlone = 0, solvedAlone = 0;

 private:
  /// A world that goes in a lane in this step; its lane is its place among them.
  struct Seat {
    WorldData* world;
    System* sys;
    bool sharesSolve;  // its contacts are solved in its lane
    bool hasProblem;   // its own contact problem is assembled
    bool solvesAlone;  // it has left the shared solve
  };

  void step(std::size_t first, std::size_t last);
  bool fits(const WorldData& world, const System& sys, int edits) const;

  // The stages, lane_stages.cpp
  void evaluate();
  void push();
  void pushAgain();
  void arrive();
  void finish(Seat& seat, int lane);

  // Their contacts, lane_touches.cpp
  void assemble();
  void solve(bool again);
  void solveShared(bool again);
  void solveOne(Seat& seat, int lane, bool again);
  void putGroups(const WorldData& world, int lane);
  void rememberImpulses();

  /// f(seat, lane) for every seat.
  template <class F>
  void forSeats(F&& f) {
    for (std::size_t l = 0; l < seats_.size(); ++l) f(seats_[l], static_cast<int>(l));
  }
  /// The same, and the first seat for lanes that nobody has.
  template <class F>
  void fillLanes(F&& f) {
    for (int l = 0; l < lanes_->lanes; ++l)
      f(seats_[static_cast<std::size_t>(l) < seats_.size() ? static_cast<std::size_t>(l) : 0], l);
  }

  std::vector<WorldData*> worlds_;
  std::vector<int> edits_;  // of each world's robot when the pack was made
  std::shared_ptr<const Model> model_;
  LaneParameters parameters_;
  std::unique_ptr<LaneSystem> lanes_;
  Scheme scheme_;
  double dt_;
  std::vector<Seat> seats_;
  std::vector<WorldData*> alone_;
  AlignedArray<double> zBefore_;  // of all lanes
  AlignedArray<double> q_, u_;    // of one
};

}  // namespace espalier
