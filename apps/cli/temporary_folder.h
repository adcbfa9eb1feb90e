#pragma once

#include <filesystem>
#include <string>

namespace espalier::cli {

/// A folder that is gone with its owner.
class TemporaryFolder {
 public:
  /// errors  throws Failure where none can be made
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace espalier::cli
