#include "espalier/server/command.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "espalier/visual/scene_json.h"

namespace espalier {
namespace {

using nlohmann::json;

constexpr double most_steps = 1e6, most_speed = 1e3;
constexpr double most_distance = 1e9;  // m; coordinates beyond it are no place

/// The fields of a message; throws a CommandError.
class Fields {
 public:
  Fields(const json& message, std::string type) : message_(message), type_(std::move(type)) {}

  double number(const char* name, double least, double most) const {
    const json& field = at(name);
    if (!field.is_number()) fail(name, "a number");
    const double value = field.get<double>();
    if (!(value >= least && value <= most)) fail(name, "a number within its range");
    return value;
  }
  int whole(const char* name, double least, double most) const {
    const double value = number(name, least, most);
    if (value != std::floor(value)) fail(name, "a whole number");
    return static_cast<int>(value);
  }
  int place(const char* name) const { return whole(name, 0, std::numeric_limits<int>::max()); }
  bool flag(const char* name) const {
    if (!at(name).is_boolean()) fail(name, "true or false");
    return at(name).get<bool>();
  }
  Vec3d point(const char* name) const {
    const json& field = at(name);
    if (!field.is_array() || field.size() != 3) fail(name, "three numbers");
    double x[3];
    for (std::size_t i = 0; i < 3; ++i) {
      if (!field[i].is_number()) fail(name, "three numbers");
      x[i] = field[i].get<double>();
      if (!(std::abs(x[i]) <= most_distance)) fail(name, "three finite numbers");
    }
    return {x[0], x[1], x[2]};
  }
  std::optional<std::string> text(const char* name) const {
    const auto field = message_.find(name);
    if (field == message_.end() || field->is_null()) return std::nullopt;
    if (!field->is_string()) fail(name, "a text or null");
    return field->get<std::string>();
  }

 private:
  const json& at(const char* name) const {
    const auto field = message_.find(name);
    if (field == message_.end()) fail(name, "there");
    return *field;
  }
  [[noreturn]] void fail(const char* name, const std::string& wanted) const {
    throw CommandError{
        "'" + std::string(name) + "' of the message '" + type_ + "' is not " + wanted,
        "docs/viewer_protocol.md says what it holds"};
  }

  const json& message_;
  std::string type_;
};

Command read(const json& message) {
  if (!message.is_object())
    throw CommandError{"a message is not a JSON object", "send {\"type\": ...}"};
  const auto field = message.find("type");
  if (field == message.end() || !field->is_string())
    throw CommandError{"a message has no type", "send {\"type\": ...}"};
  const auto& type = field->get_ref<const std::string&>();
  const Fields f(message, type.substr(0, 40));
  if (type == "pause") return PauseCommand{f.flag("on")};
  if (type == "step") return StepCommand{f.whole("count", 1, most_steps)};
  if (type == "speed") return SpeedCommand{f.number("factor", 0, most_speed)};
  if (type == "reset") return ResetCommand{f.text("keyframe")};
  if (type == "reload") return ReloadCommand{};
  if (type == "joint")
    return JointCommand{f.place("body"), f.number("value", -most_distance, most_distance)};
  if (type == "drag") return DragCommand{f.place("body"), f.point("point"), f.point("target")};
  if (type == "release") return ReleaseCommand{};
  throw CommandError{"there is no command '" + type.substr(0, 40) + "'",
                     "docs/viewer_protocol.md lists the commands"};
}

}  // namespace

std::variant<Command, CommandError> parseCommand(std::string_view message) {
  const json parsed = json::parse(message, nullptr, false);
  if (parsed.is_discarded())
    return CommandError{"a message is not JSON, or holds a number beyond all bounds",
                        "send {\"type\": ...}"};
  try {
    return read(parsed);
  } catch (const CommandError& error) {
    return error;
  }
}

std::string toJson(const CommandError& error) {
  return textOf({{"type", "error"}, {"what", error.what}, {"remedy", error.remedy}});
}

}  // namespace espalier
