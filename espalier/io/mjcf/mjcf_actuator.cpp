// <actuator>: transmissions, laws and ranges.

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/io/mjcf/mjcf_law.h"
#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

/// A range that is in force; without bounds where there is none.
std::array<double, 2> rangeOf(const MjcfReading& reading, const MjcfNode& node, const char* range,
                              const char* limited) {
  return readMjcfRange(reading, node, range, limited)
      .value_or(std::array<double, 2>{-unlimited, unlimited});
}

void leaveOut(const MjcfNode& node, const std::string& key, const std::string& what) {
  node.omit(key, what + " is left out",
            "drive its joints by generalized forces; said once for all of its kind");
}

/// The actuator's transmission; none, and a remark, where it is not supported.
void readLength(MjcfReading& reading, const MjcfNode& node, MjcfActuator& actuator) {
  const MjcfModel& model = reading.model;
  double gear[6] = {1, 0, 0, 0, 0, 0};
  node.upTo("gear", gear);
  actuator.gear = gear[0];
  if (!node.text("tendon").empty()) {
    const int* index =
        lookUp(model.tendonOf, node, "tendon", "tendon", "name a tendon of the model");
    if (index == nullptr) return;
    const MjcfTendon& tendon = model.tendons[*index];
    actuator.length = tendon.terms;
    actuator.ways = tendon.ways;
    actuator.tendon = *index;
  } else if (node.has("joint") || node.has("jointinparent")) {
    const MjcfTerm* term = lookUp(model.joints, node, node.has("joint") ? "joint" : "jointinparent",
                                  "joint", "name a joint of the model");
    if (term == nullptr) return;
    if (info(model.joint(*term).spec.kind).nv == 1)
      actuator.length.push_back(*term);
    else
      leaveOut(node, "actuator of a ball", "an actuator of a ball or free joint");
  } else {
    leaveOut(node, "transmission", "an actuator that drives neither a joint nor a tendon");
  }
  for (MjcfTerm& term : actuator.length) term.factor *= gear[0];
}

/// inheritrange: the control's range is that of the joint or tendon, about its middle.
void inheritRange(const MjcfModel& model, const MjcfNode& node, const MjcfLaw& law,
                  MjcfActuator& actuator) {
  if (!(law.inheritedRange > 0) || !law.isServo() || law.dynamics == "integrator") return;
  double lower = 0, upper = 0;
  if (const auto tendon = model.tendonOf.find(node.text("tendon"));
      tendon != model.tendonOf.end()) {
    const TendonSpec& spec = model.tendons[tendon->second].spec;
    lower = spec.lower;
    upper = spec.upper;
  } else {
    const JointLimits& limits = model.joint(actuator.length[0]).spec.limits;
    lower = limits.lower;
    upper = limits.upper;
  }
  if (!std::isfinite(lower) || !std::isfinite(upper)) return;
  const double middle = std::midpoint(lower, upper);
  const double reach = law.inheritedRange * (upper - middle);
  actuator.control = {middle - reach, middle + reach};
}

/// The actuator's own armature and damper act at its joint, by the square of the gear.
void addMechanics(MjcfReading& reading, const MjcfNode& node, const MjcfActuator& actuator) {
  const double armature = node.number("armature", 0);
  const double damping = readMjcfLinear(node, "damping", "actuator");
  if (armature == 0 && damping == 0) return;
  if (actuator.length.size() != 1 || node.has("tendon")) {
    node.omit("actuator armature",
              "armature and damping of an actuator that drives no joint do not act",
              "give them to the joints; said once for all of them");
    return;
  }
  const MjcfTerm& term = actuator.length[0];
  JointDynamics& d = reading.model.joint(term).spec.dynamics;
  d.rotorInertia += term.factor * term.factor * armature;
  d.damping += term.factor * term.factor * damping;
}

/// How many numbers of a keyframe's ctrl are its own.
std::size_t countControls(const MjcfNode& node, const std::string& gainType) {
  if (gainType == "orientation") return node.text("input") == "quat" ? 4 : 3;
  if (gainType != "pid" && gainType != "dcmotor") return 1;
  std::string inputs = node.text("input");
  if (inputs.empty()) inputs = gainType == "pid" ? "pos vel" : "voltage";
  if (inputs == "none") return 0;
  return wordsOf(inputs).size();
}

void readActuator(MjcfReading& reading, const MjcfNode& node) {
  MjcfModel& model = reading.model;
  expectMjcfAttributes(node);
  node.omitAttributes({"delay"});
  const MjcfLaw law = readMjcfLaw(reading.files, node);
  MjcfActuator& actuator = model.actuators.emplace_back();
  actuator.name = node.text("name");
  if (!actuator.name.empty())
    addNamed(model.actuatorOf, actuator.name, static_cast<int>(model.actuators.size()) - 1, node,
             "actuator", "actuators");
  actuator.tag = node.tag();
  actuator.element = &node.element();
  actuator.controls = countControls(node, law.gainType);
  actuator.hasState = law.dynamics != "none" || law.gainType == "muscle";
  if (!law.isAffine()) {
    leaveOut(node, "actuator " + node.tag(), "an actuator <" + node.tag() + "> of this law");
    return;
  }
  actuator.integrates = law.dynamics == "integrator";
  actuator.force = rangeOf(reading, node, "forcerange", "forcelimited");
  readLength(reading, node, actuator);
  if (!actuator.acts()) return;
  actuator.gain = law.gain;
  if (law.gainType == "fixed") actuator.gain[1] = actuator.gain[2] = 0;
  if (law.biasType == "affine") actuator.bias = law.bias;
  actuator.control = rangeOf(reading, node, "ctrlrange", "ctrllimited");
  inheritRange(model, node, law, actuator);
  if (model.disabled.count("clampctrl") != 0) actuator.control = {-unlimited, unlimited};
  addMechanics(reading, node, actuator);
  if (model.disabledGroups.count(node.integer("group", 0)) != 0) {
    actuator.length.clear();
    actuator.ways.clear();
  }
  for (const MjcfTerm& term : actuator.length) {
    TransmissionSpec motor;
    motor.name = motor.actuator = actuator.name;
    motor.type = actuator.tag;
    motor.joint = model.joint(term).spec.name;
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
}

}  // namespace espalier::io
