#include "espalier/server/web_socket_client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace espalier {
namespace {

/// The far end: takes messages when the test lets it.
class Wire {
 public:
  WebSocketClient::Send send() {
    return [this](WebSocketMessage kind, const void* data, std::size_t size) {
      std::unique_lock lock(mutex_);
      isSending_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return isOpen_; });
      isSending_ = false;
      taken_.push_back((kind == WebSocketMessage::BINARY ? "frame " : "") +
                       std::string(static_cast<const char*>(data), size));
      changed_.notify_all();
      return !isBroken_;
    };
  }
  void open(bool isBroken = false) {
    const std::lock_guard lock(mutex_);
    isOpen_ = true;
    isBroken_ = isBroken;
    changed_.notify_all();
  }
  bool waitUntilSending() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(5), [this] { return isSending_; });
  }
  std::vector<std::string> waitFor(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(5), [&] { return taken_.size() >= count; });
    return taken_;
  }
  std::function<void()> drop() {
    return [this] {
      const std::lock_guard lock(mutex_);
      ++drops_;
      changed_.notify_all();
    };
  }
  int waitForDrop() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(5), [this] { return drops_ > 0; });
    return drops_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool isOpen_ = false, isBroken_ = false, isSending_ = false;
  std::vector<std::string> taken_;
  int drops_ = 0;
};

SharedBytes frame(char c) {
  return std::make_shared<const std::vector<std::byte>>(1, static_cast<std::byte>(c));
}

TEST(WebSocketClient, LatestFrameWinsAndTextsKeepTheirOrder) {
  Wire wire;
  WebSocketClient client(wire.send(), wire.drop());
  client.sendLatest(frame('a'));
  ASSERT_TRUE(wire.waitUntilSending());
  for (char c : {'b', 'c', 'd'}) client.sendLatest(frame(c));
  client.sendText("one");
  client.sendText("two");
  client.sendPong("ping");
  wire.open();
  const std::vector<std::string> expected = {"frame a", "ping", "one", "two", "frame d"};
  EXPECT_EQ(wire.waitFor(5), expected);
}

TEST(WebSocketClient, FullQueueDropsTheClient) {
  Wire wire;
  WebSocketClient client(wire.send(), wire.drop());
  client.sendText("first");
  ASSERT_TRUE(wire.waitUntilSending());
  for (std::size_t i = 0; i <= WebSocketClient::most_texts; ++i) client.sendText("more");
  wire.open();
  EXPECT_EQ(wire.waitForDrop(), 1);
  EXPECT_TRUE(client.isDropped());
  EXPECT_EQ(wire.waitFor(1).size(), 1u);
  client.sendText("too late");
  client.sendLatest(frame('x'));
  client.stop();
  EXPECT_EQ(wire.waitFor(1).size(), 1u);
}

TEST(WebSocketClient, TextsAreBoundedInBytes) {
  Wire wire;
  WebSocketClient client(wire.send(), wire.drop());
  client.sendText("first");
  ASSERT_TRUE(wire.waitUntilSending());
  const auto large = std::make_shared<const std::string>(WebSocketClient::most_text_bytes / 2, 'x');
  for (int i = 0; i < 3; ++i) client.sendText(large);
  wire.open();
  EXPECT_EQ(wire.waitForDrop(), 1);
}

TEST(WebSocketClient, BrokenConnectionDropsTheClientOnce) {
  Wire wire;
  WebSocketClient client(wire.send(), wire.drop());
  wire.open(true);
  client.sendText("lost");
  client.sendText("lost, too");
  EXPECT_EQ(wire.waitForDrop(), 1);
  client.stop();
  client.stop();
  EXPECT_EQ(wire.waitForDrop(), 1);
}

}  // namespace
}  // namespace espalier
