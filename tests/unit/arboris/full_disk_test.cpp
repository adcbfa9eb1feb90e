// CsvLogger where the disk is full: /dev/full takes no byte.

#include <gtest/gtest.h>

#include <filesystem>

#include "espalier/compat/arboris/csv_logger.h"
#include "scenes.h"

namespace espalier::testing {
namespace {

TEST(CsvLogger, ThrowsWhereTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  World world;
  world.addArticulatedSystem(lopsidedBody());
  sim::CsvLogger few("/dev/full");  // all of it in the stream's buffer until finish()
  EXPECT_THROW(simulate(world, timeline(1e-2, 2), {&few}), std::runtime_error);
  sim::CsvLogger many("/dev/full");  // more than the buffer holds: update() meets the error
  sim::Simulation simulation(world, sim::Stepping::WORLD);
  many.init(simulation, {});
  int written = 0;
  EXPECT_THROW(for (; written < 10000; ++written) many.update(1e-2), std::runtime_error);
  EXPECT_LT(written, 10000);
}

}  // namespace
}  // namespace espalier::testing
