#include "espalier/io/text/text_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "espalier/io/text/numbers.h"

namespace espalier::io {
namespace {

thread_local FilesRead* innermost = nullptr;

}  // namespace

Expected<std::string> readFileBytes(const std::string& path, std::size_t most) {
  FilesRead::note(path);
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status))
    return problem(path, "there is no such file", "check the path and the current directory");
  // Pipes and devices would block or never end.
  if (!std::filesystem::is_regular_file(status))
    return problem(path, "this is not a regular file", "name the robot's file itself");
  const auto size = std::filesystem::file_size(path, code);
  if (code) return problem(path, "the file cannot be read", "check its permissions");
  if (size > most) {
    return problem(path, "the file has " + std::to_string(size) + " bytes, too many for a robot",
                   "files up to " + std::to_string(most) +
                       " bytes are read; keep meshes in files of their own");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text(size, '\0');
  if (!stream.read(text.data(), static_cast<std::streamsize>(size)))
    return problem(path, "the file cannot be read", "check its permissions");
  return text;
}

Expected<std::string> readTextFile(const std::string& path) {
  return readFileBytes(path, default_limits.fileBytes);
}

Expected<std::string> readTextFile(const std::string& path, ReadingBudget& budget) {
  if (const auto excess = budget.takeFile()) return problem(path, excess->what, excess->remedy);
  Expected<std::string> text = readFileBytes(path, budget.limits().fileBytes);
  if (!text) return text;
  if (const auto excess = budget.takeText(text->size()))
    return problem(path, excess->what, excess->remedy);
  return text;
}

std::string_view withoutByteOrderMark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

bool isXmlText(std::string_view pathOrText) {
  return trimmed(withoutByteOrderMark(pathOrText)).starts_with('<');
}

std::string folderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string extensionOf(const std::string& path) {
  return lowered(std::filesystem::path(path).extension().string());
}

Expected<Source> openSource(const std::string& pathOrText, const std::string& folder) {
  if (isXmlText(pathOrText)) return Source{pathOrText, "<text>", folder};
  Expected<std::string> text = readTextFile(pathOrText);
  if (!text) return text.diagnostics();
  return Source{std::move(text).value(), pathOrText, folderOf(pathOrText)};
}

FilesRead::FilesRead() : outer_(innermost) { innermost = this; }
FilesRead::~FilesRead() { innermost = outer_; }

void FilesRead::note(const std::string& path) {
  for (FilesRead* at = innermost; at != nullptr; at = at->outer_) at->paths_.insert(path);
}

}  // namespace espalier::io
