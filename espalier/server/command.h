#pragma once

// Command of a page (docs/viewer_protocol.md, "page to server"), parsed from a message of which
// nothing is trusted.

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "espalier/spatial/vec3.h"

namespace espalier {

struct PauseCommand {
  bool on = false;
};
struct StepCommand {
  int count = 1;
};
struct SpeedCommand {
  double factor = 1;  ///< simulated seconds for each second; 0: as fast as it goes
};
struct ResetCommand {
  std::optional<std::string> keyframe;  ///< none: the start
};
struct ReloadCommand {};
struct JointCommand {
  int body = 0;      ///< of the scene: the joint that carries it
  double value = 0;  ///< rad or m
};
struct DragCommand {
  int body = 0;    ///< of the scene
  Vec3d point{};   ///< m, in the body's frame
  Vec3d target{};  ///< m, world
};
struct ReleaseCommand {};

using Command = std::variant<PauseCommand, StepCommand, SpeedCommand, ResetCommand, ReloadCommand,
                             JointCommand, DragCommand, ReleaseCommand>;

/// Why a command cannot be done.
struct CommandError {
  std::string what, remedy;
};

/// Numbers are finite and within: count 1 to 1e6, factor 0 to 1e3, places 0 to 2^31 - 1.
std::variant<Command, CommandError> parseCommand(std::string_view message);

/// The message `error`.
std::string toJson(const CommandError& error);

}  // namespace espalier
