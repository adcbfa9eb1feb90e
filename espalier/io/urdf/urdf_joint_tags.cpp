#include <tinyxml2.h>

#include <cmath>
#include <initializer_list>
#include <string_view>

#include "espalier/io/urdf/urdf_parts.h"

namespace espalier::io {
namespace {

/// Zero effort or velocity means no limit, because exporters write it for "not filled in".
double orUnlimited(XmlReader& xml, const XMLElement& e, const char* attribute) {
  const double value = xml.number(e, attribute, unlimited, Infinity::Allowed);
  if (value != 0) return value;
  xml.once(Severity::Warning, std::string("zero ") + attribute, e.GetLineNum(),
           std::string("<limit ") + attribute + "> is zero and is read as no limit",
           "give its real value; said once for all joints");
  return unlimited;
}

void normalise(double* quaternion) {
  double n2 = 0;
  for (int i = 0; i < 4; ++i) n2 += quaternion[i] * quaternion[i];
  if (!(n2 > 0) || !std::isfinite(n2)) return;  // checkSpec speaks of it
  if (std::abs(n2 - 1) < 1e-15) return;         // so that written and read again it is the same
  for (int i = 0; i < 4; ++i) quaternion[i] /= std::sqrt(n2);
}

}  // namespace

double readPitch(XmlReader& xml, const XMLElement& e, const std::string& kind) {
  const XMLElement* axis = e.FirstChildElement("axis");
  if (xml.has(e, "pitch")) return xml.number(e, "pitch", 0);
  if (axis != nullptr && xml.has(*axis, "pitch")) return xml.number(*axis, "pitch", 0);
  xml.error(e.GetLineNum(), "the " + kind + " has no pitch",
            std::string("add pitch=\"...\" to the ") + e.Name() + ", in metres per radian");
  return 0;
}

void readAxes(XmlReader& xml, const XMLElement& joint, JointSpec& out) {
  static constexpr const char* tags[] = {"axis", "axis2", "axis3"};
  const int wanted = info(out.kind).axes;
  for (int i = 0; i < 3; ++i) {
    const XMLElement* axis = xml.single(joint, tags[i]);
    if (axis == nullptr) continue;
    if (i == 0) {
      xml.expectAttributes(*axis, {"xyz", "pitch"});
    } else {
      xml.expectAttributes(*axis, {"xyz"});
      if (i >= wanted) {
        xml.warn(axis->GetLineNum(),
                 std::string("<") + tags[i] + "> has no meaning for a " + info(out.kind).name +
                     " joint and is left out",
                 "only universal joints have two axes, euler joints three");
        continue;
      }
    }
    out.axes[i] = xml.vector(*axis, "xyz", out.axes[i]);
  }
  if (out.kind == JointKind::Helical) out.pitch = readPitch(xml, joint, "helical joint");
}

void readLimits(XmlReader& xml, const XMLElement& joint, const std::string& type, JointSpec& out) {
  const bool wantsLimits = type == "revolute" || type == "prismatic";
  const XMLElement* e = xml.single(joint, "limit");
  if (e == nullptr || (!xml.has(*e, "lower") && !xml.has(*e, "upper"))) {
    if (wantsLimits) {
      xml.once(Severity::Warning, "no limit " + type, joint.GetLineNum(),
               "a " + type + " joint without lower and upper limit moves freely",
               "add <limit lower=... upper=.../>; said once for all joints");
    }
  }
  if (e == nullptr) return;
  const bool isBall = out.kind == JointKind::Spherical;
  const auto expect = [&](std::initializer_list<std::string_view> known) {
    xml.expectAttributes(*e, known,
                         {"command_effort", "current", "gear_velocity", "acceleration", "jerk",
                          "deceleration", "soft_lower", "soft_upper"});
  };
  if (isBall)
    expect({"lower", "upper", "effort", "velocity", "swing", "twist_lower", "twist_upper"});
  else
    expect({"lower", "upper", "effort", "velocity"});
  out.limits.effort = orUnlimited(xml, *e, "effort");
  out.limits.velocity = orUnlimited(xml, *e, "velocity");
  if (type == "continuous") return;
  // One bound alone: the other is zero, as URDF says.
  const double absent = xml.has(*e, "lower") || xml.has(*e, "upper") ? 0 : unlimited;
  const double lower = xml.number(*e, "lower", -absent, Infinity::Allowed);
  const double upper = xml.number(*e, "upper", absent, Infinity::Allowed);
  if (isBall) {
    out.limits.swing = xml.number(*e, "swing", unlimited, Infinity::Allowed);
    out.limits.twistLower = xml.number(*e, "twist_lower", -unlimited, Infinity::Allowed);
    out.limits.twistUpper = xml.number(*e, "twist_upper", unlimited, Infinity::Allowed);
    if (lower == upper) return;  // RaiSim: no limit
  }
  out.limits.lower = lower;
  out.limits.upper = upper;
  if (lower == upper && out.kind != JointKind::Fixed) {
    xml.warn(e->GetLineNum(), "lower and upper limit are equal: the joint cannot move",
             "make the joint fixed, or give it its real limits");
  }
}

void readDynamics(XmlReader& xml, const XMLElement& joint, JointSpec& out) {
  const XMLElement* e = xml.single(joint, "dynamics");
  if (e == nullptr) return;
  xml.expectAttributes(
      *e, {"damping", "friction", "stiffness", "spring_mount", "rotor_inertia"},
      {"D", "K", "mu_coulomb", "mu_viscous", "spring_reference", "spring_stiffness"});
  JointDynamics& d = out.dynamics;
  d.damping = xml.number(*e, "damping", 0);
  d.friction = xml.number(*e, "friction", 0);
  d.stiffness = xml.number(*e, "stiffness", 0);
  d.rotorInertia = xml.number(*e, "rotor_inertia", 0);
  const int nq = info(out.kind).nq;
  if (!xml.has(*e, "spring_mount") || nq == 0) return;
  std::vector<double> mount(static_cast<std::size_t>(nq), 0.0);
  if (!xml.numbers(*e, "spring_mount", mount)) return;
  if (const int at = info(out.kind).quaternion; at >= 0) normalise(mount.data() + at);
  d.springMount = std::move(mount);
}

void readMimic(XmlReader& xml, const XMLElement& joint, JointSpec& out) {
  const XMLElement* e = xml.single(joint, "mimic");
  if (e == nullptr) return;
  xml.expectAttributes(*e, {"joint", "multiplier", "offset"});
  out.mimic = MimicSpec{xml.text(*e, "joint"), xml.number(*e, "multiplier", 1),
                        xml.number(*e, "offset", 0)};
}

}  // namespace espalier::io
