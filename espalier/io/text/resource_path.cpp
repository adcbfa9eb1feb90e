#include "espalier/io/text/resource_path.h"

#include <cstdlib>
#include <string_view>
#include <system_error>

namespace espalier::io {
namespace {

namespace fs = std::filesystem;

// package/urdf/robots/x.urdf with package/meshes, and one more.
constexpr int most_parents = 4;

bool isFile(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code);
}

std::vector<fs::path> fromEnvironment(const char* variable, const char* below) {
  std::vector<fs::path> paths;
  const char* value = std::getenv(variable);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    if (!one.empty()) paths.push_back(fs::path(one) / below);
  }
  return paths;
}

/// %20 and its like.
std::string unescaped(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 &&
        digit(text[i + 2]) >= 0) {
      result += static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2]));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

fs::path withoutFirst(const fs::path& path) {
  fs::path rest;
  for (auto part = path.begin(); part != path.end(); ++part)
    if (part != path.begin()) rest /= *part;
  return rest;
}

}  // namespace

ResourcePaths::ResourcePaths(const std::string& fileFolder,
                             const std::vector<std::string>& searchPaths) {
  std::error_code code;
  if (!fileFolder.empty()) {
    fs::path folder = fs::absolute(fileFolder, code).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    folders_.push_back(folder);
    parentsBegin_ = 1;
    for (int i = 0; i < most_parents && folder.has_relative_path(); ++i) {
      folder = folder.parent_path();
      folders_.push_back(folder);
    }
    parentsEnd_ = folders_.size();
  }
  for (const std::string& path : searchPaths) folders_.push_back(fs::absolute(path, code));
  packages_ = fromEnvironment("ROS_PACKAGE_PATH", "");
  for (const fs::path& path : fromEnvironment("AMENT_PREFIX_PATH", "share"))
    packages_.push_back(path);
}

std::optional<FoundResource> ResourcePaths::find(const std::string& uri) const {
  // No file name is that long, and a hostile one would only cost time.
  if (uri.size() > 4096 || uri.find('\0') != uri.npos) return std::nullopt;
  const std::size_t colon = uri.find("://");
  const std::string scheme = colon == uri.npos ? "" : uri.substr(0, colon);
  const std::string name = colon == uri.npos ? uri : unescaped(uri.substr(colon + 3));
  if (scheme == "http" || scheme == "https" || name.empty()) return std::nullopt;
  const fs::path path(name);
  if (scheme != "package" && scheme != "model" && path.is_absolute()) {
    if (isFile(path)) return FoundResource{path.string(), false};
    return findTail(path.relative_path());
  }
  if (auto found = findIn(path.relative_path())) return found;
  return findTail(path.relative_path());
}

std::optional<FoundResource> ResourcePaths::findIn(const fs::path& relative) const {
  if (relative.empty()) return std::nullopt;
  const fs::path package = *relative.begin();
  const fs::path rest = withoutFirst(relative);
  for (const auto* folders : {&folders_, &packages_}) {
    for (const fs::path& folder : *folders) {
      const fs::path direct = folder / relative;
      if (isFile(direct)) return FoundResource{direct.lexically_normal().string(), false};
      const fs::path inside = folder / rest;
      if (!rest.empty() && folder.filename() == package && isFile(inside))
        return FoundResource{inside.lexically_normal().string(), false};
    }
  }
  return std::nullopt;
}

std::optional<FoundResource> ResourcePaths::findTail(const fs::path& relative) const {
  for (fs::path tail = withoutFirst(relative); !tail.empty(); tail = withoutFirst(tail)) {
    for (std::size_t i = 0; i < folders_.size(); ++i) {
      const bool isParent = i >= parentsBegin_ && i < parentsEnd_;
      if (isParent && !tail.has_parent_path()) continue;
      const fs::path candidate = folders_[i] / tail;
      if (isFile(candidate)) return FoundResource{candidate.lexically_normal().string(), true};
    }
  }
  return std::nullopt;
}

std::string ResourcePaths::toString(const char* separator) const {
  std::string text;
  for (const auto* folders : {&folders_, &packages_})
    for (const fs::path& folder : *folders)
      text += (text.empty() ? "" : separator) + folder.string();
  return text.empty() ? "(none)" : text;
}

}  // namespace espalier::io
