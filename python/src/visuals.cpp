// Visuals: all that a program draws on top of its world.

#include "espalier/visual/visuals.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "casters.h"
#include "visuals_handle.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

using Self = nb::handle_t<VisualsHandle>;

VisualsHandle& visualsHandle(Self self) { return nb::cast<VisualsHandle&>(self); }

/// A member function that makes or finds something, as a function that returns its handle.
template <class T, class... A>
auto drawn(T* (Visuals::*f)(A...)) {
  return [f](Self self, A... a) {
    VisualsHandle& visuals = visualsHandle(self);
    const std::lock_guard lock(visuals.turn);
    T* item = (visuals.get().*f)(std::forward<A>(a)...);
    return Drawn<T>(nb::borrow(self), visuals, item);
  };
}
template <class T>
auto drawn(T* (Visuals::*f)(const std::string&) const) {
  return [f](Self self, const std::string& name) {
    VisualsHandle& visuals = visualsHandle(self);
    const std::lock_guard lock(visuals.turn);
    return Drawn<T>(nb::borrow(self), visuals, (visuals.get().*f)(name));
  };
}

/// A list of the handles of all of a kind.
template <class T>
auto all(const std::vector<std::unique_ptr<T>>& (Visuals::*f)() const) {
  return [f](Self self) -> nb::typed<nb::list, Drawn<T>> {
    VisualsHandle& visuals = visualsHandle(self);
    const std::lock_guard lock(visuals.turn);
    nb::list list;
    for (const std::unique_ptr<T>& item : (visuals.get().*f)())
      list.append(nb::cast(Drawn<T>(nb::borrow(self), visuals, item.get())));
    return nb::typed<nb::list, Drawn<T>>(std::move(list));
  };
}

/// Removal by name.
template <class T>
auto removed(T* (Visuals::*find)(const std::string&) const,
             void (Visuals::*remove)(const std::string&)) {
  return [find, remove](VisualsHandle& visuals, const std::string& name) {
    const std::lock_guard lock(visuals.turn);
    const void* item = (visuals.get().*find)(name);
    (visuals.get().*remove)(name);
    visuals.forget(item);
  };
}
/// Removal by handle.
template <class T>
auto removedByHandle(void (Visuals::*remove)(const T*)) {
  return [remove](VisualsHandle& visuals, Drawn<T>& handle) {
    const std::lock_guard lock(visuals.turn);
    if (handle.visuals != &visuals)
      throw std::invalid_argument("this was drawn on another Visuals or Server");
    T& item = handle.use();
    (visuals.get().*remove)(&item);
    visuals.forget(&item);
  };
}

using Class = nb::class_<VisualsHandle>;

