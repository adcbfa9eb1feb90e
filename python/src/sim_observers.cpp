// Observers (espalier/compat/arboris/observer.h), those of Python among them, and simulate().

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>
#include <nanobind/trampoline.h>

#include "bindings.h"
#include "espalier/compat/arboris/csv_logger.h"
#include "espalier/compat/arboris/hdf5_logger.h"
#include "espalier/compat/arboris/monitors.h"
#include "espalier/compat/arboris/simulate.h"
#include "simulation_object.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// A class of Python.
struct PythonObserver : sim::Observer, Membership {
  NB_TRAMPOLINE(sim::Observer);

  void init(sim::Simulation& engine, const std::vector<double>& timeline) override {
    call<false>("init", nb::detail::str_hash("init"),
                [&](nb::object method) { method(simulation->self(), nb::cast(timeline)); });
    engine.requireObjects();
  }
  void update(double dt) override {
    call<true>("update", nb::detail::str_hash("update"), [&](nb::object method) { method(dt); });
    simulation->raw().requireObjects();
  }
  void finish() override {
    call<false>("finish", nb::detail::str_hash("finish"), [](nb::object method) { method(); });
  }

 private:
  template <bool pure, class Body>
  void call(const char* name, std::uint64_t hash, Body&& body) {
    const nb::detail::ticket ticket(nb_trampoline, name, hash, pure);
    if (ticket.key.is_valid()) body(nb_trampoline.base().attr(ticket.key));
  }
};

/// A class of the engine.
template <class T>
struct Watcher : T, Membership {
  using T::T;
};

Membership& membershipOf(sim::Observer& observer) { return dynamic_cast<Membership&>(observer); }

/// Observers of one run, which belong to it alone.
class Run {
 public:
  Run(SimulationObject& simulation, nb::sequence observers) {
    for (nb::handle object : observers) {
      auto& observer =
          requireCast<sim::Observer&>(object, "observers are of classes derived from Observer");
      Membership& member = membershipOf(observer);
      ESPALIER_REQUIRE(!member.simulation,
                       "an observer is twice in the list, or looks at another run");
      member.simulation = &simulation;
      kept_.push_back(nb::borrow(object));
      observers_.push_back(&observer);
    }
  }
  ~Run() {
    for (sim::Observer* observer : observers_) {
      membershipOf(*observer).simulation = nullptr;
      membershipOf(*observer).isInitialised = false;
    }
  }
  const std::vector<sim::Observer*>& observers() const { return observers_; }

 private:
  std::vector<nb::object> kept_;
  std::vector<sim::Observer*> observers_;
};

void run(SimulationObject& simulation, const std::vector<double>& timeline,
         nb::sequence observers) {
  const Run watched(simulation, observers);
  const Stage stage(simulation);
  sim::simulate(*stage, timeline, watched.observers());
}

/// Driven by hand: the observer belongs to the simulation until finish().
void init(nb::handle self, SimulationObject& simulation, const std::vector<double>& timeline) {
  auto& observer = requireCast<sim::Observer&>(self, "init() is an Observer's");
  if (dynamic_cast<PythonObserver*>(&observer)) return;
  Membership& member = membershipOf(observer);
  ESPALIER_REQUIRE(!member.simulation || member.isInitialised,
                   "the observer looks at a run of simulate()");
  member.isInitialised = false;
  observer.init(simulation.engine(), timeline);
  member.needs = {simulation.self()};
  member.simulation = &simulation;
  member.isInitialised = true;
}

template <class T>
nb::class_<Watcher<T>, sim::Observer> bindObserver(nb::module_& m, const char* name,
                                                   const char* doc) {
  return nb::class_<Watcher<T>, sim::Observer>(m, name, nb::type_slots(collected<Watcher<T>>),
                                               nb::is_final(), doc);
}

/// Lists of an observer, while no other thread fills them.
template <class Observer>
Observer& idle(Observer& observer) {
  if (observer.simulation) observer.simulation->requireAccess();
  return observer;
}

}  // namespace

