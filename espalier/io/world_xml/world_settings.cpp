#include "espalier/io/text/rotation_text.h"
#include "espalier/io/world_xml/world_parts.h"

namespace espalier::io {
namespace {

/// A number that must not be negative.
double atLeastZero(const Node& node, const char* attribute, double fallback) {
  const double value = node.number(attribute, fallback);
  if (!node.has(attribute) || value >= 0) return value;
  node.error(std::string("<") + node.spelled() + " " + attribute + "> is negative",
             "give zero or more");
  return fallback;
}

/// A number from 0 to 1.
double share(const Node& node, const char* attribute, double fallback) {
  const double value = node.number(attribute, fallback);
  if (!node.has(attribute) || (value >= 0 && value <= 1)) return value;
  node.error(std::string("<") + node.spelled() + " " + attribute + "> is " + shortest(value),
             "give a number from 0 to 1");
  return fallback;
}

void readPairing(const Node& node, MaterialPairSpec& pair) {
  pair.friction = atLeastZero(node, "friction", pair.friction);
  pair.restitution = share(node, "restitution", pair.restitution);
  pair.restitutionThreshold = atLeastZero(node, "restitution_threshold", pair.restitutionThreshold);
  if (node.has("static_friction"))
    pair.staticFriction = atLeastZero(node, "static_friction", pair.friction);
  pair.staticVelocity =
      atLeastZero(node, "static_friction_velocity_threshold", pair.staticVelocity);
  if (pair.staticVelocity == 0) {
    node.error(std::string("<") + node.spelled() + " static_friction_velocity_threshold> is zero",
               "give the slip at which friction is dynamic, in m/s; 0.01 where in doubt");
  }
  pair.rollingFriction = atLeastZero(node, "rolling_friction", pair.rollingFriction);
  pair.spinningFriction = atLeastZero(node, "spinning_friction", pair.spinningFriction);
  pair.line = node.line();
}

/// False, and an Error, where the pair names more materials than a world may have: their table
/// grows with the square of their number.
bool takeMaterials(WorldReading& reading, const Node& node, const MaterialPairSpec& pair) {
  reading.materials.insert(pair.first);
  reading.materials.insert(pair.second);
  const std::size_t most = reading.options.budget->limits().materials;
  if (reading.materials.size() <= most) return true;
  node.error("the world names more than " + std::to_string(most) + " materials",
             "give equal surfaces one material; the bound is ReadingLimits::materials");
  return false;
}

}  // namespace

void readMaterials(WorldReading& reading, const Node& material) {
  material.expect({}, {"default", "pair_prop"});
  for (const Node& node : material.children()) {
    const bool isDefault = node.tag() == "default";
    if (!isDefault && node.tag() != "pair_prop") continue;
    node.expect(
        {"name1", "name2", "friction", "restitution", "restitution_threshold", "static_friction",
         "static_friction_velocity_threshold", "rolling_friction", "spinning_friction"},
        {});
    if (isDefault) {
      readPairing(node, reading.world.defaultMaterial);
      continue;
    }
    MaterialPairSpec pair;
    pair.first = node.text("name1");
    pair.second = node.text("name2");
    if (pair.first.empty() || pair.second.empty()) {
      node.error("<pair_prop> does not name two materials", "add name1=\"...\" name2=\"...\"");
      continue;
    }
    readPairing(node, pair);
    if (!takeMaterials(reading, node, pair)) return;
    reading.world.materials.push_back(std::move(pair));
  }
}

void readGravity(WorldReading& reading, const Node& gravity) {
  gravity.expect({"value"}, {});
  reading.world.gravity = gravity.vector("value", reading.world.gravity);
  if (!gravity.has("value")) gravity.error("<gravity> has no value", "add value=\"0 0 -9.81\"");
}

void readTimeStep(WorldReading& reading, const Node& timeStep) {
  timeStep.expect({"value"}, {});
  const double dt = timeStep.required("value", reading.world.timeStep);
  if (dt > 0)
    reading.world.timeStep = dt;
  else
    timeStep.error("the time step is " + printNumber(dt) + " s", "give it more than zero");
}

void readErp(WorldReading& reading, const Node& erp) {
  erp.expect({"erp", "erp2", "slop", "max_depenetration_velocity"}, {});
  reading.world.erp = share(erp, "erp", reading.world.erp);
  reading.world.slop = atLeastZero(erp, "slop", reading.world.slop);
  double& most = reading.world.maxDepenetrationVelocity;
  const double speed = erp.number("max_depenetration_velocity", most);
  if (speed > 0)
    most = speed;
  else
    erp.error("max_depenetration_velocity is " + printNumber(speed) + " m/s",
              "give it more than zero, or leave it out for 3 m/s");
  if (erp.number("erp2", 0) != 0) {
    erp.once(Severity::Note, "<erp erp2> is read over: contacts here have no damping of their own",
             "nothing to do");
  }
}

std::map<std::string, std::string> readParameters(const Node& params) {
  std::map<std::string, std::string> result;
  for (const Node& node : params.children()) {
    node.expect({"value"}, {});
    if (!node.has("value"))
      node.error("the parameter " + shown(node.spelled()) + " has no value", "add value=\"...\"");
    result[node.spelled()] = node.text("value");
  }
  return result;
}

}  // namespace espalier::io
