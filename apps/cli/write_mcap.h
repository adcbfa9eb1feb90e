#pragma once

#include <string>

#include "apps/cli/recording_file.h"

namespace espalier::cli {

/// Writes a recording as MCAP for Foxglove, by PyPI's package `mcap` (write_mcap.py): /tf (FrameTransforms),
/// /scene and /contacts (SceneUpdate), and a topic of numbers for each group of channels.
///   in      python  empty: the project's own, else python3
///   errors  throws Failure where the recording cannot be read, the package is missing or the file cannot
///           be written
void writeMcap(const RecordingFile& recording, const std::string& file, const std::string& python);

}  // namespace espalier::cli
