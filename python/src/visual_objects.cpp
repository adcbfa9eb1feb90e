// A program's drawings on top of its world: shapes, lines, points, texts, ghosts.

#include "espalier/visual/visual_objects.h"

#include <nanobind/stl/string.h>

#include "bindings.h"
#include "casters.h"
#include "espalier/core/check.h"
#include "espalier/robot/articulated_system.h"
#include "visuals_handle.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// Three or four numbers, or one array of them.
template <int n>
Vec<n> numbersOf(const nb::args& args) {
  Vec<n> numbers;
  if (args.size() != 1) {
    ESPALIER_REQUIRE(args.size() == n, "it takes " + std::to_string(n) + " numbers, or one array");
    for (int i = 0; i < n; ++i)
      if (!nb::try_cast(args[i], numbers[i])) throw nb::type_error("it takes numbers");
  } else if (!nb::try_cast(args[0], numbers)) {
    throw nb::type_error(("it takes " + std::to_string(n) + " numbers, or one array").c_str());
  }
  return numbers;
}

template <class T>
std::string reprOf(Drawn<T>& self, const char* type) {
  if (!*self.isThere) return std::string("<espalier.") + type + ", removed>";
  return std::string("<espalier.") + type + " '" + self.use().name + "'>";
}

/// name, color, set_color() and the repr, which all kinds have.
template <class T>
void bindLook(DrawnClass<T>& c, const char* type) {
  c.def_prop_ro("name", got(&T::name), "str")
      .def_prop_rw("color", got(&T::color), put(&T::color),
                   "ndarray (4,): red, green, blue, opacity, in [0, 1]")
      .def("set_color", held(&T::setColor), "red"_a, "green"_a, "blue"_a, "opacity"_a,
           "Sets the colour: four numbers in [0, 1].")
      .def("__repr__", [type](Drawn<T>& self) { return reprOf(self, type); });
}

void bindVisual(nb::module_& m) {
  auto c = drawnClass<Visual>(m, "Visual", "One shape that is drawn. RaiSim calls it Visuals.");
  nb::enum_<Visual::Kind>(c, "Kind", "What shape a Visual is.")
      .value("SPHERE", Visual::Kind::SPHERE)
      .value("BOX", Visual::Kind::BOX)
      .value("CYLINDER", Visual::Kind::CYLINDER)
      .value("CAPSULE", Visual::Kind::CAPSULE)
      .value("MESH", Visual::Kind::MESH)
      .value("ARROW", Visual::Kind::ARROW);
  bindLook(c, "Visual");
  c.def_prop_ro("kind", held(+[](Visual& v) { return v.kind(); }), "Visual.Kind")
      .def_prop_rw("material", got(&Visual::material), put(&Visual::material),
                   "str, shown with the shape's name")
      .def_prop_rw("glow", got(&Visual::glow), put(&Visual::glow), "bool, kept without effect")
      .def_prop_rw("shadow", got(&Visual::shadow), put(&Visual::shadow),
                   "bool, kept without effect")
      .def("set_sphere_size", held(&Visual::setSphereSize), "radius"_a,
           "Of a sphere: radius, m. ValueError for another kind or a length that is not positive.")
      .def("set_box_size", held(&Visual::setBoxSize), "x"_a, "y"_a, "z"_a, "Of a box: edges, m.")
      .def("set_cylinder_size", held(&Visual::setCylinderSize), "radius"_a, "height"_a,
           "Of a cylinder or an arrow: radius and height, m.")
      .def("set_capsule_size", held(&Visual::setCapsuleSize), "radius"_a, "height"_a,
           "Of a capsule: radius and the distance of its sphere centres, m.")
      .def_prop_rw("position", held(+[](Visual& v) { return v.getPosition(); }),
                   held(+[](Visual& v, const Vec<3>& p) { v.setPosition(p); }),
                   "ndarray (3,): of its middle, of an arrow its tail; m, world")
      .def_prop_rw("orientation", held(+[](Visual& v) { return v.getOrientation(); }),
                   held(+[](Visual& v, const Vec<4>& q) { v.setOrientation(q); }),
                   "ndarray (4,): quaternion w, x, y, z, shape to world")
      .def("set_position", held(+[](Visual& v, nb::args p) { v.setPosition(numbersOf<3>(p)); }),
           "position"_a, "Sets the position, m, world: three numbers or an array (3,).")
      .def("set_orientation",
           held(+[](Visual& v, nb::args q) { v.setOrientation(numbersOf<4>(q)); }),
           "Sets the orientation: w, x, y, z as four numbers or an array (4,).")
      .def_prop_ro("pose", held(+[](Visual& v) { return v.pose(); }),
                   "ndarray (4, 4): X_world_shape")
      .def_prop_ro("has_varying_look", held(+[](Visual& v) { return v.hasVaryingLook(); }),
                   "bool: its colour or size has changed since it was first shown");
}

