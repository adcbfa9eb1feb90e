// Simulation and its parts (espalier/compat/arboris/simulation.h, snapshot.h).

#include "espalier/compat/arboris/snapshot.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "sim_frames.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

int traverseSimulation(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  return nb::inst_ptr<SimulationObject>(self)->traverse(visit, arg);
}
int clearSimulation(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<SimulationObject>(self)->clear();
  return 0;
}
PyType_Slot simulation_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverseSimulation)},
                                  {Py_tp_clear, reinterpret_cast<void*>(clearSimulation)},
                                  {0, nullptr}};

/// The engine's part behind an object of Python, which it does not own.
template <class T>
std::shared_ptr<T> unowned(T& part) {
  return std::shared_ptr<T>(&part, [](T*) {});
}

template <class T>
bool addPart(SimulationObject& simulation, nb::handle object) {
  T* part = nullptr;
  if (!nb::try_cast(object, part) || !part) return false;
  auto* member = dynamic_cast<Membership*>(part);
  ESPALIER_REQUIRE(member, "the Simulation made this object, and has it");
  ESPALIER_REQUIRE(!member->simulation, member->simulation == &simulation
                                            ? "this object was added to the Simulation before"
                                            : "this object belongs to another Simulation");
  for (const nb::object& frame : member->needs)
    ESPALIER_REQUIRE(&nb::cast<const FrameObject&>(frame).simulationObject() == &simulation,
                     "a frame of this object belongs to another Simulation");
  simulation.idleEngine().add(unowned(*part));
  simulation.keep(nb::borrow(object), *member);
  return true;
}

nb::object add(SimulationObject& simulation, nb::object object) {
  simulation.idleEngine();
  if (addPart<sim::Controller>(simulation, object) || addPart<sim::Constraint>(simulation, object))
    return object;
  FrameObject* frame = nullptr;
  if (!nb::try_cast(object, frame) || !frame)
    throw nb::type_error("a controller, a constraint or a frame is added");
  ESPALIER_REQUIRE(&frame->simulationObject() == &simulation,
                   "this frame belongs to another Simulation");
  simulation.keep(object);
  return object;
}

nb::object addLink(SimulationObject& simulation, const FrameObject& frame0, nb::object joint,
                   const FrameObject& frame1, const std::optional<std::string>& name) {
  sim::Simulation& engine = simulation.idleEngine();
  auto& linked = requireCast<AnyJoint&>(joint, "a link is made of a joint object");
  ESPALIER_REQUIRE(!linked.simulation, "this joint is a link of a Simulation already");
  linked.check();
  linked.link(engine, frame0.frame(), frame1.frame(), name.value_or(linked.name.value_or("")));
  simulation.keep(joint, linked);
  return joint;
}

template <class List>
nb::list objectsOf(const SimulationObject& simulation, const List& parts) {
  nb::list objects;
  for (const auto& part : parts) objects.append(simulation.objectOf(*part));
  return objects;
}

std::string text(const SimulationObject& simulation) {
  sim::Simulation& engine = simulation.engine();
  std::string out = "<Simulation at t = " + std::to_string(engine.currentTime()) + " s, " +
                    std::to_string(engine.ndof()) + " dofs:";
  for (const auto& actor : engine.actors()) out += " '" + actor->name() + "'";
  return out + ", " + std::to_string(engine.controllers().size()) + " controllers, " +
         std::to_string(engine.constraints().size()) + " constraints>";
}

