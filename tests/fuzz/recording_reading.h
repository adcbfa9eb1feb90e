#pragma once

// What holds of every reading of a recording, whatever its bytes; the fuzzer and the corpus test share it.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "espalier/visual/frame_block.h"
#include "espalier/visual/recording_reader.h"

namespace espalier::fuzz {

inline void demandOfRecording(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

template <class T>
void demandValueOrError(const Expected<T>& result) {
  demandOfRecording(result.hasValue() != result.diagnostics().hasErrors(),
                    "a value, or else an Error");
}

inline void readBlocks(const RecordingReader& reader, std::size_t bytes) {
  demandOfRecording(reader.wholeBytes() <= bytes, "whole blocks are within the file");
  for (const RecordingBlock& block : reader.blocks()) {
    demandOfRecording(block.offset + sizeof(BlockHead) + block.stored.size() <= reader.wholeBytes(),
                      "each block is within them");
    demandValueOrError(reader.frames(block));
    demandValueOrError(reader.mesh(block));
    demandValueOrError(reader.text(block));
  }
}

/// The bytes as a file, as frames, and as the content of a block with a right checksum. Frames that can be
/// read can be written, and are then read as the same.
inline void readRecording(std::string_view bytes) {
  readBlocks(RecordingReader(asBytes(bytes), "<bytes>"), bytes.size());
  if (const auto frames = decodeFrames(asBytes(bytes))) {
    const auto again = decodeFrames(encodeFrames(*frames));
    demandOfRecording(again && again->size() == frames->size(),
                      "frames are written and read again");
    for (std::size_t f = 0; f < frames->size(); ++f)
      demandOfRecording((*again)[f].contacts.size() == (*frames)[f].contacts.size() &&
                            (*again)[f].poses.size() == (*frames)[f].poses.size() &&
                            (*again)[f].time == (*frames)[f].time,
                        "they are the same");
  }
  std::string file(asText(recordingHead()));
  for (const BlockTag tag : {frames_tag, mesh_tag, scene_tag})
    file += asText(blockBytes(tag, asBytes(bytes)));
  readBlocks(RecordingReader(asBytes(file), "<bytes>"), file.size());
}

}  // namespace espalier::fuzz
