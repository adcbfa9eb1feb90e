// Steps of a World, its contacts and its state.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "espalier/core/check.h"
#include "spec_casters.h"
#include "world_bindings.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

StepReport step(WorldHandle& handle) {
  return withoutGil(handle, [&](World& world) {
    StepReport report = world.integrate();
    handle.stepped();
    return report;
  });
}

/// Many steps in a call; Ctrl-C is looked for ten times a second.
StepReport steps(WorldHandle& handle, int count) {
  ESPALIER_REQUIRE(count >= 0,
                   "the number of steps must not be negative, it is " + std::to_string(count));
  using Clock = std::chrono::steady_clock;
  return withoutGil(handle, [&](World& world) {
    StepReport report = world.report();
    auto asked = Clock::now();
    for (int i = 0; i < count; ++i) {
      report = world.integrate();
      handle.stepped();
      if (Clock::now() - asked < std::chrono::milliseconds(100)) continue;
      const nb::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      asked = Clock::now();
    }
    return report;
  });
}

void bindSteps(WorldClass& world) {
  for (const char* name : {"integrate", "step"})
    world
        .def(name, &step,
             "One step, integrate1() then integrate2(), without the GIL; StepReport, a copy.")
        .def(name, &steps, "count"_a,
             "So many steps in one call; the StepReport of the last; none for 0.");
  world
      .def(
          "integrate1", [](WorldHandle& w) { withoutGil(w, [](World& x) { x.integrate1(); }); },
          "Kinematics, M, h and collisions at the scheme's evaluation point; queries then speak "
          "of\n"
          "it.")
      .def(
          "integrate2",
          [](WorldHandle& w) {
            return withoutGil(w, [&](World& x) {
              StepReport report = x.integrate2();
              w.stepped();
              return report;
            });
          },
          "Forces, contacts, the new state. Gains, targets, forces and the time step may change\n"
          "between integrate1() and integrate2().")
      .def_prop_ro(
          "report", [](const World& w) { return StepReport(w.report()); },
          "StepReport of the last step, a copy");
}

/// [n] of something of each contact.
template <class F>
auto ofContacts(F&& f) {
  using T = decltype(f(std::declval<const Contact&>(), 0.0));
  return [f](const World& world) {
    const std::span<const Contact> contacts = world.contacts();
    std::vector<T> all;
    all.reserve(contacts.size());
    for (const Contact& c : contacts) all.push_back(f(c, world.getTimeStep()));
    return all;
  };
}

void bindContactLists(WorldClass& world) {
  const auto list = [](const World& w) {
    return std::vector<Contact>(w.contacts().begin(), w.contacts().end());
  };
  world.def_prop_ro("contacts", list, "list[Contact]: of the last step, near misses too")
      .def_prop_ro("contact_problem", list, "list[Contact]: the same as contacts")
      .def_prop_ro("contact_points",
                   ofContacts([](const Contact& c, double) { return c.position; }),
                   "(n, 3) m, world: positions of contacts, as contacts lists them")
      .def_prop_ro("contact_normals", ofContacts([](const Contact& c, double) { return c.normal; }),
                   "(n, 3) unit, world: the push on object A")
      .def_prop_ro("contact_impulses",
                   ofContacts([](const Contact& c, double) { return c.impulse; }),
                   "(n, 3) N s on object A, in the contact frame (t1, t2, normal)")
      .def_prop_ro("contact_forces", ofContacts([](const Contact& c, double dt) {
                     return tmul(c.frame, c.impulse) * (1 / dt);
                   }),
                   "(n, 3) N on object A, world axes: mean over the last step")
      .def_prop_ro("contact_depths", ofContacts([](const Contact& c, double) { return c.depth; }),
                   "(n,) m; negative: a gap");
}

nb::bytes checkpoint(World& world) {
  const std::vector<std::byte> bytes = world.saveCheckpoint();
  return nb::bytes(bytes.data(), bytes.size());
}

std::span<const std::byte> bytesOf(const nb::bytes& bytes) {
  return {static_cast<const std::byte*>(bytes.data()), bytes.size()};
}

void bindWorldState(WorldClass& world) {
  const auto time = method(&World::getWorldTime);
  const auto setTime = method(&World::setWorldTime);
  world.def_prop_rw("world_time", time, setTime, "float: s")
      .def_prop_rw("time", time, setTime, "float: s; the same as world_time")
      .def_prop_rw(
          "state", method(&World::getState), method(&World::setState),
          "State: all that moves, and what decides the next step besides; a copy, from which a\n"
          "world built the same way goes on bit for bit. Setting it empties the contact list.\n"
          "Where q or u were written since, its history is ignored: the solver starts cold and\n"
          "all bodies are awake. ValueError, and nothing changes, where the sizes are another\n"
          "world's, a number is not finite or a closed loop gapes.")
      .def_prop_ro("state_hash", method(&World::stateHash),
                   "int: FNV-1a over the bytes of q and u; equal states, equal hashes")
      .def("save_checkpoint", &checkpoint,
           "bytes: the state, its history too; a world built the same way and given them goes on\n"
           "bit for bit. What users set (gains, targets, materials) is not in them.")
      .def(
          "restore_checkpoint",
          [](World& w, const nb::bytes& bytes) { w.restoreCheckpoint(bytesOf(bytes)); }, "bytes"_a,
          "Takes what save_checkpoint() gave; ValueError, and nothing changes, where the bytes "
          "are\n"
          "damaged or another world's.")
      .def(
          "save_keyframe",
          [](WorldHandle& w, const std::string& name) {
            w.world().saveKeyframe(name);
            w.keyframes[name] = checkpoint(w.world());
          },
          "name"_a, "Remembers the present state under a name.")
      .def_prop_ro("keyframe_names", method(&World::getKeyframeNames),
                   "list[str]: in alphabetical order")
      .def(
          "reset",
          [](World& w, const std::optional<std::string>& keyframe) {
            if (keyframe)
              w.reset(*keyframe);
            else
              w.reset();
          },
          "keyframe"_a = nb::none(),
          "Goes back to a keyframe; None: every object where it was when it was added, at rest or\n"
          "as its spec says, at time 0.");
}

}  // namespace

void bindStepping(WorldClass& world) {
  bindSteps(world);
  bindContactLists(world);
  bindWorldState(world);
}

}  // namespace espalier::python
