// Settings of a World.

#include <nanobind/stl/string.h>

#include "espalier/world/material_manager.h"
#include "spec_casters.h"
#include "world_bindings.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

void setContactCallback(WorldHandle& handle, nb::object callback) {
  World& world = handle.world();
  if (callback.is_none()) {
    world.setContactCallback({});
    handle.callback = nb::object();
    return;
  }
  if (!PyCallable_Check(callback.ptr()))
    throw nb::type_error("a contact callback is a function (contact, material) -> bool, or None");
  // The handle owns the World and outlives the function.
  world.setContactCallback([&handle](const Contact& contact, MaterialPair& material) {
    const nb::gil_scoped_acquire acquire;
    if (!handle.callback) return true;
    const nb::object pair = nb::cast(material, nb::rv_policy::copy);
    const nb::object kept = nb::object(handle.callback)(contact, pair);
    if (kept.is_none())
      throw nb::type_error(
          "the contact callback must return True (keep the contact) or False, not None");
    material = nb::cast<const MaterialPair&>(pair);
    const int truth = PyObject_IsTrue(kept.ptr());
    if (truth < 0) throw nb::python_error();
    return truth == 1;
  });
  handle.callback = std::move(callback);
}

void bindMaterialSettings(WorldClass& world) {
  world
      .def(
          "set_default_material",
          [](World& w, double friction, double restitution, double threshold) {
            w.setDefaultMaterial(friction, restitution, threshold);
          },
          "friction"_a, "restitution"_a, "restitution_threshold"_a,
          "Of all pairs that are not set; the threshold in m/s. Or a MaterialPairSpec.")
      .def(
          "set_default_material",
          [](World& w, const MaterialPairSpec& pair) { w.setDefaultMaterial(pair); }, "pair"_a)
      .def(
          "set_material_pair_prop",
          [](World& w, const std::string& first, const std::string& second, double friction,
             double restitution, double threshold) {
            w.setMaterialPairProp(first, second, friction, restitution, threshold);
          },
          "first"_a, "second"_a, "friction"_a, "restitution"_a, "restitution_threshold"_a,
          "How two materials meet: velocities in m/s. Or a MaterialPairSpec.")
      .def(
          "set_material_pair_prop",
          [](World& w, const std::string& first, const std::string& second, double friction,
             double restitution, double threshold, double staticFriction, double staticVelocity) {
            w.setMaterialPairProp(first, second, friction, restitution, threshold, staticFriction,
                                  staticVelocity);
          },
          "first"_a, "second"_a, "friction"_a, "restitution"_a, "restitution_threshold"_a,
          "static_friction"_a, "static_velocity"_a)
      .def(
          "set_material_pair_prop",
          [](World& w, const MaterialPairSpec& pair) { w.setMaterialPairProp(pair); }, "pair"_a)
      .def("update_material_prop", method(&World::updateMaterialProp), "materials"_a,
           "Forgets all pairs and takes those of a MaterialManager, and their default.");
}

void bindContactSettings(WorldClass& world) {
  world
      .def("set_erp", method(&World::setERP), "erp"_a, "slop"_a = 0.0,
           "Share of a penetration removed in one step, and the penetration left alone (m).")
      .def_prop_rw("max_depenetration_velocity", method(&World::getMaxDepenetrationVelocity),
                   method(&World::setMaxDepenetrationVelocity),
                   "float: m/s (of joint limits rad/s or m/s), > 0, may be infinite: the speed at\n"
                   "which a penetration is removed, at most")
      .def(
          "set_contact_solver_param",
          [](WorldHandle& w, double tolerance, int maxSweeps) {
            w.world().setContactSolverParam(tolerance, maxSweeps);
            noteCall(w, "set_contact_solver_param", tolerance, maxSweeps);
          },
          "tolerance"_a, "max_sweeps"_a,
          "Residual at which the contact solver stops (m/s), and its sweeps at most.")
      .def(
          "set_contact_solver_param",
          [](WorldHandle& w, double alphaInit, double alphaMin, double alphaDecay, int maxSweeps,
             double threshold) {
            w.world().setContactSolverParam(alphaInit, alphaMin, alphaDecay, maxSweeps, threshold);
            noteCall(w, "set_contact_solver_param", threshold, maxSweeps);
          },
          "alpha_init"_a, "alpha_min"_a, "alpha_decay"_a, "max_sweeps"_a, "threshold"_a,
          "RaiSim's form; the first three have no effect.")
      .def(
          "set_contact_margin",
          [](WorldHandle& w, double margin) {
            w.world().setContactMargin(margin);
            noteCall(w, "set_contact_margin", margin);
          },
          "margin"_a, "m: gap below which a contact takes part in the solve.")
      .def(
          "set_max_contacts",
          [](WorldHandle& w, int count) {
            w.world().setMaxContacts(count);
            noteCall(w, "set_max_contacts", count);
          },
          "count"_a, "Contacts a step can hold; by default room grows with the number of shapes.")
      .def(
          "set_contact_callback", &setContactCallback, "callback"_a.none(),
          nb::sig("def set_contact_callback(self, callback: collections.abc.Callable[[Contact, "
                  "MaterialPair], bool] | None) -> None"),
          "Called for every contact of a step before it is solved, (contact, material) -> bool:\n"
          "False leaves the contact out; the material may be changed for this contact and step.\n"
          "It may ask the World; what adds, removes, steps or sets a state raises. What it raises\n"
          "comes out of integrate(), and the step is given up. None: no callback.");
}

}  // namespace

void bindSettings(WorldClass& world) {
  world
      .def_prop_rw("time_step", method(&World::getTimeStep), method(&World::setTimeStep),
                   "float: s, > 0")
      .def_prop_rw("gravity", method(&World::getGravity), method(&World::setGravity), "(3,) m/s^2")
      .def_prop_rw("integration_scheme", method(&World::getIntegrationScheme),
                   method(&World::setIntegrationScheme), "Scheme")
      .def(
          "set_sleeping",
          [](WorldHandle& w, bool on, double linearSpeed, double angularSpeed, int quietSteps) {
            w.world().setSleeping(on, linearSpeed, angularSpeed, quietSteps);
            noteCall(w, "set_sleeping", on, linearSpeed, angularSpeed, quietSteps);
          },
          "on"_a, "linear_speed"_a = 0.002, "angular_speed"_a = 0.01, "quiet_steps"_a = 20,
          "Single bodies that are slow (m/s, rad/s) for so many steps, with all they touch, rest\n"
          "until something faster touches them. Off by default.")
      .def_prop_rw("energy_monitoring", method(&World::getEnergyMonitoring),
                   method(&World::setEnergyMonitoring),
                   "bool: evaluates energy and its balance in every step");
  bindContactSettings(world);
  bindMaterialSettings(world);
}

}  // namespace espalier::python
