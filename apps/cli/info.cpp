// espalier info FILE: a robot's tree drawn as text, and what compile() made of it; or what a world
// is made of; of a MuJoCo file with one robot both.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <map>
#include <memory>

#include "apps/cli/cluster_info.h"
#include "apps/cli/collision_info.h"
#include "apps/cli/commands.h"
#include "apps/cli/failure.h"
#include "apps/cli/json.h"
#include "apps/cli/link_tree.h"
#include "apps/cli/placement.h"
#include "apps/cli/remarks.h"
#include "apps/cli/robot.h"
#include "apps/cli/rotor_info.h"
#include "apps/cli/table.h"
#include "apps/cli/world_file.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/model/spec/spherical_limits.h"

namespace espalier::cli {
namespace {

struct InfoOptions {
  std::string file;
  RobotOptions robot;
  bool collisions = false;  ///< the pairs that are tested and those that are not
  bool json = false;
};

/// nullptr where there is no limit.
Json limit(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// Where the numbers [first, first + n) stand among the public ones, if they do.
std::vector<int> publicPlaces(const std::vector<int>& place, int first, int n) {
  std::vector<int> found;
  for (int i = first; i < first + n; ++i)
    if (place[i] >= 0) found.push_back(place[i]);
  return found;
}

Json jointJson(const Model& model, int b) {
  const BodyInfo& body = model.bodies[b];
  const BodyTopology& t = model.topology.bodies[b];
  const JointDynamics& d = body.dynamics;
  Json::array_t axes;
  for (int k = 0; k < info(t.kind).axes; ++k) axes.push_back(toJson(body.axes[k]));
  if (t.kind == JointKind::Spherical && sphericalLimits(body.limits).useAxis())
    axes.push_back(toJson(body.axes[0]));
  const std::vector<int> dofs = publicPlaces(model.publicDof, t.u, t.nv);
  const std::vector<int> coordinates = publicPlaces(model.publicCoordinate, t.q, t.nq);
  Json json{{"name", body.joint},
            {"kind", info(t.kind).name},
            {"axes", axes},
            {"parent", t.parent < 0 ? Json(nullptr) : Json(model.bodies[t.parent].name)},
            {"body", body.name},
            {"q", coordinates.empty() ? Json(nullptr) : Json(coordinates[0])},
            {"u", dofs.empty() ? Json(nullptr) : Json(dofs[0])},
            {"nq", t.nq},
            {"nv", t.nv},
            {"independent", static_cast<int>(dofs.size()) == t.nv},
            {"lower", limit(body.limits.lower)},
            {"upper", limit(body.limits.upper)},
            {"effort", limit(body.limits.effort)},
            {"velocity", limit(body.limits.velocity)},
            {"damping", d.damping},
            {"friction", d.friction},
            {"stiffness", d.stiffness},
            {"rotor_inertia", d.rotorInertia}};
  if (t.kind == JointKind::Spherical) {
    json["swing"] = limit(body.limits.swing);
    json["twist_lower"] = limit(body.limits.twistLower);
    json["twist_upper"] = limit(body.limits.twistUpper);
  }
  return json;
}

Json linkJson(const Model& model, const SystemSpec& spec, std::size_t l) {
  const LinkSpec& link = spec.links[l];
  Json joint, parent;
  for (const JointSpec& j : spec.joints)
    if (j.child == link.name) {
      joint = {{"name", j.name}, {"kind", info(j.kind).name}};
      parent = j.parent;
    }
  return {{"name", link.name},
          {"parent", parent},
          {"joint", joint},
          {"body", model.bodies[model.links[l].body].name},
          {"mass", link.inertial ? link.inertial->mass : 0.0},
          {"collisions", link.collisions.size()}};
}

Json infoJson(const Robot& robot) {
  const Model& model = *robot.model;
  Json::array_t links, joints, bodies, frames, collisions;
  for (std::size_t l = 0; l < robot.spec->links.size(); ++l)
    links.push_back(linkJson(model, *robot.spec, l));
  for (int b : bodiesInOrder(model)) {
    if (b > 0) joints.push_back(jointJson(model, b));
    bodies.push_back({{"name", model.bodies[b].name}, {"mass", model.lowered.bodies[b].I.m}});
  }
  for (const FrameInfo& f : model.frames)
    frames.push_back({{"name", f.name}, {"body", model.bodies[f.body].name}});
  for (const CollisionInfo& c : model.collisions)
    collisions.push_back({{"name", c.name},
                          {"body", model.bodies[c.body].name},
                          {"shape", shapeName(c.shape)},
                          {"material", c.material}});
  return {{"file", robot.file},
          {"name", model.name},
          {"floating", model.topology.floating},
          {"nq", model.publicNq},
          {"nv", model.publicNv},
          {"spanning_nq", model.nq()},
          {"spanning_nv", model.nv()},
          {"mass", model.mass},
          {"coordinates", coordinateNames(model)},
          {"dofs", dofNames(model)},
          {"bodies", bodies},
          {"joints", joints},
          {"clusters", clustersJson(model, *robot.spec)},
          {"rotors", rotorsJson(model)},
          {"rotor_bodies", rotorBodiesJson(*robot.spec)},
          {"bilateral", bilateralJson(model, *robot.spec)},
          {"lone_joints", loneJoints(model)},
          {"links", links},
          {"frames", frames},
          {"collisions", collisions},
          {"hulls", toJson(hullsOf(model))},
          {"diagnostics", toJson(robot.diagnostics)}};
}

std::string shapesOf(const Model& model) {
  std::map<std::string, int> counts;
  for (const CollisionInfo& c : model.collisions) ++counts[shapeName(c.shape)];
  std::string text;
  for (const auto& [shape, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, shape);
  return text;
}

std::string drawRobot(const Robot& robot) {
  const Model& model = *robot.model;
  const int rotors = static_cast<int>(model.rotors.size());
  const int fixed = static_cast<int>(model.frames.size()) - (model.nb() - 1) - rotors;
  std::string text = paint(out(), Ink::Bold, printable(model.name)) + "\n\n";
  text += drawLinks(out(), *robot.spec, robot.model->topology.floating) + "\n";
  Table facts({{"", Align::Left}, {"", Align::Right}, {"", Align::Left}});
  facts.add({"base", model.topology.floating ? "floating" : "fixed"});
  facts.add({"bodies", fmt::format("{}", model.nb())});
  facts.add({"joints", fmt::format("{}", model.nb() - 1),
             fixed > 0 ? fmt::format("and {} fixed", fixed) : ""});
  if (rotors > 0) facts.add({"rotors", fmt::format("{}", rotors)});
  facts.add({"nq", fmt::format("{}", model.publicNq)});
  facts.add({"nv", fmt::format("{}", model.publicNv),
             !model.mechanism.isTree() ? fmt::format("of {} of all joints", model.nv()) : ""});
  facts.add({"mass", fmt::format("{:.6g}", model.mass), "kg"});
  facts.add({"frames", fmt::format("{}", model.frames.size())});
  facts.add({"collision bodies", fmt::format("{}", model.collisions.size()), shapesOf(model)});
  if (const std::vector<HullInfo> hulls = hullsOf(model); !hulls.empty())
    facts.add({"mesh hulls", fmt::format("{}", hulls.size()), summary(hulls)});
  facts.add({"warnings", fmt::format("{}", robot.diagnostics.count(Severity::Warning))});
  return text + facts.draw(out(), 0) + drawClusters(out(), model, *robot.spec) +
         drawRotors(out(), model) + drawRotorBodies(out(), *robot.spec);
}

void printInfo(const Robot& robot) {
  print(out(), drawRobot(robot));
  if (!robot.diagnostics.all().empty()) print(out(), "\n" + draw(out(), robot.diagnostics, 20));
}

/// Where `sim` starts the robot.
std::vector<double> startOf(Robot& robot) {
  return nominalPose(robot.file, *robot.model, neutralWithinLimits(*robot.model),
                     robot.diagnostics);
}

void addCollisions(const Model& model, const std::vector<double>& q, Json& json) {
  json["collision_pairs"] = toJson(collisionPairs(model, overlapsAt(model, q)));
  json["hulls"] = toJson(hullsOf(model));
}

void printCollisions(const Model& model, const std::vector<double>& q) {
  print(out(), paint(out(), Ink::Bold, printable(model.name)) + "\n\n");
  print(out(), drawCollisions(out(), collisionPairs(model, overlapsAt(model, q)), hullsOf(model)));
}

void printWorld(const WorldFile& world) {
  const auto robot = loneRobot(world);
  if (robot) {
    print(out(), drawRobot(*robot) + "\nin a world of\n\n");
  } else {
    print(out(), paint(out(), Ink::Bold, printable(world.file)) + "\n\n");
  }
  print(out(), drawWorld(world));
  if (!world.diagnostics.all().empty()) print(out(), "\n" + draw(out(), world.diagnostics, 20));
}

void printWorldJson(const WorldFile& world, bool hasCollisions) {
  Json json = worldJson(world);
  for (std::size_t k = 0; hasCollisions && k < world.models.size(); ++k)
    addCollisions(world.models[k], internalStart(world.spec->systems[k], world.models[k]),
                  json["robots"][k]);
  if (const auto robot = loneRobot(world)) {
    Json whole = infoJson(*robot);
    whole["world"] = std::move(json);
    json = std::move(whole);
  } else {
    json["diagnostics"] = toJson(world.diagnostics);
  }
  printJson(json);
}

int showWorld(const InfoOptions& options) {
  const WorldFile world = loadWorldFile(options.file, options.robot);
  if (!world.isGood()) {
    reportErrors(world.diagnostics, options.json, world.file);
    return exit_bad_input;
  }
  if (options.json) {
    printWorldJson(world, options.collisions);
  } else if (options.collisions) {
    for (std::size_t i = 0; i < world.models.size(); ++i)
      printCollisions(world.models[i], internalStart(world.spec->systems[i], world.models[i]));
  } else {
    printWorld(world);
  }
  return exit_ok;
}

int showInfo(const InfoOptions& options) {
  if (io::isWorld(options.file)) return showWorld(options);
  Robot robot = loadRobot(options.file, options.robot, Meshes::Load);
  if (!robot.isGood()) {
    reportErrors(robot.diagnostics, options.json, robot.file);
    return exit_bad_input;
  }
  if (options.json) {
    Json json = infoJson(robot);
    if (options.collisions) addCollisions(*robot.model, startOf(robot), json);
    printJson(json);
  } else if (options.collisions) {
    printCollisions(*robot.model, startOf(robot));
  } else {
    printInfo(robot);
  }
  return exit_ok;
}

}  // namespace

void addInfo(CLI::App& app, Run& run) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command =
      app.add_subcommand("info", "Draw a robot's tree and count its parts, or a world's");
  command->add_option("FILE", options->file, "URDF, xacro or world file")
      ->required()
      ->check(mustBeNamed);
  options->robot.addTo(*command);
  command->add_flag("--collisions", options->collisions,
                    "List the pairs of bodies that collide, those that do not and why, and the "
                    "hulls of meshes");
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Examples:\n"
      "  espalier info models/strider/strider.urdf\n"
      "  espalier info models/worlds/tracked_robot.xml\n"
      "  espalier info models/biped/biped.urdf --collisions\n"
      "  espalier info leg.urdf --fixed-base --param length=0.3 --json");
  command->callback([options, &run] {
    run = {[options] { return showInfo(*options); }, options->file};
  });
}

}  // namespace espalier::cli
