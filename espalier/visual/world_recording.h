#pragma once

// WorldRecording: a run of a World as an .esp file, with frames at a rate of simulated time.
//
//   WorldRecording recording(world, "run.esp");
//   for (...) {
//     world.integrate();
//     recording.update();
//   }
//   recording.close();
//
// All calls throw std::runtime_error where the file cannot be written.

#include <string>
#include <vector>

#include "espalier/visual/recording_writer.h"
#include "espalier/visual/world_capture.h"

namespace espalier {

struct WorldRecordingOptions {
  double rate = 60;                  ///< frames for each simulated second, Hz, > 0
  std::string name;                  ///< title of the page; empty: that of the first robot
  std::vector<std::string> sources;  ///< files that the world comes from, told in the recording
  /// The program's own drawings; null: none. It outlives the recording and is no Server's:
  /// each change is reported once, to a page or to a recording.
  Visuals* visuals = nullptr;
  RecordingWriter::Existing existing = RecordingWriter::Existing::Overwrite;
};

class WorldRecording {
 public:
  /// pre     the world outlives the recording
  /// errors  throws std::invalid_argument where the rate is not positive and finite
  WorldRecording(World& world, const std::string& file, WorldRecordingOptions options = {});

  /// To be called after each step: takes a frame where 1/rate seconds, rounded to whole steps, have
  /// passed since the last one, at the first call and where the world's time was set back.
  ///   in       stepTime  s of real time that the step took; 0: not measured
  ///   returns  whether a frame was taken
  bool update(double stepTime = 0);
  /// Takes a frame now.
  void capture(double stepTime = 0);
  /// A frame of the final state where update() has not taken it; nothing can be recorded afterwards.
  void close();

  bool isOpen() const { return isOpen_; }
  int frameCount() const { return frameCount_; }

 private:
  World& world_;
  Visuals* visuals_;
  double interval_;  // s
  WorldCapture capture_;
  RecordingWriter writer_;
  Frame frame_;
  double lastTime_ = 0;  // s, of the last frame
  int frameCount_ = 0;
  bool isOpen_ = true;
};

}  // namespace espalier
