// Which geoms meet: MuJoCo's contype and conaffinity, <pair> and <exclude>, as groups and masks.

#include <algorithm>
#include <tuple>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

constexpr std::size_t most_filters = 64;

/// Numbers from 1 for geoms with equal partners.
template <class Thing, class Partner>
std::map<Thing, int> classesOf(const std::map<Thing, std::set<Partner>>& partners) {
  std::map<std::set<Partner>, int> numbers;
  std::map<Thing, int> classes;
  for (const auto& [thing, all] : partners)
    classes[thing] = numbers.try_emplace(all, static_cast<int>(numbers.size()) + 1).first->second;
  return classes;
}

/// Geoms with the same partners and the same values for each share a class. What is equal for a
/// geom's partners is so in return: a class meets all of another class, or none.
void classifyPairs(MjcfModel& model) {
  using Partner = std::tuple<MjcfGeomId, std::array<double, 3>, int>;
  std::map<MjcfGeomId, std::set<Partner>> partners;
  for (const MjcfPair& p : model.pairs) {
    partners[p.first].insert({p.second, p.friction, p.condim});
    partners[p.second].insert({p.first, p.friction, p.condim});
  }
  const std::map<MjcfGeomId, int> classes = classesOf(partners);
  for (const auto& [geom, number] : classes)
    model.bodies[geom.first].geoms[geom.second].surface.pairClass = number;
  for (const MjcfPair& p : model.pairs)
    model.pairOfClasses[std::minmax(classes.at(p.first), classes.at(p.second))] = p;
}

/// The body that carries it without joints between them, up to the world.
int carrierOf(const MjcfModel& model, int body) {
  while (body != 0 && model.bodies[body].joints.empty()) body = model.bodies[body].parent;
  return body;
}

/// An exclusion keeps bodies apart: what is welded to them may meet, and so may geoms of a <pair>. Links
/// are what is welded together, so that only those without others' geoms are kept apart as a whole.
void findExclusionsOfGeoms(MjcfModel& model) {
  std::map<int, std::set<int>> collide;  // bodies, by their carrier
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const std::vector<MjcfGeom>& geoms = model.bodies[b].geoms;
    if (std::any_of(geoms.begin(), geoms.end(), [](const MjcfGeom& g) { return g.collides(); }))
      collide[carrierOf(model, b)].insert(b);
  }
  std::set<std::pair<int, int>> paired;
  for (const MjcfPair& p : model.pairs) paired.insert(std::minmax(p.first.first, p.second.first));
  const auto isShared = [&](int body) {
    const std::set<int>& all = collide[carrierOf(model, body)];
    return all.size() > all.count(body);
  };
  for (MjcfExclusion& e : model.excluded)
    e.isOfGeoms = isShared(e.first) || isShared(e.second) ||
                  paired.count(std::minmax(e.first, e.second)) != 0;
}

/// Bodies that are excluded from the same bodies share a class, those aside that their links keep apart.
void classifyExclusions(MjcfModel& model, const MjcfGroups& groups) {
  const auto groupOf = [&](int body) { return groups.of[body]; };
  std::map<int, std::set<int>> partners;
  std::vector<std::pair<int, int>> apart;
  for (const MjcfExclusion& e : model.excluded) {
    const bool isInOne = groupOf(e.first) >= 0 && groupOf(e.first) == groupOf(e.second);
    if (isInOne && !e.isOfGeoms) continue;
    partners[e.first].insert(e.second);
    partners[e.second].insert(e.first);
    apart.emplace_back(e.first, e.second);
  }
  const std::map<int, int> classes = classesOf(partners);
  model.excludedClasses.clear();
  model.excludeClass.assign(model.bodies.size(), 0);
  for (const auto& [body, number] : classes) model.excludeClass[body] = number;
  for (const auto& [a, b] : apart)
    model.excludedClasses.insert(std::minmax(classes.at(a), classes.at(b)));
}

MjcfFilter filterOf(const MjcfModel& model, int body, const MjcfGeom& geom) {
  return {geom.contype, geom.conaffinity, geom.surface.pairClass, model.excludeClass[body]};
}

