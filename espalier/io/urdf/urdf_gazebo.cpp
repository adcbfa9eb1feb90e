// <gazebo><joint> of a URDF: an SDF joint between two links of the robot, which closes a loop that a
// URDF's tree cannot have. As in SDF its pose is in the child, and its axis in its own frame; where
// it lies on the parent follows from the robot as drawn.

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "espalier/io/spec_links.h"
#include "espalier/io/urdf/urdf_parts.h"

namespace espalier::io {
namespace {

std::optional<LoopKind> kindOf(const std::string& type) {
  if (type == "revolute" || type == "continuous") return LoopKind::REVOLUTE;
  if (type == "ball") return LoopKind::POINT;
  if (type == "prismatic") return LoopKind::PRISMATIC;
  if (type == "fixed") return LoopKind::FIXED;
  return std::nullopt;
}

bool isTied(const SystemSpec& spec, const LoopSpec& loop) {
  return std::any_of(spec.loops.begin(), spec.loops.end(), [&](const LoopSpec& l) {
    return l.name == loop.name ||
           (l.predecessor == loop.predecessor && l.successor == loop.successor) ||
           (l.predecessor == loop.successor && l.successor == loop.predecessor);
  });
}

class Reading {
 public:
  Reading(XmlReader& xml, SystemSpec& spec) : xml_(xml), spec_(spec) {
    Diagnostics said;  // by checkSpec, which comes after
    const SpecTree tree = checkTree({spec, said});
    if (tree.isTree) poses_ = linkPoses(spec, tree);
  }

  void read(const XMLElement& e) {
    LoopSpec loop;
    loop.name = xml_.text(e, "name");
    loop.line = xml_.lineOf(e);
    xml_.setSubject("<gazebo> joint " + shown(loop.name));
    const std::string type = xml_.text(e, "type");
    const std::optional<LoopKind> kind = kindOf(type);
    if (!kind) return leaveOut(e, "its type " + shown(type) + " closes no loop here");
    loop.kind = *kind;
    loop.predecessor = textOf(e.FirstChildElement("parent"));
    loop.successor = textOf(e.FirstChildElement("child"));
    const int p = linkIndex(spec_, loop.predecessor), s = linkIndex(spec_, loop.successor);
    if (poses_.empty() || p < 0 || s < 0)
      return leaveOut(e, "it does not tie two links of the robot");
    if (isTied(spec_, loop)) return leaveOut(e, "a loop ties these links already");
    const XMLElement* pose = e.FirstChildElement("pose");
    double x[6] = {0, 0, 0, 0, 0, 0};
    const auto isOther = [&](const char* frame) {
      return pose != nullptr && !xml_.text(*pose, frame).empty();
    };
    if ((pose != nullptr && !parseNumbers(textOf(pose), x)) || isOther("relative_to") ||
        isOther("frame"))
      return leaveOut(e, "its <pose> is not one of six numbers in the child's frame");
    loop.X_SB = {rotationFromRpy({x[3], x[4], x[5]}), {x[0], x[1], x[2]}};
    const Transformd X_PS = inverse(poses_[p]) * poses_[s];
    loop.X_PA = X_PS * loop.X_SB;
    if (!readAxis(e, s, loop)) return leaveOut(e, "its <axis><xyz> is not one of three numbers");
    spec_.loops.push_back(std::move(loop));
  }

 private:
  void leaveOut(const XMLElement& e, const std::string& why) {
    xml_.warn(e.GetLineNum(), "a joint that may close a loop is left out: " + why,
              "write it as a <loop> (docs/loops_syntax.md)");
  }

  bool readAxis(const XMLElement& e, int successor, LoopSpec& loop) const {
    loop.axis = {0, 0, 1};
    const XMLElement* axis = e.FirstChildElement("axis");
    if (axis == nullptr) return true;
    double a[3];
    if (!parseNumbers(textOf(axis->FirstChildElement("xyz")), a)) return false;
    loop.axis = {a[0], a[1], a[2]};
    const std::string model = textOf(axis->FirstChildElement("use_parent_model_frame"));
    if (model == "1" || model == "true")
      loop.axis = tmul(mul(poses_[successor].R, loop.X_SB.R), loop.axis);
    return true;
  }

  XmlReader& xml_;
  SystemSpec& spec_;
  std::vector<Transformd> poses_;  // of the links, in the root
};

}  // namespace

void readGazeboJoints(XmlReader& xml, const XMLElement& robot, SystemSpec& spec) {
  std::optional<Reading> reading;
  for (const XMLElement* g : childrenOf(robot, "gazebo"))
    for (const XMLElement* j : childrenOf(*g, "joint")) {
      if (!reading) reading.emplace(xml, spec);
      reading->read(*j);
    }
  xml.setSubject("");
}

}  // namespace espalier::io
