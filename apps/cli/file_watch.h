#pragma once

// FileWatch: whether some of a set of files have changed on disk.

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace espalier::cli {

class FileWatch {
 public:
  /// Looks at these from now on, as they are now. Missing ones may appear.
  void set(const std::set<std::string>& paths);

  /// Looks a few times a second, at most.
  ///   returns  true once after a change, when a further look has found no other: whoever writes is
  ///            done
  bool hasChanged();

 private:
  struct Stamp {
    std::filesystem::file_time_type time{};
    std::uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stampOf(const std::string& path);

  std::map<std::string, Stamp> stamps_;
  std::chrono::steady_clock::time_point nextLook_{};
  bool isChanging_ = false;
};

}  // namespace espalier::cli