void bindShapes(Class& c) {
  c.def("add_visual_sphere",
        drawn(&Visuals::addVisualSphere<double, double, double, double, std::string, bool, bool>),
        "name"_a, "radius"_a, "red"_a = 1.0, "green"_a = 1.0, "blue"_a = 1.0, "opacity"_a = 1.0,
        "material"_a = "", "glow"_a = false, "shadow"_a = false,
        "A sphere of radius m at the origin. ValueError where the name is taken or a number makes "
        "no shape, as of all shapes.")
      .def("add_visual_box",
           drawn(&Visuals::addVisualBox<double, double, double, double, std::string, bool, bool>),
           "name"_a, "x"_a, "y"_a, "z"_a, "red"_a = 1.0, "green"_a = 1.0, "blue"_a = 1.0,
           "opacity"_a = 1.0, "material"_a = "", "glow"_a = false, "shadow"_a = false,
           "A box with edges x, y, z, m.")
      .def(
          "add_visual_cylinder",
          drawn(
              &Visuals::addVisualCylinder<double, double, double, double, std::string, bool, bool>),
          "name"_a, "radius"_a, "height"_a, "red"_a = 1.0, "green"_a = 1.0, "blue"_a = 1.0,
          "opacity"_a = 1.0, "material"_a = "", "glow"_a = false, "shadow"_a = false,
          "A cylinder along z, m.")
      .def("add_visual_capsule",
           drawn(
               &Visuals::addVisualCapsule<double, double, double, double, std::string, bool, bool>),
           "name"_a, "radius"_a, "height"_a, "red"_a = 1.0, "green"_a = 1.0, "blue"_a = 1.0,
           "opacity"_a = 1.0, "material"_a = "", "glow"_a = false, "shadow"_a = false,
           "A capsule along z; height is the distance of its sphere centres, m.")
      .def("add_visual_mesh",
           drawn(&Visuals::addVisualMesh<double, double, double, double, bool, bool>), "name"_a,
           "file"_a, "scale_x"_a = 1.0, "scale_y"_a = 1.0, "scale_z"_a = 1.0, "red"_a = 1.0,
           "green"_a = 1.0, "blue"_a = 1.0, "opacity"_a = 1.0, "glow"_a = false, "shadow"_a = false,
           "A mesh from an STL, OBJ, Collada, glTF, PLY or MSH file. ValueError where it cannot be "
           "read.")
      .def("add_visual_arrow", drawn(&Visuals::addVisualArrow<bool, bool>), "name"_a, "radius"_a,
           "height"_a, "red"_a = 0.0, "green"_a = 0.0, "blue"_a = 0.0, "opacity"_a = -1.0,
           "glow"_a = false, "shadow"_a = false,
           "An arrow from its position along its z; an opacity below 0 is 1.")
      .def("visual_object", drawn(&Visuals::getVisualObject), "name"_a,
           "The Visual of this name. ValueError where there is none.")
      .def("remove_visual_object",
           removed(&Visuals::getVisualObject, static_cast<void (Visuals::*)(const std::string&)>(
                                                  &Visuals::removeVisualObject)),
           "name"_a, "Removes a Visual, by its name or itself; its handles raise from now on.")
      .def("remove_visual_object",
           removedByHandle(
               static_cast<void (Visuals::*)(const Visual*)>(&Visuals::removeVisualObject)),
           "visual"_a)
      .def("add_instanced_visuals", drawn(&Visuals::addInstancedVisuals), "name"_a, "type"_a,
           "size"_a, "first_color"_a, "second_color"_a, "mesh_file"_a = "",
           "Many alike shapes: type ShapeType.SPHERE, BOX, CYLINDER, CAPSULE or MESH; size (3,), "
           "m: {radius}, {x, y, z}, {radius, height}, of a mesh its scale; colours (4,).")
      .def("instanced_visuals", drawn(&Visuals::getInstancedVisuals), "name"_a,
           "The InstancedVisuals of this name. ValueError where there is none.")
      .def("remove_instanced_visuals",
           removed(&Visuals::getInstancedVisuals, &Visuals::removeInstancedVisuals), "name"_a,
           "Removes InstancedVisuals.")
      .def_prop_ro("shapes", all(&Visuals::shapes), "list of Visual")
      .def_prop_ro("instanced", all(&Visuals::instanced), "list of InstancedVisuals");
}

void bindLines(Class& c) {
  c.def("add_visual_poly_line", drawn(&Visuals::addVisualPolyLine), "name"_a,
        "A line without points.")
      .def("visual_poly_line", drawn(&Visuals::getVisualPolyLine), "name"_a,
           "The PolyLine of this name. ValueError where there is none.")
      .def("remove_visual_poly_line",
           removed(&Visuals::getVisualPolyLine, &Visuals::removeVisualPolyLine), "name"_a,
           "Removes a PolyLine.")
      .def("add_point_cloud", drawn(&Visuals::addPointCloud), "name"_a, "A cloud without points.")
      .def("point_cloud", drawn(&Visuals::getPointCloud), "name"_a,
           "The PointCloud of this name. ValueError where there is none.")
      .def("remove_point_cloud", removed(&Visuals::getPointCloud, &Visuals::removePointCloud),
           "name"_a, "Removes a PointCloud.")
      .def("add_visual_text", drawn(&Visuals::addVisualText), "name"_a, "text"_a = "",
           "A text at the origin.")
      .def("visual_text", drawn(&Visuals::getVisualText), "name"_a,
           "The TextLabel of this name. ValueError where there is none.")
      .def("remove_visual_text", removed(&Visuals::getVisualText, &Visuals::removeVisualText),
           "name"_a, "Removes a TextLabel.")
      .def_prop_ro("lines", all(&Visuals::lines), "list of PolyLine")
      .def_prop_ro("clouds", all(&Visuals::clouds), "list of PointCloud")
      .def_prop_ro("texts", all(&Visuals::texts), "list of TextLabel");
}

