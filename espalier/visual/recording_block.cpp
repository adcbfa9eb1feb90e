#include "espalier/visual/recording_block.h"

#include <cstring>

#include "espalier/visual/byte_stream.h"
#include "espalier/visual/deflate.h"

namespace espalier {

std::array<std::byte, recording_head_bytes> recordingHead() {
  constexpr char head[recording_head_bytes + 1] = "ESPREC\r\n\1\0\0\0\0\0\0\0";
  std::array<std::byte, recording_head_bytes> bytes;
  std::memcpy(bytes.data(), head, bytes.size());
  return bytes;
}

std::uint32_t checksumOf(const BlockHead& head, std::span<const std::byte> stored) {
  constexpr std::size_t begin = offsetof(BlockHead, crc), end = begin + sizeof(head.crc);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(&head, 1));
  return crc32(stored, crc32(bytes.subspan(end), crc32(bytes.first(begin))));
}

std::vector<std::byte> blockBytes(BlockTag tag, std::span<const std::byte> content,
                                  double firstTime, double lastTime) {
  const std::vector<std::byte> stored = deflateBytes(content);
  BlockHead head{tag,
                 static_cast<std::uint32_t>(content.size()),
                 static_cast<std::uint32_t>(stored.size()),
                 0,
                 firstTime,
                 lastTime};
  head.crc = checksumOf(head, stored);
  std::vector<std::byte> bytes;
  bytes.reserve(sizeof(head) + stored.size());
  putNumber(bytes, head);
  bytes.insert(bytes.end(), stored.begin(), stored.end());
  return bytes;
}

std::size_t mostContent(BlockTag tag) { return std::size_t{tag == mesh_tag ? 256u : 64u} << 20; }

std::span<const std::byte> asBytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string asText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace espalier
