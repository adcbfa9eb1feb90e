#include "espalier/io/text/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <new>
#include <thread>

extern char** environ;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ESPALIER_HAS_SHADOW_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ESPALIER_HAS_SHADOW_MEMORY 1
#endif
#endif

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

/// Reads the bytes available; closes the pipe at its end.
void drain(Pipe& pipe, std::string& text) {
  char buffer[1 << 16];
  const ssize_t n = ::read(pipe.ends[0], buffer, sizeof buffer);
  if (n > 0)
    text.append(buffer, static_cast<std::size_t>(n));
  else if (n == 0 || errno != EINTR)
    pipe.close(0);
}

/// Until both pipes end or something is exceeded. A pipe that is not open counts as ended.
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
      pid_t ended = 0;
      while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR) {
      }
      if (ended != pid) return;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
}

Clock::time_point after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

rlimit atMost(rlim_t limit) { return {limit, limit}; }

// ---- in the child of runInChild

/// Bytes of address space that this process has mapped; 0 where that cannot be told.
std::size_t mappedBytes() {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[64] = {};
  const ssize_t n = ::read(file, text, sizeof text - 1);
  ::close(file);
  return n > 0 ? std::strtoull(text, nullptr, 10) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE))
               : 0;
}

void limitMyself(const ChildLimits& limits) {
  // The caller's clock comes first; this holds where the caller is gone.
  const rlimit none = atMost(0), time = atMost(static_cast<rlim_t>(std::ceil(limits.seconds)) + 1);
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &time);
#if !defined(ESPALIER_HAS_SHADOW_MEMORY)
  rlimit memory{};
  getrlimit(RLIMIT_AS, &memory);
  const rlimit wanted = atMost(std::min<rlim_t>(mappedBytes() + limits.memory, memory.rlim_max));
  setrlimit(RLIMIT_AS, &wanted);
#endif
}

/// Leaves the caller's signals, descriptors and terminal behind; gives the descriptor of `out`.
int detachMyself(int out) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int s = 1; s < NSIG; ++s) ::signal(s, SIG_DFL);
  sigset_t nothing;
  sigemptyset(&nothing);
  sigprocmask(SIG_SETMASK, &nothing, nullptr);
  constexpr int own = 3;
  if (out != own) dup2(out, own);
  const int null = ::open("/dev/null", O_RDWR);
  for (int standard = 0; standard < own; ++standard) dup2(null, standard);
  close_range(own + 1, ~0u, 0);
  return own;
}

[[noreturn]] void runAsChild(const std::function<void(int)>& work, const ChildLimits& limits,
                             int out) {
  const int own = detachMyself(out);
  limitMyself(limits);
  int code = 0;
  try {
    work(own);
  } catch (const std::bad_alloc&) {
    code = child_out_of_memory;
  } catch (...) {
    code = child_threw;
  }
  _exit(code);
}

}  // namespace

ChildResult runChild(const std::vector<std::string>& argv, const ChildLimits& limits) {
  ChildResult result;
  Pipe out, err;
  if (argv.empty() || !out.open() || !err.open()) return result;
  const Clock::time_point end = after(limits.seconds);
  const pid_t pid = spawn(argv, out, err);
  if (pid < 0) return result;
  result.wasStarted = true;
  const rlimit memory = atMost(limits.memory);
  prlimit(pid, RLIMIT_AS, &memory, nullptr);
  out.close(1);
  err.close(1);
  gather(out, err, end, limits.output, result);
  reap(pid, end, result);
  return result;
}

ChildResult runInChild(const std::function<void(int fd)>& work, const ChildLimits& limits) {
  ChildResult result;
  Pipe out, none;
  if (!out.open()) return result;
  const Clock::time_point end = after(limits.seconds);
  const pid_t pid = fork();
  if (pid == 0) runAsChild(work, limits, out.ends[1]);
  if (pid < 0) return result;
  result.wasStarted = true;
  out.close(1);
  gather(out, none, end, limits.output, result);
  reap(pid, end, result);
  return result;
}

bool writeAll(int fd, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t n = ::write(fd, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace espalier::io
