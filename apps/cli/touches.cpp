#include "apps/cli/touches.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/remarks.h"
#include "apps/cli/table.h"

namespace espalier::cli {
namespace {

/// "trunk", or "spot/trunk" where there are several robots; of other objects their own name.
std::string nameOf(const Simulation& simulation, int object, int body) {
  Object* const it = simulation.world->getObject(object);
  for (const Participant& robot : simulation.robots) {
    if (robot.system != it) continue;
    const std::string& link = robot.system->model().bodies[body].name;
    return simulation.robots.size() > 1 ? robot.name + "/" + link : link;
  }
  if (!it->getName().empty()) return it->getName();
  return it->getObjectType() == ObjectType::HALFSPACE ? "ground" : fmt::format("object {}", object);
}

}  // namespace

struct Touches::Row {
  std::string first, second;
  Record record;
  double meanForce, largestForce;  // N
  bool isNow;
};

void Touches::add(const World& world) {
  for (const Contact& c : world.contacts()) {
    if (!c.touches()) continue;
    Pair pair{c.objectA, c.bodyA, c.objectB, c.bodyB};
    if (std::pair(c.objectB, c.bodyB) < std::pair(c.objectA, c.bodyA))
      pair = {c.objectB, c.bodyB, c.objectA, c.bodyA};
    Record& record = pairs_[pair];
    if (record.lastStep != steps_) {
      if (record.steps == 0) record.firstTime = world.getWorldTime();
      if (record.steps == 0 || record.lastStep != steps_ - 1) ++record.began;
      ++record.steps;
      record.lastStep = steps_;
      record.stepImpulse = 0;
      record.points = 0;
    }
    ++record.points;
    record.deepest = std::max(record.deepest, c.depth);
    record.impulse += c.impulse.z;
    record.stepImpulse += c.impulse.z;
    record.largestImpulse = std::max(record.largestImpulse, record.stepImpulse);
  }
  ++steps_;
}

std::vector<Touches::Row> Touches::rows(const Simulation& simulation) const {
  const double dt = simulation.world->getTimeStep();
  std::vector<Row> rows;
  for (const auto& [pair, record] : pairs_)
    rows.push_back({nameOf(simulation, pair[0], pair[1]), nameOf(simulation, pair[2], pair[3]),
                    record, record.impulse / (dt * static_cast<double>(record.steps)),
                    record.largestImpulse / dt, record.lastStep == steps_ - 1});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::pair(a.record.began, a.record.steps) > std::pair(b.record.began, b.record.steps);
  });
  return rows;
}

Json Touches::json(const Simulation& simulation) const {
  Json::array_t list;
  for (const Row& row : rows(simulation))
    list.push_back({{"first", row.first},
                    {"second", row.second},
                    {"began", row.record.began},
                    {"steps", row.record.steps},
                    {"first_time", row.record.firstTime},
                    {"deepest", row.record.deepest},
                    {"mean_force", row.meanForce},
                    {"largest_force", row.largestForce},
                    {"points_at_end", row.isNow ? row.record.points : 0}});
  return list;
}

std::string Touches::draw(const Terminal& terminal, const Simulation& simulation) const {
  if (pairs_.empty()) return "  nothing touched anything\n";
  Table table({{"touching"},
               {""},
               {"began", Align::Right},
               {"of the time", Align::Right},
               {"first (s)", Align::Right},
               {"deepest (mm)", Align::Right},
               {"mean (N)", Align::Right},
               {"largest (N)", Align::Right},
               {"at the end", Align::Right}});
  for (const Row& row : rows(simulation)) {
    const Record& r = row.record;
    table.add(
        {printable(row.first), printable(row.second), fmt::format("{}", r.began),
         fmt::format("{:.1f} %", 100 * static_cast<double>(r.steps) / static_cast<double>(steps_)),
         fmt::format("{:.4g}", r.firstTime), fmt::format("{:.3g}", 1e3 * r.deepest),
         fmt::format("{:.3g}", row.meanForce), fmt::format("{:.3g}", row.largestForce),
         row.isNow ? plural(r.points, "point") : ""});
  }
  return table.draw(terminal);
}

}  // namespace espalier::cli
