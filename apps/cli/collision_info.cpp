#include "apps/cli/collision_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "apps/cli/remarks.h"
#include "apps/cli/robot.h"
#include "apps/cli/table.h"
#include "espalier/geometry/hull_cache.h"

namespace espalier::cli {
namespace {

using Bodies = std::pair<int, int>;  // a < b

std::map<int, std::vector<const CollisionInfo*>> shapesByBody(const Model& model) {
  std::map<int, std::vector<const CollisionInfo*>> shapes;
  for (const CollisionInfo& c : model.collisions) shapes[c.body].push_back(&c);
  return shapes;
}

/// Whether the groups and masks of any two of their shapes let them meet.
bool masksMeet(const std::vector<const CollisionInfo*>& first,
               const std::vector<const CollisionInfo*>& second) {
  for (const CollisionInfo* x : first)
    for (const CollisionInfo* y : second)
      if ((x->group & y->mask) != 0 && (y->group & x->mask) != 0) return true;
  return false;
}

std::string overlapReason() { return "overlap at the start; sim --keep-overlaps tests them"; }

/// Tested pairs first, then by the first appearance of their reason.
std::vector<std::string> reasonsOf(const std::vector<CollisionPair>& pairs) {
  std::vector<std::string> reasons{""};
  for (const CollisionPair& pair : pairs)
    if (std::find(reasons.begin(), reasons.end(), pair.excluded) == reasons.end())
      reasons.push_back(pair.excluded);
  return reasons;
}

std::string drawHulls(const Terminal& terminal, const std::vector<HullInfo>& hulls) {
  if (hulls.empty()) return "";
  Table table({{"hull of"},
               {"vertices", Align::Right},
               {"of", Align::Right},
               {"left out (mm)", Align::Right}});
  for (const HullInfo& hull : hulls)
    table.add({printable(hull.file) + (hull.part > 0 ? fmt::format(" #{}", hull.part) : ""),
               hull.vertices > 0 ? fmt::format("{}", hull.vertices) : "flat: collides with nothing",
               fmt::format("{}", hull.meshVertices), fmt::format("{:.3g}", 1e3 * hull.error)});
  return "\n" + table.draw(terminal, 0);
}

}  // namespace

std::vector<CollisionPair> collisionPairs(const Model& model, const Overlaps& overlaps) {
  const auto shapes = shapesByBody(model);
  std::map<Bodies, std::string> reasons;
  for (const auto& [a, b, reason] : model.ignoredBodyPairs) reasons.emplace(Bodies(a, b), reason);
  std::vector<int> bodies;
  for (const int b : bodiesInOrder(model))
    if (shapes.count(b) != 0) bodies.push_back(b);

  std::vector<CollisionPair> pairs;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t k = i + 1; k < bodies.size(); ++k) {
      const Bodies two = std::minmax(bodies[i], bodies[k]);
      CollisionPair pair{model.bodies[bodies[i]].name, model.bodies[bodies[k]].name, "", 0};
      if (const auto ignored = reasons.find(two); ignored != reasons.end()) {
        pair.excluded = ignored->second;
      } else if (!masksMeet(shapes.at(two.first), shapes.at(two.second))) {
        pair.excluded = "collision groups and masks";
      } else if (const auto overlap = overlaps.find(two); overlap != overlaps.end()) {
        pair.excluded = overlapReason();
        pair.overlap = overlap->second;
      }
      pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

std::vector<HullInfo> hullsOf(const Model& model) {
  std::vector<HullInfo> hulls;
  std::set<std::pair<const TriangleMesh*, int>> seen;
  for (const CollisionInfo& c : model.collisions) {
    const auto* mesh = std::get_if<MeshShape>(&c.shape);
    if (!mesh || !mesh->data || !seen.emplace(mesh->data.get(), mesh->maxHullVertices).second)
      continue;
    HullInfo info{mesh->file, mesh->part, static_cast<int>(mesh->data->vertices.size()), 0, 0};
    if (const auto hull = cachedHull(*mesh->data, mesh->maxHullVertices)) {
      info.vertices = static_cast<int>(hull->vertices.size());
      info.error = hull->error;
    }
    hulls.push_back(std::move(info));
  }
  return hulls;
}

std::string summary(const std::vector<HullInfo>& hulls) {
  int vertices = 0;
  double error = 0;
  for (const HullInfo& hull : hulls) {
    vertices = std::max(vertices, hull.vertices);
    error = std::max(error, hull.error);
  }
  return fmt::format("at most {} vertices; {:.3g} mm of a mesh left out at most", vertices,
                     1e3 * error);
}

Json toJson(const std::vector<CollisionPair>& pairs) {
  Json::array_t list;
  for (const CollisionPair& pair : pairs) {
    Json json{{"first", pair.first}, {"second", pair.second}, {"tested", pair.excluded.empty()}};
    if (!pair.excluded.empty()) json["reason"] = pair.excluded;
    if (pair.overlap > 0) json["overlap"] = pair.overlap;
    list.push_back(std::move(json));
  }
  return list;
}

Json toJson(const std::vector<HullInfo>& hulls) {
  Json::array_t list;
  for (const HullInfo& hull : hulls)
    list.push_back({{"file", hull.file},
                    {"part", hull.part},
                    {"mesh_vertices", hull.meshVertices},
                    {"vertices", hull.vertices},
                    {"error", hull.error}});
  return list;
}

std::string drawCollisions(const Terminal& terminal, const std::vector<CollisionPair>& pairs,
                           const std::vector<HullInfo>& hulls) {
  std::string text;
  for (const std::string& reason : reasonsOf(pairs)) {
    Table table({{""}, {""}, {"", Align::Right}});
    int count = 0;
    for (const CollisionPair& pair : pairs) {
      if (pair.excluded != reason) continue;
      ++count;
      table.add({printable(pair.first), printable(pair.second),
                 pair.overlap > 0 ? fmt::format("{:.3g} mm", 1e3 * pair.overlap) : ""});
    }
    const std::string title = reason.empty() ? "tested" : "excluded: " + printable(reason);
    text += (text.empty() ? "" : "\n") +
            paint(terminal, Ink::Bold, fmt::format("{} ({})", title, plural(count, "pair"))) + "\n";
    if (!table.isEmpty()) text += table.draw(terminal);
  }
  return text + drawHulls(terminal, hulls);
}

}  // namespace espalier::cli