void bindSimObservers(nb::module_& m) {
  nb::class_<sim::Observer, PythonObserver>(
      m, "Observer", nb::type_slots(collected<sim::Observer>),
      "Looks on while simulate() runs: at the state t and the forces of the step that begins "
      "there.\n\n"
      "Derive from it, and write update(self, dt), and init(self, simulation, timeline) and "
      "finish(self) where they are needed. What they raise comes out of simulate().")
      .def(nb::init<>())
      .def("init", &init, "simulation"_a, "timeline"_a,
           nb::sig("def init(self, simulation: Simulation, timeline: "
                   "numpy.typing.NDArray[numpy.float64]) -> None"),
           "Before the first step. timeline (k,): s.")
      .def(
          "update",
          [](sim::Observer& observer, double dt) {
            if (dynamic_cast<PythonObserver*>(&observer))
              notImplemented("an observer has a method update(dt)");
            membershipOf(observer).requireInit("update()");
            observer.update(dt);
          },
          "dt"_a, "After update_constraints(), before integrate(dt).")
      .def(
          "finish",
          [](sim::Observer& observer) {
            if (dynamic_cast<PythonObserver*>(&observer)) return;
            Membership& member = membershipOf(observer);
            member.requireInit("finish()");
            observer.finish();
            member.simulation = nullptr;
            member.isInitialised = false;
            const std::vector<nb::object> dropped = std::move(member.needs);
          },
          "After the last step.");

  using Energy = Watcher<sim::EnergyMonitor>;
  bindObserver<sim::EnergyMonitor>(m, "EnergyMonitor",
                                   "Energies in the World's gravity, without those of springs: an "
                                   "entry for each time of the timeline.")
      .def(nb::init<>())
      .def_prop_ro(
          "time", [](Energy& o) { return idle(o).time(); }, "(k,) s")
      .def_prop_ro(
          "kinetic", [](Energy& o) { return idle(o).kinetic(); }, "(k,) J")
      .def_prop_ro(
          "potential", [](Energy& o) { return idle(o).potential(); }, "(k,) J")
      .def(
          "mechanical",
          [](Energy& o, std::size_t entry) {
            if (entry >= idle(o).time().size()) throw nb::index_error("there is no such entry");
            return o.mechanical(entry);
          },
          "entry"_a, "The sum of both, J.");

  using CoM = Watcher<sim::CoMObserver>;
  bindObserver<sim::CoMObserver>(m, "CoMObserver",
                                 "Centre of mass of all that moves, and its velocity, in world "
                                 "axes: an entry for each time of the timeline.")
      .def(nb::init<>())
      .def_prop_ro(
          "time", [](CoM& o) { return idle(o).time(); }, "(k,) s")
      .def_prop_ro(
          "position", [](CoM& o) { return idle(o).position(); }, "(k, 3) m")
      .def_prop_ro(
          "velocity", [](CoM& o) { return idle(o).velocity(); }, "(k, 3) m/s");

  using Perf = Watcher<sim::PerfMonitor>;
  bindObserver<sim::PerfMonitor>(m, "PerfMonitor",
                                 "How long steps take on the wall clock: from one update() to the "
                                 "next.")
      .def(nb::init<>())
      .def_prop_ro(
          "durations", [](Perf& o) { return idle(o).durations(); }, "(k,) s, by step")
      .def_prop_ro(
          "total", [](Perf& o) { return idle(o).total(); }, "s")
      .def_prop_ro(
          "average", [](Perf& o) { return idle(o).average(); }, "s; 0 without steps")
      .def_prop_ro(
          "fastest", [](Perf& o) { return idle(o).fastest(); }, "s")
      .def_prop_ro(
          "slowest", [](Perf& o) { return idle(o).slowest(); }, "s");

  bindObserver<sim::CsvLogger>(m, "CsvLogger",
                               "The trajectory as text: a line of names, then one for each time: "
                               "time, JOINT.q0, ..., JOINT.u0, ...")
      .def(
          "__init__",
          [](Watcher<sim::CsvLogger>* self, const std::filesystem::path& file) {
            new (self) Watcher<sim::CsvLogger>(file.string());
          },
          "file"_a);

  nb::class_<sim::Hdf5Content>(m, "Hdf5Content", "What goes into the file beside the timeline.")
      .def(
          "__init__",
          [](sim::Hdf5Content* self, bool state, bool transforms, bool model) {
            new (self) sim::Hdf5Content{state, transforms, model};
          },
          "state"_a = true, "transforms"_a = true, "model"_a = false)
      .def_rw("state", &sim::Hdf5Content::state, "gpositions/JOINT, gvelocities/JOINT")
      .def_rw("transforms", &sim::Hdf5Content::transforms, "transforms/LINK (k, 4, 4)")
      .def_rw("model", &sim::Hdf5Content::model,
              "model/mass, viscosity, nleffects, admittance (k, n, n); model/gvel, gforce (k, n)");
  bindObserver<sim::Hdf5Logger>(m, "Hdf5Logger",
                                "The trajectory as HDF5, in arboris' layout. All is kept in memory "
                                "and written by finish().")
      .def(
          "__init__",
          [](Watcher<sim::Hdf5Logger>* self, const std::filesystem::path& file,
             const std::optional<sim::Hdf5Content>& content) {
            new (self)
                Watcher<sim::Hdf5Logger>(file.string(), content.value_or(sim::Hdf5Content{}));
          },
          "file"_a, "content"_a = nb::none(),
          "content: Hdf5Content, by default the state and transforms.");

  m.def("simulate", &run, "simulation"_a, "timeline"_a, "observers"_a = nb::tuple(),
        nb::sig("def simulate(simulation: Simulation, timeline: numpy.typing.ArrayLike, observers: "
                "collections.abc.Sequence[Observer] = ()) -> None"),
        "Runs from the first time of the timeline (k,) (s) to the last, a step from each to the "
        "next, however long: init; for each further t update_dynamic, update_controllers(dt, t), "
        "update_constraints, observers, integrate. A World may stand in the Simulation's place: it "
        "is stepped as it is, in its own scheme.\n\n"
        "Raises ValueError where the timeline is empty, does not ascend or is not finite, and what "
        "observers, controllers and constraints raise; the step is given up then.");
  m.def(
      "simulate",
      [](nb::handle_t<WorldHandle> world, const std::vector<double>& timeline,
         nb::sequence observers) {
        const nb::object simulation =
            nb::type<SimulationObject>()(world, nb::cast(sim::Stepping::WORLD));
        run(nb::cast<SimulationObject&>(simulation), timeline, observers);
      },
      "world"_a, "timeline"_a, "observers"_a = nb::tuple(),
      nb::sig("def simulate(world: espalier._espalier.World, timeline: numpy.typing.ArrayLike, "
              "observers: collections.abc.Sequence[Observer] = ()) -> None"));
}

}  // namespace espalier::python
