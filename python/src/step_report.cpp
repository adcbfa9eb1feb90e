// The report of a step, and the schemes.

#include "espalier/step/step_report.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cctype>
#include <cstdio>
#include <iterator>

#include "bindings.h"
#include "casters.h"
#include "espalier/step/scheme.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// Texts of a report's flags, in the order of the table.
std::vector<StepFlagInfo> problems(const StepReport& report) {
  std::vector<StepFlagInfo> raised;
  for (const StepFlagInfo& info : step_flags)
    if (report.has(info.flag)) raised.push_back(info);
  return raised;
}

std::string reportText(const StepReport& r) {
  char numbers[300];
  std::snprintf(numbers, sizeof numbers,
                "<espalier.StepReport: %d contacts (%d active), %d limits, %d iterations, "
                "residual %.3g m/s, penetration %.3g m",
                r.contacts, r.activeContacts, r.limits, r.iterations, r.residual, r.penetration);
  std::string text = numbers;
  if (r.closure != 0) {
    std::snprintf(numbers, sizeof numbers, ", closure %.3g", r.closure);
    text += numbers;
  }
  if (r.refused != 0) text += ", " + std::to_string(r.refused) + " refused";
  for (const StepFlagInfo& info : problems(r))
    text += std::string("\n  ") + info.name + ": " + info.remedy;
  return text + ">";
}

void bindFlags(nb::module_& m) {
  nb::enum_<StepFlag>(m, "StepFlag", nb::is_flag(), "What can go wrong in a step.")
      .value("CONTACTS_OVERFLOW", StepFlag::ContactsOverflow)
      .value("SOLVER_NOT_CONVERGED", StepFlag::SolverNotConverged)
      .value("SINGULAR_MASS_MATRIX", StepFlag::SingularMassMatrix)
      .value("NOT_FINITE", StepFlag::NotFinite)
      .value("LOOP_OPEN", StepFlag::LoopOpen)
      .value("CHANGE_POINT", StepFlag::ChangePoint)
      .value("IMPULSES_REDUCED", StepFlag::ImpulsesReduced)
      .value("ENERGY_NOT_KEPT", StepFlag::EnergyNotKept)
      .value("CONTACT_DROPPED", StepFlag::ContactDropped)
      .value("TUNNELLED", StepFlag::Tunnelled);
  nb::class_<StepFlagInfo>(m, "StepFlagInfo", "A flag's name, and what to do about it.")
      .def_ro("flag", &StepFlagInfo::flag, "StepFlag")
      .def_ro("name", &StepFlagInfo::name, "str")
      .def_ro("remedy", &StepFlagInfo::remedy, "str")
      .def("__repr__", [](const StepFlagInfo& info) {
        return std::string("<espalier.StepFlagInfo ") + info.name + ": " + info.remedy + ">";
      });
  m.attr("STEP_FLAGS") =
      nb::cast(std::vector<StepFlagInfo>(std::begin(step_flags), std::end(step_flags)));
}

}  // namespace

