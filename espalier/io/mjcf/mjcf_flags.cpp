#include <tinyxml2.h>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/text/numbers.h"

namespace espalier::io {
namespace {

/// Flags of features that act here and can be disabled.
constexpr std::string_view removable[] = {"contact",    "equality", "limit",  "frictionloss",
                                          "constraint", "passive",  "spring", "damper",
                                          "gravity",    "clampctrl"};
/// Flags of MuJoCo's numerics, or of features that do not act here.
constexpr std::string_view numerical[] = {"warmstart", "autoreset", "island", "refsafe", "midphase",
                                          "nativeccd", "eulerdamp", "sensor", "multiccd"};
/// MuJoCo's other flags.
constexpr std::string_view others[] = {"actuation", "filterparent", "override",  "energy",
                                       "fwdinv",    "invdiscrete",  "diagexact", "ipc",
                                       "sleep",     "speculative"};

/// Whether "spring" or "damper" acts.
bool hasPassive(const MjcfModel& model, const std::string& what) {
  return model.disabled.count("passive") == 0 && model.disabled.count(what) == 0;
}

}  // namespace

void readMjcfFlags(MjcfReading& reading, const MjcfNode& flags) {
  for (const auto* a = flags.element().FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string name = a->Name(), value = a->Value();
    if (!isOneOf(name, removable) && !isOneOf(name, numerical) && !isOneOf(name, others)) {
      flags.xml().unknown(flags.element(), "attribute " + shown(name), a->GetLineNum(), false);
    } else if (value != "enable" && value != "disable") {
      flags.error("<flag " + name + "> is " + shown(value), "write enable or disable");
    } else if (value == "disable" && isOneOf(name, removable)) {
      reading.model.disabled.insert(name);
    } else if (value == "disable" && !isOneOf(name, numerical)) {
      flags.omit("flag " + name,
                 "the flag that disables " + shown(name) + " is left out: it stays on",
                 "take out of the model what shall not act");
    } else if (value == "enable" && name == "override") {
      flags.omit("flag override", "the flag 'override' is left out",
                 "contacts are as their geoms say");
    }
  }
}

void applyMjcfFlags(const MjcfModel& model, TendonSpec& tendon) {
  if (model.isOff("limit")) tendon.lower = -unlimited, tendon.upper = unlimited;
  if (model.isOff("frictionloss")) tendon.friction = 0;
  if (!hasPassive(model, "spring")) tendon.stiffness = 0;
  if (!hasPassive(model, "damper")) tendon.damping = 0;
}

void applyMjcfFlags(MjcfReading& reading) {
  MjcfModel& model = reading.model;
  if (model.disabled.empty()) return;
  if (model.disabled.count("gravity") != 0) model.gravity = {0, 0, 0};
  const bool hasSprings = hasPassive(model, "spring"), hasDampers = hasPassive(model, "damper");
  const bool isPassive = hasSprings || hasDampers;  // without both MuJoCo has no passive forces
  if (!isPassive) model.medium = {};
  for (MjcfBody& body : model.bodies) {
    if (!isPassive) body.gravityCompensation = 0;
    if (model.isOff("contact"))
      for (MjcfGeom& geom : body.geoms) geom.contype = geom.conaffinity = 0;
    for (MjcfJoint& joint : body.joints) {
      JointLimits& limits = joint.spec.limits;
      if (model.isOff("limit")) limits.lower = -unlimited, limits.upper = unlimited;
      JointDynamics& d = joint.spec.dynamics;
      if (model.isOff("frictionloss")) d.friction = 0;
      if (!hasSprings) d.stiffness = 0;
      if (!hasDampers) d.damping = 0;
    }
  }
}

}  // namespace espalier::io
