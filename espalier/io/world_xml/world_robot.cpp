#include <algorithm>

#include "espalier/io/spec_links.h"
#include "espalier/io/urdf/urdf_parts.h"
#include "espalier/io/world_xml/world_parts.h"
#include "espalier/model/model.h"

namespace espalier::io {
namespace {

UrdfOptions optionsOf(const WorldReading& reading, const Node& object) {
  UrdfOptions urdf{{{reading.options}}};
  if (const std::string folder = object.text("res_dir"); !folder.empty())
    urdf.searchPaths.insert(urdf.searchPaths.begin(), folder);
  urdf.fixedBase = object.flag("fixed_base", false);
  const std::string order = object.text("joint_order");
  for (const std::string_view joint : wordsOf(order)) urdf.jointOrder.emplace_back(joint);
  if (const auto params = object.child("params")) urdf.parameters = readParameters(*params);
  return urdf;
}

/// The robot that stands in the world file itself.
std::optional<SystemSpec> readInline(WorldReading& reading, const Node& robot,
                                     const UrdfOptions& urdf) {
  const XmlReader& xml = reading.file.xml;
  UrdfReading parts{
      XmlReader(xml.file(), xml.lines()),
      {ResourcePaths(reading.file.folder, urdf.searchPaths), urdf.loadMeshes, urdf.budget},
      {}};
  SystemSpec spec = readRobot(parts, robot.element(), urdf);
  reading.diagnostics().append(parts.xml.diagnostics());
  if (parts.xml.diagnostics().hasErrors()) return std::nullopt;
  return spec;
}

std::optional<SystemSpec> readFile(WorldReading& reading, const Node& object,
                                   const UrdfOptions& urdf) {
  const std::string path = object.text("urdf_path");
  if (path.empty()) {
    object.error("the articulated system names no URDF",
                 "add urdf_path=\"...\", or a <robot> inside it");
    return std::nullopt;
  }
  const auto found = reading.paths.find(path);
  if (!found) {
    object.error("the robot's file " + shown(path) + " was not found",
                 "write it as [THIS_DIR]/...; looked in " + reading.paths.toString());
    return std::nullopt;
  }
  Expected<SystemSpec> spec = loadRobot(found->path, urdf);
  reading.diagnostics().append(spec.diagnostics());
  if (!spec) {
    object.error("the robot's file " + shown(path) + " has errors", "see to them first");
    return std::nullopt;
  }
  return std::move(spec).value();
}

std::optional<SystemSpec> readSystem(WorldReading& reading, const Node& object) {
  const UrdfOptions urdf = optionsOf(reading, object);
  if (const auto robot = object.child("robot")) return readInline(reading, *robot, urdf);
  return readFile(reading, object, urdf);
}

void readIgnored(const Node& object, SystemSpec& system) {
  for (const Node& node : object.children()) {
    if (node.tag() != "ignore_collision") continue;
    node.expect({"link1", "link2", "reason"}, {});
    const std::string reason = node.text("reason");
    IgnoredPair pair{node.text("link1"), node.text("link2"),
                     reason.empty() ? "<ignore_collision>" : reason};
    for (const std::string& name : {pair.first, pair.second}) {
      if (linkIndex(system, name) < 0) {
        node.error("there is no link " + shown(name) + " in " + shown(system.name),
                   "name two links of the robot in link1 and link2");
        return;
      }
    }
    // A file named by the world may say so already.
    const bool isKnown = std::any_of(
        system.ignoredPairs.begin(), system.ignoredPairs.end(), [&](const IgnoredPair& known) {
          return known.first == pair.first && known.second == pair.second;
        });
    if (!isKnown) system.ignoredPairs.push_back(std::move(pair));
  }
}

void readGroups(const Node& object, SystemSpec& system) {
  for (LinkSpec& link : system.links) {
    for (CollisionSpec& collision : link.collisions) {
      collision.group = object.bits("collision_group", collision.group);
      collision.mask = object.bits("collision_mask", collision.mask);
    }
  }
}

bool isFixed(const SystemSpec& system) {
  if (system.fixedBase) return true;
  const auto isChild = [&](const std::string& name) {
    return std::any_of(system.joints.begin(), system.joints.end(),
                       [&](const JointSpec& joint) { return joint.child == name; });
  };
  return std::any_of(system.links.begin(), system.links.end(), [&](const LinkSpec& link) {
    return link.name == "world" && !isChild(link.name);
  });
}

/// qpos or qvel, if it has as many numbers as the robot, or as all of its joints.
std::vector<double> readNumbers(const Node& state, const char* attribute, int wanted, int ofAll,
                                const std::string& robot) {
  const auto values = state.list(attribute);
  const int count = values ? static_cast<int>(values->size()) : wanted;
  if (count == wanted || count == ofAll) return values.value_or(std::vector<double>{});
  state.error(std::string("<state ") + attribute + "> has " + std::to_string(values->size()) +
                  " numbers, the robot " + shown(robot) + " needs " + std::to_string(wanted),
              "espalier info lists them");
  return {};
}

struct Sizes {
  int nq = 0, nv = 0;
  int allQ = 0, allV = 0;  ///< of all joints
};

/// How many numbers its state has: those of the independent joints, which only compile() knows, or
/// of all; none with an Error where a loop cannot close.
std::optional<Sizes> sizesOf(WorldReading& reading, const SystemSpec& system) {
  Sizes sizes;
  if (!isFixed(system)) sizes = {7, 6, 7, 6};
  bool isTree = system.loops.empty() && system.couplings.empty() && system.constraints.empty();
  for (const JointSpec& joint : system.joints) {
    sizes.nq += info(joint.kind).nq;
    sizes.nv += info(joint.kind).nv;
    isTree = isTree && !joint.mimic;
  }
  sizes.allQ = sizes.nq;
  sizes.allV = sizes.nv;
  if (isTree) return sizes;
  const auto model = compile(system);
  if (model) return Sizes{model->publicNq, model->publicNv, model->nq(), model->nv()};
  reading.diagnostics().append(model.diagnostics());
  return std::nullopt;
}

void readRobotState(WorldReading& reading, const Node& object, PlacedSystemSpec& placed) {
  const auto state = object.child("state");
  if (!state) return;
  state->expect({"qpos", "qvel", "pos", "quat"}, {});
  placed.system.X_WB = readPose(object);
  if (!state->has("qpos") && !state->has("qvel")) return;
  const auto sizes = sizesOf(reading, placed.system);
  if (!sizes) return;
  placed.q = readNumbers(*state, "qpos", sizes->nq, sizes->allQ, placed.system.name);
  placed.u = readNumbers(*state, "qvel", sizes->nv, sizes->allV, placed.system.name);
}

}  // namespace

void readWorldRobot(WorldReading& reading, const Node& object) {
  object.expect({"name", "type", "urdf_path", "res_dir", "collision_group", "collision_mask",
                 "joint_order", "fixed_base", "self_collision", "exist"},
                {"state", "params", "ignore_collision", "robot"},
                {"dim", "tuning", "body_type", "convexify_meshes", "collide_parent"});
  for (const char* part : {"sensors", "actuators"}) {
    if (object.child(part)) {
      object.once(Severity::Warning, std::string("<") + part + "> is read, not simulated",
                  "expect no data from it");
    }
  }
  if (object.has("modules"))
    object.once(Severity::Warning, "modules is read, not simulated", "write the robot as one URDF");
  std::optional<SystemSpec> system = readSystem(reading, object);
  if (!system) return;
  PlacedSystemSpec placed;
  placed.system = std::move(*system);
  if (const std::string name = object.text("name"); !name.empty()) placed.system.name = name;
  readIgnored(object, placed.system);
  placed.system.selfCollides = object.flag("self_collision", placed.system.selfCollides);
  readGroups(object, placed.system);
  readRobotState(reading, object, placed);
  reading.world.systems.push_back(std::move(placed));
}

}  // namespace espalier::io
