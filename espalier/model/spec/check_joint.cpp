#include "espalier/model/spec/checks.h"

#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "espalier/model/spec/spherical_limits.h"
#include "espalier/spatial/finite.h"

namespace espalier {
namespace {

void checkAxes(const CheckReport& report, const JointSpec& joint) {
  static constexpr const char* tags[] = {"axis", "axis2", "axis3"};
  const int axes = info(joint.kind).axes;
  bool good = true;
  for (int i = 0; i < axes; ++i) {
    const double length = norm(joint.axes[i]);
    if (!isFinite(joint.axes[i]) || !std::isfinite(length)) {
      report.error(joint, std::string("has an ") + tags[i] + " that is not finite",
                   "give a direction such as 0 0 1");
      good = false;
    } else if (length < 1e-12) {
      report.error(joint, std::string("has a zero ") + tags[i], "give a direction such as 0 0 1");
      good = false;
    }
  }
  for (int i = 0; good && i + 1 < axes; ++i) {
    const Vec3d &a = joint.axes[i], &b = joint.axes[i + 1];
    if (norm(cross(a, b)) > 1e-6 * norm(a) * norm(b)) continue;
    report.error(joint,
                 std::string("has ") + tags[i] + " and " + tags[i + 1] +
                     " in parallel, so that it cannot tell them apart",
                 std::string("give <") + tags[i + 1] + " xyz=.../> another direction");
  }
}

/// Limits of a rotation: one angle, a swing and a twist; of spherical joints only.
void checkRotationLimits(const CheckReport& report, const JointSpec& joint) {
  const JointLimits& l = joint.limits;
  const SphericalLimits limits = sphericalLimits(l);
  if (joint.kind != JointKind::Spherical) {
    if (limits.useAxis())
      report.warn(joint, "has limits of swing or twist, which act on spherical joints only",
                  "give lower and upper, or make the joint spherical");
    const bool isBounded = std::isfinite(l.lower) || std::isfinite(l.upper);
    if (joint.kind == JointKind::Floating && isBounded && l.lower != l.upper)
      report.warn(joint, "is floating and has limits, which do not act",
                  "remove them, or build it of joints that have limits");
    return;
  }
  if (const std::string fault = faultOfSpherical(l); !fault.empty()) {
    report.error(joint, fault,
                 "give rad: lower 0 and upper in (0, pi], swing in (0, pi], twist_lower up to "
                 "twist_upper in [-pi, pi]");
  } else if (isOutOfReach(limits)) {
    report.warn(joint, "has a limit of rotation beyond pi, which is never reached",
                "give it in rad, at most pi, or leave it out");
  }
  const double length = norm(joint.axes[0]);
  if (limits.useAxis() && !(length > 1e-12 && std::isfinite(length)))
    report.error(joint, "has limits of swing or twist, and no axis that they could speak of",
                 "give an <axis>, such as 0 0 1");
}

void checkLimits(const CheckReport& report, const JointSpec& joint) {
  const JointLimits& l = joint.limits;
  if (std::isnan(l.lower) || std::isnan(l.upper) || std::isnan(l.effort) ||
      std::isnan(l.velocity) || std::isnan(l.swing) || std::isnan(l.twistLower) ||
      std::isnan(l.twistUpper))
    report.error(joint, "has a limit that is not a number", "give numbers, or leave it out");
  else if (l.lower > l.upper)
    report.error(joint, "has a lower limit above its upper limit",
                 "exchange lower and upper, or leave both out where nothing limits the joint, as "
                 "Bullet reads them");
  else
    checkRotationLimits(report, joint);
  if (l.effort < 0 || l.velocity < 0) {
    report.error(joint, "has a negative limit of effort or velocity",
                 "give its size, zero or more");
  }
}

void checkSpringMount(const CheckReport& report, const JointSpec& joint) {
  const std::vector<double>& mount = joint.dynamics.springMount;
  if (mount.empty()) return;
  const auto [nq, ball] = std::pair{info(joint.kind).nq, info(joint.kind).quaternion};
  if (static_cast<int>(mount.size()) != nq) {
    report.error(joint,
                 "has a spring_mount of " + std::to_string(mount.size()) + " numbers, but " +
                     std::to_string(nq) + " coordinates",
                 "give as many numbers as the joint has coordinates");
    return;
  }
  double all = 0, quaternion = 0;
  for (int i = 0; i < nq; ++i) {
    all += mount[i] * mount[i];
    if (i >= ball) quaternion += mount[i] * mount[i];
  }
  if (!std::isfinite(all) || (ball >= 0 && quaternion < 1e-12)) {
    report.error(joint, "has a spring_mount that is no configuration",
                 "give finite numbers; a quaternion is w x y z and not zero");
  }
}

void checkDynamics(const CheckReport& report, const JointSpec& joint) {
  const JointDynamics& d = joint.dynamics;
  const bool drives = std::isfinite(d.damping) && d.damping < 0;
  checkAmounts(report, joint,
               {{"has a damping that", drives ? 0 : d.damping},
                {"has a friction that", d.friction},
                {"has a stiffness that", d.stiffness},
                {"has a rotor_inertia that", d.rotorInertia}});
  if (drives) {
    report.warn(joint, "has a negative damping, which drives its motion",
                "give zero or more where it is to brake");
  }
  checkSpringMount(report, joint);
}

}  // namespace

void checkJoints(const CheckReport& report) {
  std::set<std::string_view> names;
  for (const JointSpec& joint : report.spec.joints) names.insert(joint.name);
  for (const JointSpec& joint : report.spec.joints) {
    checkPose(report, joint, joint.X_PJ, "has an origin that", "has an origin whose orientation");
    checkAxes(report, joint);
    checkLimits(report, joint);
    checkDynamics(report, joint);
    if (joint.kind == JointKind::Helical && !std::isfinite(joint.pitch))
      report.error(joint, "has a pitch that is not finite", "give it in metres per radian");
    if (!joint.mimic) continue;
    if (names.count(joint.mimic->joint) == 0) {
      report.error(joint,
                   "mimics the joint " + inQuotes(joint.mimic->joint) + ", which does not exist",
                   "correct the name in <mimic>");
    } else if (joint.mimic->joint == joint.name) {
      report.error(joint, "mimics itself", "name another joint in <mimic>");
    }
    if (!std::isfinite(joint.mimic->multiplier) || !std::isfinite(joint.mimic->offset))
      report.error(joint, "mimics with numbers that are not finite", "give finite numbers");
  }
  for (const TransmissionSpec& t : report.spec.transmissions) {
    if (names.count(t.joint) != 0) continue;
    report.warn(t.line,
                "transmission " + inQuotes(t.name) + " names the joint " + inQuotes(t.joint) +
                    ", which does not exist",
                "correct the name, or remove the transmission");
  }
}

void checkJointOrder(const CheckReport& report) {
  const SystemSpec& spec = report.spec;
  if (spec.jointOrder.empty()) return;
  std::map<std::string_view, JointKind> kinds;
  std::set<std::string_view> links, seen;
  for (const JointSpec& joint : spec.joints) kinds.emplace(joint.name, joint.kind);
  for (const LinkSpec& link : spec.links) links.insert(link.name);
  for (const std::string& name : spec.jointOrder) {
    const auto kind = kinds.find(name);
    if (kind == kinds.end()) {
      if (&name == &spec.jointOrder.front() && links.count(name) != 0) continue;
      report.error(0, "the joint order names " + inQuotes(name) + ", which is no joint",
                   "name the movable joints of the robot");
    } else if (!seen.insert(name).second) {
      report.error(0, "the joint order names " + inQuotes(name) + " twice", "name it once");
    } else if (info(kind->second).nv == 0) {
      report.warn(0, "the joint order names " + inQuotes(name) + ", which is fixed",
                  "name movable joints only");
    }
  }
}

}  // namespace espalier