bool meet(const MjcfModel& model, const MjcfFilter& a, const MjcfFilter& b) {
  if (model.pairOfClasses.count(std::minmax(a.pairClass, b.pairClass)) != 0) return true;
  if (model.excludedClasses.count(std::minmax(a.excludeClass, b.excludeClass)) != 0) return false;
  return (a.contype & b.conaffinity) != 0 || (b.contype & a.conaffinity) != 0;
}

/// Pairs on one body, or on a body and its parent: links that are joined never collide here.
void remarkOnNeighbours(MjcfReading& reading) {
  const auto& bodies = reading.model.bodies;
  for (const MjcfPair& p : reading.model.pairs) {
    const int a = p.first.first, b = p.second.first;
    const bool areJoined = (a != 0 && bodies[b].parent == a) || (b != 0 && bodies[a].parent == b);
    if (a != b && !areJoined) continue;
    MjcfNode(reading.files, *p.element)
        .omit("pair of neighbours", "a <pair> of geoms on one body, or on joined ones, never meets",
              "limit the joint between them; said once for all of them");
  }
}

/// Surfaces and filters of all geoms that collide.
void collectKinds(MjcfModel& model) {
  model.surfaces.clear();
  model.filters.clear();
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    for (const MjcfGeom& geom : model.bodies[b].geoms) {
      if (!geom.collides()) continue;
      model.surfaces.insert(geom.surface);
      model.filters.insert(filterOf(model, b, geom));
    }
  }
}

}  // namespace

void classifyMjcfGeoms(MjcfReading& reading, const MjcfGroups& groups) {
  MjcfModel& model = reading.model;
  classifyPairs(model);
  findExclusionsOfGeoms(model);
  classifyExclusions(model, groups);
  remarkOnNeighbours(reading);
  collectKinds(model);
  XmlReader& xml = reading.files.reader(*reading.root);
  const bool hasExclusionsOfGeoms = std::any_of(model.excluded.begin(), model.excluded.end(),
                                                [](const MjcfExclusion& e) { return e.isOfGeoms; });
  if (model.filters.size() >= most_filters && hasExclusionsOfGeoms) {
    for (MjcfExclusion& e : model.excluded) e.isOfGeoms = false;
    classifyExclusions(model, groups);
    collectKinds(model);
    xml.omit(
        "exclusions of links", 1,
        "there are more than 63 ways in which <exclude> and others differ between geoms: it keeps "
        "whole links apart, with what is welded to them and the geoms of a <pair>",
        "use fewer of them");
  }
  if (model.surfaces.size() >= most_mjcf_surfaces) {
    xml.omit("surfaces", 1,
             "there are more than 63 kinds of friction: those beyond rub as by default",
             "give the geoms fewer frictions");
  }
  if (model.filters.size() >= most_filters) {
    xml.omit("filters", 1,
             "there are more than 63 ways in which contype, conaffinity, <pair> and <exclude> "
             "differ between geoms: all geoms meet",
             "use fewer of them");
  }
}

std::pair<std::uint64_t, std::uint64_t> mjcfGroupAndMask(const MjcfModel& model, int body,
                                                         const MjcfGeom& geom) {
  // MuJoCo's rule asks for one of two bits, ours for both: hence each filter is a group of its own,
  // and a mask lists those it meets. The usual one alone, or too many: as usual here.
  const std::uint64_t everything = ~std::uint64_t{0};
  if (model.filters.size() >= most_filters) return {1, everything};
  if (model.filters == std::set<MjcfFilter>{MjcfFilter{}}) return {1, everything};
  std::vector<MjcfFilter> order{MjcfFilter{}};
  for (const MjcfFilter& filter : model.filters)
    if (filter != order.front()) order.push_back(filter);
  const MjcfFilter own = filterOf(model, body, geom);
  std::uint64_t group = 0, mask = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] == own) group = std::uint64_t{1} << i;
    if (meet(model, own, order[i])) mask |= std::uint64_t{1} << i;
  }
  return {group, mask};
}

}  // namespace espalier::io
