#pragma once

// WebSocketClient: the send queue of one client of a WebSocket. A thread of its own sends, so
// that whoever hands messages over never waits. Text messages keep their order and all arrive; of
// binary ones, frames, only the latest counts: one that was not sent when the next comes is left out.
// Texts go before the frame. A client whose queue is full is dropped.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace espalier {

enum class WebSocketMessage { TEXT, BINARY, PONG, CLOSE };

using SharedText = std::shared_ptr<const std::string>;
using SharedBytes = std::shared_ptr<const std::vector<std::byte>>;

class WebSocketClient {
 public:
  /// Sends one message; may block for seconds, false where the client is gone.
  using Send = std::function<bool(WebSocketMessage, const void* data, std::size_t size)>;

  static constexpr std::size_t most_texts = 4096;
  static constexpr std::size_t most_text_bytes = std::size_t{64} << 20;

  /// in  drop  called once, by the sending thread, where send() has failed or the queue is full
  WebSocketClient(Send send, std::function<void()> drop);
  /// Waits for a message that is being sent; other queued messages are lost.
  ~WebSocketClient();
  WebSocketClient(const WebSocketClient&) = delete;
  WebSocketClient& operator=(const WebSocketClient&) = delete;

  void sendText(SharedText text);
  void sendText(std::string text) {
    sendText(std::make_shared<const std::string>(std::move(text)));
  }
  /// Takes the place of a frame that waits.
  ///   in  merge  merges the waiting one and this one into the one to send; none: this one
  using Merge = SharedBytes (*)(const SharedBytes& waiting, const SharedBytes& frame);
  void sendLatest(SharedBytes frame, Merge merge = nullptr);
  /// The answer to a ping; an unsent one is replaced.
  void sendPong(std::string payload);
  /// Ends the sending thread. Nothing is sent after it.
  void stop();

  bool isDropped() const { return isDropped_; }

 private:
  void run();

  Send send_;
  std::function<void()> drop_;
  std::mutex mutex_;
  std::condition_variable hasWork_;
  std::deque<SharedText> texts_;
  std::size_t textBytes_ = 0;
  SharedBytes frame_;
  SharedText pong_;
  bool isStopped_ = false, isFull_ = false;
  std::atomic<bool> isDropped_ = false;
  std::thread thread_;
};

}  // namespace espalier
