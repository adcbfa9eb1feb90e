#pragma once

// RecordingReader: the contents of an .esp file (docs/viewer_protocol.md, "Recordings"), which
// nobody vouches for. Sizes are checked before memory is taken. Of a file that is cut off or damaged, all
// blocks before that place are there.
//
//   const RecordingReader reader(bytes, "run.esp");
//   for (const RecordingBlock& block : reader.blocks())
//     if (block.head.tag == frames_tag)
//       if (const auto frames = reader.frames(block)) ...

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/visual/frame.h"
#include "espalier/visual/recording_block.h"
#include "espalier/visual/world_capture.h"

namespace espalier {

struct RecordingBlock {
  BlockHead head;
  std::size_t number = 0;             ///< place in the file, from 1 on
  std::size_t offset = 0;             ///< of its head, bytes
  std::span<const std::byte> stored;  ///< the content, deflated
};

class RecordingReader {
 public:
  /// Looks at all heads and checksums, and inflates nothing.
  ///   in  bytes  the whole file; they outlive this object
  ///   in  name   of the file, for diagnostics
  RecordingReader(std::span<const std::byte> bytes, std::string name);

  /// An Error where the bytes are no recording; a Warning where they are damaged or cut off.
  const Diagnostics& diagnostics() const { return diagnostics_; }

  /// Those that are whole, in the file's order, unknown ones among them.
  std::span<const RecordingBlock> blocks() const { return blocks_; }

  /// Bytes from the begin of the file to the end of its last whole block.
  std::size_t wholeBytes() const { return wholeBytes_; }

  /// The contents of a block of blocks(), by its tag.
  ///   errors  its number and offset, where the content is not what the tag says
  Expected<std::vector<Frame>> frames(const RecordingBlock& block) const;
  Expected<MeshBlob> mesh(const RecordingBlock& block) const;
  /// Of a scene, an overlay or a run: a JSON text, not yet parsed, whose braces nest at most 64 deep.
  Expected<std::string> text(const RecordingBlock& block) const;

 private:
  Expected<std::vector<std::byte>> content(const RecordingBlock& block) const;
  Diagnostic fault(Severity severity, std::size_t number, std::size_t offset,
                   const std::string& what) const;
  Diagnostics errorAt(const RecordingBlock& block, const std::string& what) const;

  std::string name_;
  std::vector<RecordingBlock> blocks_;
  std::size_t wholeBytes_ = 0;
  Diagnostics diagnostics_;
};

}  // namespace espalier
