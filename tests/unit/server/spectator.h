#pragma once

// A page without a browser: joins a server, keeps the last message of each kind and the last frame.

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "espalier/visual/frame.h"
#include "tests/unit/server/raw_client.h"

namespace espalier::testing {

class Spectator {
 public:
  explicit Spectator(int port, const std::string& path = "/ws") : client_(port) {
    EXPECT_EQ(client_.upgrade(path), 101);
  }

  void send(const nlohmann::json& message) { client_.sendText(message.dump()); }
  RawClient& raw() { return client_; }

  /// Takes one message.   returns  false where none comes within `seconds`
  bool take(double seconds) {
    const auto message = client_.receive(seconds);
    if (!message) return false;
    if (message->opcode == 2) {
      const auto bytes = std::as_bytes(std::span(message->bytes.data(), message->bytes.size()));
      frame = decodeFrame(bytes);
      EXPECT_TRUE(frame) << "a binary message is no frame";
      if (frame) flags |= frame->flags;
      ++frames;
    } else if (message->opcode == 1) {
      const nlohmann::json text = nlohmann::json::parse(message->bytes);
      kinds.push_back(text["type"]);
      last[kinds.back()] = text;
    }
    return true;
  }
  /// Takes all that is there.
  void drain() {
    while (take(0.02)) {
    }
  }
  /// Takes messages, calling `meanwhile` between them, until a condition holds, for ten seconds.
  template <class Condition, class Meanwhile>
  bool until(const Condition& condition, const Meanwhile& meanwhile) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!condition() && std::chrono::steady_clock::now() < end) {
      meanwhile();
      while (take(0.001)) {
      }
    }
    return condition();
  }

  std::map<std::string, nlohmann::json> last;
  std::vector<std::string> kinds;  ///< of text messages, in order
  std::optional<Frame> frame;
  std::uint32_t flags = 0;  ///< of all frames
  int frames = 0;

 private:
  RawClient client_;
};

}  // namespace espalier::testing
