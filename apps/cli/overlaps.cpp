#include "apps/cli/overlaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apps/cli/closing.h"
#include "espalier/world/world.h"

namespace espalier::cli {
namespace {

/// Less is mere touching, which contacts are for. m
constexpr double overlap_depth = 1e-4;
constexpr std::size_t pairs_named = 3;

using Pairs = std::set<std::pair<int, int>>;  // bodies a < b

/// What the collision room finds for the robot alone, at rest.
Pairs overlapsAt(const Model& model, const std::vector<double>& q) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(std::make_shared<const Model>(model));
  const std::vector<double> start = inOrder(q, model.spanningCoordinate);
  robot->setSpanningCoordinate(
      Eigen::Map<const Eigen::VectorXd>(start.data(), static_cast<Eigen::Index>(start.size())));
  world.integrate1();
  Pairs pairs;
  for (const Contact& c : world.contacts())
    if (c.depth > overlap_depth) pairs.insert(std::minmax(c.bodyA, c.bodyB));
  return pairs;
}

}  // namespace

void ignoreOverlaps(Robot& robot, const std::vector<double>& q, Diagnostics& diagnostics) {
  Pairs all;
  // Again, because a world has room for so many contacts only.
  for (Pairs found = overlapsAt(*robot.model, q); !found.empty();
       found = overlapsAt(*robot.model, q)) {
    const std::size_t before = all.size();
    all.insert(found.begin(), found.end());
    if (all.size() == before) break;
    for (const auto& [a, b] : found)
      robot.spec->ignoredPairs.emplace_back(robot.model->bodies[a].name,
                                            robot.model->bodies[b].name);
    Expected<Model> again = compile(*robot.spec);
    if (!again) break;
    robot.model = std::move(again).value();
  }
  if (all.empty()) return;
  std::string names;
  std::size_t count = 0;
  for (const auto& [a, b] : all)
    if (count++ < pairs_named)
      names += fmt::format("{}{} and {}", count > 1 ? ", " : "", robot.model->bodies[a].name,
                           robot.model->bodies[b].name);
  diagnostics.add(
      {Severity::Note, robot.file, 0,
       fmt::format("{} of links overlap at the start and are let through each other: {}{}",
                   all.size() == 1 ? "1 pair" : fmt::format("{} pairs", all.size()), names,
                   all.size() > pairs_named ? ", ..." : ""),
       "start at another --pose, or correct the collision bodies; --keep-overlaps keeps "
       "the contacts"});
}

}  // namespace espalier::cli
