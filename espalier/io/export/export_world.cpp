// exportWorldXml and saveWorld: a world as text.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "espalier/io/export/export.h"
#include "espalier/io/export/export_parts.h"
#include "espalier/io/spec_difference.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/urdf/urdf.h"

namespace espalier::io {
namespace {

namespace fs = std::filesystem;

/// Group and mask if all collisions of the robot have the same.
std::optional<std::pair<std::uint64_t, std::uint64_t>> commonGroup(const SystemSpec& system) {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> common;
  for (const LinkSpec& link : system.links) {
    for (const CollisionSpec& c : link.collisions) {
      const std::pair own{c.group, c.mask};
      if (common && *common != own) return std::nullopt;
      common = own;
    }
  }
  return common;
}

bool hasTriangles(const SystemSpec& system) {
  const auto isRead = [](const auto& part) {
    const MeshShape* mesh = std::get_if<MeshShape>(&part.shape);
    return mesh != nullptr && mesh->data != nullptr;
  };
  return std::any_of(system.links.begin(), system.links.end(), [&](const LinkSpec& link) {
    return std::any_of(link.collisions.begin(), link.collisions.end(), isRead) ||
           std::any_of(link.visuals.begin(), link.visuals.end(), isRead);
  });
}

class WorldWriter {
 public:
  WorldWriter(const WorldSpec& world, const std::string& folder) : world_(world), folder_(folder) {}

  std::string write() {
    xml_.open("espalier").attribute("version", "1");
    writeMaterials();
    xml_.open("gravity").attribute("value", world_.gravity).close();
    xml_.open("time_step").attribute("value", world_.timeStep).close();
    const double most = world_.maxDepenetrationVelocity,
                 usual = WorldSpec{}.maxDepenetrationVelocity;
    if (world_.erp != 0 || world_.slop != 0 || most != usual) {
      xml_.open("erp").attribute("erp", world_.erp).attribute("slop", world_.slop);
      xml_.optional("max_depenetration_velocity", most, usual).close();
    }
    xml_.open("objects");
    for (const PlacedSystemSpec& placed : world_.systems) writeSystem(placed);
    for (const BodySpec& body : world_.bodies) writeBody(xml_, body, folder_);
    xml_.close().close();
    return "<?xml version=\"1.0\"?>\n" + xml_.text();
  }

 private:
  void writeMaterials() {
    xml_.open("material");
    writePair("default", world_.defaultMaterial);
    for (const MaterialPairSpec& pair : world_.materials) writePair("pair_prop", pair);
    xml_.close();
  }

  void writePair(const std::string& tag, const MaterialPairSpec& pair) {
    xml_.open(tag);
    if (tag != "default") xml_.attribute("name1", pair.first).attribute("name2", pair.second);
    xml_.attribute("friction", pair.friction).attribute("restitution", pair.restitution);
    xml_.attribute("restitution_threshold", pair.restitutionThreshold);
    if (pair.staticFriction >= 0) xml_.attribute("static_friction", pair.staticFriction);
    xml_.attribute("static_friction_velocity_threshold", pair.staticVelocity);
    xml_.optional("rolling_friction", pair.rollingFriction);
    xml_.optional("spinning_friction", pair.spinningFriction).close();
  }

  /// The robot as its file alone gives it; null where there is no such file.
  const SystemSpec* fromFile(const SystemSpec& system) {
    UrdfOptions options;
    options.fixedBase = system.fixedBase;
    options.jointOrder = system.jointOrder;
    options.loadMeshes = hasTriangles(system);
    std::string key = system.file + (options.fixedBase ? "\nfixed" : "\n") +
                      (options.loadMeshes ? "\nmeshes" : "\n");
    for (const std::string& joint : options.jointOrder) key += "\n" + joint;
    auto known = files_.find(key);
    if (known == files_.end()) {
      std::error_code code;
      std::optional<SystemSpec> spec;
      if (fs::is_regular_file(system.file, code)) {
        if (auto read = loadRobot(system.file, options)) spec = std::move(read).value();
      }
      known = files_.emplace(key, std::move(spec)).first;
    }
    return known->second ? &*known->second : nullptr;
  }

