// Triangles and heights: data that shapes share and that never change, so that arrays may view
// them; and functions of shapes.

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <tuple>

#include "bindings.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

template <int columns>
using Integers =
    nb::ndarray<const std::int64_t, nb::shape<-1, columns>, nb::c_contig, nb::device::cpu>;

/// A read-only array of constant data that `owner` holds.
template <class T, class Layout>
nb::ndarray<nb::numpy, const T, Layout> viewOf(const T* data,
                                               std::initializer_list<std::size_t> shape,
                                               nb::handle owner) {
  return {data, shape.size(), shape.begin(), owner};
}

/// Whole numbers of an array-like object, `columns` a row.
template <int columns>
Integers<columns> integersOf(nb::handle object, const char* name) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object given = numpy.attr("asarray")(object);
  const bool isEmpty = nb::cast<std::size_t>(given.attr("size")) == 0;
  const auto kind = nb::cast<std::string>(given.attr("dtype").attr("kind"));
  if (!isEmpty && kind != "i" && kind != "u")
    throw nb::type_error((std::string(name) + ": expected whole numbers").c_str());
  const nb::object whole = numpy.attr("ascontiguousarray")(given, "dtype"_a = "int64");
  const nb::object rows = isEmpty ? nb::object(whole.attr("reshape")(0, columns)) : whole;
  Integers<columns> found;
  if (!nb::try_cast(rows, found))
    throw std::invalid_argument(std::string(name) + ": expected shape (n, " +
                                std::to_string(columns) + ")");
  return found;
}

void initMesh(TriangleMesh* self, std::vector<Vec3d> vertices, nb::handle triangles,
              nb::handle colors) {
  const auto faces = integersOf<3>(triangles, "triangles");
  TriangleMesh mesh;
  mesh.vertices = std::move(vertices);
  const auto count = static_cast<std::int64_t>(mesh.vertices.size());
  for (std::size_t i = 0; i < faces.shape(0); ++i) {
    std::array<int, 3>& face = mesh.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int64_t vertex = faces(i, k);
      if (vertex < 0 || vertex >= count)
        throw std::invalid_argument("triangle " + std::to_string(i) + " names vertex " +
                                    std::to_string(vertex) + " of " + std::to_string(count));
      face[k] = static_cast<int>(vertex);
    }
  }
  if (!colors.is_none()) {
    const auto rgba = integersOf<4>(colors, "colors");
    if (rgba.shape(0) != 0 && rgba.shape(0) != mesh.triangles.size())
      throw std::invalid_argument("expected a colour for each of the " +
                                  std::to_string(mesh.triangles.size()) + " triangles, got " +
                                  std::to_string(rgba.shape(0)));
    for (std::size_t i = 0; i < rgba.shape(0); ++i)
      for (std::size_t k = 0; k < 4; ++k) {
        if (rgba(i, k) < 0 || rgba(i, k) > 255)
          throw std::invalid_argument("colors: expected numbers from 0 to 255");
        if (k == 0) mesh.colors.emplace_back();
        mesh.colors.back()[k] = static_cast<std::uint8_t>(rgba(i, k));
      }
  }
  new (self) TriangleMesh(std::move(mesh));
}

auto verticesOf(nb::handle self) {
  static_assert(sizeof(Vec3d) == 3 * sizeof(double));
  const auto& mesh = nb::cast<const TriangleMesh&>(self);
  return viewOf<double, nb::shape<-1, 3>>(reinterpret_cast<const double*>(mesh.vertices.data()),
                                          {mesh.vertices.size(), 3}, self);
}
auto trianglesOf(nb::handle self) {
  const auto& mesh = nb::cast<const TriangleMesh&>(self);
  return viewOf<int, nb::shape<-1, 3>>(reinterpret_cast<const int*>(mesh.triangles.data()),
                                       {mesh.triangles.size(), 3}, self);
}
auto colorsOf(nb::handle self) {
  const auto& mesh = nb::cast<const TriangleMesh&>(self);
  return viewOf<std::uint8_t, nb::shape<-1, 4>>(
      reinterpret_cast<const std::uint8_t*>(mesh.colors.data()), {mesh.colors.size(), 4}, self);
}

