// Objects of a World: finding, removing, welding them, and rays.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "ray_values.h"
#include "spec_casters.h"
#include "world_bindings.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// The handle of an object in Python.
nb::object inPython(const Object* object, nb::handle world) {
  return nb::steal(handleOf(object, world.ptr()));
}

std::vector<RayValue> rayTest(nb::handle_t<WorldHandle> self, const Vec<3>& start,
                              const Vec<3>& direction, double length, bool closestOnly,
                              CollisionGroup mask, const Object* skipped) {
  World& world = heldBy<WorldHandle>(self).world();
  std::vector<RayValue> found;
  for (const RayTestResult& hit :
       world.rayTest(start, direction, length, closestOnly, mask, skipped))
    found.push_back({inPython(hit.object, self), hit.body, hit.position, hit.normal, hit.distance});
  return found;
}

std::vector<CastRayValue> castRays(nb::handle_t<WorldHandle> self) {
  World& world = heldBy<WorldHandle>(self).world();
  const std::vector<Object*>& present = world.getObjList();
  std::vector<CastRayValue> rays;
  for (const CastRay& ray : world.raysOfLastStep()) {
    const bool isThere = std::find(present.begin(), present.end(), ray.object) != present.end();
    rays.push_back({ray.start, ray.end, inPython(isThere ? ray.object : nullptr, self), ray.body});
  }
  return rays;
}

int attach(WorldHandle& handle, Object& a, Object* b, int bodyA, int bodyB) {
  const int id = handle.world().attach(&a, b, bodyA, bodyB);
  handle.welds.push_back({id, &a, b});
  return id;
}

void detach(WorldHandle& handle, int weld) {
  handle.world().detach(weld);
  std::erase_if(handle.welds, [&](const WeldedPair& w) { return w.id == weld; });
}

}  // namespace

void bindObjects(WorldClass& world) {
  const auto list = [](const World& w) { return w.getObjList(); };
  world
      .def(
          "remove_object", [](WorldHandle& w, Object& object) { w.remove(object); }, "object"_a,
          "Takes an Object out of the world; from now on it raises RuntimeError. Its welds go, "
          "too.")
      .def_prop_ro("object_count", method(&World::objectCount), "int")
      .def(
          "object",
          [](const World& w, int index) {
            if (index < 0 || index >= w.objectCount())
              throw nb::index_error(("there is no object " + std::to_string(index)).c_str());
            return w.getObject(index);
          },
          "index"_a, "The Object at a place of obj_list; IndexError where there is none.")
      .def(
          "object", [](const World& w, const std::string& name) { return w.getObject(name); },
          "name"_a, nb::sig("def object(self, name: str) -> Object | None"),
          "The first Object of this name; None where there is none.")
      .def_prop_ro("obj_list", list, "list[Object]: all, in order")
      .def_prop_ro("objects", list, "list[Object]: all, in order; the same as obj_list")
      .def_prop_ro("system_count", method(&World::systemCount), "int: number of robots")
      .def(
          "system",
          [](const World& w, int index) {
            if (index < 0 || index >= w.systemCount())
              throw nb::index_error(("there is no system " + std::to_string(index)).c_str());
            return w.system(index);
          },
          "index"_a, "The robot at a place among the robots; IndexError where there is none.")
      .def_prop_ro(
          "systems",
          [](const World& w) {
            std::vector<ArticulatedSystem*> robots;
            for (int i = 0; i < w.systemCount(); ++i) robots.push_back(w.system(i));
            return robots;
          },
          "list[ArticulatedSystem]: the robots alone, in order")
      .def("attach", &attach, "a"_a, "b"_a = nb::none(), "body_a"_a = 0, "body_b"_a = 0,
           "Welds two bodies as they stand; b None: to the world. Returns an id for detach().")
      .def("detach", &detach, "weld"_a, "Takes a weld away; ValueError where there is none.")
      .def("ray_test", &rayTest, "start"_a, "direction"_a, "length"_a, "closest_only"_a = false,
           "mask"_a = ~CollisionGroup{0}, "skipped"_a = nb::none(),
           "list[RayTestResult]: the surfaces that a ray meets at the objects' present poses, "
           "nearest\n"
           "first, at most one of each shape.\n"
           "  in  start         (3,) m;  direction  (3,) of any length > 0;  length  m\n"
           "  in  closest_only  the nearest alone\n"
           "  in  mask          groups that it meets;  skipped  an Object that it goes through")
      .def_prop_ro("rays_of_last_step", &castRays,
                   "list[CastRay]: rays cast between the last step and the one before");
}

}  // namespace espalier::python
