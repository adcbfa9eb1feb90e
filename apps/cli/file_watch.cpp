#include "apps/cli/file_watch.h"

#include <system_error>

namespace espalier::cli {
namespace {

constexpr std::chrono::milliseconds between_looks{200};

}  // namespace

FileWatch::Stamp FileWatch::stampOf(const std::string& path) {
  std::error_code code;
  const auto time = std::filesystem::last_write_time(path, code);
  if (code) return {};
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  return {time, code ? 0 : size};
}

void FileWatch::set(const std::set<std::string>& paths) {
  stamps_.clear();
  for (const std::string& path : paths) stamps_[path] = stampOf(path);
  isChanging_ = false;
}

bool FileWatch::hasChanged() {
  const auto now = std::chrono::steady_clock::now();
  if (now < nextLook_) return false;
  nextLook_ = now + between_looks;
  bool isDifferent = false;
  for (auto& [path, stamp] : stamps_) {
    const Stamp current = stampOf(path);
    isDifferent |= current != stamp;
    stamp = current;
  }
  const bool isDone = isChanging_ && !isDifferent;
  isChanging_ = isDifferent;
  return isDone;
}

}  // namespace espalier::cli