void bindGhosts(Class& c) {
  c.def("add_visual_articulated_system", drawn(&Visuals::addVisualArticulatedSystem), "name"_a,
        "urdf_file"_a, "red"_a = 0.0, "green"_a = 0.0, "blue"_a = 0.0, "opacity"_a = 0.0,
        "A robot that is only drawn, from a file or text as World.add_articulated_system takes; "
        "opacity 0: in its own colours.")
      .def("visual_articulated_system", drawn(&Visuals::getVisualArticulatedSystem), "name"_a,
           "The ArticulatedSystemVisual of this name. ValueError where there is none.")
      .def("remove_visual_articulated_system",
           removed(&Visuals::getVisualArticulatedSystem,
                   static_cast<void (Visuals::*)(const std::string&)>(
                       &Visuals::removeVisualArticulatedSystem)),
           "name"_a, "Removes a drawn robot, by its name or itself.")
      .def("remove_visual_articulated_system",
           removedByHandle(static_cast<void (Visuals::*)(const ArticulatedSystemVisual*)>(
               &Visuals::removeVisualArticulatedSystem)),
           "ghost"_a)
      .def_prop_ro("ghosts", all(&Visuals::ghosts), "list of ArticulatedSystemVisual");
}

void bindChartsOf(Class& c) {
  c.def("add_time_series_graph", drawn(&Visuals::addTimeSeriesGraph), "title"_a, "names"_a,
        "x_axis"_a, "y_axis"_a, "A graph with a curve for each name.")
      .def("add_bar_chart", drawn(&Visuals::addBarChart), "title"_a, "names"_a,
           "A chart with a bar for each name.")
      .def("time_series_graph", drawn(&Visuals::getTimeSeriesGraph), "title"_a,
           "The TimeSeriesGraph of this title. ValueError where there is none.")
      .def("bar_chart", drawn(&Visuals::getBarChart), "title"_a,
           "The BarChart of this title. ValueError where there is none.")
      .def(
          "remove_chart",
          [](VisualsHandle& visuals, const std::string& title) {
            const std::lock_guard lock(visuals.turn);
            const void* chart = nullptr;
            for (const auto& graph : visuals.get().series())
              if (graph->title == title) chart = graph.get();
            for (const auto& bars : visuals.get().bars())
              if (bars->title == title) chart = bars.get();
            visuals.get().removeChart(title);
            visuals.forget(chart);
          },
          "title"_a, "Removes a graph or bar chart. ValueError where there is none.")
      .def_prop_ro("series", all(&Visuals::series), "list of TimeSeriesGraph")
      .def_prop_ro("bars", all(&Visuals::bars), "list of BarChart");
}

}  // namespace

void bindVisuals(nb::module_& m) {
  bindVisualObjects(m);
  bindCharts(m);
  Class c(m, "Visuals",
          "All that a program draws on top of its world: shapes, lines, points, texts, robots and "
          "charts. Names must differ; lengths in m, colours in [0, 1]. A Server is one, another "
          "one can be given to record().");
  c.def(nb::init<>());
  bindShapes(c);
  bindLines(c);
  bindGhosts(c);
  bindChartsOf(c);
}

}  // namespace espalier::python
