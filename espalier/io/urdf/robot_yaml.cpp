#include "espalier/io/urdf/robot_yaml.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>

#include "espalier/io/text/text_file.h"
#include "espalier/io/text/xml_reader.h"
#include "espalier/model/spec/checks.h"

namespace espalier::io {
namespace {

class YamlReading {
 public:
  YamlReading(const std::string& path, SystemSpec& spec, Diagnostics& diagnostics)
      : path_(path), spec_(spec), diagnostics_(diagnostics) {
    for (const LinkSpec& link : spec.links) frames_.emplace(link.name, link.name);
    // A link of that name comes first; a joint's frame is that of the link below it.
    for (const JointSpec& joint : spec.joints) frames_.emplace(joint.name, joint.child);
  }

  void read(const YAML::Node& root) {
    if (!root.IsMap() || !root["closed_loop"]) {
      return note(root, "it names no closed_loop and is left alone",
                  "nothing to do, if it belongs to another program");
    }
    if (!isOurs(root["closed_loop"])) {
      return note(root, "none of its frames is one of this robot's: it is left alone",
                  "nothing to do, if it belongs to another robot in the same folder");
    }
    for (const auto& entry : root) {
      const std::string key = scalar(entry.first);
      if (key == "closed_loop" || key == "type" || key == "name_mot" || key == "joint_name" ||
          key == "joint_type")
        continue;
      note(entry.first, shown(key) + " has no meaning here", "nothing to do");
    }
    readLoops(root["closed_loop"], root["type"]);
    if (root["joint_name"] || root["joint_type"])
      readJoints(root["joint_name"], root["joint_type"]);
    if (const YAML::Node motors = root["name_mot"]) readMotors(motors);
  }

 private:
  void add(Severity severity, const YAML::Node& at, std::string what, std::string remedy) {
    diagnostics_.add(
        {severity, path_, std::max(at.Mark().line + 1, 1), std::move(what), std::move(remedy)});
  }
  void error(const YAML::Node& at, std::string what, std::string remedy) {
    add(Severity::Error, at, std::move(what), std::move(remedy));
  }
  void note(const YAML::Node& at, std::string what, std::string remedy) {
    add(Severity::Note, at, std::move(what), std::move(remedy));
  }

  static std::string scalar(const YAML::Node& node) {
    return node.IsScalar() ? node.Scalar() : std::string();
  }

  const std::string* linkOf(const YAML::Node& frame) const {
    const auto found = frames_.find(scalar(frame));
    return found == frames_.end() ? nullptr : &found->second;
  }

  bool isOurs(const YAML::Node& loops) const {
    bool hasNames = false;
    for (const YAML::Node& pair : loops) {
      if (!pair.IsSequence()) continue;
      for (const YAML::Node& frame : pair) {
        hasNames = hasNames || frame.IsScalar();
        if (linkOf(frame) != nullptr) return true;
      }
    }
    return !hasNames;  // then it is wrong rather than another's
  }

  void readLoops(const YAML::Node& loops, const YAML::Node& types) {
    if (!loops.IsSequence())
      return error(loops, "closed_loop is no list", "write [[frame, frame], ...]");
    if (types && (!types.IsSequence() || types.size() != loops.size())) {
      return error(types, "type has not one entry for each of closed_loop",
                   "write as many of 3d and 6d as there are pairs");
    }
    for (std::size_t i = 0; i < loops.size(); ++i)
      readLoop(loops[i], types ? std::optional<YAML::Node>(types[i]) : std::nullopt);
  }

  void readLoop(const YAML::Node& pair, const std::optional<YAML::Node>& type) {
    if (!pair.IsSequence() || pair.size() != 2)
      return error(pair, "an entry of closed_loop is no pair", "write two names, [frame, frame]");
    LoopSpec loop;
    loop.line = pair.Mark().line + 1;
    loop.file = path_;
    loop.name = scalar(pair[0]) + "_" + scalar(pair[1]);
    loop.kind = LoopKind::FIXED;
    if (type && lowered(scalar(*type)) == "3d") {
      loop.kind = LoopKind::POINT;
    } else if (type && lowered(scalar(*type)) != "6d") {
      error(*type, "the type " + shown(scalar(*type)) + " of a closed_loop is not known",
            "use 3d or 6d");
    }
    for (int end = 0; end < 2; ++end) {
      const std::string* link = linkOf(pair[end]);
      if (link == nullptr) {
        return error(pair[end],
                     "closed_loop names the frame " + shown(scalar(pair[end])) +
                         ", which the robot " + shown(spec_.name) + " does not have",
                     "name a link, or a joint");
      }
      (end == 0 ? loop.predecessor : loop.successor) = *link;
    }
    spec_.loops.push_back(std::move(loop));
  }

  JointSpec* jointOf(const YAML::Node& name) {
    for (JointSpec& joint : spec_.joints)
      if (joint.name == scalar(name)) return &joint;
    return nullptr;
  }