bool same(const TriangleMesh& a, const TriangleMesh& b) {
  const auto equal = [](const Vec3d& x, const Vec3d& y) {
    return x.x == y.x && x.y == y.y && x.z == y.z;
  };
  return a.triangles == b.triangles && a.colors == b.colors &&
         std::equal(a.vertices.begin(), a.vertices.end(), b.vertices.begin(), b.vertices.end(),
                    equal);
}

void initHeights(HeightfieldData* self, double xSize, double ySize,
                 const Eigen::MatrixXd& heights) {
  if (heights.rows() < 2 || heights.cols() < 2)
    throw std::invalid_argument("expected two samples or more along x and y");
  if (!(xSize > 0 && ySize > 0)) throw std::invalid_argument("expected sizes above zero");
  HeightfieldData data{
      static_cast<int>(heights.cols()), static_cast<int>(heights.rows()), xSize, ySize, {}};
  for (Eigen::Index j = 0; j < heights.rows(); ++j)
    for (Eigen::Index i = 0; i < heights.cols(); ++i) data.heights.push_back(heights(j, i));
  new (self) HeightfieldData(std::move(data));
}

auto heightsOf(nb::handle self) {
  const auto& data = nb::cast<const HeightfieldData&>(self);
  return viewOf<double, nb::shape<-1, -1>>(
      data.heights.data(),
      {static_cast<std::size_t>(data.ySamples), static_cast<std::size_t>(data.xSamples)}, self);
}

bool same(const HeightfieldData& a, const HeightfieldData& b) {
  return a.xSamples == b.xSamples && a.ySamples == b.ySamples && a.xSize == b.xSize &&
         a.ySize == b.ySize && a.heights == b.heights;
}

/// Throws where a height map has no heights.
const espalier::Shape& filled(const espalier::Shape& shape) {
  if (const auto* field = std::get_if<Heightfield>(&shape); field != nullptr && !field->data)
    throw std::invalid_argument("the Heightfield has no data");
  return shape;
}

/// A constant object is its own copy, and is compared by content.
template <class T>
void defineValue(nb::class_<T>& type) {
  type.def("__copy__", [](nb::object self) { return self; })
      .def(
          "__deepcopy__", [](nb::object self, nb::handle) { return self; }, "memo"_a)
      .def(
          "__eq__",
          [](const T& a, nb::handle b) {
            return nb::isinstance<T>(b) && same(a, nb::cast<const T&>(b));
          },
          nb::arg().none());
  type.attr("__hash__") = nb::none();
}

void bindWrapping(nb::module_& m) {
  nb::enum_<WrapWay>(m, "WrapWay", "How a string is led round a surface.")
      .value("STRAIGHT", WrapWay::STRAIGHT, "it does not touch")
      .value("LEFT", WrapWay::LEFT, "counter-clockwise about the normal")
      .value("RIGHT", WrapWay::RIGHT, "clockwise about the normal")
      .value("INSIDE", WrapWay::INSIDE, "to one point of the surface and on");
  nb::class_<Wrapping>(m, "Wrapping", "Where a string meets and leaves a surface.")
      .def_ro("way", &Wrapping::way, "WrapWay")
      .def_ro("first", &Wrapping::first, "(3,) m, where it meets the surface")
      .def_ro("second", &Wrapping::second, "(3,) m, where it leaves")
      .def_ro("arc", &Wrapping::arc, "m, of the way on the surface");
  m.def(
      "wrap", &wrap, "surface"_a, "a"_a, "b"_a, "side"_a = nb::none(),
      "How a string runs from a (3,) to b (3,) round a WrapSurface, in its frame; side (3,): it is "
      "led round as the way from a by this point to b is; None: the shorter way.");
}

}  // namespace

