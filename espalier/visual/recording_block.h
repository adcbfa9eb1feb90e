#pragma once

// The blocks of a recording (docs/viewer_protocol.md, "Recordings"): a head of 32 bytes, then the
// content, deflated.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

using BlockTag = std::array<char, 4>;

inline constexpr BlockTag scene_tag{'S', 'C', 'E', 'N'}, mesh_tag{'M', 'E', 'S', 'H'},
    overlay_tag{'O', 'V', 'E', 'R'}, frames_tag{'F', 'R', 'A', 'M'}, info_tag{'I', 'N', 'F', 'O'};

/// The bytes before the first block.
inline constexpr std::size_t recording_head_bytes = 16;
std::array<std::byte, recording_head_bytes> recordingHead();

struct BlockHead {
  BlockTag tag{};
  std::uint32_t length = 0;  ///< of the content when inflated
  std::uint32_t stored = 0;  ///< bytes behind this head
  std::uint32_t crc = 0;     ///< checksumOf()
  double firstTime = 0;      ///< s, of its first and last frame; 0 in other blocks
  double lastTime = 0;
};
static_assert(sizeof(BlockHead) == 32, "written as it is");

/// CRC-32 of the head without its `crc`, and the stored content.
std::uint32_t checksumOf(const BlockHead& head, std::span<const std::byte> stored);

/// A block as it stands in a file.
///   pre  less than 4 GiB of content
std::vector<std::byte> blockBytes(BlockTag tag, std::span<const std::byte> content,
                                  double firstTime = 0, double lastTime = 0);

/// Bytes that the content of a block with this tag may have.
std::size_t mostContent(BlockTag tag);

/// Of a file; larger ones are not read.
inline constexpr std::size_t most_recording_bytes = std::size_t{4} << 30;

/// A text as bytes, and back.
std::span<const std::byte> asBytes(std::string_view text);
std::string asText(std::span<const std::byte> bytes);

}  // namespace espalier
