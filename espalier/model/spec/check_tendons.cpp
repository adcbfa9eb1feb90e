#include "espalier/model/spec/checks.h"

#include <cmath>

#include "espalier/model/spec/named.h"
#include "espalier/spatial/finite.h"

namespace espalier {
namespace {

void checkTerms(const CheckReport& report, const TendonSpec& tendon) {
  if (tendon.terms.empty() && tendon.ways.empty())
    report.error(tendon, "has no joints and no points", "name those that make up its length");
  for (const TendonSpec::Term& term : tendon.terms) {
    const JointSpec* joint = named(report.spec.joints, term.joint);
    if (joint == nullptr) {
      report.error(tendon, "names the joint " + inQuotes(term.joint) + ", which does not exist",
                   "correct the name");
    } else if (info(joint->kind).nv != 1) {
      report.error(tendon, "names the joint " + inQuotes(term.joint) + ", which has not one dof",
                   "name joints of one dof");
    }
    if (!std::isfinite(term.coefficient))
      report.error(tendon, "has a coefficient that is not finite", "give a finite number");
  }
}

void checkLink(const CheckReport& report, const TendonSpec& tendon, const std::string& name) {
  if (indexOf(report.spec.links, name) >= 0 || name == "world") return;
  report.error(tendon, "runs to the link " + inQuotes(name) + ", which does not exist",
               "correct the name");
}

void checkPoint(const CheckReport& report, const TendonSpec& tendon,
                const TendonSpec::Point& point) {
  checkLink(report, tendon, point.link);
  if (!isFinite(point.position))
    report.error(tendon, "has a point that is not finite", "give finite numbers");
}

void checkWraps(const CheckReport& report, const TendonSpec& tendon, const TendonSpec::Way& way) {
  int last = -1;
  for (const TendonSpec::Wrap& wrap : way.wraps) {
    if (wrap.after <= last || wrap.after + 1 >= static_cast<int>(way.points.size())) {
      report.error(tendon, "is led round a surface that does not stand alone between two points",
                   "give one surface between two points");
    }
    last = wrap.after;
    checkLink(report, tendon, wrap.link);
    if (!(wrap.surface.radius > 0) || !std::isfinite(wrap.surface.radius)) {
      report.error(tendon, "is led round a surface whose radius is not above zero",
                   "give a finite radius");
    }
    const Mat3d& R = wrap.X_LS.R;
    if (!isFinite(wrap.X_LS.p) || !(norm(cross(R.r0, R.r1) - R.r2) < 1e-6)) {
      report.error(tendon, "is led round a surface whose frame is no finite pose",
                   "give a position and a rotation");
    }
    if (wrap.side) checkPoint(report, tendon, *wrap.side);
  }
}

void checkWays(const CheckReport& report, const TendonSpec& tendon) {
  for (const TendonSpec::Way& way : tendon.ways) {
    if (!(way.divisor > 0) || !std::isfinite(way.divisor))
      report.error(tendon, "has a divisor that is not above zero", "give a finite number");
    if (way.points.size() < 2)
      report.error(tendon, "has a way of less than two points", "say from where to where it runs");
    for (const TendonSpec::Point& point : way.points) checkPoint(report, tendon, point);
    checkWraps(report, tendon, way);
  }
}

void checkNumbers(const CheckReport& report, const TendonSpec& tendon) {
  checkAmounts(report, tendon,
               {{"has a stiffness that", tendon.stiffness},
                {"has a damping that", tendon.damping},
                {"has a friction that", tendon.friction}});
  if (!(tendon.lower <= tendon.upper)) {
    report.error(tendon, "has a lower limit that is not below its upper limit",
                 "exchange lower and upper");
  }
  const bool isFinite = std::isfinite(tendon.restLower) && std::isfinite(tendon.restUpper);
  if (!isFinite || tendon.restLower > tendon.restUpper) {
    report.error(tendon, "has lengths at rest that are not finite or not in order",
                 "give the shorter one first");
  }
}

/// Gains, targets and limits of an actuator.
void checkActuator(const CheckReport& report, const SpecPlace& at, const ActuatorSpec& a) {
  checkAmounts(report, at,
               {{"has an actuator whose kp", a.kp}, {"has an actuator whose kd", a.kd}});
  if (!std::isfinite(a.target) || !std::isfinite(a.targetRate) || !std::isfinite(a.feedforward))
    report.error(at, "has an actuator whose target or feedforward is not finite",
                 "give finite numbers");
  if (!(a.lower <= a.upper))
    report.error(at, "has an actuator whose lower force limit is not below its upper one",
                 "exchange lower and upper");
}

}  // namespace

void checkTendons(const CheckReport& report) {
  for (const JointSpec& joint : report.spec.joints) {
    if (!joint.actuator) continue;
    if (info(joint.kind).nv != 1) {
      report.error(joint, "has an actuator, but not one dof",
                   "take the actuator out and drive the joint by generalized forces");
    } else {
      checkActuator(report, joint, *joint.actuator);
    }
  }
  for (const TendonSpec& tendon : report.spec.tendons) {
    checkTerms(report, tendon);
    checkWays(report, tendon);
    checkNumbers(report, tendon);
    if (tendon.actuator) checkActuator(report, tendon, *tendon.actuator);
  }
  for (const LinkSpec& link : report.spec.links) {
    if (std::isfinite(link.gravityCompensation)) continue;
    report.error(link, "has a gravity compensation that is not finite", "give a finite number");
  }
}

}  // namespace espalier
