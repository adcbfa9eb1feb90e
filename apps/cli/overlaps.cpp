#include "apps/cli/overlaps.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/closing.h"
#include "espalier/world/world.h"

namespace espalier::cli {
namespace {

constexpr double overlap_depth = 1e-4;  // m
constexpr std::size_t pairs_named = 3;

Overlaps overlapsInContacts(const Model& model, const std::vector<double>& q) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(std::make_shared<const Model>(model));
  const std::vector<double> start = inOrder(q, model.spanningCoordinate);
  robot->setSpanningCoordinate(
      Eigen::Map<const Eigen::VectorXd>(start.data(), static_cast<Eigen::Index>(start.size())));
  world.integrate1();
  Overlaps overlaps;
  for (const Contact& c : world.contacts()) {
    if (c.depth <= overlap_depth) continue;
    double& depth = overlaps[std::minmax(c.bodyA, c.bodyB)];
    depth = std::max(depth, c.depth);
  }
  return overlaps;
}

}  // namespace

Overlaps overlapsAt(const Model& model, const std::vector<double>& q) {
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

void ignoreOverlaps(Robot& robot, const std::vector<double>& q, Diagnostics& diagnostics) {
  const Overlaps all = overlapsAt(*robot.model, q);
  if (all.empty()) return;
  std::string names;
  std::size_t count = 0;
  for (const auto& [pair, depth] : all) {
    const std::string &a = robot.model->bodies[pair.first].name,
                      &b = robot.model->bodies[pair.second].name;
    robot.spec->ignoredPairs.emplace_back(a, b, "overlap at the start");
    if (count++ < pairs_named) names += fmt::format("{}{} and {}", count > 1 ? ", " : "", a, b);
  }
  if (Expected<Model> again = compile(*robot.spec)) robot.model = std::move(again).value();
  diagnostics.add(
      {Severity::Note, robot.file, 0,
       fmt::format("{} of links overlap at the start and are let through each other: {}{}",
                   all.size() == 1 ? "1 pair" : fmt::format("{} pairs", all.size()), names,
                   all.size() > pairs_named ? ", ..." : ""),
       "espalier info --collisions lists them; start at another --pose, or correct the collision "
       "bodies; --keep-overlaps keeps the contacts"});
}

}  // namespace espalier::cli
