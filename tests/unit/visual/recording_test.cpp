#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "espalier/visual/deflate.h"
#include "espalier/visual/recording_reader.h"
#include "espalier/visual/recording_writer.h"
#include "tests/fuzz/recording_reading.h"
#include "tests/support/source_folder.h"
#include "tests/unit/visual/made_run.h"

namespace espalier {
namespace {

class RecordingTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::string bytes() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  void put(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  /// INFO, MESH, SCEN, FRAM of 5, OVER, FRAM of 4
  void writeSmall() const {
    RecordingWriter writer(path_);
    writer.info(R"({"rate": 60})");
    writer.scene(madeScene());
    for (int i = 0; i < 5; ++i) writer.frame(madeFrame(i));
    writer.overlay(R"({"type": "overlay"})");
    for (int i = 5; i < 9; ++i) writer.frame(madeFrame(i));
    writer.close();
  }

  const std::string path_ =
      (std::filesystem::temp_directory_path() /
       (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
        std::to_string(getpid()) + ".esp"))
          .string();
};

std::string tagsOf(const RecordingReader& reader) {
  std::string tags;
  for (const RecordingBlock& block : reader.blocks())
    tags += std::string(tags.empty() ? "" : " ") + std::string(block.head.tag.data(), 4);
  return tags;
}

std::vector<Frame> framesOf(const RecordingReader& reader) {
  std::vector<Frame> all;
  for (const RecordingBlock& block : reader.blocks()) {
    if (block.head.tag != frames_tag) continue;
    const auto frames = reader.frames(block);
    EXPECT_TRUE(frames) << frames.diagnostics().toString();
    if (frames) all.insert(all.end(), frames->begin(), frames->end());
  }
  return all;
}

TEST_F(RecordingTest, EverythingWrittenIsThere) {
  writeSmall();
  const std::string file = bytes();
  const RecordingReader reader(asBytes(file), path_);
  EXPECT_TRUE(reader.diagnostics().all().empty()) << reader.diagnostics().toString();
  EXPECT_EQ(reader.wholeBytes(), file.size());
  ASSERT_EQ(tagsOf(reader), "INFO MESH SCEN FRAM OVER FRAM");
  const auto blocks = reader.blocks();
  EXPECT_EQ(reader.text(blocks[0]).value(), R"({"rate": 60})");
  const Expected<MeshBlob> mesh = reader.mesh(blocks[1]);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->hash, madeScene().meshes[0]->hash);
  EXPECT_EQ(mesh->bytes, madeScene().meshes[0]->bytes);
  EXPECT_EQ(reader.text(blocks[2]).value(), madeScene().json);
  EXPECT_EQ(reader.text(blocks[4]).value(), R"({"type": "overlay"})");
  EXPECT_EQ(blocks[3].head.firstTime, 0);
  EXPECT_EQ(blocks[3].head.lastTime, 4 / 60.0);
  const std::vector<Frame> frames = framesOf(reader);
  ASSERT_EQ(frames.size(), 9u);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(frames[i].time, i / 60.0);
}

TEST_F(RecordingTest, LongRunsAreSeveralBlocksAndTimeGoesOnWithinEach) {
  RecordingWriter writer(path_);
  writer.scene(madeScene());
  for (int i = 0; i < 300; ++i) writer.frame(madeFrame(i));
  writer.frame(madeFrame(10));  // the world was reset
  writer.close();
  const std::string file = bytes();
  const RecordingReader reader(asBytes(file), path_);
  EXPECT_EQ(tagsOf(reader), "MESH SCEN FRAM FRAM FRAM FRAM");
  EXPECT_EQ(framesOf(reader).size(), 301u);
  for (const RecordingBlock& block : reader.blocks())
    EXPECT_LE(block.head.firstTime, block.head.lastTime);
}

TEST_F(RecordingTest, BlocksAreWholeOnDiskBeforeTheNextBegins) {
  RecordingWriter writer(path_);
  writer.scene(madeScene());
  for (int i = 0; i < 200; ++i) {
    writer.frame(madeFrame(i));
    if (i % 50 != 49) continue;
    const std::string file = bytes();  // as another process sees it
    const RecordingReader reader(asBytes(file), path_);
    EXPECT_TRUE(reader.diagnostics().all().empty());
    EXPECT_EQ(framesOf(reader).size(), i < 128 ? 0u : 128u);
  }
}

TEST_F(RecordingTest, CutAnywhereItLosesItsLastBlockAtMost) {
  writeSmall();
  const std::string file = bytes();
  const RecordingReader whole(asBytes(file), path_);
  std::vector<std::size_t> ends{recording_head_bytes};
  for (const RecordingBlock& block : whole.blocks())
    ends.push_back(block.offset + sizeof(BlockHead) + block.head.stored);
  for (std::size_t n = 0; n < file.size(); ++n) {
    const std::string cut = file.substr(0, n);
    const RecordingReader reader(asBytes(cut), "cut.esp");
    if (n < recording_head_bytes) {
      EXPECT_TRUE(reader.diagnostics().hasErrors());
      continue;
    }
    std::size_t there = 0;
    while (there + 1 < ends.size() && ends[there + 1] <= n) ++there;
    EXPECT_EQ(reader.blocks().size(), there) << n;
    EXPECT_EQ(reader.wholeBytes(), ends[there]);
    if (n == ends[there]) {
      EXPECT_TRUE(reader.diagnostics().all().empty());
      continue;
    }
    const std::string said = reader.diagnostics().toString();
    const std::string place =
        "block " + std::to_string(there + 1) + " (byte " + std::to_string(ends[there]) + ")";
    EXPECT_NE(said.find(place), std::string::npos) << said;
    EXPECT_FALSE(reader.diagnostics().hasErrors());
  }
}

/// Every bit that is flipped is found, and what stands before it is read.
TEST_F(RecordingTest, FlippedBitsAreFound) {
  writeSmall();
  const std::string file = bytes();
  const RecordingReader whole(asBytes(file), path_);
  for (std::size_t at = 0; at < 12; ++at) {
    std::string flipped = file;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    EXPECT_TRUE(RecordingReader(asBytes(flipped), path_).diagnostics().hasErrors()) << at;
  }
  for (std::size_t at = recording_head_bytes; at < file.size(); ++at) {
    std::string flipped = file;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
    const RecordingReader reader(asBytes(flipped), path_);
    std::size_t hit = 0;
    while (hit + 1 < whole.blocks().size() && whole.blocks()[hit + 1].offset <= at) ++hit;
    EXPECT_EQ(reader.blocks().size(), hit) << at;
    EXPECT_EQ(reader.diagnostics().count(Severity::Warning), 1);
    framesOf(reader);
  }
}

TEST_F(RecordingTest, AppendingGoesOnBehindTheLastWholeBlock) {
  writeSmall();
  const std::string before = bytes();
  put(before.substr(0, before.size() - 3));
  {
    RecordingWriter writer(path_, RecordingWriter::Existing::Append);
    SceneDescription scene = madeScene(2);
    scene.meshes.push_back(std::make_shared<const MeshBlob>(madeMesh("00000000000000ff")));
    writer.scene(scene);
    writer.frame(madeFrame(0, 2, 1, 2));
  }
  const std::string file = bytes();
  const RecordingReader reader(asBytes(file), path_);
  EXPECT_TRUE(reader.diagnostics().all().empty());
  // Of the two meshes one was there before; the last block was cut and is gone.
  EXPECT_EQ(tagsOf(reader), "INFO MESH SCEN FRAM OVER MESH SCEN FRAM");
  EXPECT_EQ(framesOf(reader).back().version, 2u);
}

TEST_F(RecordingTest, AppendingToNothingBegins) {
  RecordingWriter(path_, RecordingWriter::Existing::Append).scene(madeScene());
  const std::string file = bytes();
  EXPECT_EQ(tagsOf(RecordingReader(asBytes(file), path_)), "MESH SCEN");
}

TEST_F(RecordingTest, OtherFilesAreNotAppendedTo) {
  put("my diary");
  EXPECT_THROW(RecordingWriter(path_, RecordingWriter::Existing::Append), std::runtime_error);
  EXPECT_EQ(bytes(), "my diary");
  EXPECT_THROW(RecordingWriter("/nowhere/run.esp"), std::runtime_error);
}

TEST_F(RecordingTest, FramesWithoutTheirSceneAreRefused) {
  RecordingWriter writer(path_);
  EXPECT_THROW(writer.frame(madeFrame(0)), std::invalid_argument);
  EXPECT_THROW(writer.overlay("{}"), std::invalid_argument);
  writer.scene(madeScene(3));
  EXPECT_THROW(writer.frame(madeFrame(0)), std::invalid_argument);
  writer.frame(madeFrame(0, 3, 4, 3));
  EXPECT_THROW(writer.frame(madeFrame(1, 4, 4, 3)), std::invalid_argument);
  Frame late = madeFrame(1, 3, 4, 3);
  late.time = std::numeric_limits<double>::infinity();
  EXPECT_THROW(writer.frame(late), std::invalid_argument);
  writer.flush();
  writer.close();
  EXPECT_THROW(writer.info("{}"), std::invalid_argument);
}

TEST_F(RecordingTest, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_THROW(RecordingWriter("/dev/full").scene(madeScene()), std::runtime_error);
}

/// A block with a right checksum and a content that is not what its tag says.
void expectRefused(BlockTag tag, const std::vector<std::byte>& content, std::uint32_t length) {
  std::vector<std::byte> bytes(recording_head_bytes);
  const auto head = recordingHead();
  std::copy(head.begin(), head.end(), bytes.begin());
  std::vector<std::byte> block = blockBytes(tag, content);
  BlockHead claimed;
  std::memcpy(&claimed, block.data(), sizeof(claimed));
  claimed.length = length;
  claimed.crc = checksumOf(claimed, std::span<const std::byte>(block).subspan(sizeof(claimed)));
  std::memcpy(block.data(), &claimed, sizeof(claimed));
  bytes.insert(bytes.end(), block.begin(), block.end());
  const RecordingReader reader(bytes, "bad.esp");
  if (reader.blocks().empty()) {
    EXPECT_NE(reader.diagnostics().toString().find("claims"), std::string::npos);
    return;
  }
  const RecordingBlock& b = reader.blocks()[0];
  const Diagnostics said = tag == frames_tag ? reader.frames(b).diagnostics()
                           : tag == mesh_tag ? reader.mesh(b).diagnostics()
                                             : reader.text(b).diagnostics();
  EXPECT_TRUE(said.hasErrors());
  EXPECT_NE(said.toString().find("block 1 (byte 16)"), std::string::npos) << said.toString();
}

TEST(RecordingReader, RightChecksumsAreNotTrusted) {
  const std::vector<std::byte> some(40, std::byte{7});
  const std::span<const std::byte> deep = asBytes(std::string_view(R"([[[[[[)"));
  expectRefused(frames_tag, some, 40);
  expectRefused(mesh_tag, some, 40);
  expectRefused(scene_tag, some, 39);
  expectRefused(scene_tag, some, 41);
  expectRefused(scene_tag, some, 0xffffffff);
  expectRefused(frames_tag, some, 1u << 26);
  std::vector<std::byte> nested;
  for (int i = 0; i < 20; ++i) nested.insert(nested.end(), deep.begin(), deep.end());
  expectRefused(scene_tag, nested, static_cast<std::uint32_t>(nested.size()));
  MeshBlob mesh = madeMesh("0123456789abcdef");
  mesh.bytes[mesh.bytes.size() - 4] = std::byte{4};  // a vertex that is not there
  std::vector<std::byte> content(asBytes(mesh.hash).begin(), asBytes(mesh.hash).end());
  content.insert(content.end(), mesh.bytes.begin(), mesh.bytes.end());
  expectRefused(mesh_tag, content, static_cast<std::uint32_t>(content.size()));
}

/// What the fuzzer starts from and what it found, by every compiler; cut off, too.
TEST(RecordingReader, Corpus) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(sourceFolder() + "/tests/fuzz/corpus/recording")) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    fuzz::readRecording(bytes);
    for (std::size_t n = 0; n < bytes.size(); n += 1 + bytes.size() / 64)
      fuzz::readRecording(bytes.substr(0, n));
    ++files;
  }
  EXPECT_GE(files, 3);
}

TEST(Deflate, BytesComeBack) {
  std::vector<std::byte> bytes;
  for (int i = 0; i < 5000; ++i) bytes.push_back(static_cast<std::byte>(i * i % 251));
  for (std::size_t n : {std::size_t{0}, std::size_t{1}, bytes.size()}) {
    const std::span<const std::byte> some(bytes.data(), n);
    const std::vector<std::byte> stored = deflateBytes(some);
    EXPECT_EQ(inflateBytes(stored, n), std::vector<std::byte>(some.begin(), some.end()));
    EXPECT_FALSE(inflateBytes(stored, n + 1));
    EXPECT_FALSE(inflateBytes(stored, n, DeflateFormat::Gzip));
    if (n > 0) EXPECT_FALSE(inflateBytes(stored, n - 1));
  }
  EXPECT_EQ(crc32(asBytes("123456789")), 0xcbf43926u);  // the check value of CRC-32
  EXPECT_EQ(crc32(asBytes("6789"), crc32(asBytes("12345"))), 0xcbf43926u);
}

}  // namespace
}  // namespace espalier
