// <actuator>: as MuJoCo's compiler, every shortcut is written over what its classes say of actuators,
// the outermost class first.

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "espalier/io/mjcf_parts.h"

namespace espalier::io {
namespace {

/// How an actuator's force comes about.
struct Law {
  std::array<double, 3> gain{1, 0, 0};
  std::array<double, 3> bias{0, 0, 0};
  std::string gainType = "fixed", biasType = "none", dynamics = "none";
  double inheritedRange = 0;
};

void readUpTo(const MjcfNode& node, const char* attribute, std::array<double, 3>& out) {
  const std::vector<double> all = node.list(attribute);
  std::copy_n(all.begin(), std::min(all.size(), out.size()), out.begin());
}

void readGeneral(const MjcfNode& node, Law& law) {
  if (node.has("dyntype")) law.dynamics = node.text("dyntype");
  if (node.has("gaintype")) law.gainType = node.text("gaintype");
  if (node.has("biastype")) law.biasType = node.text("biastype");
  readUpTo(node, "gainprm", law.gain);
  readUpTo(node, "biasprm", law.bias);
}

void readPosition(const MjcfNode& node, Law& law) {
  const double kp = node.number("kp", law.gain[0]);
  law.gain[0] = kp;
  law.bias[1] = -kp;
  law.biasType = "affine";
  if (node.has("kv")) law.bias[2] = -node.number("kv", 0);
  if (node.has("dampratio")) law.bias[2] = node.number("dampratio", 0);
  if (node.has("timeconst"))
    law.dynamics = node.number("timeconst", 0) > 0 ? "filterexact" : "none";
  law.inheritedRange = node.number("inheritrange", law.inheritedRange);
  if (node.tag() == "intvelocity") law.dynamics = "integrator";
}

void readCylinder(const MjcfNode& node, Law& law) {
  readUpTo(node, "bias", law.bias);
  law.gain[0] = node.number("area", law.gain[0]);
  if (node.has("diameter")) {
    const double d = node.number("diameter", 0);
    law.gain[0] = std::numbers::pi / 4 * d * d;
  }
  law.gainType = "fixed";
  law.biasType = "affine";
  law.dynamics = "filter";
}

void readLayer(const MjcfNode& node, Law& law) {
  const std::string tag = node.tag();
  if (tag == "general") {
    readGeneral(node, law);
  } else if (tag == "position" || tag == "intvelocity") {
    readPosition(node, law);
  } else if (tag == "cylinder") {
    readCylinder(node, law);
  } else if (tag == "motor") {
    law.gain = {1, 0, 0};
    law.gainType = "fixed";
    law.biasType = law.dynamics = "none";
  } else if (tag == "velocity") {
    const double kv = node.number("kv", law.gain[0]);
    law.gain[0] = kv;
    law.bias = {0, 0, -kv};
    law.gainType = "fixed";
    law.biasType = "affine";
    law.dynamics = "none";
  } else if (tag == "damper") {
    law.gain = {0, 0, -node.number("kv", 0)};
    law.gainType = "affine";
    law.biasType = law.dynamics = "none";
  } else {
    law.gainType = tag;
  }
}

bool isLinear(const Law& law) {
  const bool hasGain = law.gainType == "fixed" || law.gainType == "affine";
  const bool hasBias = law.biasType == "none" || law.biasType == "affine";
  const bool hasState =
      law.dynamics == "integrator" || law.dynamics == "filter" || law.dynamics == "filterexact";
  return hasGain && hasBias && (hasState || law.dynamics == "none");
}

/// A range that is in force; without bounds where there is none.
std::array<double, 2> rangeOf(const MjcfReading& reading, const MjcfNode& node, const char* range,
                              const char* limited) {
  double r[2];
  const bool hasRange = node.numbers(range, r) && r[0] < r[1];
  if (!hasRange || !node.choice(limited).value_or(reading.compiler.autoLimits))
    return {-unlimited, unlimited};
  return {r[0], r[1]};
}

const MjcfJoint& jointOf(const MjcfModel& model, const MjcfTerm& term) {
  return model.bodies[static_cast<std::size_t>(term.body)]
      .joints[static_cast<std::size_t>(term.joint)];
}

void leaveOut(const MjcfNode& node, const std::string& key, const std::string& what) {
  node.once(Severity::Warning, key, what + " is left out",
            "drive its joints by generalized forces; said once for all of its kind");
}

/// What the actuator pulls; nothing, and a remark, where that is not read.
void readLength(MjcfReading& reading, const MjcfNode& node, MjcfActuator& actuator) {
  const MjcfModel& model = reading.model;
  double gear[6] = {1, 0, 0, 0, 0, 0};
  node.upTo("gear", gear);
  actuator.gear = gear[0];
  if (const std::string name = node.text("tendon"); !name.empty()) {
    const auto place = model.tendonOf.find(name);
    if (place == model.tendonOf.end()) {
      node.error("there is no tendon " + shown(name), "name a tendon of the model");
      return;
    }
    const MjcfTendon& tendon = model.tendons[static_cast<std::size_t>(place->second)];
    actuator.length = tendon.terms;
    actuator.ways = tendon.ways;
  } else if (node.has("joint") || node.has("jointinparent")) {
    const std::string joint = node.text(node.has("joint") ? "joint" : "jointinparent");
    const auto place = model.joints.find(joint);
    if (place == model.joints.end()) {
      node.error("there is no joint " + shown(joint), "name a joint of the model");
      return;
    }
    const MjcfTerm term{place->second.first, place->second.second, 1};
    if (info(jointOf(model, term).spec.kind).nv == 1) {
      actuator.length.push_back(term);
    } else {
      leaveOut(node, "actuator of a ball", "an actuator of a ball or free joint");
    }
  } else {
    leaveOut(node, "transmission", "an actuator that drives neither a joint nor a tendon");
  }
  for (MjcfTerm& term : actuator.length) term.factor *= gear[0];
}

/// dampratio: bias[2] > 0 is a share of the critical damping of all inertia that the actuator sees.
void resolveDampingRatio(const MjcfModel& model, MjcfActuator& actuator) {
  const double kp = actuator.gain[0];
  if (actuator.length.empty() || actuator.bias[1] != -kp || !(actuator.bias[2] > 0)) return;
  double inertia = 0;
  for (const MjcfTerm& term : actuator.length) {
    const double squared = term.factor * term.factor;
    if (squared > 1e-15) inertia += inertiaOfMjcfJoint(model, term) / squared;
  }
  actuator.bias[2] *= -2 * std::sqrt(kp * inertia);
}

/// inheritrange: the control's range is the joint's, about its middle.
void inheritRange(const MjcfModel& model, double share, MjcfActuator& actuator) {
  if (!(share > 0) || actuator.length.size() != 1) return;
  const JointLimits& l = jointOf(model, actuator.length[0]).spec.limits;
  if (!std::isfinite(l.lower) || !std::isfinite(l.upper)) return;
  const double middle = std::midpoint(l.lower, l.upper), reach = share * (l.upper - middle);
  actuator.control = {middle - reach, middle + reach};
}

/// The actuator's own armature and damper act at its joint, by the square of the gear.
void addMechanics(MjcfReading& reading, const MjcfNode& node, const MjcfActuator& actuator) {
  double armature[1] = {0}, damping[3] = {0, 0, 0};
  node.numbers("armature", armature);
  node.upTo("damping", damping);
  if (armature[0] == 0 && damping[0] == 0) return;
  if (actuator.length.size() != 1 || node.has("tendon")) {
    node.once(Severity::Warning, "actuator armature",
              "armature and damping of an actuator that drives no joint do not act",
              "give them to the joints; said once for all of them");
    return;
  }
  const MjcfTerm& term = actuator.length[0];
  JointDynamics& d = reading.model.bodies[static_cast<std::size_t>(term.body)]
                         .joints[static_cast<std::size_t>(term.joint)]
                         .spec.dynamics;
  d.rotorInertia += term.factor * term.factor * armature[0];
  d.damping += term.factor * term.factor * damping[0];
}

void remarkOnState(const MjcfNode& node, const std::string& dynamics) {
  if (dynamics == "none") return;
  if (dynamics == "integrator") {
    node.once(Severity::Warning, "integrator",
              "an actuator that integrates its control holds what it has at the start",
              "move its target by setPdTarget(); said once for all of them");
  } else {
    node.once(Severity::Warning, "actuator filter",
              "an actuator with a filter acts at once: its time constant is left out",
              "filter its target before setPdTarget(); said once for all of them");
  }
}

void readActuator(MjcfReading& reading, const MjcfNode& node) {
  MjcfModel& model = reading.model;
  Law law;
  for (const XMLElement* e : node.layers()) readLayer(MjcfNode(reading.files, *e), law);
  MjcfActuator& actuator = model.actuators.emplace_back();
  actuator.name = node.text("name");
  actuator.tag = node.tag();
  actuator.element = &node.element();
  actuator.hasState = law.dynamics != "none" || law.gainType == "muscle";
  if (!isLinear(law)) {
    leaveOut(node, "actuator " + node.tag(), "an actuator <" + node.tag() + "> of this law");
    return;
  }
  actuator.integrates = law.dynamics == "integrator";
  readLength(reading, node, actuator);
  if (!actuator.acts()) return;
  remarkOnState(node, law.dynamics);
  actuator.gain = law.gain;
  if (law.gainType == "fixed") actuator.gain[1] = actuator.gain[2] = 0;
  if (law.biasType == "affine") actuator.bias = law.bias;
  actuator.control = rangeOf(reading, node, "ctrlrange", "ctrllimited");
  actuator.force = rangeOf(reading, node, "forcerange", "forcelimited");
  inheritRange(model, law.inheritedRange, actuator);
  addMechanics(reading, node, actuator);
  for (const MjcfTerm& term : actuator.length) {
    TransmissionSpec motor;
    motor.name = motor.actuator = actuator.name;
    motor.type = actuator.tag;
    motor.joint = jointOf(model, term).spec.name;
    motor.reduction = term.factor;
    motor.line = node.line();
    model.motors.emplace_back(term.body, std::move(motor));
  }
}

}  // namespace

void readMjcfActuators(MjcfReading& reading, const MjcfNode& actuator) {
  for (const XMLElement* e : actuator.children()) {
    if (kindOfDefault(e->Name()) == "actuator") {
      readActuator(reading, reading.node(*e, reading.mainClass()));
    } else {
      reading.files.reader(*e).unknown(actuator.element(), shown(e->Name()), e->GetLineNum(),
                                       false);
    }
  }
  // Once every armature is known.
  for (MjcfActuator& a : reading.model.actuators) resolveDampingRatio(reading.model, a);
}

}  // namespace espalier::io