void bindStages(nb::class_<SimulationObject>& c) {
  c.def(
       "init", [](SimulationObject& s) { Stage(s)->init(); },
       "Once before the first step, and again after something was added. Links that do not "
       "compile raise ValueError with every diagnostic.")
      .def(
          "update_dynamic", [](SimulationObject& s) { Stage(s)->updateDynamic(); },
          "M, B, N at the state t:  M nu' + (N + B) nu = 0.")
      .def(
          "update_controllers",
          [](SimulationObject& s, double dt, std::optional<double> t) {
            const Stage stage(s);
            stage->updateControllers(dt, t ? *t : stage->currentTime() + dt);
          },
          "dt"_a, "t"_a = nb::none(),
          "Asks the controllers for their part of the step that lasts dt and ends at t (s), by "
          "default dt from now:  Z = M/dt + B + N - sum Z_a,  Y = Z^-1. What a controller raises "
          "comes out of here, and the step is given up.")
      .def(
          "update_constraints",
          [](SimulationObject& s, double dt) { Stage(s)->updateConstraints(dt); }, "dt"_a,
          "gforce = sum gforce0 + sum J' f.")
      .def(
          "integrate", [](SimulationObject& s, double dt) { Stage(s)->integrate(dt); }, "dt"_a,
          "The state at t + dt:  nu+ = Y (M nu / dt + gforce),  q+ = q (+) dt nu+. All matrices "
          "are "
          "those of t until the next update_dynamic().")
      .def(
          "abandon_step", [](SimulationObject& s) { Stage(s)->abandonStep(); },
          "Gives up the step that update_dynamic() began: state and time stay as they were.");
}

void bindResults(nb::class_<SimulationObject>& c) {
  c.def_prop_ro(
       "ndof", [](const SimulationObject& s) { return s.engine().ndof(); },
       "Number of velocities n of all that moves.")
      .def_prop_ro(
          "mass_matrix", [](const SimulationObject& s) { return s.engine().massMatrix(); },
          "M (n, n).")
      .def_prop_ro(
          "viscosity", [](const SimulationObject& s) { return s.engine().viscosity(); },
          "B (n, n).")
      .def_prop_ro(
          "nleffects", [](const SimulationObject& s) { return s.engine().nleffects(); },
          "N (n, n); not skew.")
      .def_prop_ro(
          "impedance", [](const SimulationObject& s) { return s.engine().impedance(); },
          "Z = M/dt + B + N - sum Z_a (n, n), after update_controllers().")
      .def_prop_ro(
          "admittance", [](const SimulationObject& s) { return s.engine().admittance(); },
          "Y = Z^-1 (n, n), after update_controllers().")
      .def_prop_ro(
          "gforce", [](const SimulationObject& s) { return s.engine().gforce(); },
          "Generalised force (n,): of the controllers, then with the constraints' J' f.")
      .def_prop_ro(
          "controller_impedance",
          [](const SimulationObject& s) { return s.engine().controllerImpedance(); },
          "sum Z_a (n, n); (0, 0) without controllers.")
      .def_prop_rw(
          "gvel", [](const SimulationObject& s) { return s.engine().gvel(); },
          [](SimulationObject& s, const Eigen::VectorXd& gvel) { s.idleEngine().setGvel(gvel); },
          "Velocities nu (n,) at t; after integrate() at t + dt. Set between steps; the "
          "coordinates "
          "stay.")
      .def_prop_ro(
          "current_time", [](const SimulationObject& s) { return s.engine().currentTime(); },
          "Time of the World, s.")
      .def(
          "dofs",
          [](const SimulationObject& s, const std::vector<std::string>& joints) {
            return s.engine().dofs(joints);
          },
          "joints"_a,
          "Places of the joints' dofs in gvel, in that order; a floating base has its root link's "
          "name.")
      .def(
          "linear_dofs",
          [](const SimulationObject& s, const std::vector<std::string>& joints) {
            return s.engine().linearDofs(joints);
          },
          "joints"_a,
          "The same, for joints whose velocities are the rates of their coordinates; others raise "
          "ValueError.")
      .def(
          "gpos", [](const SimulationObject& s, int dof) { return s.engine().gpos(dof); }, "dof"_a,
          "Coordinate of such a dof, at t: rad or m.")
      .def_prop_ro(
          "gravity_of_step", [](const SimulationObject& s) { return s.engine().gravityOfStep(); },
          "Gravity that the step brings by itself (3,), m/s^2: none in arboris' own.")
      .def(
          "look_ahead",
          [](const SimulationObject& s, double dt) { return s.engine().lookAhead(dt); }, "dt"_a,
          "How long after t (s) the coordinates are that a controller's implicit part should push "
          "on: gforce = gforce0 + Z nu', q' = q + look_ahead nu'.")
      .def_prop_ro(
          "last_change",
          [](const SimulationObject& s) { return s.engine().constraintSolver().lastChange(); },
          "Largest change of a velocity in the last sweep over the constraints, m/s or rad/s.");
}

