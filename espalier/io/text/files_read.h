#pragma once

// FilesRead: which files are read while it lives, by the thread that has made it. For whoever reads a
// robot again when one of them changes.

#include <set>
#include <string>

namespace espalier::io {

class FilesRead {
 public:
  FilesRead();
  ~FilesRead();
  FilesRead(const FilesRead&) = delete;
  FilesRead& operator=(const FilesRead&) = delete;

  /// Paths as they were given, of missing files too.
  const std::set<std::string>& paths() const { return paths_; }

  /// Notes a path for all that live in this thread.
  static void note(const std::string& path);

 private:
  std::set<std::string> paths_;
  FilesRead* outer_;
};

}  // namespace espalier::io