  /// Whether the robot's file and the world's attributes give the robot.
  ///   out  withGroup   the world has to say the collision group and mask
  bool isAsItsFile(const SystemSpec& system, bool& withGroup) {
    const SystemSpec* original = fromFile(system);
    if (original == nullptr) return false;
    SystemSpec copy = *original;
    copy.name = system.name;
    copy.X_WB = system.X_WB;
    copy.ignoredPairs = system.ignoredPairs;
    copy.selfCollides = system.selfCollides;
    withGroup = false;
    if (difference(copy, system).empty()) return true;
    const auto common = commonGroup(system);
    if (!common) return false;
    for (LinkSpec& link : copy.links)
      for (CollisionSpec& c : link.collisions) std::tie(c.group, c.mask) = *common;
    withGroup = true;
    return difference(copy, system).empty();
  }

  void writeSystem(const PlacedSystemSpec& placed) {
    const SystemSpec& system = placed.system;
    bool withGroup = false;
    const bool byPath = isAsItsFile(system, withGroup);
    xml_.open("articulated_system").attribute("name", system.name);
    if (byPath) xml_.attribute("urdf_path", writtenPath(system.file, folder_));
    if (byPath && withGroup) {
      const auto common = commonGroup(system);
      xml_.attribute("collision_group", common->first);
      xml_.attribute("collision_mask", common->second);
    }
    if (system.fixedBase) xml_.attribute("fixed_base", "true");
    if (!system.selfCollides) xml_.attribute("self_collision", "false");
    std::string order;
    for (const std::string& joint : system.jointOrder) order += (order.empty() ? "" : " ") + joint;
    xml_.optional("joint_order", order);
    writeState(placed);
    for (const auto& [first, second, reason] : system.ignoredPairs) {
      xml_.open("ignore_collision").attribute("link1", first).attribute("link2", second);
      xml_.optional("reason", reason).close();
    }
    if (!byPath) writeRobot(xml_, system);
    xml_.close();
  }

  void writeState(const PlacedSystemSpec& placed) {
    const Transformd& X = placed.system.X_WB;
    if (placed.q.empty() && placed.u.empty() && !isPlaced(X)) return;
    xml_.open("state").optional("qpos", placed.q).optional("qvel", placed.u);
    if (isPlaced(X)) xml_.attribute("pos", X.p);
    if (!isIdentity(X.R)) xml_.attribute("quat", quatText(X.R));
    xml_.close();
  }

  const WorldSpec& world_;
  const std::string& folder_;
  XmlWriter xml_;
  std::map<std::string, std::optional<SystemSpec>> files_;
};

}  // namespace

std::string writtenPath(const std::string& path, const std::string& folder) {
  std::error_code code;
  if (!fs::exists(path, code)) return path;
  const fs::path whole = fs::absolute(path, code).lexically_normal();
  if (folder.empty()) return whole.string();
  const fs::path base = fs::absolute(folder, code).lexically_normal();
  const std::string relative = whole.lexically_relative(base).generic_string();
  constexpr const char* far_away = "../../../";
  const bool isNear = !relative.empty() && relative.rfind(far_away, 0) != 0;
  return isNear ? "[THIS_DIR]/" + relative : whole.string();
}

std::string exportWorldXml(const WorldSpec& world, const std::string& folder) {
  return WorldWriter(world, folder).write();
}

Diagnostics saveWorld(const WorldSpec& world, const std::string& file) {
  Diagnostics diagnostics;
  const std::string text = exportWorldXml(world, folderOf(file));
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) {
    diagnostics.add({Severity::Error, file, 0, "the file cannot be written",
                     "check that its folder is there, and its permissions"});
  }
  return diagnostics;
}

}  // namespace espalier::io
