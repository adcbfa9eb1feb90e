// Worlds stepped side by side.

#include "espalier/batch/lane_pack.h"

#include <nanobind/stl/vector.h>

#include <deque>
#include <string>

#include "bindings.h"
#include "casters.h"
#include "espalier/core/check.h"
#include "guard.h"
#include "object_handle.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// A LanePack and its Worlds; it looks before every step whether they still are as it knew them.
class Pack {
 public:
  explicit Pack(const std::vector<nb::object>& worlds) {
    std::vector<World*> engines;
    for (const nb::object& object : worlds) {
      WorldHandle& handle = heldBy<WorldHandle>(object);
      World& world = handle.world();
      engines.push_back(&world);
      nb::object robot;
      if (world.systemCount() == 1) robot = nb::steal(handleOf(world.system(0), object.ptr()));
      members_.push_back({object, &handle, robot});
    }
    pack_ = std::make_unique<LanePack>(engines);
  }

  void integrate() {
    const World& first = members_[0].handle->world();
    for (const Member& member : members_) {
      const World& world = member.handle->world();
      const bool isSame = world.systemCount() == 1 &&
                          nb::inst_ptr<ObjectHandle>(member.robot)->object == world.system(0) &&
                          world.getTimeStep() == first.getTimeStep() &&
                          world.getIntegrationScheme() == first.getIntegrationScheme();
      ESPALIER_REQUIRE(isSame,
                       "a World of this LanePack has another robot, time step or scheme "
                       "by now: make a new LanePack");
    }
    std::deque<WorldHandle::Mark> marks;
    for (const Member& member : members_) marks.emplace_back(*member.handle);
    const nb::gil_scoped_release release;
    pack_->integrate();
    for (const Member& member : members_) member.handle->stepped();
  }
  LanePack& pack() { return *pack_; }
  std::size_t size() const { return members_.size(); }

 private:
  struct Member {
    nb::object world;
    WorldHandle* handle;
    nb::object robot;
  };
  std::vector<Member> members_;
  std::unique_ptr<LanePack> pack_;
};

}  // namespace

void bindLanePack(nb::module_& m) {
  nb::class_<Pack> pack(
      m, "LanePack",
      "Worlds with the same robot, stepped side by side, one in each lane of a\n"
      "register; every World's numbers are to the bit those of World.integrate().");
  pack.def(nb::init<const std::vector<nb::object>&>(), "worlds"_a,
           nb::sig("def __init__(self, worlds: collections.abc.Sequence[World]) -> None"),
           "Worlds with one robot each, from the same description and with the same parameters, "
           "scheme\n"
           "and time step; ValueError that names the first that is not so.")
      .def("integrate", &Pack::integrate,
           "One step of every World, without the GIL. Errors as World.integrate(); ValueError "
           "where a\n"
           "World has another robot, time step or scheme by now.")
      .def_static("lanes", &LanePack::lanes, "int: Worlds that go side by side on this machine")
      .def_prop_ro(
          "stepped_alone", [](Pack& p) { return p.pack().steppedAlone(); },
          "int: how many took the last step alone")
      .def_prop_ro(
          "solved_alone", [](Pack& p) { return p.pack().solvedAlone(); },
          "int: how many had their contacts solved alone")
      .def("__len__", &Pack::size);
}

}  // namespace espalier::python
