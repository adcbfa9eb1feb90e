#include "espalier/server/hub.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/server/spectator.h"

namespace espalier {
namespace {

using testing::Spectator;

SharedBytes encoded(std::uint32_t version, std::uint32_t flags) {
  Frame frame;
  frame.version = version;
  frame.flags = flags;
  std::vector<std::byte> bytes;
  encodeFrame(frame, bytes);
  return std::make_shared<const std::vector<std::byte>>(bytes);
}

TEST(Hub, ANewClientGetsThePresentState) {
  Hub hub({.port = 0}, {});
  hub.start();
  hub.setText(Topic::GRAPHS, R"({"type": "graphs"})");
  hub.setText(Topic::OVERLAY, R"({"type": "overlay"})");
  SceneDescription scene;
  scene.json = R"({"type": "scene", "version": 1})";
  hub.setScene(scene);
  Spectator first(hub.port());
  const auto wait = [] {};
  ASSERT_TRUE(first.until([&] { return first.kinds.size() == 4; }, wait));
  Spectator second(hub.port());
  ASSERT_TRUE(second.until([&] { return second.kinds.size() == 4; }, wait));
  const std::vector<std::string> order = {"hello", "scene", "overlay", "graphs"};
  EXPECT_EQ(second.kinds, order);
  EXPECT_EQ(hub.spectators(), 2);
  hub.sendText(R"({"type": "graphData"})");
  EXPECT_TRUE(first.until([&] { return first.kinds.back() == "graphData"; }, wait));
  Frame frame;
  frame.version = 1;
  frame.time = 3;
  hub.sendFrame(frame);
  EXPECT_TRUE(first.until([&] { return first.frame && first.frame->time == 3; }, wait));
  Spectator late(hub.port());
  EXPECT_TRUE(late.until([&] { return late.frame && late.frame->time == 3; }, wait));
  EXPECT_EQ(late.kinds, order);
  hub.stop();
}

TEST(Hub, FlagsOfAFrameLeftOutAreKept) {
  const SharedBytes merged = withFlagsOf(encoded(4, 3), encoded(5, 8));
  const auto frame = decodeFrame(*merged);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->flags, 11u);
  EXPECT_EQ(frame->version, 5u);
  const SharedBytes same = encoded(5, 7);
  EXPECT_EQ(withFlagsOf(encoded(4, 3), same), same);
}

}  // namespace
}  // namespace espalier
