#pragma once

// How worlds of one robot step side by side: a registerful after the other, each through the stages of
// step.cpp, with those that are numbers alone in lanes (lane_system.h).

#include <utility>

#include "espalier/batch/lane_system.h"
#include "espalier/contact/problem.h"
#include "espalier/step/geom_motion.h"
#include "espalier/world/world_data.h"

namespace espalier {

class LaneSteps {
 public:
  ///   in  worlds  with one robot each, compiled from the same description, with collision shapes, and
  ///               joints that close loops, in the same places of their bodies; the same scheme and
  ///               time step. Masses, lengths and rotors may be each world's own. Beside the robot
  ///               there may be anything but further robots. They outlive this object
  ///   errors  throws std::invalid_argument that names the first world which is not so
  explicit LaneSteps(std::vector<WorldData*> worlds);
  /// One step of the first so many worlds: of each to the bit that of World::integrate(), whoever its
  /// neighbours are; only `iterations` in the report are the most of those solved together.
  ///   errors  as World::integrate(), before any world has moved. Where a contact callback throws, the
  ///           step is given up for its world and those in its register; worlds behind these have not
  ///           been stepped
  void integrate(std::size_t count);
  std::size_t size() const { return worlds_.size(); }

  /// How many worlds took the last step alone, where something asks for it that lanes do not have
  /// (docs/architecture.md lists it) or a linkage is near a change point; and how many had their
  /// contacts solved alone, because no other of their lanes touched the same way.
  int steppedAlone = 0, solvedAlone = 0;

 private:
  /// A world that goes in a lane in this step; its lane is its place among them.
  struct Slot {
    StepData* world;
    System* sys;
    bool sharesParameters;      // with all others that do
    bool sharesSolve;           // its contacts are solved in its lane
    bool hasProblem;            // its own contact problem is assembled
    bool hasColumns;            // its workspace has the columns of this step
    double work;                // J, where energy is monitored
    int points;                 // that collision has found
    GeomMotion<double>* geoms;  // [Model::collisions]
  };

  /// The groups of one world; 0: lanes could not solve them.
  struct ContactPattern {
    int groups = 0, contacts = 0;
    std::pair<int, int> on[contact::few_groups];  // bodies of a contact; a joint's dof and
                                                  // whether it is one-sided
    double tolerance = 0;
    int maxSweeps = 0;
    LaneGroup<double> group[contact::few_groups];
    Vec3d lambda[contact::few_groups];
  };

  /// The robot when its parameters were looked at last.
  struct Known {
    int edits, firstOwner;
    bool sharesParameters;  // with the robot of world 0 at the construction
    bool fits;              // lanes can have its parameters
  };

  static void requireLikeRobots(const std::vector<WorldData*>& worlds);
  void step(std::size_t first, std::size_t last);
  void stepSlots();
  bool fits(const StepData& world, Known& known) const;
  static bool asksForBodies(const StepData& world);
  void look(const System& sys, Known& known) const;
  void putParameters();

  // The stages, lane_stages.cpp
  void evaluate();
  void putWays();
  void predictDependents(DependentPredictor Loops::*ways);
  void takeMiddle();
  bool putImpedance();
  void applyForces(const Slot& slot, int lane, const double* u);
  void putForces();
  void applyStageForces();
  void noteTouched(const Slot& slot);
  void takeTouched();
  void push();
  void pushAgain();
  void arrive();
  void finish(const Slot& slot, int lane);
  bool isClosed(int lane) const;
  LaneClosing closing(int lane) const;

  // Their contacts, lane_patterns.cpp
  void assemble();
  void solve(bool again);
  void solveShared(bool again);
  void solveOne(Slot& slot, int lane, bool again);
  void solveAgain(Slot& slot, int lane, double tolerance);
  bool solveWithOthers(bool isLast);
  bool admit(Slot& slot, int lane, bool isLast);
  bool admitRows(Slot& slot, int lane);
  static int groupsOfProblem(const Slot& slot);
  void leaveShared(Slot& slot, int lane);
  void takeColumns(Slot& slot, int lane);
  void putBack(int lane);
  static void note(const StepData& world, ContactPattern& pattern);
  static bool haveSamePattern(const ContactPattern& a, const ContactPattern& b);
  void rememberImpulses(const Slot& slot);

  /// f(slot, lane) for every slot.
  template <class F>
  void forSlots(F&& f) {
    for (std::size_t l = 0; l < slots_.size(); ++l) f(slots_[l], static_cast<int>(l));
  }
  /// Numbers into the lanes; those of the first slot where nobody sits.
  ///   in  of(slot)  [count] where they are
  template <class F>
  void put(double* to, int count, F&& of) {
    LaneSystem::Sources from;
    for (int l = 0; l < lanes_->lanes; ++l)
      from[l] = of(slots_[static_cast<std::size_t>(l) < slots_.size() ? l : 0]);
    lanes_->put(to, from, count);
  }
  /// And back.
  template <class F>
  void take(const double* from, int count, F&& of) {
    LaneSystem::Targets to;
    for (int l = 0; l < lanes_->lanes; ++l)
      to[l] = static_cast<std::size_t>(l) < slots_.size() ? of(slots_[l]) : nobody_.data();
    lanes_->take(from, to, count);
  }

  int numbersOfGeoms() const {
    return static_cast<int>(model_->collisions.size()) * numbersOf<GeomMotion<double>>;
  }

  std::vector<WorldData*> worlds_;
  std::vector<Known> known_;  // of each world
  std::shared_ptr<const Model> model_;
  Lowered<double> parameters_;
  std::unique_ptr<LaneSystem> lanes_;
  Scheme scheme_;
  double dt_;
  std::vector<Slot> slots_;
  std::vector<ContactPattern> patterns_;  // by lane
  std::vector<StepData*> alone_;
  AlignedArray<GeomMotion<double>> geoms_;  // [lane][Model::collisions]
  std::vector<char> isTouched_;             // [nb] in some lane
  AlignedArray<double> zBefore_;            // of all lanes
  AlignedArray<double> nobody_;             // where empty lanes' numbers go
  AlignedArray<double> noImpedance_;        // [entries] of a tree, zeros
};

}  // namespace espalier
