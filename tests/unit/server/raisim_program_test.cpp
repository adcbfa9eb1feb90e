// What programs written for RaiSim call beside the simulation (espalier/raisim_program.h, raisim_log.h).

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <type_traits>

#include "espalier/raisim.h"

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

TEST(RaisimProgram, PathsAreTakenApart) {
  const auto path = raisim::Path::setFromArgv("/home/me/bin/robot");
  EXPECT_EQ(path.getDirectory(), "/home/me/bin");
  EXPECT_EQ(path.getFileName(), "robot");
  EXPECT_EQ(path.getString(), "/home/me/bin/robot");
  EXPECT_EQ(raisim::Path::setFromArgv("robot").getDirectory(), ".");
  EXPECT_EQ(raisim::Path::setFromArgv("robot").getFileName(), "robot");
  EXPECT_EQ(raisim::Path::setFromArgv("bin\\robot.exe").getDirectory(), "bin");
  EXPECT_EQ(raisim::Path::separator(), '/');
}

TEST(RaisimProgram, KeysAreNotNeeded) {
  raisim::World::setActivationKey("no such file");
  raisim::World::setLicenseFile("no such file");
}

TEST(RaisimProgram, SleepsAndLoopsLastAsLongAsTheySay) {
  auto start = Clock::now();
  raisim::MSLEEP(20);
  EXPECT_GE(secondsSince(start), 0.02);
  start = Clock::now();
  raisim::USLEEP(3000);
  EXPECT_GE(secondsSince(start), 0.003);
  start = Clock::now();
  for (int i = 0; i < 10; ++i) {
    RS_TIMED_LOOP(0.005 * 1e6)
    raisim::MSLEEP(3);  // part of the five
  }
  const double taken = secondsSince(start);
  EXPECT_GE(taken, 0.05);
  start = Clock::now();
  for (int i = 0; i < 10; ++i) {
    RS_TIMED_LOOP(1000);
    raisim::MSLEEP(5);  // longer than the loop should last
  }
  EXPECT_GE(secondsSince(start), 0.05);
}

struct Fatal {};

void returnsEarly(bool isEarly, bool& isDone) {
  RSRETURN_IF(isEarly, "early")
  isDone = true;
}

TEST(RaisimProgram, MessagesAreStreamedAndFatalOnesCallBack) {
  ::testing::internal::CaptureStdout();
  RSINFO("height " << 0.5 << " m");
  RSWARN("low")
  RSINFO_IF(false, "never");
  RSWARN_IF(true, "but this")
  const std::string printed = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(printed.find("raisim_program_test.cpp:"), std::string::npos);
  EXPECT_NE(printed.find("height 0.5 m\n"), std::string::npos);
  EXPECT_NE(printed.find("warning: low\n"), std::string::npos);
  EXPECT_NE(printed.find("warning: but this\n"), std::string::npos);
  EXPECT_EQ(printed.find("never"), std::string::npos);

  bool isDone = false;
  returnsEarly(true, isDone);
  EXPECT_FALSE(isDone);
  returnsEarly(false, isDone);
  EXPECT_TRUE(isDone);

  EXPECT_EXIT(RSFATAL("the end"), ::testing::ExitedWithCode(1), "");
  raisim::RaiSimMsg::setFatalCallback([] { throw Fatal(); });
  const double lost = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(RSFATAL("the end"), Fatal);
  EXPECT_THROW(RSFATAL_IF(1 < 2, "so it is"), Fatal);
  EXPECT_NO_THROW(RSFATAL_IF(1 > 2, "so it is not"));
  EXPECT_THROW(RSASSERT(1 > 2, "it is not"), Fatal);
  EXPECT_NO_THROW(RSASSERT(1 < 2, "it is"));
  EXPECT_THROW(RSISNAN(lost), Fatal);
  EXPECT_THROW(RSISNAN_MSG(lost, "lost"), Fatal);
  EXPECT_NO_THROW(RSISNAN(1.0));
#ifdef NDEBUG
  EXPECT_NO_THROW(DRSFATAL("in Debug builds only"));
#else
  EXPECT_THROW(DRSFATAL("in Debug builds only"), Fatal);
#endif
  raisim::RaiSimMsg::setFatalCallback([] { std::exit(1); });
}

TEST(RaisimProgram, NamesMeanOurs) {
  static_assert(std::is_same_v<raisim::RaisimServer, espalier::Server>);
  static_assert(std::is_same_v<raisim::Visuals, espalier::Visual>);
  static_assert(std::is_same_v<raisim::PolyLine, espalier::PolyLine>);
}

}  // namespace
