#include <tinyxml2.h>

#include <algorithm>

#include "espalier/io/mjcf_parts.h"
#include "espalier/io/rotation_text.h"

namespace espalier::io {
namespace {

constexpr std::size_t most_surfaces = 64;
constexpr std::size_t most_filters = 64;

int bodyOf(const MjcfModel& model, const MjcfNode& node, const char* attribute) {
  const std::string name = node.text(attribute);
  if (name == "world") return 0;
  const auto place = model.bodyOf.find(name);
  if (place != model.bodyOf.end()) return place->second;
  node.error("there is no body " + shown(name), "name a body in " + std::string(attribute));
  return -1;
}

/// The geom of higher priority decides; between equals the larger number does.
MaterialPairSpec pairOf(const MjcfSurface& a, const MjcfSurface& b) {
  const bool first = a.priority > b.priority, second = b.priority > a.priority;
  const auto chosen = [&](auto x, auto y) { return first ? x : (second ? y : std::max(x, y)); };
  const int condim = chosen(a.condim, b.condim);
  MaterialPairSpec pair;
  pair.first = mjcfMaterial(a);
  pair.second = mjcfMaterial(b);
  pair.friction = condim >= 3 ? chosen(a.friction[0], b.friction[0]) : 0;
  pair.spinningFriction = condim >= 4 ? chosen(a.friction[1], b.friction[1]) : 0;
  pair.rollingFriction = condim >= 6 ? chosen(a.friction[2], b.friction[2]) : 0;
  return pair;
}

/// By contype and conaffinity.
bool meet(const std::pair<int, int>& a, const std::pair<int, int>& b) {
  return (a.first & b.second) != 0 || (b.first & a.second) != 0;
}

}  // namespace

void readMjcfContact(MjcfReading& reading, const MjcfNode& contact) {
  for (const XMLElement* e : contact.children()) {
    const MjcfNode node(reading.files, *e);
    if (node.tag() == "exclude") {
      node.expect({"name", "body1", "body2"});
      const int a = bodyOf(reading.model, node, "body1"), b = bodyOf(reading.model, node, "body2");
      if (a >= 0 && b >= 0) reading.model.excluded.push_back({a, b, node.line()});
    } else if (node.tag() == "pair") {
      node.once(Severity::Warning, "pair", "a <pair> is left out: its geoms meet as others do",
                "give the geoms contype, conaffinity and friction; said once for all pairs");
    }
  }
  contact.xml().expectChildren(contact.element(), {"exclude", "pair", "include"});
}

void remarkOnContacts(const MjcfModel& model, XmlReader& xml) {
  if (model.surfaces.size() >= most_surfaces) {
    xml.warn(1, "there are more than 63 kinds of friction: those beyond rub as by default",
             "give the geoms fewer frictions");
  }
  if (model.filters.size() >= most_filters) {
    xml.warn(1, "there are more than 63 pairs of contype and conaffinity: all geoms meet",
             "use fewer of them");
  }
}

std::string mjcfMaterial(const MjcfSurface& s) {
  if (s == MjcfSurface{}) return "default";
  return "friction " + shortest(s.friction) + " condim " + std::to_string(s.condim) +
         (s.priority == 0 ? "" : " priority " + std::to_string(s.priority));
}

MaterialPairSpec mjcfDefaultMaterial() { return pairOf({}, {}); }

std::vector<MaterialPairSpec> mjcfMaterialPairs(const MjcfModel& model) {
  std::vector<MjcfSurface> all{MjcfSurface{}};
  for (const MjcfSurface& s : model.surfaces) {
    if (s != MjcfSurface{} && all.size() < most_surfaces) all.push_back(s);
  }
  std::vector<MaterialPairSpec> pairs;
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (std::size_t k = 0; k <= i; ++k) pairs.push_back(pairOf(all[k], all[i]));
  }
  return pairs;
}

std::pair<std::uint64_t, std::uint64_t> mjcfGroupAndMask(const MjcfModel& model,
                                                         const MjcfGeom& geom) {
  // MuJoCo's rule asks for one of two bits, ours for both: hence each (contype, conaffinity) is a
  // group of its own, and a mask lists those it meets. (1, 1) alone, or too many: as usual here.
  const std::uint64_t everything = ~std::uint64_t{0};
  if (model.filters.size() >= most_filters) return {1, everything};
  if (model.filters == std::set<std::pair<int, int>>{{1, 1}}) return {1, everything};
  std::vector<std::pair<int, int>> order{{1, 1}};
  for (const auto& filter : model.filters) {
    if (filter != order.front()) order.push_back(filter);
  }
  const std::pair<int, int> own{geom.contype, geom.conaffinity};
  std::uint64_t group = 0, mask = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] == own) group = std::uint64_t{1} << i;
    if (meet(own, order[i])) mask |= std::uint64_t{1} << i;
  }
  return {group, mask};
}

}  // namespace espalier::io
