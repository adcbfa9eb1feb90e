// The options of `sim` and `view` about the world that they set up.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <limits>

#include "apps/cli/simulation.h"
#include "espalier/io/text/numbers.h"

namespace espalier::cli {
namespace {

std::string finite(const std::string& text) {
  return io::parseNumber(text) ? "" : "takes a finite number, not '" + text + "'";
}

std::vector<std::string> schemeNames() {
  std::vector<std::string> names;
  for (const SchemeInfo& scheme : schemes) names.emplace_back(scheme.name);
  return names;
}

std::uint64_t parseSeed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || rest != end)
    throw CLI::ValidationError("--seed",
                               fmt::format("takes a whole number from 0 to {}, not '{}'",
                                           std::numeric_limits<std::uint64_t>::max(), text));
  return seed;
}

}  // namespace

std::string mustBePositive(const std::string& text) {
  const std::optional<double> number = io::parseNumber(text);
  return number && *number > 0 ? "" : "takes a positive, finite number, not '" + text + "'";
}

void SimulationOptions::addTo(CLI::App& command) {
  command.add_option("--dt", dt, "Time step, s (default: the world file's own, or 0.001)")
      ->check(mustBePositive)
      ->type_name("S");
  command
      .add_option_function<std::string>(
          "--pd",
          [this](const std::string& text) {
            const std::vector<double> gains = parseNumberList("--pd", text, 2);
            if (gains[0] < 0 || gains[1] < 0)
              throw CLI::ValidationError("--pd", "gains must not be negative");
            pd = {gains[0], gains[1]};
          },
          "Gains that hold the pose (default: the file's own actuators; else KP 20 for each kg of "
          "the robot, KD a thirtieth of it)")
      ->type_name("KP,KD");
  command
      .add_option("--pose", pose,
                  "State to start at and to hold (default: nominal.json "
                  "beside the robot, or neutral)")
      ->type_name("FILE");
  command
      .add_option("--keyframe", robot.urdf.keyframe,
                  "Of a MuJoCo file: the keyframe to start at, by name or number (default: the "
                  "first; none: as drawn)")
      ->type_name("NAME");
  command.add_option("--height", height, "Of the lowest collision point at the start, m")
      ->check(finite)
      ->type_name("M")
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--seed", [this](const std::string& text) { seed = parseSeed(text); },
          "Disturbs the start: tilt and velocities; 0 does not")
      ->type_name("N")
      ->default_str("0");
  command
      .add_option_function<std::string>(
          "--scheme",
          [this](const std::string& text) {
            for (const SchemeInfo& known : schemes)
              if (text == known.name) scheme = known.scheme;
          },
          "Integration scheme (default: midpoint)")
      ->check(CLI::IsMember(schemeNames()))
      ->type_name("NAME");
  command
      .add_option(
          "--tolerance", tolerance,
          "Residual at which the contact solver stops, m/s (default: 1e-8); it may take 1000 "
          "sweeps (default: 300)")
      ->check(mustBePositive)
      ->type_name("M/S");
  command.add_flag("--keep-overlaps", keepsOverlaps,
                   "Links that overlap at the start collide all the same");
  robot.addTo(command);
}

}  // namespace espalier::cli
