#include <cmath>
#include <optional>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/mjcf/mjcf_reflected.h"

namespace espalier::io {
namespace {

void readLimits(const MjcfReading& reading, const MjcfNode& joint, MjcfJoint& out) {
  const std::optional<bool> said = joint.choice("limited");
  double range[2];
  const bool hasRange = joint.numbers("range", range);
  if (hasRange && !said && !reading.compiler.autoLimits) {
    joint.once(
        Severity::Warning, "range", "the range of a joint does not act: it is not limited",
        "add limited=\"true\", or autolimits=\"true\" to <compiler>; said once for all joints");
  }
  if (!said.value_or(reading.compiler.autoLimits && hasRange)) return;
  if (out.spec.kind == JointKind::Floating) {
    joint.once(Severity::Warning, "free range", "the range of a free joint does not act",
               "remove it; said once for all joints");
    return;
  }
  if (!hasRange) {
    if (joint.has("range")) return;
    if (out.spec.kind == JointKind::Spherical)
      joint.omit(
          "ball range",
          "a ball joint is limited and has no range, which allows it no turn: it turns freely",
          "add range=\"0 ...\", limited=\"false\", or take the joint out; said once for all "
          "joints");
    else
      joint.error("the joint is limited, but has no range", "add range=\"...\"");
    return;
  }
  // Of a ball: 0, and the greatest angle by which it turns, none at all where it is said to be limited.
  const bool isBall = out.spec.kind == JointKind::Spherical;
  if (!(isBall && said) && !readMjcfRange(reading, joint, "range", "limited")) return;
  const double unit = out.spec.kind == JointKind::Prismatic ? 1 : reading.compiler.angle;
  out.spec.limits.lower = range[0] * unit;
  out.spec.limits.upper = range[1] * unit;
}

/// actuatorfrcrange; the joint's own limit is the larger of its ends.
void readEffort(const MjcfReading& reading, const MjcfNode& joint, MjcfJoint& out) {
  const auto range = readMjcfRange(reading, joint, "actuatorfrcrange", "actuatorfrclimited");
  if (!range) return;
  if (joint.flag("actuatorgravcomp", false))
    joint.omit(
        "actuatorgravcomp",
        "the actuatorfrcrange of a joint with actuatorgravcomp bounds its actuators alone: its "
        "gravity compensation is added to them",
        "widen the range, or take it out; said once for all joints");
  out.effort = *range;
  out.spec.limits.effort = std::max(std::abs((*range)[0]), std::abs((*range)[1]));
}

void readDynamics(const MjcfReading& reading, const MjcfNode& joint, MjcfJoint& out) {
  joint.omitAttributes({"springyield"});
  JointDynamics& d = out.spec.dynamics;
  d.damping = readMjcfLinear(joint, "damping", "joint");
  d.stiffness = readMjcfLinear(joint, "stiffness", "joint");
  d.friction = joint.number("frictionloss", 0);
  d.rotorInertia = joint.number("armature", 0);
  if (joint.numbers("springdamper", out.springDamper)) {
    const auto [time, ratio] = out.springDamper;
    if ((time != 0 || ratio != 0) && !(time > 0 && ratio > 0)) {
      joint.error("<joint springdamper> is not above zero",
                  "give a time constant, s, and a damping ratio, such as 0.1 1");
    } else if (out.spec.kind == JointKind::Floating && time > 0) {
      joint.omit("free springdamper", "the springdamper of a free joint does not act",
                 "tie the body by a spring of a tendon; said once for all joints");
      out.springDamper = {};
    }
  }
  if (out.spec.kind != JointKind::Revolute && out.spec.kind != JointKind::Prismatic) return;
  const double unit = out.spec.kind == JointKind::Revolute ? reading.compiler.angle : 1;
  out.ref = joint.number("ref", 0) * unit;
  const double rest = joint.number("springref", 0) * unit;
  out.rest = rest;
  if (d.stiffness != 0 || out.springDamper[0] > 0) d.springMount = {rest};
}

}  // namespace

MjcfJoint readMjcfJoint(MjcfReading& reading, const MjcfNode& joint) {
  if (joint.flag("align", false)) {
    joint.omit(
        "align", "the align of a free joint is left out: its body keeps its frame",
        "nothing to do, but poses are those of the frame as written; said once for all joints");
  }
  MjcfJoint out;
  out.spec.name = joint.text("name");
  out.spec.line = joint.line();
  out.spec.file = joint.xml().file();
  if (joint.tag() == "freejoint") {
    joint.expect({"name", "align"}, {"group"});
    out.spec.kind = JointKind::Floating;
    return out;
  }
  expectMjcfAttributes(joint);
  const std::string type = joint.has("type") ? joint.text("type") : "hinge";
  if (type == "hinge") {
    out.spec.kind = JointKind::Revolute;
  } else if (type == "slide") {
    out.spec.kind = JointKind::Prismatic;
  } else if (type == "ball") {
    out.spec.kind = JointKind::Spherical;
  } else if (type == "free") {
    out.spec.kind = JointKind::Floating;
  } else {
    joint.error("the joint type " + shown(type) + " is not known",
                "use hinge, slide, ball or free");
  }
  const Vec3d pos = joint.vector("pos", out.pos), axis = joint.vector("axis", {0, 0, 1});
  if (out.spec.kind != JointKind::Floating) out.pos = pos;
  const double length = norm(axis);
  const bool hasDirection = length > 0 && std::isfinite(length);
  out.spec.axes[0] = hasDirection ? axis * (1 / length) : Vec3d{0, 0, 0};  // checkSpec speaks of it
  readDynamics(reading, joint, out);
  readLimits(reading, joint, out);
  readEffort(reading, joint, out);
  return out;
}

void resolveMjcfSpringDampers(MjcfModel& model) {
  std::optional<MjcfMassMatrix> masses;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    std::vector<MjcfJoint>& joints = model.bodies[b].joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const auto [time, ratio] = joints[j].springDamper;
      if (!(time > 0)) continue;
      if (!masses) masses.emplace(model);
      const double m = masses->seenBy({static_cast<int>(b), static_cast<int>(j), 1},
                                      info(joints[j].spec.kind).nv);
      joints[j].spec.dynamics.stiffness = m / (time * ratio * time * ratio);
      joints[j].spec.dynamics.damping = 2 * m / time;
    }
  }
}

}  // namespace espalier::io
