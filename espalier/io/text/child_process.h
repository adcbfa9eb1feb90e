#pragma once

// Work done in a process of its own, within limits of time, memory and output: another program, or
// a function of ours that must not take this process down.

#include <functional>
#include <string>
#include <vector>

namespace espalier::io {

struct ChildLimits {
  double seconds = 60;                           ///< wall-clock and processor time
  std::size_t output = std::size_t{64} << 20;    ///< bytes it may write
  std::size_t memory = std::size_t{2048} << 20;  ///< bytes of address space; runInChild: beyond
                                                 ///< the memory mapped by this process
};

struct ChildResult {
  bool wasStarted = false;    ///< false: there is no such program, or no process can be made
  bool hasTimedOut = false;   ///< ended because its time was over
  bool hasOverflown = false;  ///< ended because it wrote more than it may
  int exitCode = -1;          ///< -1 where a signal ended it, or nobody knows
  int signal = 0;             ///< that ended it
  std::string out, err;
};

/// Runs argv[0], looked for on PATH, with nothing on its standard input. No shell is involved.
ChildResult runChild(const std::vector<std::string>& argv, const ChildLimits& limits);

/// Exit codes of runInChild where work does not return.
inline constexpr int child_out_of_memory = 97, child_threw = 98;

/// fork()s, calls work(fd) in the child, where all that is written to the file descriptor fd becomes
/// `out`, and ends the child by _exit(0) behind it. Whatever the work does to its memory, this
/// process does not see it, and if it crashes only the child ends.
///
/// In the child, standard output and error are /dev/null, other file descriptors are closed,
/// signals have their default actions, and no core is dumped. The memory limit is not set in
/// programs built with AddressSanitizer or ThreadSanitizer, whose shadow memory it would count.
///
/// Threads: the child has the calling thread alone. What another thread holds at that moment stays
/// locked in the child; malloc and stdio are safe there (glibc), so work may allocate, and must not
/// use what other threads of this process lock themselves. Were it to wait for such a lock, it
/// would be ended when its time is over: an error, no hang. The child must not start threads.
/// The caller's SIGCHLD handler, if there is one, sees the child end; if it waits for all children,
/// or ignores SIGCHLD, exitCode and signal stay unknown and `out` is still whole.
ChildResult runInChild(const std::function<void(int fd)>& work, const ChildLimits& limits);

/// write() of all bytes, repeated where it is interrupted; false where the reader is gone.
bool writeAll(int fd, const void* data, std::size_t bytes);

}  // namespace espalier::io
