// Controllers (espalier/compat/arboris/controller.h), those of Python among them.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nanobind/trampoline.h>

#include "bindings.h"
#include "espalier/compat/arboris/pd_controller.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "python_results.h"
#include "simulation_object.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// A class of Python.
struct PythonController : sim::Controller, Membership {
  NB_TRAMPOLINE(sim::Controller);

  void init(sim::Simulation& engine) override {
    {
      const nb::detail::ticket ticket(nb_trampoline, "init", nb::detail::str_hash("init"), false);
      if (ticket.key.is_valid()) nb_trampoline.base().attr(ticket.key)(simulation->self());
    }
    engine.requireObjects();
    isInitialised = true;
  }
  void update(double dt, double t, Eigen::VectorXd& gforce0, Eigen::MatrixXd& Z) override {
    {
      const nb::detail::ticket ticket(nb_trampoline, "update", nb::detail::str_hash("update"),
                                      true);
      const nb::handle self = nb_trampoline.base();
      const nb::object result = self.attr(ticket.key)(dt, t);
      const bool isPair = nb::isinstance<nb::tuple>(result) && nb::len(result) == 2;
      gforce0 += resultOf<Eigen::VectorXd>(self, "update()'s gforce0",
                                           isPair ? nb::object(result[0]) : result, Z.rows(), 1);
      if (isPair && !nb::object(result[1]).is_none())
        Z += resultOf<Eigen::MatrixXd>(self, "update()'s Z", result[1], Z.rows(), Z.cols());
    }
    simulation->raw().requireObjects();
  }
};

std::tuple<Eigen::VectorXd, Eigen::MatrixXd> update(sim::Controller& controller, double dt,
                                                    double t) {
  if (dynamic_cast<PythonController*>(&controller))
    notImplemented("a controller has a method update(dt, t)");
  dynamic_cast<Membership&>(controller).requireInit("update()");
  sim::Simulation& engine = dynamic_cast<Membership&>(controller).simulation->engine();
  engine.requireObjects();
  std::tuple<Eigen::VectorXd, Eigen::MatrixXd> parts{
      Eigen::VectorXd::Zero(engine.ndof()), Eigen::MatrixXd::Zero(engine.ndof(), engine.ndof())};
  controller.update(dt, t, std::get<0>(parts), std::get<1>(parts));
  return parts;
}

using Weight = Member<sim::WeightController>;
using PD = Member<sim::ProportionalDerivativeController>;

PD& idle(PD& controller) {
  if (controller.simulation) controller.simulation->requireAccess();
  return controller;
}

}  // namespace

void bindSimControllers(nb::module_& m) {
  nb::class_<sim::Controller, PythonController>(
      m, "Controller", nb::type_slots(collected<sim::Controller>),
      "What pushes with gforce0 + Z nu', where nu' is the velocity that the step ends with (in the "
      "World's schemes of second order the mean over the step): what is in Z acts implicitly.\n\n"
      "Derive from it, and write update(self, dt, t), which returns gforce0 (ndof,), N or N m, or "
      "the tuple (gforce0, Z) with Z (ndof, ndof). What it raises comes out of "
      "update_controllers(), and the step is given up.")
      .def(nb::init<>())
      .def(
          "init",
          [](sim::Controller& controller, SimulationObject& simulation) {
            if (dynamic_cast<PythonController*>(&controller)) return;
            ESPALIER_REQUIRE(dynamic_cast<Membership&>(controller).simulation == &simulation,
                             "the controller was not added to this Simulation");
            controller.init(simulation.idleEngine());
          },
          "simulation"_a, "Called once, before the first step.")
      .def("update", &update, "dt"_a, "t"_a,
           // Derived classes return one array or two.
           nb::sig("def update(self, dt: float, t: float) -> typing.Any"),
           "(gforce0 (ndof,), Z (ndof, ndof)) for the step that lasts dt and ends at time t (s).");

  nb::class_<Weight, sim::Controller>(
      m, "WeightController", nb::type_slots(collected<Weight>), nb::is_final(),
      "Gravity. arboris' own step has none but this; a step of the World has the World's, and this "
      "adds the difference.")
      .def(
          "__init__",
          [](Weight* self, const std::optional<Vec3d>& gravity) {
            if (gravity) {
              for (const double g : {gravity->x, gravity->y, gravity->z})
                ESPALIER_REQUIRE(std::isfinite(g), "gravity is finite");
              new (self) Weight(*gravity);
            } else {
              new (self) Weight();
            }
          },
          "gravity"_a = nb::none(),
          "gravity: (3,) m/s^2; None: the World's, as it is at every step.");

  nb::class_<PD, sim::Controller>(
      m, "ProportionalDerivativeController", nb::type_slots(collected<PD>), nb::is_final(),
      "PD on joints whose velocities are the rates of their coordinates:\n"
      "gforce = Kp (q_des - q') + Kd (v_des - nu'), q' = q + h nu', h = look_ahead(dt).")
      .def(
          nb::init<std::vector<std::string>, Eigen::MatrixXd, Eigen::MatrixXd>(), "joints"_a,
          "Kp"_a, "Kd"_a,
          "On these joints' dofs, in this order, with gains (n, n); targets start at zero. Unknown "
          "joints and gains of the wrong size raise ValueError at init().")
      .def(
          "set_target",
          [](PD& pd, const Eigen::VectorXd& gpos, const Eigen::VectorXd& gvel) {
            idle(pd).setTarget(gpos, gvel);
          },
          "gpos"_a, "gvel"_a, "Both (n,).")
      .def(
          "set_gains",
          [](PD& pd, const Eigen::MatrixXd& Kp, const Eigen::MatrixXd& Kd) {
            idle(pd).setGains(Kp, Kd);
          },
          "Kp"_a, "Kd"_a, "Both (n, n).");
}

}  // namespace espalier::python
