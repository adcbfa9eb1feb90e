#include <tinyxml2.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "espalier/io/sdf/sdf_parts.h"

namespace espalier::io {
namespace {

constexpr double as_good_as_unlimited = 1e15;  // SDF writes 1e16 for none

std::optional<JointKind> kindOf(const std::string& type) {
  if (type == "revolute" || type == "continuous") return JointKind::Revolute;
  if (type == "prismatic") return JointKind::Prismatic;
  if (type == "ball") return JointKind::Spherical;
  if (type == "universal") return JointKind::Universal;
  if (type == "fixed") return JointKind::Fixed;
  if (type == "screw") return JointKind::Helical;
  return std::nullopt;
}

/// Until SDF 1.4 an axis is written in the frame of the model, from 1.5 on in that of the joint.
Vec3d readDirection(const SdfReading& reading, SdfFrames& frames, const SdfNode& axis,
                    const std::string& prefix, const Transformd& X_MJ) {
  const auto xyz = axis.child("xyz");
  double a[3];
  if (!xyz || !xyz->content(a)) return {0, 0, 1};
  const Vec3d written{a[0], a[1], a[2]};
  const std::string frame = xyz->attribute("expressed_in");
  const std::string model = prefix.empty() ? "" : prefix.substr(0, prefix.size() - 2);
  Mat3d R_ME = X_MJ.R;
  if (!frame.empty()) {
    const std::string name = frame == "__model__" ? model : prefix + frame;
    if (!name.empty() && !frames.has(name)) {
      xyz->error("the axis is expressed in " + shown(frame) + ", which does not exist",
                 "name a link, joint or frame of the model");
    }
    R_ME = frames.find(name).R;
  } else if (axis.flag("use_parent_model_frame", reading.version < 1.45)) {
    R_ME = frames.find(model).R;
  }
  return tmul(X_MJ.R, mul(R_ME, written));
}

/// A limit that is huge, or below zero where it is a size, is none.
double orUnlimited(double value) {
  return value < 0 || value >= as_good_as_unlimited ? unlimited : value;
}

/// Zero is none, which is told; an effort of zero is one, of joints that nothing drives.
double readVelocityLimit(const SdfNode& limit) {
  const double value = limit.number("velocity", -1);
  if (value != 0) return orUnlimited(value);
  limit.once(Severity::Warning, "zero velocity", "<velocity> is zero and is read as no limit",
             "give its real value; said once for all joints");
  return unlimited;
}

void readLimits(const SdfNode& axis, const std::string& type, SdfJoint& out) {
  const auto limit = axis.child("limit");
  if (!limit) return;
  limit->expect({"lower", "upper", "effort", "velocity"}, {"stiffness", "dissipation"});
  out.hasLimits = true;
  JointLimits& l = out.spec.limits;
  l.effort = orUnlimited(limit->number("effort", -1));
  l.velocity = readVelocityLimit(*limit);
  if (type == "continuous") return;
  l.lower = limit->number("lower", -unlimited);
  l.upper = limit->number("upper", unlimited);
  if (l.lower <= -as_good_as_unlimited) l.lower = -unlimited;
  if (l.upper >= as_good_as_unlimited) l.upper = unlimited;
}

/// SDF gives the axis of a ball joint no meaning, and its limits none.
void refuseLimits(const SdfNode& axis) {
  const auto limit = axis.child("limit");
  if (!limit) return;
  const double lower = limit->number("lower", -unlimited),
               upper = limit->number("upper", unlimited);
  if (lower <= -as_good_as_unlimited && upper >= as_good_as_unlimited) return;
  axis.once(Severity::Warning, "ball limit", "the <limit> of a ball joint does not act",
            "SDF gives it no meaning; limit the joint in a URDF; said once for all joints");
}

void readDynamics(const SdfNode& axis, SdfJoint& out) {
  const auto node = axis.child("dynamics");
  if (!node) return;
  node->expect({"damping", "friction", "spring_reference", "spring_stiffness"});
  out.hasDynamics = true;
  JointDynamics& d = out.spec.dynamics;
  d.damping = node->number("damping", 0);
  d.friction = node->number("friction", 0);
  d.stiffness = node->number("spring_stiffness", 0);
  const bool isScalar = info(out.spec.kind).nq == 1;
  if (isScalar && d.stiffness != 0) d.springMount = {node->number("spring_reference", 0)};
}

/// q = multiplier (q_leader - reference) + offset
void readMimic(const SdfNode& axis, const std::string& prefix, JointSpec& out) {
  const auto node = axis.child("mimic");
  if (!node) return;
  const double k = node->number("multiplier", 1);
  out.mimic = MimicSpec{prefix + node->attribute("joint"), k,
                        node->number("offset", 0) - k * node->number("reference", 0)};
}

/// m/rad of <screw_thread_pitch>, metres a turn, or of the older <thread_pitch>, radians a metre
/// and left-handed.
double readPitch(const SdfNode& joint) {
  if (joint.child("screw_thread_pitch"))
    return joint.number("screw_thread_pitch", 1) / (2 * std::numbers::pi);
  const double old = joint.number("thread_pitch", -2 * std::numbers::pi);
  if (old == 0) joint.error("<thread_pitch> is zero", "give <screw_thread_pitch>, in m a turn");
  return old == 0 ? 0 : -1 / old;
}

/// Of one axis of a universal joint, as a revolute joint has them.
void readAxis(const SdfNode& joint, const char* tag, const std::string& prefix, SdfJoint& out) {
  out.spec.kind = JointKind::Revolute;
  const auto axis = joint.child(tag);
  if (!axis) return;
  readDynamics(*axis, out);
  readLimits(*axis, joint.attribute("type"), out);
  readMimic(*axis, prefix, out.spec);
}

/// A joint has one set of limits and dynamics for all its coordinates: axes that differ have their own.
void readAxes(const SdfNode& joint, const std::string& prefix, SdfJoint& out) {
  SdfJoint first, second;
  readAxis(joint, "axis", prefix, first);
  readAxis(joint, "axis2", prefix, second);
  out.hasLimits = first.hasLimits || second.hasLimits;
  out.hasDynamics = first.hasDynamics || second.hasDynamics;
  const auto numbers = [](const SdfJoint& axis) {
    const JointLimits& l = axis.spec.limits;
    const JointDynamics& d = axis.spec.dynamics;
    return std::tie(l.lower, l.upper, l.effort, l.velocity, d.damping, d.friction, d.stiffness,
                    d.springMount);
  };
  const bool follows = first.spec.mimic || second.spec.mimic;
  if (follows || numbers(first) != numbers(second)) out.axes = {first.spec, second.spec};
  out.spec.limits = first.spec.limits;
  out.spec.dynamics = first.spec.dynamics;
  if (!first.spec.dynamics.springMount.empty())
    out.spec.dynamics.springMount.push_back(first.spec.dynamics.springMount[0]);
}

std::string endOf(const SdfNode& joint, const char* end, const std::string& prefix) {
  std::string name = joint.text(end);
  const auto node = joint.child(end);
  if (name.empty() && node) name = node->text("link");
  if (name.empty()) joint.error(std::string("the joint has no ") + end, "name a link in it");
  return name == "world" ? name : inSdfModel(prefix, name);
}

void leaveOut(const SdfNode& node, const std::string& type) {
  if (type != "gearbox" && type != "revolute2") {
    node.error("the joint type " + shown(type) + " is not known",
               "use revolute, continuous, prismatic, ball, universal, screw or fixed");
    return;
  }
  node.once(
      Severity::Warning, type, "a joint of type " + type + " is left out",
      type == "gearbox" ? "couple the joints with a <coupling> of URDF+" : "use a universal joint");
}

}  // namespace

std::optional<SdfJoint> readSdfJoint(SdfReading& reading, SdfFrames& frames, const SdfNode& node,
                                     const std::string& prefix) {
  SdfJoint out;
  JointSpec& spec = out.spec;
  spec.name = prefix + node.attribute("name");
  spec.line = node.line();
  reading.xml.setSubject("joint " + shown(spec.name));
  reading.xml.expectAttributes(node.element(), {"name", "type"});
  node.expect({"pose", "parent", "child", "axis", "axis2", "thread_pitch", "screw_thread_pitch"},
              {"sensor", "physics", "gearbox_ratio", "gearbox_reference_body", "plugin"});
  const std::string type = node.attribute("type");
  const auto kind = kindOf(type);
  if (!kind) {
    leaveOut(node, type);
    reading.xml.setSubject("");
    return std::nullopt;
  }
  spec.kind = *kind;
  spec.parent = endOf(node, "parent", prefix);
  spec.child = endOf(node, "child", prefix);
  out.X_MJ = frames.find(spec.name);
  if (spec.kind == JointKind::Helical) spec.pitch = readPitch(node);
  const char* const tags[] = {"axis", "axis2"};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto axis = node.child(tags[i]);
    const bool isMeant = static_cast<int>(i) < info(spec.kind).axes;
    if (!axis) {
      if (isMeant) spec.axes[i] = i == 0 ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
      continue;
    }
    axis->expect({"xyz", "limit", "dynamics", "use_parent_model_frame", "mimic"},
                 {"initial_position"});
    if (isMeant) spec.axes[i] = readDirection(reading, frames, *axis, prefix, out.X_MJ);
    if (i == 1 || spec.kind == JointKind::Universal) continue;
    readDynamics(*axis, out);
    if (spec.kind == JointKind::Spherical) refuseLimits(*axis);
    if (spec.kind == JointKind::Fixed || spec.kind == JointKind::Spherical) continue;
    readLimits(*axis, type, out);
    readMimic(*axis, prefix, spec);
  }
  if (spec.kind == JointKind::Universal) readAxes(node, prefix, out);
  if (spec.kind == JointKind::Fixed) spec.dynamics = {};
  reading.xml.setSubject("");
  return out;
}

}  // namespace espalier::io
