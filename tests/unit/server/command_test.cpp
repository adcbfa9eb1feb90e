#include "espalier/server/command.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/source_folder.h"

namespace espalier {
namespace {

template <class C>
C as(std::string_view text) {
  const auto result = parseCommand(text);
  if (const auto* error = std::get_if<CommandError>(&result)) ADD_FAILURE() << error->what;
  return std::get<C>(std::get<Command>(result));
}

TEST(Command, EachIsRead) {
  EXPECT_TRUE(as<PauseCommand>(R"({"type": "pause", "on": true})").on);
  EXPECT_FALSE(as<PauseCommand>(R"({"type": "pause", "on": false, "more": 1})").on);
  EXPECT_EQ(as<StepCommand>(R"({"type": "step", "count": 7})").count, 7);
  EXPECT_EQ(as<SpeedCommand>(R"({"type": "speed", "factor": 0.5})").factor, 0.5);
  EXPECT_EQ(as<ResetCommand>(R"({"type": "reset"})").keyframe, std::nullopt);
  EXPECT_EQ(as<ResetCommand>(R"({"type": "reset", "keyframe": null})").keyframe, std::nullopt);
  EXPECT_EQ(as<ResetCommand>(R"({"type": "reset", "keyframe": "home"})").keyframe, "home");
  as<ReloadCommand>(R"({"type": "reload"})");
  as<ReleaseCommand>(R"({"type": "release"})");
  const auto joint = as<JointCommand>(R"({"type": "joint", "body": 3, "value": -1.5})");
  EXPECT_EQ(joint.body, 3);
  EXPECT_EQ(joint.value, -1.5);
  const auto drag =
      as<DragCommand>(R"({"type": "drag", "body": 2, "point": [1, 2, 3], "target": [4, 5, 6.5]})");
  EXPECT_EQ(drag.body, 2);
  EXPECT_EQ(drag.point.z, 3);
  EXPECT_EQ(drag.target.z, 6.5);
}

TEST(Command, UnknownCommandsAreErrors) {
  const std::string deep = std::string(20000, '[') + std::string(20000, ']');
  for (const std::string& text :
       {std::string(),
        std::string("null"),
        std::string("[]"),
        std::string("{}"),
        std::string("{"),
        std::string("\xff\xfe"),
        std::string("{\"type\": \"pause\xc3\x28\", \"on\": true}"),
        std::string(R"({"type": 1})"),
        std::string(R"({"type": "explode"})"),
        std::string(R"({"type": "pause"})"),
        std::string(R"({"type": "pause", "on": 1})"),
        std::string(R"({"type": "step", "count": 0})"),
        std::string(R"({"type": "step", "count": 1.5})"),
        std::string(R"({"type": "step", "count": 1e300})"),
        std::string(R"({"type": "step", "count": "1"})"),
        std::string(R"({"type": "speed", "factor": -1})"),
        std::string(R"({"type": "speed", "factor": 1e999})"),
        std::string(R"({"type": "speed", "factor": NaN})"),
        std::string(R"({"type": "reset", "keyframe": 1})"),
        std::string(R"({"type": "joint", "body": -1, "value": 0})"),
        std::string(R"({"type": "joint", "body": 4294967296, "value": 0})"),
        std::string(R"({"type": "joint", "body": 1, "value": null})"),
        std::string(R"({"type": "drag", "body": 1, "point": [1, 2], "target": [1, 2, 3]})"),
        std::string(R"({"type": "drag", "body": 1, "point": [1, 2, "3"], "target": [1, 2, 3]})"),
        std::string(R"({"type": "drag", "body": 1, "point": [1, 2, 3]})"),
        std::string(R"({"type": "drag", "body": 1, "point": [1, 2, 1e10], "target": [1, 2, 3]})"),
        deep}) {
    const auto result = parseCommand(text);
    EXPECT_TRUE(std::holds_alternative<CommandError>(result)) << text.substr(0, 80);
  }
}

/// The fuzzer's seeds (tests/fuzz/command_fuzz.cpp).
TEST(Command, CorpusIsRead) {
  int commands = 0;
  const std::filesystem::path folder = sourceFolder() + "/tests/fuzz/corpus/command";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    commands += std::holds_alternative<Command>(parseCommand(text));
  }
  EXPECT_GE(commands, 7);
}

TEST(Command, ErrorsAreJson) {
  EXPECT_EQ(toJson(CommandError{"a \"b\"", "c"}),
            R"({"remedy":"c","type":"error","what":"a \"b\""})");
  EXPECT_NE(toJson(CommandError{"\xff", ""}).find("\xef\xbf\xbd"), std::string::npos);
}

}  // namespace
}  // namespace espalier
