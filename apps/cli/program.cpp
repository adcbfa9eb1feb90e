#include "apps/cli/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "apps/cli/failure.h"
#include "espalier/io/text/child_process.h"

extern char** environ;

namespace espalier::cli {
namespace {

/// Of the exit status that waitpid() gives.
int exitCode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

pid_t waitFor(pid_t pid, int& status, int options) {
  pid_t done = 0;
  while ((done = waitpid(pid, &status, options)) < 0 && errno == EINTR) {
  }
  return done;
}

/// in  input  its standard input; -1: nothing
pid_t spawn(const std::vector<std::string>& argv, const std::string& log, int input) {
  std::vector<char*> arguments;
  for (const std::string& a : argv) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input >= 0)
    posix_spawn_file_actions_adddup2(&actions, input, 0);
  else
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  const int problem =
      posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0)
    throw Failure({Severity::Error, argv[0], 0,
                   std::string("it cannot be started: ") + std::strerror(problem),
                   "see to it that it can be executed"});
  return pid;
}

}  // namespace

std::optional<std::string> findProgram(const std::vector<std::string>& names) {
  const char* const path = std::getenv("PATH");
  for (const std::string& name : names) {
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string file = (std::filesystem::path(folder) / name).string();
      std::error_code code;
      if (access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file, code))
        return file;
    }
  }
  return std::nullopt;
}

Program::Program(const std::vector<std::string>& argv, std::string log, Input input)
    : log_(std::move(log)) {
  if (input == Input::None) {
    pid_ = spawn(argv, log_, -1);
    return;
  }
  signal(SIGPIPE, SIG_IGN);  // a write to a program that is gone is an error, no end
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Failure({Severity::Error, argv[0], 0,
                   std::string("there is no pipe to it: ") + std::strerror(errno),
                   "close some programs"});
  input_ = ends[1];
  try {
    pid_ = spawn(argv, log_, ends[0]);
  } catch (...) {
    ::close(ends[0]);
    closeInput();
    throw;
  }
  ::close(ends[0]);
}

Program::~Program() {
  closeInput();
  if (!isRunning()) return;
  kill(-pid_, SIGTERM);
  for (int i = 0; i < 200 && isRunning(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (!isRunning()) return;
  kill(-pid_, SIGKILL);
  int status = 0;
  waitFor(pid_, status, 0);
}

void Program::closeInput() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

bool Program::isRunning() {
  if (pid_ < 0) return false;
  int status = 0;
  if (waitFor(pid_, status, WNOHANG) == 0) return true;
  code_ = exitCode(status);
  pid_ = -1;
  return false;
}

bool Program::write(std::span<const std::byte> bytes) {
  return io::writeAll(input_, bytes.data(), bytes.size());
}

int Program::finish() {
  closeInput();
  if (pid_ < 0) return code_;
  int status = 0;
  waitFor(pid_, status, 0);
  pid_ = -1;
  return code_ = exitCode(status);
}

std::string Program::said() const {
  std::ifstream stream(log_);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace espalier::cli
