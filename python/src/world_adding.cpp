// Adding objects to a World.

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "diagnostics.h"
#include "espalier/core/check.h"
#include "espalier/model/compile/compile_cache.h"
#include "espalier/world/overlaps.h"
#include "espalier/world/template_parameters.h"
#include "paths.h"
#include "spec_casters.h"
#include "template_values.h"
#include "world_bindings.h"

namespace espalier::python {

using namespace nb::literals;
using Eigen::Matrix3d, Eigen::Vector3d;

namespace {

void warn(const std::string& file, const std::string& what, const std::string& remedy) {
  Diagnostics remarks;
  remarks.add({Severity::Warning, file, 0, what, remedy});
  warnAll(remarks);
}

}  // namespace

void warnOfOverlaps(const ArticulatedSystem& robot, const std::string& file) {
  const Overlaps overlaps = findOverlaps(robot.model(), robot.getSpanningCoordinate());
  if (overlaps.empty()) return;
  warn(file,
       "the robot '" + robot.model().name + "' overlaps itself where it starts, " +
           nameOverlaps(overlaps, robot.model()) +
           "; contacts cannot part what joints hold together, and cost much time",
       "ArticulatedSystem.ignore_overlaps() leaves them out, as `espalier sim` does");
}

namespace {

constexpr CollisionGroup all_groups = ~CollisionGroup{0};

/// Compiles, reports the diagnostics, adds; the second compilation is a look into the cache.
ArticulatedSystem* addSpec(WorldHandle& world, const SystemSpec& spec) {
  world.check();
  auto compiled = [&] {
    const nb::gil_scoped_release release;
    return CompileCache::ofProcess().compile(spec);
  }();
  const std::shared_ptr<const Model> model = valueOf(std::move(compiled));
  return world.world().addArticulatedSystem(spec);
}

/// Links that overlap in a file are let through each other, and named.
///   io  spec  as read
void tellOfOverlaps(SystemSpec& spec) {
  const std::string overlaps = excludeOverlaps(spec);
  if (overlaps.empty()) return;
  warn(spec.file, "links overlap at the neutral pose and are let through each other, " + overlaps,
       "correct the collision bodies; io.load_robot() gives a SystemSpec, which is added with all "
       "its contacts");
}

ArticulatedSystem* addRead(WorldHandle& world, SystemSpec spec) {
  tellOfOverlaps(spec);
  return addSpec(world, spec);
}

SystemSpec load(const std::string& fileOrText, const io::UrdfOptions& options) {
  auto loaded = [&] {
    const nb::gil_scoped_release release;
    return io::loadRobot(fileOrText, options);
  }();
  return valueOf(std::move(loaded));
}

using Names = std::vector<std::string>;
using Group = std::optional<CollisionGroup>;

ArticulatedSystem* addFile(WorldHandle& world, const FileName& fileOrText,
                           const std::string& resDir, const Names& jointOrder, Group group,
                           Group mask, const TemplateValues& values,
                           const std::optional<ArticulatedSystemOption>& given) {
  world.check();
  const ArticulatedSystemOption options = given.value_or(ArticulatedSystemOption());
  const TemplateParameters parameters = textsOf(values);
  io::UrdfOptions reading;
  reading.parameters = plainNames(parameters);
  reading.jointOrder = jointOrder;
  if (!resDir.empty()) reading.searchPaths = {resDir};
  SystemSpec spec = load(fileOrText, reading);
  // The World notes these two alone where it reads the file itself.
  if (!resDir.empty() || !options.doNotCollideWithParent) {
    tellOfOverlaps(spec);
    return world.world().addArticulatedSystem(fileOrText.text, parameters, resDir, jointOrder,
                                              group, mask, options);
  }
  for (LinkSpec& link : spec.links)
    for (CollisionSpec& c : link.collisions) {
      c.group = group.value_or(c.group);
      c.mask = mask.value_or(c.mask);
    }
  return addRead(world, spec);
}

void bindRobots(WorldClass& world) {
  world
      .def(
          "add_articulated_system", &addFile, "file_or_text"_a, "res_dir"_a = "",
          "joint_order"_a = Names(), "group"_a = nb::none(), "mask"_a = nb::none(),
          "parameters"_a = TemplateValues(), "options"_a = nb::none(),
          "Adds a robot: from a file's path (URDF, xacro, MJCF, SDF) or its text, a SystemSpec, a\n"
          "Child, or a compiled Model. Warnings are raised as EspalierWarning; SpecError, a\n"
          "ValueError, with every diagnostic where it cannot be read or built.\n"
          "  in  res_dir      folder where meshes are looked for first\n"
          "  in  joint_order  of the joints that move; empty: order of appearance\n"
          "  in  group, mask  bits for all its collision bodies; None: the file's own\n"
          "  in  parameters   what @@NAME stands for in a template, texts or numbers by NAME\n"
          "  in  options      ArticulatedSystemOption, or io.UrdfOptions alone")
      .def(
          "add_articulated_system",
          [](WorldHandle& w, const FileName& fileOrText, const io::UrdfOptions& options) {
            w.check();
            return addRead(w, load(fileOrText, options));
          },
          "file_or_text"_a, "options"_a)
      .def(
          "add_articulated_system",
          [](World& w, const Child& root, const std::string& resDir, Group group, Group mask,
             const std::optional<ArticulatedSystemOption>& options) {
            return w.addArticulatedSystem(root, resDir, group, mask,
                                          options.value_or(ArticulatedSystemOption()));
          },
          "root"_a, "res_dir"_a = "", "group"_a = nb::none(), "mask"_a = nb::none(),
          "options"_a = nb::none())
      .def("add_articulated_system", &addSpec, "spec"_a)
      .def(
          "add_articulated_system",
          [](World& w, std::shared_ptr<const Model> model) {
            ESPALIER_REQUIRE(model != nullptr, "a Model is needed");
            return w.addArticulatedSystem(std::move(model));
          },
          "model"_a);
}

void bindPrimitives(WorldClass& world) {
  world
      .def("add_sphere", method(&World::addSphere), "radius"_a, "mass"_a, "material"_a = "default",
           "group"_a = 1, "mask"_a = all_groups,
           "A homogeneous ball at the origin; m, kg. It collides with what has its group in the\n"
           "mask, and back.")
      .def("add_box", method(&World::addBox), "x"_a, "y"_a, "z"_a, "mass"_a,
           "material"_a = "default", "group"_a = 1, "mask"_a = all_groups,
           "A homogeneous box at the origin; whole edge lengths in m, kg.")
      .def("add_cylinder", method(&World::addCylinder), "radius"_a, "height"_a, "mass"_a,
           "material"_a = "default", "group"_a = 1, "mask"_a = all_groups,
           "A homogeneous cylinder at the origin, along z; m, kg.")
      .def(
          "add_capsule", method(&World::addCapsule), "radius"_a, "height"_a, "mass"_a,
          "material"_a = "default", "group"_a = 1, "mask"_a = all_groups,
          "A homogeneous capsule at the origin, along z; the height is the distance of the sphere\n"
          "centres; m, kg.")
      .def("add_ground", method(&World::addGround), "height"_a = 0.0, "material"_a = "default",
           "mask"_a = all_groups, "The half space below z = height (m).")
      .def("add_body", method(&World::addBody), "spec"_a, "Whatever a BodySpec describes.")
      .def(
          "add_compound",
          [](World& w, const std::vector<CollisionSpec>& children, double mass, const Vector3d& com,
             const Matrix3d& inertia) { return w.addCompound(children, mass, com, inertia); },
          "children"_a, "mass"_a, "com"_a, "inertia"_a,
          "Several shapes as one body: a list of CollisionSpec, kg, (3,) m, (3, 3) kg m^2 about "
          "com.\n"
          "Returns a Compound; of a single child what that is.");
}

void bindMeshes(WorldClass& world) {
  world
      .def(
          "add_mesh",
          [](World& w, const Mesh& original, const std::string& material, CollisionGroup group,
             CollisionGroup mask) { return w.addMesh(&original, material, group, mask); },
          "original"_a, "material"_a = "default", "group"_a = 1, "mask"_a = all_groups,
          "Another body with the same triangles, mass and inertia as a Mesh.")
      .def(
          "add_mesh",
          [](World& w, const FileName& file, double mass, double scale, const std::string& material,
             CollisionGroup group, CollisionGroup mask) {
            return w.addMesh(file.text, mass, scale, material, group, mask);
          },
          "file"_a, "mass"_a, "scale"_a = 1.0, "material"_a = "default", "group"_a = 1,
          "mask"_a = all_groups,
          "A mesh from a file, with the inertia of its bounding box about the box's middle; kg. "
          "It\n"
          "collides by its convex hull while it can move.")
      .def(
          "add_mesh",
          [](World& w, const FileName& file, double mass, const Matrix3d& inertia,
             const Vector3d& com, double scale, const std::string& material, CollisionGroup group,
             CollisionGroup mask) {
            return w.addMesh(file.text, mass, inertia, com, scale, material, group, mask);
          },
          "file"_a, "mass"_a, "inertia"_a, "com"_a, "scale"_a = 1.0, "material"_a = "default",
          "group"_a = 1, "mask"_a = all_groups,
          "A mesh from a file; kg, (3, 3) kg m^2 about com, (3,) m in the mesh's frame.");
}

using Heights = std::variant<Eigen::VectorXd, Eigen::MatrixXd>;

/// x fastest.
std::vector<double> heightsOf(const Heights& given, int xSamples, int ySamples) {
  if (const auto* vector = std::get_if<Eigen::VectorXd>(&given))
    return {vector->begin(), vector->end()};
  const auto& matrix = std::get<Eigen::MatrixXd>(given);
  ESPALIER_REQUIRE(matrix.rows() == ySamples && matrix.cols() == xSamples,
                   "heights have shape (" + std::to_string(matrix.rows()) + ", " +
                       std::to_string(matrix.cols()) + "), not (y_samples, x_samples)");
  std::vector<double> heights;
  for (Eigen::Index y = 0; y < matrix.rows(); ++y)
    for (Eigen::Index x = 0; x < matrix.cols(); ++x) heights.push_back(matrix(y, x));
  return heights;
}

void bindHeightMaps(WorldClass& world) {
  world
      .def(
          "add_height_map",
          [](World& w, const HeightMap& original, CollisionGroup group, CollisionGroup mask) {
            return w.addHeightMap(&original, group, mask);
          },
          "original"_a, "group"_a = 1, "mask"_a = all_groups,
          "Another one with the same heights, at the same place.")
      .def(
          "add_height_map",
          [](World& w, int xSamples, int ySamples, double xSize, double ySize, double centreX,
             double centreY, const Heights& heights, const std::string& material,
             CollisionGroup group, CollisionGroup mask) {
            return w.addHeightMap(xSamples, ySamples, xSize, ySize, centreX, centreY,
                                  heightsOf(heights, xSamples, ySamples), material, group, mask);
          },
          "x_samples"_a, "y_samples"_a, "x_size"_a, "y_size"_a, "centre_x"_a, "centre_y"_a,
          "heights"_a, "material"_a = "default", "group"_a = 1, "mask"_a = all_groups,
          "Heights on a grid in m: (y_samples, x_samples), or flat with x fastest; sizes and "
          "centre\n"
          "in m.")
      .def(
          "add_height_map",
          [](World& w, const HeightfieldData& data, double centreX, double centreY,
             const std::string& material, CollisionGroup group, CollisionGroup mask) {
            return w.addHeightMap(data, centreX, centreY, material, group, mask);
          },
          "data"_a, "centre_x"_a, "centre_y"_a, "material"_a = "default", "group"_a = 1,
          "mask"_a = all_groups, "HeightfieldData, centred on (centre_x, centre_y), m.")
      .def(
          "add_height_map",
          [](World& w, double centreX, double centreY, const TerrainProperties& terrain,
             const std::string& material, CollisionGroup group, CollisionGroup mask) {
            return w.addHeightMap(centreX, centreY, terrain, material, group, mask);
          },
          "centre_x"_a, "centre_y"_a, "terrain"_a, "material"_a = "default", "group"_a = 1,
          "mask"_a = all_groups, "Made of noise, as TerrainProperties say.")
      .def(
          "add_height_map",
          [](World& w, const FileName& textFile, double centreX, double centreY,
             const std::string& material, CollisionGroup group, CollisionGroup mask) {
            return w.addHeightMap(textFile.text, centreX, centreY, material, group, mask);
          },
          "text_file"_a, "centre_x"_a, "centre_y"_a, "material"_a = "default", "group"_a = 1,
          "mask"_a = all_groups, "From RaiSim's text form.")
      .def(
          "add_height_map",
          [](World& w, const FileName& pngFile, double centreX, double centreY, double xSize,
             double ySize, double heightScale, double heightOffset, const std::string& material,
             CollisionGroup group, CollisionGroup mask) {
            return w.addHeightMap(pngFile.text, centreX, centreY, xSize, ySize, heightScale,
                                  heightOffset, material, group, mask);
          },
          "png_file"_a, "centre_x"_a, "centre_y"_a, "x_size"_a, "y_size"_a, "height_scale"_a,
          "height_offset"_a, "material"_a = "default", "group"_a = 1, "mask"_a = all_groups,
          "From a PNG: m for each grey level, m of black.");
}

}  // namespace

void bindAdding(WorldClass& world) {
  bindRobots(world);
  bindPrimitives(world);
  bindMeshes(world);
  bindHeightMaps(world);
}

}  // namespace espalier::python
