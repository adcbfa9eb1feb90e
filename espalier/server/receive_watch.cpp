#include "espalier/server/receive_watch.h"

#include <chrono>

#include "espalier/server/peer_socket.h"

namespace espalier {
namespace {

constexpr std::chrono::milliseconds between_looks{50};

}  // namespace

ReceiveWatch::ReceiveWatch(std::size_t most) : most_(most), thread_([this] { run(); }) {}

ReceiveWatch::~ReceiveWatch() {
  {
    const std::lock_guard lock(mutex_);
    isStopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ReceiveWatch::add(int socket) {
  {
    const std::lock_guard lock(mutex_);
    receivedAt_[socket] = bytesReceived(socket);
  }
  changed_.notify_one();
}

void ReceiveWatch::note(int socket) {
  const std::lock_guard lock(mutex_);
  receivedAt_[socket] = bytesReceived(socket);
}

void ReceiveWatch::remove(int socket) {
  const std::lock_guard lock(mutex_);
  receivedAt_.erase(socket);
}

void ReceiveWatch::run() {
  std::unique_lock lock(mutex_);
  while (!isStopped_) {
    changed_.wait(lock, [this] { return isStopped_ || !receivedAt_.empty(); });
    changed_.wait_for(lock, between_looks, [this] { return isStopped_; });
    for (const auto& [socket, before] : receivedAt_)
      if (bytesReceived(socket) > before + most_) endConnection(socket);
  }
}

}  // namespace espalier
