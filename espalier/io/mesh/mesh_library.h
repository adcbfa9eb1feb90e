#pragma once

// The meshes of one robot: each file is looked for and read once for each scale, and remarked
// upon once.

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "espalier/geometry/shape.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/resource_path.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {

class MeshLibrary {
 public:
  /// load = false: names are kept as written and nothing is looked for. The numbers of every mesh
  /// are taken from the budget.
  MeshLibrary(ResourcePaths paths, bool load, std::shared_ptr<ReadingBudget> budget)
      : paths_(std::move(paths)), load_(load), budget_(std::move(budget)) {}

  ReadingBudget& budget() const { return *budget_; }

  /// The mesh a robot file names. A missing one keeps its name and has no data (a Warning); one
  /// that cannot be read is an Error for a collision, a Warning for a visual.
  MeshShape get(XmlReader& xml, int line, const std::string& uri, const Vec3d& scale,
                bool isCollision);

 private:
  using Key = std::pair<std::string, std::array<double, 3>>;

  /// readMeshFile() within the budget.
  Expected<TriangleMesh> read(const std::string& path, const Vec3d& scale) const;

  ResourcePaths paths_;
  bool load_;
  std::shared_ptr<ReadingBudget> budget_;
  bool hasToldPaths_ = false;
  std::map<std::string, std::optional<FoundResource>> found_;  ///< by uri
  std::map<Key, std::shared_ptr<const TriangleMesh>> read_;    ///< by path and scale
  std::map<Key, Diagnostic> bad_;                              ///< its error
  std::set<Key> badCollisions_;                                ///< those already an Error
};

}  // namespace espalier::io
