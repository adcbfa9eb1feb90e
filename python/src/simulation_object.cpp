#include "simulation_object.h"

namespace espalier::python {

namespace {

/// References to what the engine made by itself are, before it goes, as if they had never been
/// initialised: whoever uses one meets a TypeError. Each keeps its part, so that no other object comes to
/// the same address meanwhile, by which nanobind knows objects.
template <class T>
void withdraw(const std::vector<std::shared_ptr<T>>& parts) {
  for (const std::shared_ptr<T>& part : parts) {
    if (dynamic_cast<const Membership*>(part.get())) continue;
    const nb::object lent = nb::find(*part);
    if (!lent.is_valid()) continue;
    nb::inst_set_state(lent, false, false);
    nb::keep_alive_cb(lent, new std::shared_ptr<T>(part),
                      [](void* kept) noexcept { delete static_cast<std::shared_ptr<T>*>(kept); });
  }
}

}  // namespace

void Membership::requireInit(const char* call) const {
  ESPALIER_REQUIRE(simulation && isInitialised,
                   std::string(call) +
                       " comes after the object was added to a Simulation and its "
                       "init() was called");
  simulation->requireAccess();
}

SimulationObject::SimulationObject(nb::object world, sim::Stepping stepping)
    : world_(std::move(world)),
      engine_(std::make_unique<sim::Simulation>(
          requireCast<WorldHandle&>(world_, "a Simulation is of a World").world(), stepping)) {}

SimulationObject::~SimulationObject() { clear(); }

sim::Simulation& SimulationObject::engine() const {
  if (!engine_) throw std::runtime_error("this Simulation was destroyed");
  worldHandle().check();
  return *engine_;
}

sim::Simulation& SimulationObject::idleEngine() const {
  sim::Simulation& idle = engine();
  if (isRunning_)
    throw std::runtime_error("a stage of this Simulation runs; change it between stages");
  return idle;
}

void SimulationObject::keep(nb::object object, Membership& member) {
  member.simulation = this;
  member.isInitialised = false;
  member.object = object;
  members_.push_back(&member);
  kept_.push_back(std::move(object));
}

void SimulationObject::keep(nb::object joint, AnyJoint& linked) {
  linked.simulation = this;
  joints_.push_back(&linked);
  kept_.push_back(std::move(joint));
}

int SimulationObject::traverse(visitproc visit, void* argument) const {
  if (const int r = visit(world_.ptr(), argument)) return r;
  for (const nb::object& object : kept_)
    if (const int r = visit(object.ptr(), argument)) return r;
  return 0;
}

void SimulationObject::clear() {
  if (engine_) {
    withdraw(engine_->controllers());
    withdraw(engine_->constraints());
  }
  engine_.reset();
  for (Membership* member : members_) {
    member->simulation = nullptr;
    member->isInitialised = false;
  }
  for (AnyJoint* joint : joints_) joint->simulation = nullptr;
  members_.clear();
  joints_.clear();
  const std::vector<nb::object> dropped = std::move(kept_);
  kept_.clear();
}

Stage::Running::Running(SimulationObject& s) : simulation(s) {
  s.idleEngine();
  for (AnyJoint* joint : s.joints_) joint->check();
  if (s.isRunning_.exchange(true))
    throw std::runtime_error("another thread runs a stage of this Simulation");
}

Stage::Stage(SimulationObject& simulation)
    : simulation_(simulation), running_(simulation), stepping_(simulation.worldHandle()) {}

void notImplemented(const std::string& what) {
  PyErr_SetString(PyExc_NotImplementedError, what.c_str());
  throw nb::python_error();
}

}  // namespace espalier::python
