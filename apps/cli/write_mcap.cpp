#include "apps/cli/write_mcap.h"

#include <fstream>

#include "apps/cli/failure.h"
#include "apps/cli/python.h"
#include "apps/cli/temporary_folder.h"
#include "espalier/visual/byte_stream.h"

namespace espalier::cli {

extern const char* const write_mcap_script;  // write_mcap.py, put into a .cpp by CMake

namespace {

/// Input of the script: 4 chars tag, u32 length, the content of a block; frames one by one, as in a
/// live viewer.
class Blocks {
 public:
  explicit Blocks(const std::string& path) : path_(path), file_(path, std::ios::binary) {}

  void put(BlockTag tag, std::span<const std::byte> content) {
    std::vector<std::byte> head;
    putNumber(head, tag);
    putNumber(head, static_cast<std::uint32_t>(content.size()));
    write(head);
    write(content);
  }

  void close() {
    file_.close();
    if (!file_)
      throw Failure({Severity::Error, path_, 0, "it cannot be written",
                     "free some space, or let TMPDIR name another folder"});
  }

 private:
  void write(std::span<const std::byte> bytes) {
    file_.write(reinterpret_cast<const char*>(bytes.data()),
                static_cast<std::streamsize>(bytes.size()));
  }

  std::string path_;
  std::ofstream file_;
};

template <class T>
const T& need(const Expected<T>& result) {
  if (!result) throw Failure(result.diagnostics().all().front());
  return *result;
}

void putBlock(const RecordingReader& reader, const RecordingBlock& block, Blocks& out) {
  const BlockTag tag = block.head.tag;
  if (tag == scene_tag) out.put(tag, asBytes(need(reader.text(block))));
  if (tag == mesh_tag) {
    const Expected<MeshBlob> mesh = reader.mesh(block);
    std::vector<std::byte> content(asBytes(need(mesh).hash).begin(), asBytes(mesh->hash).end());
    content.insert(content.end(), mesh->bytes.begin(), mesh->bytes.end());
    out.put(tag, content);
  }
  if (tag != frames_tag) return;
  std::vector<std::byte> message;
  const Expected<std::vector<Frame>> frames = reader.frames(block);
  for (const Frame& frame : need(frames)) {
    encodeFrame(frame, message);
    out.put(tag, message);
  }
}

}  // namespace

void writeMcap(const RecordingFile& recording, const std::string& file, const std::string& python) {
  const TemporaryFolder folder;
  const std::string blocks = folder.file("blocks");
  Blocks out(blocks);
  for (const RecordingBlock& block : recording.reader().blocks())
    putBlock(recording.reader(), block, out);
  out.close();
  const PythonScript script{write_mcap_script, "writes MCAP", 3600};
  const io::ChildResult child = runPython(python, script, {blocks, file}, recording.path());
  if (child.exitCode != 0)
    throw Failure(
        {Severity::Error, file, 0, "the MCAP is not written: " + lastLineOf(child.err),
         "give a file in a folder that can be written; see that the package mcap is 1.1 or "
         "later"});
}

}  // namespace espalier::cli
