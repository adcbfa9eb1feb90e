#include "apps/cli/overlaps.h"

#include "apps/cli/closing.h"

namespace espalier::cli {

Overlaps overlapsAt(const Model& model, const std::vector<double>& q) {
  return findOverlaps(model, vectorInOrder(q, model.spanningCoordinate));
}

void ignoreOverlaps(Robot& robot, const std::vector<double>& q, Diagnostics& diagnostics) {
  const Overlaps all = overlapsAt(*robot.model, q);
  if (all.empty()) return;
  const std::string names = nameOverlaps(all, *robot.model);
  for (const auto& [pair, depth] : all)
    robot.spec->ignoredPairs.emplace_back(robot.model->bodies[pair.first].name,
                                          robot.model->bodies[pair.second].name,
                                          "overlap at the start");
  if (Expected<Model> again = compile(*robot.spec)) robot.model = std::move(again).value();
  diagnostics.add(
      {Severity::Note, robot.file, 0,
       "overlaps at the start: contacts are left out between " + names,
       "espalier info --collisions lists them; start at another --pose, or correct the collision "
       "bodies; --keep-overlaps keeps the contacts"});
}

}  // namespace espalier::cli
