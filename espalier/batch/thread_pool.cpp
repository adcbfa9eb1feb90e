#include "espalier/batch/thread_pool.h"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace espalier {

int usableCores() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  const auto count = static_cast<int>(std::thread::hardware_concurrency());
  return count > 0 ? count : 1;
}

namespace {

/// A thread that waits for work until the process ends.
class Worker {
 public:
  Worker() {
    std::thread([this] { work(); }).detach();
  }

  void start(const std::function<void(int)>& task, int index) {
    {
      const std::lock_guard lock(mutex_);
      task_ = &task;
      index_ = index;
      error_ = nullptr;
    }
    changed_.notify_all();
  }
  /// Waits for the end of the task; its exception, if it threw one.
  std::exception_ptr wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !task_; });
    return error_;
  }

 private:
  [[noreturn]] void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return task_ != nullptr; });
      const auto* task = task_;
      const int index = index_;
      lock.unlock();
      std::exception_ptr error;
      try {
        (*task)(index);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      error_ = error;
      task_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(int)>* task_ = nullptr;
  int index_ = 0;
  std::exception_ptr error_;
};

using Workers = std::vector<std::unique_ptr<Worker>>;

/// The pool of this process. A forked child has none of its parent's threads and starts its own; what it
/// has inherited is left alone.
Workers& workersOfProcess() {
  static auto* workers = new Workers;
#if defined(__unix__) || defined(__APPLE__)
  static pid_t owner = getpid();
  if (owner != getpid()) {
    workers = new Workers;
    owner = getpid();
  }
#endif
  return *workers;
}

/// Of one caller at a time. A fork waits until no threads step, since a child would inherit the lock closed,
/// and workers in the midst of a task.
std::mutex& oneCaller() {
  static std::mutex mutex;
#if defined(__unix__) || defined(__APPLE__)
  [[maybe_unused]] static const int registered =
      pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, [] { mutex.unlock(); });
#endif
  return mutex;
}

}  // namespace

void runInThreads(int count, const std::function<void(int)>& task) {
  if (count <= 1) return task(0);
  const std::lock_guard lock(oneCaller());
  Workers& workers = workersOfProcess();
  const auto others = static_cast<std::size_t>(count - 1);
  while (workers.size() < others) workers.push_back(std::make_unique<Worker>());
  for (std::size_t i = 0; i < others; ++i) workers[i]->start(task, static_cast<int>(i) + 1);
  std::exception_ptr error;
  try {
    task(0);
  } catch (...) {
    error = std::current_exception();
  }
  for (std::size_t i = 0; i < others; ++i) {
    const std::exception_ptr other = workers[i]->wait();
    if (!error) error = other;
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace espalier
