// Frictions of MuJoCo's geoms as materials and their pairs.

#include <algorithm>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/text/rotation_text.h"

namespace espalier::io {
namespace {

/// The geom of higher priority decides; between equals the larger number does; a <pair> of the two
/// decides before both.
MaterialPairSpec pairOf(const MjcfModel& model, const MjcfSurface& a, const MjcfSurface& b) {
  const bool first = a.priority > b.priority, second = b.priority > a.priority;
  const auto chosen = [&](auto x, auto y) { return first ? x : (second ? y : std::max(x, y)); };
  int condim = chosen(a.condim, b.condim);
  std::array<double, 3> friction{};
  for (std::size_t i = 0; i < 3; ++i) friction[i] = chosen(a.friction[i], b.friction[i]);
  const auto given = model.pairOfClasses.find(std::minmax(a.pairClass, b.pairClass));
  if (given != model.pairOfClasses.end()) {
    condim = given->second.condim;
    friction = given->second.friction;
  }
  MaterialPairSpec pair;
  pair.first = mjcfMaterial(a);
  pair.second = mjcfMaterial(b);
  pair.friction = condim >= 3 ? friction[0] : 0;
  pair.spinningFriction = condim >= 4 ? friction[1] : 0;
  pair.rollingFriction = condim >= 6 ? friction[2] : 0;
  return pair;
}

}  // namespace

std::string mjcfMaterial(const MjcfSurface& s) {
  if (s == MjcfSurface{}) return "default";
  return "friction " + shortest(s.friction) + " condim " + std::to_string(s.condim) +
         (s.priority == 0 ? "" : " priority " + std::to_string(s.priority)) +
         (s.pairClass == 0 ? "" : " pair " + std::to_string(s.pairClass));
}

MaterialPairSpec mjcfDefaultMaterial() { return pairOf({}, {}, {}); }

std::vector<MaterialPairSpec> mjcfMaterialPairs(const MjcfModel& model) {
  std::vector<MjcfSurface> all{MjcfSurface{}};
  for (const MjcfSurface& s : model.surfaces)
    if (s != MjcfSurface{} && all.size() < most_mjcf_surfaces) all.push_back(s);
  std::vector<MaterialPairSpec> pairs;
  for (std::size_t i = 1; i < all.size(); ++i)
    for (std::size_t k = 0; k <= i; ++k) pairs.push_back(pairOf(model, all[k], all[i]));
  return pairs;
}

}  // namespace espalier::io
