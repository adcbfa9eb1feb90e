#include "espalier/world/overlaps.h"

#include <algorithm>
#include <memory>

#include "espalier/model/compile/compile_cache.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

constexpr double overlap_depth = 1e-4;  // m
constexpr std::size_t pairs_named = 3;

///   in  q  [spanning]; null: where a robot starts
Overlaps overlapsInContacts(const Model& model, const Eigen::VectorXd* q) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(std::make_shared<const Model>(model));
  if (q) robot->setSpanningCoordinate(*q);
  world.integrate1();
  Overlaps overlaps;
  for (const Contact& c : world.contacts()) {
    if (c.depth <= overlap_depth) continue;
    double& depth = overlaps[std::minmax(c.bodyA, c.bodyB)];
    depth = std::max(depth, c.depth);
  }
  return overlaps;
}

Overlaps find(const Model& model, const Eigen::VectorXd* q) {
  Overlaps all;
  Model rest = model;
  // Again, because a world has room for so many contacts only.
  for (Overlaps found = overlapsInContacts(rest, q); !found.empty();
       found = overlapsInContacts(rest, q)) {
    const std::size_t before = all.size();
    all.insert(found.begin(), found.end());
    if (all.size() == before) break;
    for (const auto& [pair, depth] : found)
      rest.ignoredBodyPairs.push_back({pair.first, pair.second, "overlap"});
  }
  return all;
}

}  // namespace

Overlaps findOverlaps(const Model& model, const Eigen::VectorXd& q) { return find(model, &q); }

Overlaps ignoreOverlaps(ArticulatedSystem& robot) {
  Overlaps all = findOverlaps(robot.model(), robot.getSpanningCoordinate());
  for (const auto& [pair, depth] : all) robot.ignoreCollisionBetween(pair.first, pair.second);
  return all;
}

std::string excludeOverlaps(SystemSpec& spec) {
  const auto compiled = CompileCache::ofProcess().compile(spec);
  if (!compiled.hasValue()) return "";
  const Model& model = *compiled.value();
  const Overlaps overlaps = find(model, nullptr);
  if (overlaps.empty()) return "";
  for (const auto& [pair, depth] : overlaps)
    spec.ignoredPairs.emplace_back(model.bodies[pair.first].name, model.bodies[pair.second].name,
                                   "overlap at the neutral pose");
  return nameOverlaps(overlaps, model);
}

std::string nameOverlaps(const Overlaps& overlaps, const Model& model) {
  std::string names = std::to_string(overlaps.size()) +
                      (overlaps.size() == 1 ? " pair of links: " : " pairs of links: ");
  std::size_t count = 0;
  for (const auto& [pair, depth] : overlaps) {
    if (count++ == pairs_named) return names + ", ...";
    names += (count > 1 ? ", " : "") + model.bodies[pair.first].name + " and " +
             model.bodies[pair.second].name;
  }
  return names;
}

}  // namespace espalier