void bindGeometry(nb::module_& m) {
  auto mesh = nb::class_<TriangleMesh>(m, "TriangleMesh", "Triangles in space; never changes.");
  mesh.def(
          "__init__", &initMesh, "vertices"_a, "triangles"_a, "colors"_a = nb::none(),
          "vertices (n, 3) m; triangles (k, 3) their numbers, counter-clockwise seen from outside; "
          "colors (k, 4) red, green, blue, opacity of each triangle as bytes, or none.")
      .def_prop_ro("vertices", &verticesOf, "(n, 3) m; a read-only view")
      .def_prop_ro("triangles", &trianglesOf, "(k, 3) numbers of vertices; a read-only view")
      .def_prop_ro("colors", &colorsOf, "(k, 4) bytes, or (0, 4); a read-only view")
      .def("__repr__",
           [](const TriangleMesh& mesh) {
             return "TriangleMesh(" + std::to_string(mesh.vertices.size()) + " vertices, " +
                    std::to_string(mesh.triangles.size()) + " triangles)";
           })
      .def("__reduce__", [](nb::handle self) {
        return nb::make_tuple(nb::type<TriangleMesh>(),
                              nb::make_tuple(verticesOf(self), trianglesOf(self), colorsOf(self)));
      });
  defineValue(mesh);

  auto field = nb::class_<HeightfieldData>(
      m, "HeightfieldData", "Heights on a regular grid over x and y; never changes.");
  field
      .def("__init__", &initHeights, "x_size"_a, "y_size"_a, "heights"_a,
           "Sizes in m, from the first to the last sample; heights (y_samples, x_samples) m.")
      .def_ro("x_samples", &HeightfieldData::xSamples, ">= 2")
      .def_ro("y_samples", &HeightfieldData::ySamples, ">= 2")
      .def_ro("x_size", &HeightfieldData::xSize, "m, from the first to the last sample")
      .def_ro("y_size", &HeightfieldData::ySize, "m, from the first to the last sample")
      .def_prop_ro("heights", &heightsOf, "(y_samples, x_samples) m; a read-only view")
      .def("__repr__",
           [](const HeightfieldData& data) {
             return "HeightfieldData(" + std::to_string(data.xSamples) + " x " +
                    std::to_string(data.ySamples) + " samples)";
           })
      .def("__reduce__", [](nb::handle self) {
        const auto& data = nb::cast<const HeightfieldData&>(self);
        return nb::make_tuple(nb::type<HeightfieldData>(),
                              nb::make_tuple(data.xSize, data.ySize, heightsOf(self)));
      });
  defineValue(field);

  bindWrapping(m);
  m.def("shape_name", &shapeName, "shape"_a, "\"sphere\", \"box\", ...");
  m.def(
      "volume", [](const espalier::Shape& shape) { return volume(filled(shape)); }, "shape"_a,
      "m^3; 0 for planes and heightfields, that of the enclosed solid for meshes.");
  m.def(
      "inertia",
      [](const espalier::Shape& shape, double mass) { return inertia(filled(shape), mass); },
      "shape"_a, "mass"_a,
      "Inertia of a homogeneous solid of the given mass, kg, about the shape's frame. ValueError "
      "for a "
      "shape without a volume.");
  m.def(
      "lowest_point",
      [](const espalier::Shape& shape, const Transformd& X_WG) {
        return lowestPoint(filled(shape), X_WG);
      },
      "shape"_a, "X_WG"_a, "Lowest world z of a shape placed at X_WG (4, 4), m; -inf for a plane.");
  m.def(
      "make_terrain",
      [](const TerrainProperties& properties, double x, double y) {
        return makeTerrain(properties, x, y);
      },
      "properties"_a, "centre_x"_a = 0.0, "centre_y"_a = 0.0,
      nb::call_guard<nb::gil_scoped_release>(),
      "Heights of fractal noise. centre_x, centre_y: m, where the terrain lies; neighbours of the "
      "same "
      "seed fit together.");
}

}  // namespace espalier::python
