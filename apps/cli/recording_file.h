#pragma once

// A recording as the command reads it, and its contents.

#include <memory>
#include <span>
#include <string>

#include "apps/cli/json.h"
#include "apps/cli/terminal.h"
#include "espalier/visual/recording_reader.h"

namespace espalier::cli {

class RecordingFile {
 public:
  /// errors  throws Failure where there is no such file, or it is no recording or holds no frames
  explicit RecordingFile(std::string path);
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  const std::string& path() const { return path_; }
  const RecordingReader& reader() const { return *reader_; }
  /// From the begin to where it is broken, if it is.
  std::span<const std::byte> wholeBytes() const;

  /// s, of all frames.
  double firstTime() const { return firstTime_; }
  double lastTime() const { return lastTime_; }

 private:
  std::string path_, bytes_;
  std::unique_ptr<RecordingReader> reader_;
  double firstTime_ = 0, lastTime_ = 0;
};

/// Whether a file begins as a recording does.
bool isRecording(const std::string& path);

/// Contents of a recording: where it is from, its scenes, frames and sizes.
///   out  diagnostics  of contents that cannot be read
Json describe(const RecordingFile& file, Diagnostics& diagnostics);

/// The result of describe(), as text.
std::string drawDescription(const Terminal& terminal, const Json& description);

}  // namespace espalier::cli
