// espalier convert FILE...: takes concave meshes apart into convex hulls, kept beside them, which
// the readers of robots and worlds use from then on (io/mesh/decomposition.h).

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>

#include "apps/cli/commands.h"
#include "apps/cli/convex_parts.h"
#include "apps/cli/failure.h"
#include "apps/cli/json.h"
#include "apps/cli/remarks.h"
#include "apps/cli/robot.h"
#include "apps/cli/table.h"
#include "apps/cli/world_file.h"
#include "espalier/geometry/hull.h"
#include "espalier/io/mesh/decomposition.h"
#include "espalier/io/mesh/mesh_file.h"
#include "espalier/io/world_xml/world_xml.h"

namespace espalier::cli {
namespace {

struct ConvertOptions {
  std::vector<std::string> files;
  RobotOptions robot;
  DecompositionOptions decomposition;
  bool json = false;
};

struct Converted {
  std::string mesh;
  int hulls = 0;
  double meshVolume = 0, hullVolume = 0, hullsVolume = 0;  ///< m^3; of its one hull, of them all
  bool isWritten() const { return hulls > 1; }
};

void addMesh(const Shape& shape, std::vector<std::string>& meshes) {
  const auto* mesh = std::get_if<MeshShape>(&shape);
  if (mesh == nullptr || mesh->data == nullptr || mesh->file.empty()) return;
  const std::string file = mesh->part > 0 ? io::decomposedMesh(mesh->file) : mesh->file;
  if (std::find(meshes.begin(), meshes.end(), file) == meshes.end()) meshes.push_back(file);
}

/// Of a file's collisions, those already taken apart among them; a mesh is its own.
std::vector<std::string> meshesOf(const std::string& file, const RobotOptions& options,
                                  Diagnostics& diagnostics) {
  if (io::hasMeshExtension(file)) return {file};
  std::vector<std::string> meshes;
  if (io::isWorld(file)) {
    const WorldFile world = loadWorldFile(file, options);
    if (!world.isGood()) diagnostics.append(world.diagnostics);
    for (const Model& model : world.models)
      for (const CollisionInfo& c : model.collisions) addMesh(c.shape, meshes);
    if (!world.isGood()) return {};
    for (const BodySpec& body : world.spec->bodies)
      for (const CollisionSpec& c : body.collisions) addMesh(c.shape, meshes);
    return meshes;
  }
  const Robot robot = loadRobot(file, options, Meshes::Load);
  if (!robot.isGood()) diagnostics.append(robot.diagnostics);
  if (robot.isGood())
    for (const CollisionInfo& c : robot.model->collisions) addMesh(c.shape, meshes);
  return meshes;
}

double volumeOf(const Hull& hull) {
  double six = 0;
  for (const Hull::Face& face : hull.faces) {
    const Vec3d a = hull.vertices[hull.corners[face.begin]] - hull.centre;
    for (int k = face.begin + 1; k + 1 < face.end; ++k)
      six += dot(a, cross(hull.vertices[hull.corners[k]] - hull.centre,
                          hull.vertices[hull.corners[k + 1]] - hull.centre));
  }
  return six / 6;
}
double hullVolume(const TriangleMesh& mesh) {
  const auto hull = convexHull(mesh);
  return hull ? volumeOf(*hull) : 0;
}

Converted convert(const std::string& file, const DecompositionOptions& options,
                  Diagnostics& diagnostics) {
  const Expected<TriangleMesh> mesh = io::readMeshFile(file);
  if (!mesh) throw Failure(mesh.diagnostics().all().front());
  const std::vector<TriangleMesh> hulls = convexParts(*mesh, file, options);
  Converted done{file, static_cast<int>(hulls.size()),
                 volume(MeshShape{file, std::make_shared<const TriangleMesh>(*mesh)}),
                 hullVolume(*mesh),
                 std::transform_reduce(hulls.begin(), hulls.end(), 0.0, std::plus<>(), hullVolume)};
  if (done.isWritten()) {
    diagnostics.append(
        io::writeDecomposition(file, hulls,
                               fmt::format("espalier convert --threshold {} --max-hulls {}",
                                           options.threshold, options.mostHulls)));
  } else {  // an older result would be used
    std::error_code code;
    std::filesystem::remove(io::decompositionPath(file), code);
  }
  return done;
}

Json toJson(const Converted& c) {
  return {{"mesh", c.mesh},
          {"hulls", c.hulls},
          {"written", c.isWritten() ? Json(io::decompositionPath(c.mesh)) : Json(nullptr)},
          {"mesh_volume", c.meshVolume},
          {"hull_volume", c.hullVolume},
          {"hulls_volume", c.hullsVolume}};
}

std::string drawConverted(const std::vector<Converted>& all) {
  Table table({{"mesh"},
               {"hulls", Align::Right},
               {"volume (l)", Align::Right},
               {"as one hull", Align::Right},
               {"as hulls", Align::Right},
               {""}});
  const auto litres = [](double volume) { return fmt::format("{:.4g}", 1e3 * volume); };
  for (const Converted& c : all)
    table.add({printable(c.mesh), fmt::format("{}", c.hulls), litres(c.meshVolume),
               litres(c.hullVolume), litres(c.hullsVolume),
               c.isWritten() ? "" : "convex enough: it stays one hull"});
  return table.draw(out(), 0);
}

int convertAll(const ConvertOptions& options) {
  Diagnostics diagnostics;
  std::vector<std::string> meshes;
  for (const std::string& file : options.files)
    for (std::string& mesh : meshesOf(file, options.robot, diagnostics))
      if (std::find(meshes.begin(), meshes.end(), mesh) == meshes.end())
        meshes.push_back(std::move(mesh));
  std::vector<Converted> all;
  for (const std::string& mesh : meshes) {
    if (diagnostics.hasErrors()) break;
    collectErrors(mesh, diagnostics,
                  [&] { all.push_back(convert(mesh, options.decomposition, diagnostics)); });
  }
  if (diagnostics.hasErrors()) {
    reportErrors(diagnostics, options.json, options.files.size() == 1 ? options.files[0] : "");
    return exit_bad_input;
  }
  if (options.json) {
    Json::array_t list;
    for (const Converted& c : all) list.push_back(toJson(c));
    printJson({{"ok", true}, {"meshes", list}});
  } else {
    print(out(), all.empty() ? "nothing collides by a mesh of a file\n" : drawConverted(all));
  }
  return exit_ok;
}

}  // namespace

void addConvert(CLI::App& app, Run& run) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand(
      "convert", "Take concave meshes apart into convex hulls, kept beside them");
  command
      ->add_option("FILE", options->files,
                   "Meshes (STL, OBJ, DAE, GLB, GLTF, PLY), or robot or world files for all that "
                   "collides in them")
      ->required()
      ->check(mustBeNamed);
  DecompositionOptions& decomposition = options->decomposition;
  command
      ->add_option("--threshold", decomposition.threshold,
                   "Concavity that may stay, of the mesh's size; smaller gives more hulls "
                   "(default: 0.05)")
      ->check(CLI::Range(0.01, 1.0));
  command
      ->add_option("--max-hulls", decomposition.mostHulls,
                   "Hulls of a mesh at most (default: 0, as many as the threshold asks for)")
      ->type_name("N")
      ->check(CLI::Range(0, 10000));
  command
      ->add_option("--python", decomposition.python,
                   "Python with the package coacd (default: the project's .venv, else python3)")
      ->type_name("FILE");
  options->robot.addTo(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "The hulls of MESH are written to MESH.hulls.obj. From then on it collides as these hulls "
      "in\n"
      "URDF, MJCF, SDF and world files, until it changes or the file is deleted; espalier info\n"
      "ROBOT --collisions lists them. The work is done by CoACD: pip install coacd.\n"
      "Examples:\n"
      "  espalier convert meshes/housing.stl --threshold 0.03\n"
      "  espalier convert robot.urdf --max-hulls 8");
  command->callback([options, &run] {
    run = {[options] { return convertAll(*options); },
           options->files.size() == 1 ? options->files[0] : ""};
  });
}

}  // namespace espalier::cli