  void readJoints(const YAML::Node& names, const YAML::Node& types) {
    const YAML::Node& given = names ? names : types;
    if (!names || !types || !names.IsSequence() || !types.IsSequence() ||
        names.size() != types.size()) {
      return error(given, "joint_name and joint_type are no two lists of one length",
                   "write a type for each of the names");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      JointSpec* joint = jointOf(names[i]);
      if (joint == nullptr) {
        error(names[i],
              "joint_name names " + shown(scalar(names[i])) + ", which is no joint of the robot " +
                  shown(spec_.name),
              "correct the name");
      } else {
        readJointType(names[i], types[i], *joint);
      }
    }
  }

  void readJointType(const YAML::Node& name, const YAML::Node& type, JointSpec& joint) {
    const std::string word = lowered(scalar(type));
    const JointKind before = joint.kind;
    if (word == "spherical") {
      joint.kind = JointKind::Spherical;
    } else if (word == "fixed") {
      joint.kind = JointKind::Fixed;
    } else if (const auto axes = universalAxes(word)) {
      joint.kind = JointKind::Universal;
      joint.axes = *axes;
    } else {
      return error(type,
                   "the type " + shown(scalar(type)) + " of the joint " + shown(joint.name) +
                       " is not known",
                   "use SPHERICAL, UJOINT_XY (or two other axes) or FIXED");
    }
    if (joint.kind == before) return;
    // Limits and springs were those of another coordinate.
    const bool hasLimits = joint.limits.lower > -unlimited || joint.limits.upper < unlimited;
    const bool hasSpring = joint.dynamics.stiffness != 0;
    joint.limits.lower = -unlimited;
    joint.limits.upper = unlimited;
    joint.dynamics.stiffness = 0;
    joint.dynamics.springMount.clear();
    if (joint.kind == JointKind::Fixed || (!hasLimits && !hasSpring)) return;
    note(name,
         "the joint " + shown(joint.name) + " is " + info(joint.kind).name +
             " here: the limits and springs that the URDF gives it do not act",
         "nothing to do, or write the joint in the URDF as what it is");
  }

  /// ujoint_xy: x, y and the third.
  static std::optional<std::array<Vec3d, 3>> universalAxes(const std::string& word) {
    const std::string prefix = "ujoint_", letters = "xyz";
    if (word.size() != prefix.size() + 2 || word.substr(0, prefix.size()) != prefix)
      return std::nullopt;
    const std::size_t first = letters.find(word[prefix.size()]),
                      second = letters.find(word[prefix.size() + 1]);
    if (first == letters.npos || second == letters.npos || first == second) return std::nullopt;
    const Vec3d unit[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return std::array{unit[first], unit[second], unit[3 - first - second]};
  }

  void readMotors(const YAML::Node& motors) {
    if (!motors.IsSequence()) return error(motors, "name_mot is no list", "write [joint, ...]");
    for (const YAML::Node& motor : motors) {
      JointSpec* joint = jointOf(motor);
      if (joint != nullptr && info(joint->kind).nv > 0) {
        joint->independent = true;
        continue;
      }
      error(motor,
            "name_mot names " + shown(scalar(motor)) + ", which is no movable joint of the robot " +
                shown(spec_.name),
            "correct the name");
    }
  }

  const std::string& path_;
  SystemSpec& spec_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::string> frames_;  ///< by name: the link whose frame it is
};

/// The checks of loops.
void checkAdded(const SystemSpec& before, const std::string& path, SystemSpec& spec,
                Diagnostics& diagnostics) {
  SystemSpec added = before;
  added.file = path;
  added.couplings.clear();
  added.constraints.clear();
  for (JointSpec& joint : added.joints) joint.mimic.reset();
  added.loops.assign(spec.loops.begin() + static_cast<std::ptrdiff_t>(before.loops.size()),
                     spec.loops.end());
  Diagnostics known;  // of the tree, said when the URDF was read
  const SpecTree tree = checkTree({added, known});
  checkLoops({added, diagnostics}, tree);
}

}  // namespace

Diagnostics applyRobotYaml(const std::string& text, const std::string& path, SystemSpec& spec) {
  Diagnostics diagnostics;
  const SystemSpec before = spec;
  try {
    YamlReading(path, spec, diagnostics).read(YAML::Load(text));
  } catch (const YAML::Exception& problem) {
    diagnostics.add({Severity::Error, path, problem.mark.line + 1,
                     "the YAML cannot be read: " + problem.msg, "mend this line"});
  }
  if (!diagnostics.hasErrors()) checkAdded(before, path, spec, diagnostics);
  return diagnostics;
}

Diagnostics applyRobotYamlIn(const std::string& folder, SystemSpec& spec, ReadingBudget& budget) {
  const std::filesystem::path path = std::filesystem::path(folder) / "robot.yaml";
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return {};
  const Expected<std::string> text = readTextFile(path.string(), budget);
  return text ? applyRobotYaml(*text, path.string(), spec) : text.diagnostics();
}

}  // namespace espalier::io
