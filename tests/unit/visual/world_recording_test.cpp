#include "espalier/visual/world_recording.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "espalier/visual/recording_reader.h"
#include "espalier/visual/visuals.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

class WorldRecordingTest : public ::testing::Test {
 protected:
  WorldRecordingTest() {
    ball_ = world_.addSphere(0.1, 1);
    ball_->setPosition(0, 0, 1);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void run(WorldRecording& recording, int steps) {
    for (int i = 0; i < steps; ++i) {
      world_.integrate();
      recording.update();
    }
  }
  /// Reads the file; its blocks' tags, one letter each, and all frames.
  std::string read() {
    std::ifstream stream(path_, std::ios::binary);
    bytes_ = {std::istreambuf_iterator<char>(stream), {}};
    const RecordingReader reader(asBytes(bytes_), path_);
    EXPECT_TRUE(reader.diagnostics().all().empty()) << reader.diagnostics().toString();
    std::string tags;
    frames_.clear();
    for (const RecordingBlock& block : reader.blocks()) {
      tags += block.head.tag[0];
      if (block.head.tag == info_tag) info_ = reader.text(block).value();
      if (block.head.tag != frames_tag) continue;
      const auto frames = reader.frames(block).value();
      frames_.insert(frames_.end(), frames.begin(), frames.end());
    }
    return tags;
  }

  World world_;
  Sphere* ball_ = nullptr;
  std::string bytes_, info_;
  std::vector<Frame> frames_;
  const std::string path_ =
      (std::filesystem::temp_directory_path() /
       (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
        std::to_string(getpid()) + ".esp"))
          .string();
};

TEST_F(WorldRecordingTest, FramesAreWholeStepsApartAndTheLastStateIsThere) {
  world_.setTimeStep(0.005);
  WorldRecording recording(world_, path_, {.rate = 60, .name = "a ball", .sources = {"ball.xml"}});
  EXPECT_TRUE(recording.update());
  EXPECT_FALSE(recording.update());  // nothing has happened
  run(recording, 100);
  recording.close();
  EXPECT_FALSE(recording.isOpen());
  EXPECT_THROW(recording.capture(), std::invalid_argument);

  EXPECT_EQ(read(), "ISF");
  EXPECT_NE(info_.find("\"source\":[\"ball.xml\"]"), std::string::npos) << info_;
  ASSERT_EQ(frames_.size(), 35u);  // 1/60 s is 3 steps: 0, 3, ..., 99, and the end
  EXPECT_EQ(recording.frameCount(), 35);
  for (std::size_t i = 0; i + 1 < frames_.size(); ++i)
    EXPECT_NEAR(frames_[i].time, 0.015 * static_cast<double>(i), 1e-12);
  EXPECT_NEAR(frames_.back().time, 0.5, 1e-12);
  for (const Frame& frame : frames_)  // it falls
    EXPECT_NEAR(frame.poses[2], 1 - 0.5 * 9.81 * frame.time * frame.time, 2e-5);
}

TEST_F(WorldRecordingTest, HalfAStepRoundsUpAndARateAboveTheStepsTakesThemAll) {
  world_.setTimeStep(0.01);
  WorldRecording recording(world_, path_, {.rate = 40});  // 2.5 steps
  EXPECT_TRUE(recording.update());
  run(recording, 9);
  recording.close();
  read();
  ASSERT_EQ(frames_.size(), 4u);
  EXPECT_NEAR(frames_[1].time, 0.03, 1e-12);

  WorldRecording fast(world_, path_, {.rate = 1e6});
  run(fast, 9);
  fast.close();
  read();
  EXPECT_EQ(frames_.size(), 9u);
}

TEST_F(WorldRecordingTest, ObjectsMayComeAndTimeMayGoBack) {
  Visuals visuals;
  PolyLine* line = visuals.addVisualPolyLine("trail");
  line->addPoint({0, 0, 0});
  line->addPoint({1, 0, 0});
  WorldRecording recording(world_, path_, {.rate = 100, .visuals = &visuals});
  run(recording, 20);
  EXPECT_EQ(read(), "ISO");  // frames wait until their block is full
  world_.addBox(1, 1, 1, 1);
  run(recording, 20);
  world_.reset();
  run(recording, 20);
  line->addPoint({2, 0, 0});
  run(recording, 20);
  recording.close();
  EXPECT_EQ(read(), "ISOFSOFSOFOF");
  EXPECT_EQ(frames_.front().poses.size(), 7u);
  EXPECT_EQ(frames_.back().poses.size(), 14u);
}

TEST_F(WorldRecordingTest, RatesThatAreNoneAndFilesThatCannotBeAreRefused) {
  for (const double rate : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_THROW(WorldRecording(world_, path_, {.rate = rate}), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_THROW(WorldRecording(world_, "/no/such/folder/run.esp"), std::runtime_error);
}

}  // namespace
}  // namespace espalier
