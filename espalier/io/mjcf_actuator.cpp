#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/mjcf_parts.h"

namespace espalier::io {
namespace {

/// The larger end of a range that is in force; infinite where there is none.
double sizeOf(const MjcfReading& reading, const MjcfNode& node, const char* range,
              const char* limited) {
  double r[2];
  const bool hasRange = node.numbers(range, r);
  if (!hasRange || !node.choice(limited).value_or(reading.compiler.autoLimits)) return unlimited;
  return std::max(std::abs(r[0]), std::abs(r[1]));
}

void remarkOnServo(const MjcfNode& node) {
  const std::string tag = node.tag();
  if (tag == "motor" || tag == "general") return;
  node.once(Severity::Warning, "servo " + tag,
            "an actuator <" + tag + "> does not act by itself: its gains are not kept (kp " +
                (node.has("kp") ? node.text("kp") : "1") + ", kv " +
                (node.has("kv") ? node.text("kv") : "0") + ")",
            "its gear and force range are kept; set gains and targets with setPdGains() and "
            "setPdTarget(); said once for all of its kind");
}

void readActuator(MjcfReading& reading, const MjcfNode& node) {
  MjcfModel& model = reading.model;
  const std::string name = node.text(node.has("joint") ? "joint" : "jointinparent");
  if (name.empty()) {
    node.once(Severity::Warning, "transmission", "an actuator that drives no joint is left out",
              "only those on joints are kept; said once for all of them");
    return;
  }
  const auto place = model.joints.find(name);
  if (place == model.joints.end()) {
    node.error("there is no joint " + shown(name), "name a joint of the model");
    return;
  }
  const auto [body, index] = place->second;
  MjcfJoint& joint =
      model.bodies[static_cast<std::size_t>(body)].joints[static_cast<std::size_t>(index)];
  double gear[6] = {1, 0, 0, 0, 0, 0};
  node.upTo("gear", gear);
  TransmissionSpec motor;
  motor.name = node.text("name");
  motor.type = node.tag();
  motor.joint = name;
  motor.actuator = motor.name;
  motor.reduction = gear[0];
  motor.line = node.line();
  // The joint's force is gear x the actuator's, which is a motor's control itself.
  double most = sizeOf(reading, node, "forcerange", "forcelimited");
  if (node.tag() == "motor") {
    most = std::min(most, sizeOf(reading, node, "ctrlrange", "ctrllimited"));
  }
  joint.isDriven = true;
  joint.drive += std::isfinite(most) ? most * std::abs(gear[0]) : unlimited;
  remarkOnServo(node);
  model.motors.emplace_back(body, std::move(motor));
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
