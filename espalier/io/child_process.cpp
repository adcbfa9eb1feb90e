#include "espalier/io/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

extern char** environ;

namespace espalier::io {
namespace {

using Clock = std::chrono::steady_clock;

/// A pipe that closes itself.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  bool open() { return pipe2(ends, O_CLOEXEC) == 0; }
  void close(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

pid_t spawn(const std::vector<std::string>& argv, const Pipe& out, const Pipe& err) {
  std::vector<char*> arguments;
  for (const std::string& a : argv) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  pid_t pid = -1;
  const int problem =
      posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return problem == 0 ? pid : -1;
}

/// Reads what is there; closes the pipe at its end.
void drain(Pipe& pipe, std::string& text) {
  char buffer[1 << 14];
  const ssize_t n = ::read(pipe.ends[0], buffer, sizeof buffer);
  if (n > 0) {
    text.append(buffer, static_cast<std::size_t>(n));
  } else if (n == 0 || errno != EINTR) {
    pipe.close(0);
  }
}

/// Until both pipes end or something is exceeded.
void gather(Pipe& out, Pipe& err, Clock::time_point end, std::size_t most, ChildResult& result) {
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    result.hasTimedOut = left <= 0;
    result.hasOverflown = result.out.size() + result.err.size() > most;
    if (result.hasTimedOut || result.hasOverflown) return;
    pollfd waiting[2] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
    if (poll(waiting, 2, static_cast<int>(std::min<long long>(left, 1000))) < 0) continue;
    if (waiting[0].revents != 0) drain(out, result.out);
    if (waiting[1].revents != 0) drain(err, result.err);
  }
}

/// Waits for the child, ends it when its time is over.
void reap(pid_t pid, Clock::time_point end, ChildResult& result) {
  int status = 0;
  while (true) {
    const pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid) break;
    if (done < 0 && errno != EINTR) return;
    if (result.hasTimedOut || result.hasOverflown || Clock::now() > end) {
      result.hasTimedOut = !result.hasOverflown;
      kill(pid, SIGKILL);
      while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
      }
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
}

}  // namespace

ChildResult runChild(const std::vector<std::string>& argv, double seconds, std::size_t most) {
  ChildResult result;
  Pipe out, err;
  if (argv.empty() || !out.open() || !err.open()) return result;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(seconds));
  const pid_t pid = spawn(argv, out, err);
  if (pid < 0) return result;
  result.wasStarted = true;
  out.close(1);
  err.close(1);
  gather(out, err, end, most, result);
  reap(pid, end, result);
  return result;
}

}  // namespace espalier::io
