// Actuator forces on joints: each is linear in its length once its input is known, which makes a
// PD controller of the joint it drives.

#include <algorithm>
#include <cmath>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/mjcf/mjcf_reflected.h"

namespace espalier::io {
namespace {

/// f = offset - kp l - kd l', within the range.
struct Pull {
  double offset = 0, kp = 0, kd = 0;
  double lower = -unlimited, upper = unlimited;
};

Pull pullOf(const MjcfActuator& a) {
  Pull pull;
  pull.offset = a.gain[0] * a.input + a.bias[0];
  pull.kp = -(a.gain[1] * a.input + a.bias[1]);
  pull.kd = -(a.gain[2] * a.input + a.bias[2]);
  pull.lower = a.force[0];
  pull.upper = a.force[1];
  const bool isForce = a.gain[1] == 0 && a.gain[2] == 0 && a.bias[1] == 0 && a.bias[2] == 0;
  if (isForce && a.gain[0] != 0) {  // the range of its control
    const double one = a.gain[0] * a.control[0] + a.bias[0];
    const double other = a.gain[0] * a.control[1] + a.bias[0];
    pull.lower = std::max(pull.lower, std::min(one, other));
    pull.upper = std::min(pull.upper, std::max(one, other));
  }
  if (pull.kp == 0 && pull.kd == 0)
    pull.offset = std::min(std::max(pull.offset, pull.lower), pull.upper);
  return pull;
}

/// l = factor q + offset of one joint.
struct Line {
  MjcfTerm term;
  double offset = 0;
};

/// The joint that the term's joint follows at last, by mimics.
Line leaderOf(const MjcfModel& model, MjcfTerm term) {
  Line line{term, 0};
  for (std::size_t steps = 0; steps <= model.joints.size(); ++steps) {
    const JointSpec& spec = model.joint(line.term).spec;
    if (!spec.mimic) break;
    line.offset += line.term.factor * spec.mimic->offset;
    const double factor = line.term.factor * spec.mimic->multiplier;
    line.term = model.joints.at(spec.mimic->joint);
    line.term.factor = factor;
  }
  return line;
}

/// The length as that of one joint: the only one, or the one that all of them follow. None where
/// they move apart.
std::optional<Line> asOneJoint(const MjcfModel& model, const std::vector<MjcfTerm>& length) {
  if (length.size() == 1) return Line{length[0], 0};
  std::optional<Line> sum;
  for (const MjcfTerm& term : length) {
    const Line line = leaderOf(model, term);
    if (!sum) {
      sum = line;
      continue;
    }
    if (sum->term.body != line.term.body || sum->term.joint != line.term.joint) return std::nullopt;
    sum->term.factor += line.term.factor;
    sum->offset += line.offset;
  }
  return sum;
}

/// Sums of the actuators of one joint; targets are kept as forces until all are known.
struct Sum {
  ActuatorSpec spec;
  double targetForce = 0, rateForce = 0;
  int count = 0;
  bool boundsServo = false;  ///< one of them has gains and a range
};

using Sums = std::map<std::pair<int, int>, Sum>;  // by body and place in it

void add(Sums& sums, const Line& line, const Pull& pull) {
  const auto [place, isFirst] = sums.try_emplace({line.term.body, line.term.joint});
  Sum& sum = place->second;
  const double f = line.term.factor;
  const double kp = f * f * pull.kp, kd = f * f * pull.kd;
  const double force = f * (pull.offset - pull.kp * line.offset);
  ++sum.count;
  const bool isBounded = std::isfinite(pull.lower) || std::isfinite(pull.upper);
  sum.boundsServo |= isBounded && (kp > 0 || kd > 0);
  sum.spec.kp += kp;
  sum.spec.kd += kd;
  (kp > 0 ? sum.targetForce : kd > 0 ? sum.rateForce : sum.spec.feedforward) += force;
  const double ends[2] = {f * pull.lower, f * pull.upper};
  const double lower = f == 0 ? 0 : std::min(ends[0], ends[1]);
  const double upper = f == 0 ? 0 : std::max(ends[0], ends[1]);
  sum.spec.lower = isFirst ? lower : sum.spec.lower + lower;
  sum.spec.upper = isFirst ? upper : sum.spec.upper + upper;
}

/// The joint's own limit, and what is told.
ActuatorSpec finished(const Sum& sum, const MjcfJoint& joint) {
  ActuatorSpec spec = sum.spec;
  if (spec.kp > 0) spec.target = sum.targetForce / spec.kp;
  if (spec.kd > 0) spec.targetRate = sum.rateForce / spec.kd;
  spec.lower = std::max(spec.lower, joint.effort[0]);
  spec.upper = std::min(spec.upper, joint.effort[1]);
  return spec;
}

/// An actuator of a spatial tendon, or of joints that move apart: a tendon of its own.
void pullApart(MjcfModel& model, const MjcfActuator& actuator, const Pull& pull) {
  MjcfTendon tendon;
  tendon.terms = actuator.length;
  tendon.ways = actuator.ways;
  tendon.spec.name = "actuator:" + std::to_string(model.tendons.size() + 1) + ":" + actuator.name;
  ActuatorSpec& a = tendon.spec.actuator.emplace();
  const double gear = actuator.ways.empty() ? 1 : actuator.gear;
  a.kp = gear * gear * pull.kp;
  a.kd = gear * gear * pull.kd;
  const double force = gear * pull.offset;
  (a.kp > 0   ? a.target
   : a.kd > 0 ? a.targetRate
              : a.feedforward) = force / (a.kp > 0   ? a.kp
                                          : a.kd > 0 ? a.kd
                                                     : 1);
  a.lower = std::min(gear * pull.lower, gear * pull.upper);
  a.upper = std::max(gear * pull.lower, gear * pull.upper);
  model.tendons.push_back(std::move(tendon));
}

void remarkOnRanges(const MjcfNode& node, const Sum& sum) {
  if (sum.count < 2 || !sum.boundsServo) return;
  node.omit("several actuators",
            "a joint has several actuators with force ranges: their sum is bounded, not each",
            "make them one <general>; said once for all joints");
}

void drive(MjcfReading& reading, const MjcfActuator& actuator, Sums& sums) {
  const MjcfNode node(reading.files, *actuator.element);
  const Pull pull = pullOf(actuator);
  if (pull.kp < 0 || pull.kd < 0) {
    node.omit("unstable actuator",
              "an actuator pushes away from where it is, or along its motion, and is left out",
              "give it gains of the usual sign; said once for all of them");
    return;
  }
  if (!actuator.ways.empty()) return pullApart(reading.model, actuator, pull);
  const std::optional<Line> one = asOneJoint(reading.model, actuator.length);
  if (one) {
    add(sums, *one, pull);
    remarkOnRanges(node, sums.at({one->term.body, one->term.joint}));
    return;
  }
  if (pull.kp == 0 && pull.kd == 0) {
    for (const MjcfTerm& term : actuator.length) add(sums, {term, 0}, pull);
    return;
  }
  pullApart(reading.model, actuator, pull);
}

/// dampratio: bias[2] > 0 is a share of the critical damping of the inertia that the actuator sees.
void resolveDampingRatios(MjcfModel& model) {
  std::optional<MjcfMassMatrix> masses;
  for (MjcfActuator& a : model.actuators) {
    const double kp = a.gain[0];
    if (!a.acts() || a.bias[1] != -kp || !(a.bias[2] > 0)) continue;
    if (!masses) masses.emplace(model);
    a.bias[2] *= -2 * std::sqrt(kp * masses->seenBy(a));
  }
}

}  // namespace

void driveMjcfJoints(MjcfReading& reading) {
  MjcfModel& model = reading.model;
  resolveDampingRatios(model);
  Sums sums;
  for (const MjcfActuator& actuator : model.actuators)
    if (actuator.acts()) drive(reading, actuator, sums);
  for (const auto& [place, sum] : sums) {
    MjcfJoint& joint = model.joint({place.first, place.second, 1});
    joint.spec.actuator = finished(sum, joint);
    const ActuatorSpec& a = *joint.spec.actuator;
    joint.spec.limits.effort =
        std::min(joint.spec.limits.effort, std::max(std::abs(a.lower), std::abs(a.upper)));
  }
}

}  // namespace espalier::io
