#include "espalier/io/text_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "espalier/io/problem.h"

namespace espalier::io {

Expected<std::string> readTextFile(const std::string& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) {
    return problem(path, "there is no such file", "check the path and the current directory");
  }
  // Pipes and devices would block or never end.
  if (!std::filesystem::is_regular_file(status)) {
    return problem(path, "this is not a regular file", "name the robot's file itself");
  }
  const auto size = std::filesystem::file_size(path, code);
  if (code) return problem(path, "the file cannot be read", "check its permissions");
  if (size > largest_text) {
    return problem(path, "the file has " + std::to_string(size) + " bytes, too many for a robot",
                   "files up to " + std::to_string(largest_text) +
                       " bytes are read; keep meshes in files of their own");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text(size, '\0');
  if (!stream.read(text.data(), static_cast<std::streamsize>(size))) {
    return problem(path, "the file cannot be read", "check its permissions");
  }
  return text;
}

}  // namespace espalier::io