void bindStepReport(nb::module_& m) {
  nb::enum_<Scheme> all(m, "Scheme", "Time-stepping schemes.");
  for (const SchemeInfo& row : schemes)
    all.value(inCapitals(row.name).c_str(), row.scheme, row.meaning);
  nb::class_<SchemeInfo>(m, "SchemeInfo", "A row of the table of schemes.")
      .def_ro("scheme", &SchemeInfo::scheme, "Scheme")
      .def_ro("name", &SchemeInfo::name, "str: as the command line says it")
      .def_ro("meaning", &SchemeInfo::meaning, "str")
      .def_ro("evaluation_offset", &SchemeInfo::evaluationOffset,
              "float: in dt, the step is evaluated at q (+) offset u")
      .def_ro("next_share", &SchemeInfo::nextShare,
              "float: the velocity that moves q is (1 - share) u + share u+")
      .def_ro("damping", &SchemeInfo::damping, "float: in dt, w per unit of b")
      .def_ro("stiffness", &SchemeInfo::stiffness, "float: in dt^2, w per unit of k")
      .def_ro("look_ahead", &SchemeInfo::lookAhead, "float: in dt, the force gains -look_ahead k u")
      .def_ro("solves_twice", &SchemeInfo::solvesTwice,
              "bool: h and the contacts once more with the mean velocity")
      .def_ro("has_stages", &SchemeInfo::hasStages,
              "bool: contact impulses change u at once, then stages without contacts")
      .def_ro("keeps_momentum", &SchemeInfo::keepsMomentum,
              "bool: the momentum of what floats is kept to rounding")
      .def_ro("open_gap", &SchemeInfo::openGap,
              "float: v_N+ >= -max(0, open_gap gap / dt + open_speed v_N) across a gap")
      .def_ro("open_speed", &SchemeInfo::openSpeed, "float: see open_gap")
      .def_ro("loop_share_of_k", &SchemeInfo::loopShareOfK,
              "float: J u+ + phi / dt + loop_share_of_k dt k + loop_rate J u = 0")
      .def_ro("loop_rate", &SchemeInfo::loopRate, "float: see loop_share_of_k")
      .def_ro("far_body_turn", &SchemeInfo::farBodyTurn,
              "float: rad in a step, beyond which a body's rotation is integrated by itself")
      .def_ro("far_joint_turn", &SchemeInfo::farJointTurn,
              "float: rad in a step, beyond which the error of energy is computed");
  m.def(
      "info", [](Scheme scheme) { return info(scheme); }, "scheme"_a, "The row of a scheme.");
  nb::list rows;
  for (const SchemeInfo& row : schemes) rows.append(nb::cast(row));
  m.attr("SCHEMES") = nb::tuple(rows);
  nb::class_<ImplicitWeights>(m, "ImplicitWeights",
                              "How a scheme takes a force -b u - k x implicitly.")
      .def_ro("damping", &ImplicitWeights::damping, "float: w per unit of b")
      .def_ro("stiffness", &ImplicitWeights::stiffness, "float: w per unit of k")
      .def_ro("look_ahead", &ImplicitWeights::lookAhead, "float: the force gains -look_ahead k u");
  m.def("implicit_weights", &implicitWeights, "scheme"_a, "dt"_a,
        "ImplicitWeights: (M + diag w) (u+ - u) = dt (force - h); dt in s");
  m.def("evaluation_offset_of", &evaluationOffsetOf, "scheme"_a, "dt"_a,
        "float: s, how far ahead of q the step is evaluated");
  m.def("share_of_next", &shareOfNext, "scheme"_a,
        "float: the velocity that moves q is (1 - share) u + share u+");
  bindFlags(m);
  nb::class_<StepReport>(m, "StepReport",
                         "What a step says of itself: numbers, and flags, each with a remedy.")
      .def(nb::init<>())
      .def_ro("contacts", &StepReport::contacts, "int: touching or speculative contact points")
      .def_ro("active_contacts", &StepReport::activeContacts, "int: those with an impulse")
      .def_ro("limits", &StepReport::limits, "int: joint limit rows")
      .def_ro("uncorrected", &StepReport::uncorrected,
              "int: contact islands whose gaps and penetrations were left as they are")
      .def_ro("iterations", &StepReport::iterations,
              "int: sweeps and Newton steps of the contact solvers")
      .def_ro("residual", &StepReport::residual, "float: m/s, largest violation of the contact law")
      .def_ro("closure", &StepReport::closure,
              "float: m, or 1 for directions: largest gap of a closed loop")
      .def_ro("penetration", &StepReport::penetration, "float: m, deepest contact")
      .def_ro("energy_balance", &StepReport::energyBalance,
              "float: J, change of energy minus the work of all forces; 0 unless\n"
              "World.energy_monitoring; NaN where it is unknown")
      .def_ro("refused", &StepReport::refused,
              "int: robots and single bodies whose step was not taken")
      .def_ro("tunnelled_a", &StepReport::tunnelledA,
              "int: object of the first pair that TUNNELLED is about; -1: none")
      .def_ro("tunnelled_b", &StepReport::tunnelledB, "int: the other one")
      .def_ro("energy", &StepReport::energy,
              "float: J, kinetic, potential and of springs; only when monitored")
      .def_prop_ro(
          "flags", [](const StepReport& r) { return static_cast<StepFlag>(r.flags); },
          "StepFlag: all that are raised")
      .def("has", &StepReport::has, "flag"_a, "Whether a StepFlag is raised.")
      .def_prop_ro("problems", &problems, "list[StepFlagInfo]: what is raised, with remedies")
      .def("__repr__", &reportText);
}

}  // namespace espalier::python
