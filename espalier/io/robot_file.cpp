// loadRobot: which reader a robot goes to.

#include <filesystem>

#include "espalier/io/mjcf.h"
#include "espalier/io/numbers.h"
#include "espalier/io/text_file.h"
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

std::string folderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Expected<SystemSpec> loadXacro(const std::string& path, const UrdfOptions& options) {
  const Expected<std::string> text = expandXacro(path, options.parameters);
  if (!text) return text.diagnostics();
  // Lines are those of the expanded text.
  Expected<SystemSpec> spec = parseUrdfText(*text, path + " (expanded)", folderOf(path), options);
  if (spec) spec->file = path;
  return spec;
}

Expected<SystemSpec> loadMjcf(std::string_view text, const std::string& name,
                              const std::string& folder, const UrdfOptions& options) {
  return parseMjcfRobot(
      text, name,
      {options.searchPaths, options.loadMeshes, folder, options.fixedBase, options.jointOrder});
}

}  // namespace

Expected<SystemSpec> loadRobot(const std::string& pathOrText, const UrdfOptions& options) {
  if (isText(pathOrText)) {
    if (isMjcf(pathOrText)) return loadMjcf(pathOrText, "<text>", ".", options);
    return parseUrdf(pathOrText, "<text>", options);
  }
  const std::filesystem::path extension = std::filesystem::path(pathOrText).extension();
  if (extension == ".xacro") return loadXacro(pathOrText, options);
  if (extension != ".urdf") {
    const Expected<std::string> text = readTextFile(pathOrText);
    if (text && isMjcf(*text)) return loadMjcf(*text, pathOrText, folderOf(pathOrText), options);
  }
  return loadUrdf(pathOrText, options);
}

}  // namespace espalier::io
