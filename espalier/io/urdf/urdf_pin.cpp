// RaiSim's <constraints nominal_config><pin body1 body2 anchor/>: points of two links coincide.
// The anchor is a point of body1; which point of body2 it is, follows from the configuration.

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/spec_links.h"
#include "espalier/io/urdf/urdf_parts.h"
#include "espalier/spatial/finite.h"

namespace espalier::io {
namespace {

bool isName(const SystemSpec& spec, const std::string& name) {
  return std::any_of(spec.loops.begin(), spec.loops.end(),
                     [&](const LoopSpec& loop) { return loop.name == name; });
}

std::string freeName(const SystemSpec& spec) {
  for (std::size_t i = 1;; ++i) {
    std::string name = "pin" + std::to_string(i);
    if (!isName(spec, name)) return name;
  }
}

/// nominal_config, if it is one of this robot; empty where there is none.
std::vector<double> readConfiguration(XmlReader& xml, const XMLElement& e, const SystemSpec& spec,
                                      const SpecTree& tree) {
  const std::string text = xml.text(e, "nominal_config");
  if (text.empty()) return {};
  const std::size_t count = wordsOf(text).size();
  const auto wanted = static_cast<std::size_t>(coordinatesOf(spec, tree));
  if (count != wanted) {
    xml.error(e.GetLineNum(),
              "<constraints nominal_config> has " + std::to_string(count) +
                  " numbers, the robot needs " + std::to_string(wanted),
              "give the base's position and quaternion, if it floats, then the joints'");
    return {};
  }
  std::vector<double> q(count);
  return xml.numbers(e, "nominal_config", q) ? q : std::vector<double>();
}

bool areFinite(const Transformd& X) {
  const auto sum = X.p + X.R.r0 + X.R.r1 + X.R.r2;
  return isFinite(sum);
}

}  // namespace

void readConstraints(XmlReader& xml, const XMLElement& e, SystemSpec& spec) {
  xml.setSubject("");
  xml.expectAttributes(e, {"nominal_config"});
  xml.expectChildren(e, {"pin"});
  Diagnostics said;  // by checkSpec, which comes after
  const SpecTree tree = checkTree({spec, said});
  std::vector<Transformd> poses;
  if (tree.isTree) poses = linkPoses(spec, tree, readConfiguration(xml, e, spec, tree));
  for (const XMLElement* pin : childrenOf(e, "pin")) {
    LoopSpec loop;
    loop.kind = LoopKind::POINT;
    loop.name = xml.has(*pin, "name") ? xml.text(*pin, "name") : freeName(spec);
    loop.line = xml.lineOf(*pin);
    xml.setSubject("pin " + shown(loop.name));
    xml.expectAttributes(*pin, {"name", "body1", "body2", "anchor"});
    loop.predecessor = xml.text(*pin, "body1");
    loop.successor = xml.text(*pin, "body2");
    loop.X_PA.p = xml.vector(*pin, "anchor", {0, 0, 0});
    const int p = linkIndex(spec, loop.predecessor), s = linkIndex(spec, loop.successor);
    if (!poses.empty() && p >= 0 && s >= 0 && areFinite(poses[p]) && areFinite(poses[s]))
      loop.X_SB.p = inverse(poses[s]) * (poses[p] * loop.X_PA.p);
    spec.loops.push_back(std::move(loop));
  }
}

}  // namespace espalier::io
