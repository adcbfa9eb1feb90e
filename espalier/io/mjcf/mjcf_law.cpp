#include "espalier/io/mjcf/mjcf_law.h"

#include <tinyxml2.h>

#include <algorithm>
#include <numbers>

namespace espalier::io {
namespace {

void readUpTo(const MjcfNode& node, const char* attribute, std::array<double, 3>& out) {
  const std::vector<double> all = node.list(attribute);
  std::copy_n(all.begin(), std::min(all.size(), out.size()), out.begin());
}

void readGeneral(const MjcfNode& node, MjcfLaw& law) {
  if (node.has("dyntype")) law.dynamics = node.text("dyntype");
  if (node.has("gaintype")) law.gainType = node.text("gaintype");
  if (node.has("biastype")) law.biasType = node.text("biastype");
  readUpTo(node, "gainprm", law.gain);
  readUpTo(node, "biasprm", law.bias);
}

void setTypes(MjcfLaw& law, const char* gain, const char* bias, const char* dynamics) {
  law.gainType = gain;
  law.biasType = bias;
  law.dynamics = dynamics;
}

/// bias[2] > 0 is a damping ratio.
void readPosition(const MjcfNode& node, MjcfLaw& law) {
  const double kp = node.number("kp", law.gain[0]);
  law.gain = {kp, 0, 0};
  law.bias = {0, -kp, law.bias[2]};
  if (node.has("kv")) law.bias[2] = -node.number("kv", 0);
  if (node.has("dampratio")) law.bias[2] = node.number("dampratio", 0);
  const bool isFiltered =
      node.has("timeconst") ? node.number("timeconst", 0) > 0 : law.dynamics == "filterexact";
  setTypes(law, "fixed", "affine",
           node.tag() == "intvelocity" ? "integrator"
           : isFiltered                ? "filterexact"
                                       : "none");
}

void readCylinder(const MjcfNode& node, MjcfLaw& law) {
  readUpTo(node, "bias", law.bias);
  law.gain = {node.number("area", law.gain[0]), 0, 0};
  if (node.has("diameter")) {
    const double d = node.number("diameter", 0);
    law.gain[0] = std::numbers::pi / 4 * d * d;
  }
  setTypes(law, "fixed", "affine", "filter");
}

void readShortcut(const MjcfNode& node, MjcfLaw& law) {
  const std::string& tag = law.writtenAs;
  if (tag == "position" || tag == "intvelocity") return readPosition(node, law);
  law.inheritedRange = 0;
  if (tag == "cylinder") {
    readCylinder(node, law);
  } else if (tag == "motor") {
    law.gain = {1, 0, 0};
    law.bias = {0, 0, 0};
    setTypes(law, "fixed", "none", "none");
  } else if (tag == "velocity") {
    const double kv = node.number("kv", law.gain[0]);
    law.gain = {kv, 0, 0};
    law.bias = {0, 0, -kv};
    setTypes(law, "fixed", "affine", "none");
  } else if (tag == "damper") {
    law.gain = {0, 0, -node.number("kv", -law.gain[2])};
    law.bias = {0, 0, 0};
    setTypes(law, "affine", "none", "none");
  } else {  // not read: muscle and the like
    law.gainType = tag;
  }
}

bool passesOn(const MjcfLaw& from, const std::string& shortcut) {
  const char* gainType = shortcut == "damper" ? "affine" : "fixed";
  return from.writtenAs == shortcut || (from.writtenAs == "general" && from.gainType == gainType);
}

/// `law`, of the same class and before it, changed by one element.
///   in  outer  results of the classes around it, the outermost first
MjcfLaw after(const MjcfLaw& law, const MjcfNode& node, const std::vector<MjcfLaw>& outer) {
  MjcfLaw next = law;
  if (node.tag() == "general") {
    readGeneral(node, next);
  } else {
    const auto nearest = std::find_if(outer.rbegin(), outer.rend(), [&](const MjcfLaw& from) {
      return passesOn(from, node.tag());
    });
    if (!passesOn(law, node.tag())) next = nearest == outer.rend() ? MjcfLaw{} : *nearest;
  }
  next.writtenAs = node.tag();
  if (next.writtenAs != "general") readShortcut(node, next);
  if (node.has("ctrlrange")) next.inheritedRange = 0;  // it is the last word
  next.inheritedRange = node.number("inheritrange", next.inheritedRange);
  return next;
}

}  // namespace

bool MjcfLaw::isAffine() const {
  const bool hasGain = gainType == "fixed" || gainType == "affine";
  const bool hasBias = biasType == "none" || biasType == "affine";
  const bool hasState =
      dynamics == "integrator" || dynamics == "filter" || dynamics == "filterexact";
  return hasGain && hasBias && (hasState || dynamics == "none");
}

MjcfLaw readMjcfLaw(MjcfFiles& files, const MjcfNode& actuator) {
  MjcfLaw law;
  std::vector<MjcfLaw> outer;
  for (const std::vector<const XMLElement*>& layer : actuator.layers()) {
    for (const XMLElement* e : layer) law = after(law, MjcfNode(files, *e), outer);
    outer.push_back(law);
  }
  return law;
}

}  // namespace espalier::io
