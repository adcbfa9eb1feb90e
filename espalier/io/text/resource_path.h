#pragma once

// Where the files lie that a robot file names.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace espalier::io {

struct FoundResource {
  std::string path;
  /// True where not the name as written was found but only its last folders: a package whose
  /// files were moved elsewhere.
  bool byTail = false;
};

/// Resolves package://pkg/rest, model://, file:// and plain paths. In this order:
///   1. an absolute path as it is; a plain one against the file's folder, its parents, the search
///      paths
///   2. pkg/rest, and rest where the folder itself is called pkg, in each of these folders and in
///      those of ROS_PACKAGE_PATH and AMENT_PREFIX_PATH (its share/)
///   3. ever shorter tails of rest, in the file's folder, its parents and the search paths; its
///      parents need at least one folder to match
class ResourcePaths {
 public:
  /// fileFolder may be empty: the robot came as text, and has no folder of its own.
  ResourcePaths(const std::string& fileFolder, const std::vector<std::string>& searchPaths);

  std::optional<FoundResource> find(const std::string& uri) const;
  /// The folders looked through.
  std::string toString(const char* separator = ", ") const;

 private:
  std::optional<FoundResource> findIn(const std::filesystem::path& relative) const;
  std::optional<FoundResource> findTail(const std::filesystem::path& relative) const;

  std::vector<std::filesystem::path> folders_;   ///< own folder, its parents, search paths
  std::vector<std::filesystem::path> packages_;  ///< from the environment
  std::size_t parentsBegin_ = 0, parentsEnd_ = 0;
};

}  // namespace espalier::io
