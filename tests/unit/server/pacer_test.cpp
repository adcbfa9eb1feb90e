#include "espalier/server/pacer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace espalier {
namespace {

using Time = Pacer::Clock::time_point;

Time at(double seconds) {
  return Time{} +
         std::chrono::duration_cast<Pacer::Clock::duration>(std::chrono::duration<double>(seconds));
}
double seconds(Time t) { return std::chrono::duration<double>(t.time_since_epoch()).count(); }

TEST(Pacer, StepsAreDueWhenTheirTimeHasCome) {
  Pacer pacer;
  EXPECT_EQ(pacer.due(5, at(100)), at(100));  // as fast as it goes
  pacer.setSpeed(0.5);
  EXPECT_EQ(pacer.due(5, at(100)), at(100));
  EXPECT_NEAR(seconds(pacer.due(5.5, at(100.1))), 101, 1e-9);
  EXPECT_NEAR(seconds(pacer.due(6, at(102.05))), 102, 1e-9);  // a little late: catches up
}

TEST(Pacer, ALagIsNotCaughtUp) {
  Pacer pacer;
  pacer.setSpeed(1);
  pacer.due(0, at(0));
  EXPECT_EQ(pacer.due(1, at(3)), at(3));
  EXPECT_NEAR(seconds(pacer.due(2, at(3.5))), 4, 1e-9);
  EXPECT_EQ(pacer.due(0, at(3.6)), at(3.6));  // time was set back
  pacer.restart();
  EXPECT_EQ(pacer.due(100, at(3.7)), at(3.7));
}

TEST(Pacer, RatesAreMeasured) {
  Pacer pacer;
  bool isMeasured = false;
  int steps = 0;
  for (int i = 0; i <= 600 && !isMeasured; ++i, ++steps)
    isMeasured = pacer.count(i * 0.001, at(i * 0.002));
  EXPECT_TRUE(isMeasured);
  EXPECT_NEAR(steps, 250, 3);
  EXPECT_NEAR(pacer.rate().realTimeFactor, 0.5, 1e-6);
  EXPECT_NEAR(pacer.rate().stepsPerSecond, 500, 1e-3);
  pacer.rest();
  EXPECT_EQ(pacer.rate().stepsPerSecond, 0);
  EXPECT_FALSE(pacer.count(7, at(50)));
}

}  // namespace
}  // namespace espalier
