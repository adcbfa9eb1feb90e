#include "espalier/visual/recording_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "espalier/visual/deflate.h"
#include "espalier/visual/frame_block.h"

namespace espalier {
namespace {

constexpr std::size_t hash_bytes = 16, mesh_head_bytes = 16;
constexpr int deepest_json = 64;

/// The error of a head that has `left` bytes behind it; empty: none.
std::string problemOf(const BlockHead& head, std::size_t left) {
  if (head.stored > left)
    return fmt::format("it is cut off, {} of {} bytes are there", left, head.stored);
  if (head.length > mostContent(head.tag))
    return fmt::format("it claims {} bytes, more than {} are not read", head.length,
                       mostContent(head.tag));
  if (head.length / most_inflation > head.stored)
    return fmt::format("it claims {} bytes, which {} cannot hold", head.length, head.stored);
  if (!std::isfinite(head.firstTime) || !std::isfinite(head.lastTime))
    return "its times are not finite";
  return "";
}

bool isShallow(std::string_view json) {
  int depth = 0;
  bool isString = false;
  for (std::size_t i = 0; i < json.size() && depth <= deepest_json; ++i) {
    const char c = json[i];
    if (isString && c == '\\')
      ++i;
    else if (c == '"')
      isString = !isString;
    else if (!isString && (c == '{' || c == '['))
      ++depth;
    else if (!isString && (c == '}' || c == ']'))
      --depth;
  }
  return depth <= deepest_json;
}

std::uint32_t wordAt(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof(word));
  return word;
}

/// Whether the bytes are a mesh whose indices are those of its vertices.
bool isMesh(std::span<const std::byte> bytes) {
  if (bytes.size() < mesh_head_bytes) return false;
  const std::uint64_t vertices = wordAt(bytes, 0), triangles = wordAt(bytes, 4);
  const bool hasColours = (wordAt(bytes, 8) & 1) != 0;
  const std::uint64_t indices = mesh_head_bytes + 12 * vertices;
  if (bytes.size() != indices + 12 * triangles + (hasColours ? 4 * vertices : 0)) return false;
  for (std::uint64_t i = 0; i < 3 * triangles; ++i)
    if (wordAt(bytes, indices + 4 * i) >= vertices) return false;
  return true;
}

bool isHexadecimal(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

RecordingReader::RecordingReader(std::span<const std::byte> bytes, std::string name)
    : name_(std::move(name)) {
  const auto head = recordingHead();
  constexpr std::size_t magic = 8, version = 4;
  if (bytes.size() < head.size() ||
      !std::equal(head.begin(), head.begin() + magic, bytes.begin())) {
    diagnostics_.add({Severity::Error, name_, 0, "this is no recording of Espalier",
                      "name an .esp file as espalier sim --record writes them"});
    return;
  }
  if (!std::equal(head.begin(), head.begin() + magic + version, bytes.begin())) {
    diagnostics_.add({Severity::Error, name_, 0,
                      fmt::format("recordings of version {} are not known", wordAt(bytes, magic)),
                      "use the Espalier that wrote it, or a later one"});
    return;
  }
  std::size_t at = wholeBytes_ = head.size();
  while (at < bytes.size()) {
    RecordingBlock block;
    block.number = blocks_.size() + 1;
    block.offset = at;
    std::string problem = "its head is cut off";
    const std::size_t left = bytes.size() - at;
    if (left >= sizeof(BlockHead)) {
      std::memcpy(&block.head, bytes.data() + at, sizeof(BlockHead));
      problem = problemOf(block.head, left - sizeof(BlockHead));
    }
    if (problem.empty()) {
      block.stored = bytes.subspan(at + sizeof(BlockHead), block.head.stored);
      if (checksumOf(block.head, block.stored) != block.head.crc) problem = "its checksum is wrong";
    }
    if (!problem.empty()) {
      diagnostics_.add(fault(Severity::Warning, block.number, at, problem));
      return;
    }
    at = wholeBytes_ = at + sizeof(BlockHead) + block.head.stored;
    blocks_.push_back(block);
  }
}

Diagnostic RecordingReader::fault(Severity severity, std::size_t number, std::size_t offset,
                                  const std::string& what) const {
  return {severity, name_, 0,
          fmt::format("the recording is broken at block {} (byte {}): {}", number, offset, what),
          number > 1 ? "what stands before it can be used; record the run again for the rest"
                     : "record the run again"};
}

Diagnostics RecordingReader::errorAt(const RecordingBlock& block, const std::string& what) const {
  Diagnostics errors;
  errors.add(fault(Severity::Error, block.number, block.offset, what));
  return errors;
}

Expected<std::vector<std::byte>> RecordingReader::content(const RecordingBlock& block) const {
  auto bytes = inflateBytes(block.stored, block.head.length);
  if (bytes) return std::move(*bytes);
  return errorAt(block, "it does not inflate");
}

Expected<std::vector<Frame>> RecordingReader::frames(const RecordingBlock& block) const {
  const Expected<std::vector<std::byte>> bytes = content(block);
  if (!bytes) return bytes.diagnostics();
  auto frames = decodeFrames(*bytes);
  if (frames && frames->front().time == block.head.firstTime &&
      frames->back().time == block.head.lastTime)
    return std::move(*frames);
  return errorAt(block, "it does not hold frames");
}

Expected<MeshBlob> RecordingReader::mesh(const RecordingBlock& block) const {
  Expected<std::vector<std::byte>> bytes = content(block);
  if (!bytes) return bytes.diagnostics();
  if (bytes->size() >= hash_bytes) {
    const std::span<const std::byte> all = *bytes;
    MeshBlob blob{asText(all.first(hash_bytes)), {}};
    if (isHexadecimal(blob.hash) && isMesh(all.subspan(hash_bytes))) {
      blob.bytes.assign(bytes->begin() + hash_bytes, bytes->end());
      return blob;
    }
  }
  return errorAt(block, "it does not hold a mesh");
}

Expected<std::string> RecordingReader::text(const RecordingBlock& block) const {
  const Expected<std::vector<std::byte>> bytes = content(block);
  if (!bytes) return bytes.diagnostics();
  std::string json = asText(*bytes);
  if (isShallow(json)) return json;
  return errorAt(block, "its text nests too deep");
}

}  // namespace espalier
