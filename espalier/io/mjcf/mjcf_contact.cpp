#include <tinyxml2.h>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

void readExclude(MjcfReading& reading, const MjcfNode& node) {
  node.expect({"name", "body1", "body2"});
  MjcfModel& model = reading.model;
  const int* a = lookUp(model.bodyOf, node, "body1", "body", "name a body in body1");
  const int* b = lookUp(model.bodyOf, node, "body2", "body", "name a body in body2");
  if (a != nullptr && b != nullptr) model.excluded.push_back({*a, *b, &node.element()});
}

/// Sliding along both tangents; spinning, m; rolling about both tangents, m. What the pair and its classes do
/// not give is MuJoCo's default of pairs: frictions of the geoms do not count.
std::array<double, 3> readPairFriction(MjcfReading& reading, const MjcfNode& node) {
  double f[5] = {1, 1, 0.005, 0.0001, 0.0001};
  for (const std::vector<const XMLElement*>& layer : node.layers())
    for (const XMLElement* e : layer) MjcfNode(reading.files, *e).upTo("friction", f);
  for (const double x : f)
    if (x < 0) node.error("<pair friction> is negative", "give numbers of zero or more");
  if (f[0] != f[1] || f[3] != f[4]) {
    node.omit("two frictions", "a pair rubs alike along both tangents: the first number counts",
              "expect other motion along the second; said once for all pairs");
  }
  return {f[0], f[2], f[3]};
}

void readPair(MjcfReading& reading, const MjcfNode& node) {
  expectMjcfAttributes(node);
  node.omitAttributes({"adhesion"});
  const auto& geoms = reading.model.geoms;
  const MjcfGeomId* a = lookUp(geoms, node, "geom1", "geom", "name a geom in geom1");
  const MjcfGeomId* b = lookUp(geoms, node, "geom2", "geom", "name a geom in geom2");
  if (a == nullptr || b == nullptr) return;
  if (*a == *b) {
    node.error("<pair> names one geom twice", "name two geoms");
    return;
  }
  reading.model.pairs.push_back(
      {*a, *b, readPairFriction(reading, node), readMjcfCondim(node, 3), &node.element()});
}

}  // namespace

int readMjcfCondim(const MjcfNode& node, int fallback) {
  const int condim = node.integer("condim", fallback);
  if (condim == 1 || condim == 3 || condim == 4 || condim == 6) return condim;
  node.error("<" + node.tag() + " condim> is " + std::to_string(condim), "write 1, 3, 4 or 6");
  return 3;
}

void readMjcfContact(MjcfReading& reading, const MjcfNode& contact) {
  contact.expect({});
  for (const XMLElement* e : contact.children()) {
    const MjcfNode node = reading.node(*e, reading.mainClass());
    if (node.tag() == "exclude") readExclude(reading, node);
    if (node.tag() == "pair" && !reading.model.isOff("contact")) readPair(reading, node);
  }
  contact.xml().expectChildren(contact.element(), {"exclude", "pair", "include"});
}

}  // namespace espalier::io
