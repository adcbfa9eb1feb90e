#pragma once

// Frame: where everything that a viewer draws is at one moment. Which body, contact or channel a
// number is about stands in the scene with the same version (docs/viewer_protocol.md).

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace espalier {

struct ContactMark {
  std::array<float, 3> position{};      ///< m, world
  std::array<float, 3> normal{};        ///< unit, world, the push on A
  std::array<float, 3> force{};         ///< N, world, on A: the step's impulse over its duration
  std::int32_t bodyA = -1, bodyB = -1;  ///< places among the scene's bodies; -1: none

  bool operator==(const ContactMark&) const = default;
};

struct PushMark {
  std::array<float, 3> point{};  ///< m, world
  std::array<float, 3> force{};  ///< N, world, an external force
  std::int32_t body = -1;

  bool operator==(const PushMark&) const = default;
};

struct RayMark {
  std::array<float, 3> start{}, end{};  ///< m, world; the end is on the nearest surface met
  std::int32_t body = -1;               ///< that it meets; -1: none

  bool operator==(const RayMark&) const = default;
};

struct Frame {
  std::uint32_t version = 0;  ///< of the scene that it belongs to
  double time = 0;            ///< s
  std::uint32_t flags = 0;    ///< StepReport::flags
  std::vector<float> poses;   ///< [7 bodies] x, y, z in m, qw, qx, qy, qz; body to world
  std::vector<ContactMark> contacts;
  std::vector<PushMark> pushes;
  std::vector<RayMark> rays;
  std::vector<float> channels;

  bool operator==(const Frame&) const = default;
};

/// The frame as the binary message of docs/viewer_protocol.md.
///   out  message  overwritten; keeps its memory
void encodeFrame(const Frame& frame, std::vector<std::byte>& message);
/// None where the bytes are not one whole frame.
std::optional<Frame> decodeFrame(std::span<const std::byte> message);

}  // namespace espalier
