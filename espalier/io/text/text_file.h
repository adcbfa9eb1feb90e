#pragma once

// A whole file as text or bytes, if it is one that may be read; or the text itself in a file's place.

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/reading_budget.h"

namespace espalier::io {

/// The one Error that ends the reading of a file.
inline Diagnostics problem(const std::string& path, std::string what, std::string remedy,
                           int line = 0) {
  Diagnostics diagnostics;
  diagnostics.add({Severity::Error, path, line, std::move(what), std::move(remedy)});
  return diagnostics;
}

/// The bytes of a regular file of at most `most` bytes.
Expected<std::string> readFileBytes(const std::string& path, std::size_t most);

/// The bytes of a regular file of at most default_limits.fileBytes.
Expected<std::string> readTextFile(const std::string& path);

/// The same within a budget, from which it takes the file and its bytes.
Expected<std::string> readTextFile(const std::string& path, ReadingBudget& budget);

/// text without the byte order mark of UTF-8 that some programs begin it with.
std::string_view withoutByteOrderMark(std::string_view text);

/// Whether it is XML text rather than a file's name: whether it begins with '<'.
bool isXmlText(std::string_view pathOrText);

/// "." where the path has none.
std::string folderOf(const std::string& path);

/// In small letters, with its dot.
std::string extensionOf(const std::string& path);

struct Source {
  std::string text;
  std::string name;    ///< in remarks: the path, or "<text>"
  std::string folder;  ///< base of relative names in it
};

/// A file, within default_limits, or the text in its place.
///   in   folder  of a text
Expected<Source> openSource(const std::string& pathOrText, const std::string& folder = ".");

/// Which files are read while it lives, by the thread that has made it. For whoever reads a robot again
/// when one of them changes.
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