void bindSnapshot(nb::module_& m) {
  struct Kept {
    nb::object simulation;
    sim::Snapshot snapshot;
    explicit Kept(nb::object s)
        : simulation(std::move(s)),
          snapshot(requireCast<SimulationObject&>(simulation, "a Snapshot is of a Simulation")
                       .engine()) {}
    sim::Snapshot& use() {
      nb::cast<SimulationObject&>(simulation).requireAccess();
      return snapshot;
    }
    const sim::Simulation& engine() const {
      return nb::cast<SimulationObject&>(simulation).engine();
    }
  };
  nb::class_<Kept>(m, "Snapshot",
                   "Kinematics of a simulation at its state t, for observers. The Simulation's own "
                   "are those of the World's evaluation point with Stepping.WORLD.")
      .def(
          "__init__",
          [](Kept* self, nb::handle_t<SimulationObject> simulation) {
            new (self) Kept(nb::borrow(simulation));
          },
          "simulation"_a)
      .def(
          "take", [](Kept& k) { k.use().take(); }, "Brings it up to date.")
      .def_prop_ro(
          "kinetic_energy", [](Kept& k) { return k.use().kineticEnergy(); },
          "J, rotor inertia included.")
      .def(
          "potential_energy",
          [](Kept& k, const Vec3d& gravity) { return k.use().potentialEnergy(gravity); },
          "gravity"_a, "J, zero at the world's origin, in this gravity (3,), m/s^2.")
      .def_prop_ro(
          "mass", [](Kept& k) { return k.use().mass(); }, "kg, of all that moves.")
      .def_prop_ro(
          "centre_of_mass", [](Kept& k) { return k.use().centreOfMass(); }, "(3,) m, world.")
      .def_prop_ro(
          "centre_of_mass_rate", [](Kept& k) { return k.use().centreOfMassRate(); }, "(3,) m/s.")
      .def(
          "link_pose",
          [](Kept& k, std::size_t actor, std::size_t link) {
            const auto& actors = k.engine().actors();
            if (actor >= k.use().actorCount() || link >= actors[actor]->model().links.size())
              throw nb::index_error("there is no such actor or link");
            return k.use().linkPose(actor, link);
          },
          "actor"_a, "link"_a,
          "X_gl (4, 4) of a link (its place in the model's links) of an actor: robots in the "
          "World's "
          "order, then single bodies that move.");
}

}  // namespace