void bindInstanced(nb::module_& m) {
  using Many = InstancedVisuals;
  auto c = drawnClass<Many>(m, "InstancedVisuals",
                            "Many shapes that are alike; the colour of each lies between two.");
  nb::class_<Many::Instance>(c, "Instance", "One of the shapes, as a copy.")
      .def_ro("position", &Many::Instance::position, "ndarray (3,): m, world")
      .def_ro("quaternion", &Many::Instance::quaternion, "ndarray (4,): w, x, y, z")
      .def_ro("scale", &Many::Instance::scale, "ndarray (3,); 1: the size of them all")
      .def_ro("color_weight", &Many::Instance::colorWeight,
              "float: 0 is the first colour, 1 the second");
  c.def_prop_ro("name", got(&Many::name), "str")
      .def("__repr__", [](Drawn<Many>& self) { return reprOf(self, "InstancedVisuals"); })
      .def("resize", held(+[](Many& v, std::size_t n) {
             constexpr std::size_t most = 10'000'000;
             ESPALIER_REQUIRE(n <= most, "at most 10,000,000 instances can be drawn");
             v.resize(n);
           }),
           "count"_a, "So many of them; new ones are at the origin.")
      .def_prop_ro("count", held(+[](Many& v) { return v.count(); }), "int")
      .def("__len__", held(+[](Many& v) { return v.count(); }))
      .def("add_instance",
           held(+[](Many& v, const Vec<3>& p, const Vec<4>& q, const Vec<3>& s, double w) {
             v.addInstance(p, q, s, w);
           }),
           "position"_a, "quaternion"_a = Vec<4>(1, 0, 0, 0), "scale"_a = Vec<3>(1, 1, 1),
           "color_weight"_a = 0.0, "One more: m, world; w, x, y, z; factors of the size; [0, 1].")
      .def("remove_instance", held(&Many::removeInstance), "index"_a,
           "Removes one. ValueError where there is none.")
      .def("clear_instances", held(&Many::clearInstances), "Removes all of them.")
      .def("set_position", held(&Many::setPosition), "index"_a, "position"_a, "(3,), m, world.")
      .def("set_orientation", held(&Many::setOrientation), "index"_a, "quaternion"_a,
           "(4,): w, x, y, z.")
      .def("set_scale", held(&Many::setScale), "index"_a, "scale"_a,
           "(3,); 1: the size of them all.")
      .def("set_color_weight", held(&Many::setColorWeight), "index"_a, "weight"_a,
           "0: the first colour, 1: the second.")
      .def("set_colors", held(&Many::setColors), "first"_a, "second"_a,
           "Colours (4,) of the weights 0 and 1.")
      .def("color_of",
           held(+[](Many& v, const Many::Instance& i) -> Vec<4> { return v.colorOf(i); }),
           "instance"_a, "ndarray (4,): the colour that an instance is drawn in.")
      .def_prop_ro("instances", held(+[](Many& v) {
                     nb::list list;
                     for (const Many::Instance& instance : v.instances())
                       list.append(nb::cast(instance));
                     return nb::typed<nb::list, Many::Instance>(std::move(list));
                   }),
                   "list of Instance, copies");
}

void bindGhost(nb::module_& m) {
  using Ghost = ArticulatedSystemVisual;
  auto c = drawnClass<Ghost>(m, "ArticulatedSystemVisual",
                             "A robot that is only drawn: a reference, a plan, a recorded one.");
  bindLook(c, "ArticulatedSystemVisual");
  c.def("set_generalized_coordinate", held(&Ghost::setGeneralizedCoordinate), "q"_a,
        "Its pose, as ArticulatedSystem.generalized_coordinate.")
      .def_prop_rw("q", held(+[](Ghost& g) { return g.robot().getGeneralizedCoordinate(); }),
                   held(+[](Ghost& g, const Eigen::VectorXd& q) { g.setGeneralizedCoordinate(q); }),
                   "ndarray (nq,): its generalized coordinates");
}

}  // namespace

void bindVisualObjects(nb::module_& m) {
  bindVisual(m);
  auto line = drawnClass<PolyLine>(m, "PolyLine", "A line through points.");
  bindLook(line, "PolyLine");
  line.def_prop_rw("width", got(&PolyLine::width), put(&PolyLine::width),
                   "float, m; drawn as 200 pixels for each m, at least one")
      .def_prop_rw("points", got(&PolyLine::points), put(&PolyLine::points),
                   "ndarray (n, 3): m, world; a copy, assign to change them")
      .def("add_point", held(&PolyLine::addPoint), "point"_a, "One more point (3,), m, world.")
      .def("clear_points", held(&PolyLine::clearPoints), "Removes all points.");

  auto cloud = drawnClass<PointCloud>(m, "PointCloud", "Many points of one colour.");
  cloud.def_prop_ro("name", got(&PointCloud::name), "str")
      .def_prop_rw("color", got(&PointCloud::color), put(&PointCloud::color),
                   "ndarray (4,): red, green, blue, opacity, in [0, 1]")
      .def_prop_rw("size", got(&PointCloud::size), put(&PointCloud::size), "float, m")
      .def_prop_rw("points", got(&PointCloud::points), put(&PointCloud::points),
                   "ndarray (n, 3): m, world; a copy, assign to change them")
      .def("__repr__", [](Drawn<PointCloud>& self) { return reprOf(self, "PointCloud"); });

  auto text = drawnClass<TextLabel>(m, "TextLabel", "A word at a place.");
  text.def_prop_ro("name", got(&TextLabel::name), "str")
      .def_prop_rw("text", got(&TextLabel::text), put(&TextLabel::text), "str")
      .def_prop_rw("position", got(&TextLabel::position), put(&TextLabel::position),
                   "ndarray (3,): m, world")
      .def_prop_rw("color", got(&TextLabel::color), put(&TextLabel::color),
                   "ndarray (4,): red, green, blue, opacity, in [0, 1]")
      .def("__repr__", [](Drawn<TextLabel>& self) { return reprOf(self, "TextLabel"); });

  bindInstanced(m);
  bindGhost(m);
}

}  // namespace espalier::python
