#pragma once

// RecordingWriter: a run as an .esp file (docs/viewer_protocol.md, "Recordings").
//
//   RecordingWriter writer("run.esp");
//   writer.scene(capture.description());
//   while (...) {
//     capture.capture(frame);
//     writer.frame(frame);
//   }
//   writer.close();
//
// Each block is handed to the operating system as a whole before the next one begins, so what ends
// the process costs the frames since then: 128 at most. All calls throw std::runtime_error where
// the file cannot be written.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/visual/frame.h"
#include "espalier/visual/recording_block.h"
#include "espalier/visual/world_capture.h"

namespace espalier {

class RecordingWriter {
 public:
  enum class Existing { Overwrite, Append };

  /// Append goes on behind the last whole block of the file, where there is one.
  ///   errors  throws std::runtime_error where a file to append to is no recording
  explicit RecordingWriter(std::string path, Existing existing = Existing::Overwrite);
  /// Closes; errors go unseen.
  ~RecordingWriter();
  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) = delete;

  /// About the run, JSON.
  void info(std::string_view json);
  /// The scene of the following frames. Meshes that the file has already are not written again.
  void scene(const SceneDescription& description);
  /// pre  a scene
  void overlay(std::string_view json);
  /// pre  of the scene before, with as many bodies and channels as its first frame; a finite time
  void frame(const Frame& frame);
  /// Writes the buffer, too.
  void flush();
  /// flush(), and nothing can be written any more.
  void close();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void fail() const;
  void goOn();
  void write(const void* bytes, std::size_t size);
  void writeBlock(BlockTag tag, std::span<const std::byte> content, double first = 0,
                  double last = 0);

  std::string path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::set<std::string> meshes_;  // that the file has
  bool hasScene_ = false;
  std::uint32_t version_ = 0;  // of the scene
  std::vector<Frame> frames_;  // the first count_ are not written yet; the others keep their memory
  std::size_t count_ = 0;
};

}  // namespace espalier