void bindSimulation(nb::module_& m) {
  nb::enum_<sim::Stepping>(
      m, "Stepping", "How a Simulation steps: by arboris' own step, or by the World's scheme.")
      .value("ARBORIS", sim::Stepping::ARBORIS)
      .value("WORLD", sim::Stepping::WORLD);

  nb::class_<SimulationObject> c(
      m, "Simulation", nb::type_slots(simulation_slots), nb::is_weak_referenceable(),
      "A World driven stage by stage, in arboris' manner:\n\n"
      "  simulation = Simulation(world)\n"
      "  simulation.add(WeightController())\n"
      "  simulate(simulation, timeline)      # or: init(), and for each step update_dynamic(),\n"
      "                                      # update_controllers(dt), update_constraints(dt),\n"
      "                                      # integrate(dt)\n\n"
      "Velocities are arboris': a free joint's six are the body twist [angular, linear]. Changes "
      "during a stage, and calls from other threads, raise RuntimeError.");
  c.def(
       "__init__",
       [](SimulationObject* self, nb::handle_t<WorldHandle> world, sim::Stepping stepping) {
         new (self) SimulationObject(nb::borrow(world), stepping);
       },
       "world"_a, "stepping"_a = sim::Stepping::ARBORIS,
       "What moves in the world is added before; if something is removed later, the next stage "
       "raises ValueError.")
      .def_prop_ro("world", &SimulationObject::world,
                   nb::sig("def world(self) -> espalier._espalier.World"))
      .def_prop_ro("stepping", [](const SimulationObject& s) { return s.engine().stepping(); })
      .def("add", &add, "object"_a, nb::sig("def add(self, object: typing.Any) -> typing.Any"),
           "Takes a controller, a constraint or a frame, once, and gives it back. It is kept.")
      .def_prop_ro(
          "ground", [](const SimulationObject& s) { return bodyObject(s, s.engine().ground()); },
          nb::sig("def ground(self) -> Body"), "The Body that does not move.")
      .def(
          "body",
          [](const SimulationObject& s, const std::string& name) {
            return bodyObject(s, s.engine().body(name));
          },
          "name"_a, nb::sig("def body(self, name: str) -> Body"),
          "By link name; with several systems that share it, 'system/link'.")
      .def(
          "add_body",
          [](SimulationObject& s, const std::string& name, nb::handle mass) {
            sim::Simulation& engine = s.idleEngine();
            const sim::Matrix6x6 zero = sim::Matrix6x6::Zero();
            if (mass.is_none()) return bodyObject(s, engine.addBody(name, zero));
            InertialSpec inertial;
            if (nb::try_cast(mass, inertial))
              return bodyObject(s, engine.addBody(name, std::optional(inertial)));
            return bodyObject(
                s, engine.addBody(name,
                                  requireCast<sim::Matrix6x6>(
                                      mass, "a mass is a (6, 6) matrix, an InertialSpec or None")));
          },
          "name"_a, "mass"_a.none(),
          nb::sig("def add_body(self, name: str, mass: numpy.typing.ArrayLike | "
                  "espalier.spec.InertialSpec | None) -> Body"),
          "A body that add_link() will carry.\n\n"
          "mass: (6, 6) matrix about the body's frame, [I, m [c]; -m [c], m], as arboris has it; "
          "or "
          "an InertialSpec; None: massless.")
      .def(
          "add_link", &addLink, "frame0"_a, "joint"_a, "frame1"_a, "name"_a = nb::none(),
          nb::sig("def add_link(self, frame0: Frame, joint: typing.Any, frame1: Frame, name: str | "
                  "None = None) -> typing.Any"),
          "Joins two frames: frame 0 is the joint's r, frame 1 its n. Links from the ground begin "
          "a "
          "robot of the World each, which floats where the joint is a FreeJoint. gpos and gvel are "
          "where it starts. The joint, which is given back, is the state's then: its gpos and gvel "
          "are those at t after each stage, and what is set in it between steps acts from the next "
          "update_dynamic() on.\n\n"
          "frame0: on the ground, or on a body that a link carries already; frame1: on a body of "
          "add_body() that none carries yet; name: of the joint, by default its own, or that of "
          "frame 1's body and 'Joint'.")
      .def_prop_ro(
          "controllers",
          [](const SimulationObject& s) { return objectsOf(s, s.engine().controllers()); },
          nb::sig("def controllers(self) -> list[Controller]"))
      .def_prop_ro(
          "constraints",
          [](const SimulationObject& s) { return objectsOf(s, s.engine().constraints()); },
          nb::sig("def constraints(self) -> list[Constraint]"),
          "Those of robots with closed loops (EmbeddedLoops) among them.")
      .def(
          "set_constraint_sweeps",
          [](SimulationObject& s, int sweeps) { s.idleEngine().setConstraintSweeps(sweeps); },
          "sweeps"_a, "Of the constraint solver; 20 as arboris.")
      .def(
          "require_objects", [](const SimulationObject& s) { s.engine().requireObjects(); },
          "Raises ValueError where something that moves was removed from the World.")
      .def(
          "close", [](SimulationObject& s) { s.idleEngine(), s.clear(); },
          "Lets go of all that was added, which may be added elsewhere then. Every later call "
          "raises "
          "RuntimeError. What is forgotten needs no close().")
      .def("__repr__", &text);
  bindStages(c);
  bindResults(c);
  bindSnapshot(m);
}

void bindSim(nb::module_& package) {
  nb::module_ m = package.def_submodule(
      "sim", "A World driven stage by stage, with controllers, constraints, frames and observers.");
  bindSimulation(m);
  bindSimFrames(m);
  bindSimControllers(m);
  bindSimConstraints(m);
  bindSimObservers(m);
}

}  // namespace espalier::python
