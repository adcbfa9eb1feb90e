#include "espalier/visual/recording_writer.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "espalier/core/check.h"
#include "espalier/io/text/text_file.h"
#include "espalier/visual/frame_block.h"
#include "espalier/visual/recording_reader.h"

namespace espalier {
namespace {

/// Poses and channels of its frames; a larger block is written at once. Far below what a block may
/// hold.
constexpr std::size_t most_numbers_of_block = std::size_t{4} << 20;

}  // namespace

RecordingWriter::RecordingWriter(std::string path, Existing existing) : path_(std::move(path)) {
  std::error_code code;
  if (existing == Existing::Append && std::filesystem::file_size(path_, code) > 0 && !code) {
    goOn();
    return;
  }
  file_.reset(std::fopen(path_.c_str(), "wb"));
  if (!file_) fail();
  const auto head = recordingHead();
  write(head.data(), head.size());
}

RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;

RecordingWriter::~RecordingWriter() {
  try {
    if (file_) close();
  } catch (const std::exception&) {
  }
}

/// Takes up a file that is there: cuts off broken blocks and notes its meshes.
void RecordingWriter::goOn() {
  const Expected<std::string> bytes = io::readFileBytes(path_, most_recording_bytes);
  if (!bytes) throw std::runtime_error(bytes.diagnostics().all().front().what);
  const RecordingReader reader(asBytes(*bytes), path_);
  if (reader.diagnostics().hasErrors())
    throw std::runtime_error("'" + path_ +
                             "' cannot be appended to: " + reader.diagnostics().all().front().what);
  for (const RecordingBlock& block : reader.blocks()) {
    if (block.head.tag != mesh_tag) continue;
    if (const Expected<MeshBlob> mesh = reader.mesh(block)) meshes_.insert(mesh->hash);
  }
  std::error_code code;
  std::filesystem::resize_file(path_, reader.wholeBytes(), code);
  if (!code) file_.reset(std::fopen(path_.c_str(), "ab"));
  if (!file_) fail();
}

void RecordingWriter::fail() const {
  throw std::runtime_error("the recording '" + path_ +
                           "' cannot be written: " + std::strerror(errno) +
                           "; choose a folder that can be written, on a disk with space left");
}

void RecordingWriter::write(const void* bytes, std::size_t size) {
  ESPALIER_REQUIRE(file_ != nullptr, "the recording '" + path_ + "' is closed");
  if (std::fwrite(bytes, 1, size, file_.get()) != size || std::fflush(file_.get()) != 0) fail();
}

void RecordingWriter::writeBlock(BlockTag tag, std::span<const std::byte> content, double first,
                                 double last) {
  ESPALIER_REQUIRE(content.size() <= mostContent(tag),
                   "a recording cannot hold so large a scene, mesh or overlay");
  const std::vector<std::byte> block = blockBytes(tag, content, first, last);
  write(block.data(), block.size());
}

void RecordingWriter::info(std::string_view json) {
  flush();
  writeBlock(info_tag, asBytes(json));
}

void RecordingWriter::scene(const SceneDescription& description) {
  flush();
  for (const auto& mesh : description.meshes) {
    if (!meshes_.insert(mesh->hash).second) continue;
    std::vector<std::byte> content(asBytes(mesh->hash).begin(), asBytes(mesh->hash).end());
    content.insert(content.end(), mesh->bytes.begin(), mesh->bytes.end());
    writeBlock(mesh_tag, content);
  }
  writeBlock(scene_tag, asBytes(description.json));
  version_ = description.version;
  hasScene_ = true;
}

void RecordingWriter::overlay(std::string_view json) {
  ESPALIER_REQUIRE(hasScene_, "an overlay needs a scene before it");
  flush();
  writeBlock(overlay_tag, asBytes(json));
}

void RecordingWriter::frame(const Frame& frame) {
  ESPALIER_REQUIRE(hasScene_ && frame.version == version_,
                   "a frame belongs to the scene before it");
  ESPALIER_REQUIRE(std::isfinite(frame.time), "a frame has a finite time");
  const Frame* last = count_ > 0 ? &frames_[count_ - 1] : nullptr;
  ESPALIER_REQUIRE(!last || (last->poses.size() == frame.poses.size() &&
                             last->channels.size() == frame.channels.size()),
                   "frames of a scene have as many bodies and channels each");
  if (last && frame.time < last->time) flush();  // time goes on within a block
  if (count_ == frames_.size()) frames_.emplace_back();
  frames_[count_++] = frame;
  const std::size_t numbers = frame.poses.size() + frame.channels.size();
  if (count_ == most_frames_of_block || count_ * numbers > most_numbers_of_block) flush();
}

void RecordingWriter::flush() {
  if (count_ == 0) return;
  const std::span<const Frame> frames(frames_.data(), count_);
  count_ = 0;
  writeBlock(frames_tag, encodeFrames(frames), frames.front().time, frames.back().time);
}

void RecordingWriter::close() {
  flush();
  if (file_ && std::fclose(file_.release()) != 0) fail();
}

}  // namespace espalier
