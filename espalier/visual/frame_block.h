#pragma once

// Frames of one scene as the content of a recording's block `FRAM` (docs/viewer_protocol.md).

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "espalier/visual/frame.h"

namespace espalier {

inline constexpr std::size_t most_frames_of_block = 128;

/// pre  1 to 128 frames of the same version, with as many bodies and as many channels each
std::vector<std::byte> encodeFrames(std::span<const Frame> frames);

/// Memory is bounded by a small multiple of the content's size.
///   returns  none where the content is not just such frames
std::optional<std::vector<Frame>> decodeFrames(std::span<const std::byte> content);

}  // namespace espalier
