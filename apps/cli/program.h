#pragma once

// Program: another program that runs beside this one, in a process group of its own. io::runChild() is for
// those that are waited for.

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace espalier::cli {

/// The first of these names that is on PATH.
std::optional<std::string> findProgram(const std::vector<std::string>& names);

class Program {
 public:
  enum class Input { None, Pipe };

  /// Starts it; its output goes to the file `log`.
  ///   errors  throws Failure where it cannot be started
  Program(const std::vector<std::string>& argv, std::string log, Input input = Input::None);
  /// Ends it and its children.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool isRunning();
  /// To its standard input.
  ///   returns  false where it does not read any more
  bool write(std::span<const std::byte> bytes);
  /// Closes its standard input and waits for its end.
  ///   returns  its exit code; -1 where a signal ended it
  int finish();
  /// Its output so far.
  std::string said() const;

 private:
  void closeInput();

  std::string log_;
  pid_t pid_ = -1;  ///< -1: it has ended
  int input_ = -1;
  int code_ = -1;
};

}  // namespace espalier::cli
