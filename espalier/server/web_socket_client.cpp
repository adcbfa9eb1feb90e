#include "espalier/server/web_socket_client.h"

#include <utility>

namespace espalier {

WebSocketClient::WebSocketClient(Send send, std::function<void()> drop)
    : send_(std::move(send)), drop_(std::move(drop)), thread_([this] { run(); }) {}

WebSocketClient::~WebSocketClient() { stop(); }

void WebSocketClient::stop() {
  {
    const std::lock_guard lock(mutex_);
    isStopped_ = true;
  }
  hasWork_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void WebSocketClient::sendText(SharedText text) {
  {
    const std::lock_guard lock(mutex_);
    if (isStopped_ || isFull_ || isDropped_) return;
    isFull_ = texts_.size() >= most_texts || textBytes_ + text->size() > most_text_bytes;
    if (!isFull_) {
      textBytes_ += text->size();
      texts_.push_back(std::move(text));
    }
  }
  hasWork_.notify_one();
}

void WebSocketClient::sendLatest(SharedBytes frame, Merge merge) {
  {
    const std::lock_guard lock(mutex_);
    if (isStopped_ || isDropped_) return;
    frame_ = frame_ && merge ? merge(frame_, frame) : std::move(frame);
  }
  hasWork_.notify_one();
}

void WebSocketClient::sendPong(std::string payload) {
  {
    const std::lock_guard lock(mutex_);
    if (isStopped_ || isDropped_) return;
    pong_ = std::make_shared<const std::string>(std::move(payload));
  }
  hasWork_.notify_one();
}

void WebSocketClient::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    hasWork_.wait(lock,
                  [this] { return isStopped_ || isFull_ || pong_ || !texts_.empty() || frame_; });
    if (isStopped_) return;
    bool isSent = !isFull_;
    if (isSent && pong_) {
      const SharedText pong = std::exchange(pong_, nullptr);
      lock.unlock();
      isSent = send_(WebSocketMessage::PONG, pong->data(), pong->size());
    } else if (isSent && !texts_.empty()) {
      const SharedText text = std::move(texts_.front());
      texts_.pop_front();
      textBytes_ -= text->size();
      lock.unlock();
      isSent = send_(WebSocketMessage::TEXT, text->data(), text->size());
    } else if (isSent) {
      const SharedBytes frame = std::exchange(frame_, nullptr);
      lock.unlock();
      isSent = send_(WebSocketMessage::BINARY, frame->data(), frame->size());
    }
    if (!lock.owns_lock()) lock.lock();
    if (isSent) continue;
    isDropped_ = true;
    texts_.clear();
    frame_ = nullptr;
    lock.unlock();
    drop_();
    return;
  }
}

}  // namespace espalier
