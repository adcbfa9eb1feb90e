// loadRobot: which reader a robot goes to.

#include <filesystem>

#include "espalier/io/numbers.h"
#include "espalier/io/urdf.h"
#include "espalier/io/urdf_text.h"
#include "espalier/io/xacro.h"

namespace espalier::io {
namespace {

bool isText(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.substr(0, 3) == byte_order_mark) text.remove_prefix(3);
  text = trimmed(text);
  return !text.empty() && text.front() == '<';
}

Expected<SystemSpec> loadXacro(const std::string& path, const UrdfOptions& options) {
  const Expected<std::string> text = expandXacro(path, options.parameters);
  if (!text) return text.diagnostics();
  const std::string folder = std::filesystem::path(path).parent_path().string();
  // Lines are those of the expanded text.
  Expected<SystemSpec> spec =
      parseUrdfText(*text, path + " (expanded)", folder.empty() ? "." : folder, options);
  if (spec) spec->file = path;
  return spec;
}

}  // namespace

Expected<SystemSpec> loadRobot(const std::string& pathOrText, const UrdfOptions& options) {
  if (isText(pathOrText)) return parseUrdf(pathOrText, "<text>", options);
  if (std::filesystem::path(pathOrText).extension() == ".xacro") {
    return loadXacro(pathOrText, options);
  }
  return loadUrdf(pathOrText, options);
}

}  // namespace espalier::io
