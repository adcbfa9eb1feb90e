#pragma once

// ReceiveWatch: ends connections that send more than a message may have before one is complete. civetweb
// takes memory for a message as it comes, up to 2 GB, and hands it over only when it is whole.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>

namespace espalier {

class ReceiveWatch {
 public:
  /// in  most  bytes of a message, and of the kernel's buffer beside it
  explicit ReceiveWatch(std::size_t most);
  ~ReceiveWatch();
  ReceiveWatch(const ReceiveWatch&) = delete;
  ReceiveWatch& operator=(const ReceiveWatch&) = delete;

  void add(int socket);
  /// A message has been received whole.
  void note(int socket);
  /// pre  before the socket is closed: its number may be another's afterwards
  void remove(int socket);

 private:
  void run();

  std::uint64_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, std::uint64_t> receivedAt_;  ///< socket -> bytes at its last whole message
  bool isStopped_ = false;
  std::thread thread_;
};

}  // namespace espalier
