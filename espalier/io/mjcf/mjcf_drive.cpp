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

  bool hasGains() const { return kp != 0 || kd != 0; }
  bool isBoundedServo() const {
    return hasGains() && (std::isfinite(lower) || std::isfinite(upper));
  }
  void bound(const std::array<double, 2>& range) {
    lower = std::max(lower, range[0]);
    upper = std::min(upper, range[1]);
    if (!hasGains()) offset = std::min(std::max(offset, lower), upper);
  }
};

void remarkOnRanges(const MjcfNode& node) {
  node.omit(
      "several actuators",
      "a joint or tendon has several actuators with force ranges: their sum is bounded, not each",
      "make them one <general>; said once for all of them");
}

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
  pull.bound({-unlimited, unlimited});
  return pull;
}

/// The same along `factor` times the length.
Pull along(const Pull& pull, double factor) {
  const double f = 1 / factor;
  return {f * pull.offset, f * f * pull.kp, f * f * pull.kd,
          std::min(f * pull.lower, f * pull.upper), std::max(f * pull.lower, f * pull.upper)};
}

/// All actuators of a tendon that bounds the sum of their forces, along the length of the first.
Pull together(MjcfReading& reading, const std::vector<const MjcfActuator*>& actuators,
              const std::array<double, 2>& effort) {
  Pull sum = pullOf(*actuators.front());
  bool boundsServo = sum.isBoundedServo(), haveOneGear = true;
  for (std::size_t i = 1; i < actuators.size(); ++i) {
    const double ratio = actuators.front()->gear / actuators[i]->gear;
    const Pull next = along(pullOf(*actuators[i]), ratio);
    boundsServo |= next.isBoundedServo();
    haveOneGear = haveOneGear && ratio == 1;
    sum.offset += next.offset;
    sum.kp += next.kp;
    sum.kd += next.kd;
    sum.lower += next.lower;
    sum.upper += next.upper;
  }
  sum.bound(effort);
  const MjcfNode node(reading.files, *actuators.back()->element);
  if (actuators.size() > 1 && boundsServo) remarkOnRanges(node);
  if (!haveOneGear)
    node.omit("gears of a tendon",
              "the actuatorfrcrange of a tendon bounds what actuators of other gears do by that of "
              "the first",
              "give them one gear; said once for all tendons");
  return sum;
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
  sum.boundsServo |= pull.isBoundedServo();
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

/// The actuator's own name, unless it has none or a tendon has it.
std::string nameOfTendon(const MjcfModel& model, const MjcfActuator& actuator) {
  if (actuator.name.empty()) return "actuator:" + std::to_string(model.tendons.size() + 1);
  return model.tendonOf.contains(actuator.name) ? "actuator:" + actuator.name : actuator.name;
}

bool isBounded(const std::array<double, 2>& range) {
  return range[0] > -unlimited || range[1] < unlimited;
}

/// Whether one of the joints that the tendon pulls bounds what its actuators do: of a spatial one those between
/// the bodies that it touches.
bool isBoundedByJoints(const MjcfModel& model, const MjcfTendon& tendon) {
  for (const MjcfTerm& term : tendon.terms)
    if (isBounded(model.joint(term).effort)) return true;
  std::set<int> touched;
  for (const MjcfWay& way : tendon.ways) forEachBody(way, [&](int body) { touched.insert(body); });
  std::map<int, std::size_t> carried;  // how many of them each body carries
  for (const int body : touched)
    for (int b = body; b != 0; b = model.bodies[b].parent) ++carried[b];
  return std::any_of(carried.begin(), carried.end(), [&](const auto& entry) {
    const std::vector<MjcfJoint>& joints = model.bodies[entry.first].joints;
    return entry.second < touched.size() &&
           std::any_of(joints.begin(), joints.end(),
                       [](const MjcfJoint& joint) { return isBounded(joint.effort); });
  });
}

/// An actuator of a spatial tendon, or of joints that move apart: a tendon of its own.
void pullApart(MjcfReading& reading, const MjcfActuator& actuator, const Pull& pull) {
  MjcfModel& model = reading.model;
  MjcfTendon tendon;
  tendon.terms = actuator.length;
  tendon.ways = actuator.ways;
  tendon.spec.name = nameOfTendon(model, actuator);
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
  if (isBoundedByJoints(model, tendon))
    MjcfNode(reading.files, *actuator.element)
        .omit("joints of a tendon",
              "the actuatorfrcrange of joints does not bound what the actuator of a tendon does "
              "there",
              "give the actuator a forcerange; said once for all of them");
  model.tendons.push_back(std::move(tendon));
}

void drive(MjcfReading& reading, const MjcfActuator& actuator, const Pull& pull, Sums& sums) {
  const MjcfNode node(reading.files, *actuator.element);
  if (pull.kp < 0 || pull.kd < 0) {
    node.omit("unstable actuator",
              "an actuator pushes away from where it is, or along its motion, and is left out",
              "give it gains of the usual sign; said once for all of them");
    return;
  }
  if (!actuator.ways.empty()) return pullApart(reading, actuator, pull);
  const auto addTo = [&](const Line& line) {
    add(sums, line, pull);
    const Sum& sum = sums.at({line.term.body, line.term.joint});
    if (sum.count > 1 && sum.boundsServo) remarkOnRanges(node);
  };
  if (const std::optional<Line> one = asOneJoint(reading.model, actuator.length))
    return addTo(*one);
  if (pull.hasGains()) return pullApart(reading, actuator, pull);
  for (const MjcfTerm& term : actuator.length) addTo({term, 0});
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
  std::map<int, std::vector<const MjcfActuator*>> ofTendons;  // of those that bound their sum
  for (const MjcfActuator& actuator : model.actuators) {
    if (!actuator.acts()) continue;
    const bool pulls = actuator.tendon >= 0 && actuator.gear != 0;
    if (pulls && isBounded(model.tendons[actuator.tendon].effort))
      ofTendons[actuator.tendon].push_back(&actuator);
    else
      drive(reading, actuator, pullOf(actuator), sums);
  }
  for (const auto& [tendon, actuators] : ofTendons)
    drive(reading, *actuators.front(), together(reading, actuators, model.tendons[tendon].effort),
          sums);
  for (const auto& [place, sum] : sums) {
    MjcfJoint& joint = model.joint({place.first, place.second, 1});
    joint.spec.actuator = finished(sum, joint);
    const ActuatorSpec& a = *joint.spec.actuator;
    joint.spec.limits.effort =
        std::min(joint.spec.limits.effort, std::max(std::abs(a.lower), std::abs(a.upper)));
  }
}

}  // namespace espalier::io
