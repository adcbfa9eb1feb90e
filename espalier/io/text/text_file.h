#pragma once

// A whole file as text or bytes, if it is one that may be read; or the text itself in a file's place.

#include <cstddef>
#include <string>
#include <string_view>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/reading_budget.h"

namespace espalier::io {

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

}  // namespace espalier::io
