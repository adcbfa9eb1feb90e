#pragma once

// espalier.sim.Simulation as Python owns it, and what controllers, constraints and observers know of
// the Simulation they take part in.
//
// Ownership: the Simulation keeps its World and whatever was added to it; frames keep their
// Simulation, constraints their frames. The garbage collector sees all of these (garbage.h).

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <memory>
#include <vector>

#include "casters.h"
#include "espalier/compat/arboris/simulation.h"
#include "espalier/core/check.h"
#include "garbage.h"
#include "guard.h"
#include "joints.h"

namespace espalier::python {

/// Where a controller, constraint or observer of Python takes part: a second base of the bound
/// class.
struct Membership : Referring {  // to frames
  /// Null: nowhere.
  SimulationObject* simulation = nullptr;
  /// init() was called there.
  bool isInitialised = false;
  /// The Python object, which the Simulation keeps.
  nb::handle object;

  /// errors  throws std::invalid_argument where it does not take part, or init() was not called yet
  void requireInit(const char* call) const;
};

/// A class of the engine, bound.
template <class T>
struct Member : T, Membership {
  using T::T;
  void init(sim::Simulation& engine) override {
    T::init(engine);
    isInitialised = true;
  }
};

class SimulationObject {
 public:
  SimulationObject(nb::object world, sim::Stepping stepping);
  ~SimulationObject();
  SimulationObject(const SimulationObject&) = delete;
  SimulationObject& operator=(const SimulationObject&) = delete;

  /// For calls that read, from Python's callbacks too.
  ///   errors  throws std::runtime_error (RuntimeError) while another thread runs a stage or steps
  ///           the World
  sim::Simulation& engine() const;
  void requireAccess() const { engine(); }
  /// For calls that change it.
  ///   errors  throws std::runtime_error while a stage runs
  sim::Simulation& idleEngine() const;
  /// The engine itself, whoever runs it.
  sim::Simulation& raw() const { return *engine_; }
  nb::object self() const { return nb::find(*this); }
  nb::object world() const { return world_; }

  /// Takes a controller or constraint, its Membership set.
  void keep(nb::object object, Membership& member);
  void keep(nb::object joint, AnyJoint& linked);
  void keep(nb::object frame) { kept_.push_back(std::move(frame)); }
  /// The object that was added, or a reference to what the engine made by itself.
  template <class T>
  nb::object objectOf(T& part) const {
    if (const auto* member = dynamic_cast<const Membership*>(&part))
      return nb::borrow(member->object);
    return nb::cast(&part, nb::rv_policy::reference_internal, self());
  }

  int traverse(visitproc visit, void* argument) const;
  void clear();

 private:
  friend class Stage;
  WorldHandle& worldHandle() const { return nb::cast<WorldHandle&>(world_); }

  nb::object world_;
  std::vector<nb::object> kept_;
  std::vector<Membership*> members_;
  std::vector<AnyJoint*> joints_;
  std::unique_ptr<sim::Simulation> engine_;
  std::atomic<bool> isRunning_{false};  // a stage
};

/// A stage that runs, without the GIL: other threads go on, but not in this Simulation or its World.
class Stage {
 public:
  /// errors  throws std::runtime_error where one runs already, and std::invalid_argument where a
  ///         joint's numbers cannot be
  explicit Stage(SimulationObject& simulation);
  sim::Simulation* operator->() const { return simulation_.engine_.get(); }
  sim::Simulation& operator*() const { return *simulation_.engine_; }

 private:
  struct Running {
    explicit Running(SimulationObject& simulation);
    ~Running() { simulation.isRunning_ = false; }
    SimulationObject& simulation;
  };
  SimulationObject& simulation_;
  Running running_;
  Stepping stepping_;
};

/// An object of Python as a T, or a TypeError that names the type needed.
template <class T>
T requireCast(nb::handle object, const std::string& wanted) {
  std::remove_reference_t<T>* pointer = nullptr;
  if constexpr (std::is_reference_v<T>) {
    if (nb::try_cast(object, pointer) && pointer) return *pointer;
  } else {
    T value{};
    if (nb::try_cast(object, value)) return value;
  }
  throw nb::type_error(
      (wanted + ", not " + nb::cast<std::string>(nb::repr(object.type()))).c_str());
}

/// Raises NotImplementedError.
[[noreturn]] void notImplemented(const std::string& what);

}  // namespace espalier::python
