// Exceptions as Diagnostics, and which lengths of runs are refused.

#include "apps/cli/failure.h"

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <vector>

#include "apps/cli/remarks.h"
#include "apps/cli/run_length.h"
#include "espalier/core/check.h"

namespace espalier::cli {
namespace {

Diagnostic caught(const std::function<void()>& f) {
  Diagnostics diagnostics;
  collectErrors("robot.urdf", diagnostics, f);
  EXPECT_EQ(diagnostics.all().size(), 1u);
  return diagnostics.all().empty() ? Diagnostic{} : diagnostics.all()[0];
}

TEST(Failures, BecomeDiagnosticsWithFileAndRemedy) {
  const Diagnostic bad = caught([] {
    const double mass = -1;
    ESPALIER_REQUIRE(mass > 0, "the mass is -1 kg; give it more than zero");
  });
  EXPECT_EQ(bad.severity, Severity::Error);
  EXPECT_EQ(bad.file, "robot.urdf");
  EXPECT_EQ(bad.what, "the mass is -1 kg");
  EXPECT_EQ(bad.remedy, "give it more than zero");

  const Diagnostic bare = caught([] { ESPALIER_REQUIRE(false, "erp lies in [0, 1]"); });
  EXPECT_EQ(bare.what, "erp lies in [0, 1]");
  EXPECT_FALSE(bare.remedy.empty());

  for (const auto& f : std::initializer_list<std::function<void()>>{
           [] { throw std::bad_alloc(); },
           [] { std::vector<double>().reserve(std::size_t(-1)); }}) {
    const Diagnostic large = caught(f);
    EXPECT_NE(large.what.find("memory"), std::string::npos) << large.what;
    EXPECT_EQ(large.file, "robot.urdf");
  }

  const Diagnostic own = caught([] { throw Failure({Severity::Error, "log", 3, "a", "b"}); });
  EXPECT_EQ(toString(own), "log:3: error: a; b");
  const Diagnostic other = caught([] { throw std::runtime_error("no; idea"); });
  EXPECT_EQ(other.what, "no; idea");
}

TEST(Failures, AreCutWhereTheyQuoteAWholeFile) {
  const Diagnostic d{Severity::Error, "f", 1, std::string(100'000, 'x'), "mend it"};
  EXPECT_LT(draw(Terminal{}, d).size(), 1000u);
  EXPECT_NE(draw(Terminal{}, d).find("xxx ...\n    mend it\n"), std::string::npos);
}

SimulationOptions lasting(double time, bool isLong = false) {
  SimulationOptions options;
  options.time = time;
  options.isLong = isLong;
  return options;
}

TEST(CountSteps, RoundsToTheNearest) {
  EXPECT_EQ(*countSteps(lasting(1), 0.0025, ""), 400);
  EXPECT_EQ(*countSteps(lasting(0.3), 0.1, ""), 3);
  EXPECT_EQ(*countSteps(lasting(0.1), 0.1, ""), 1);
  EXPECT_EQ(*countSteps(lasting(1e5), 1e-3, ""), 100'000'000);
  EXPECT_EQ(*countSteps(lasting(1e6, true), 1e-3, ""), 1'000'000'000);
}

TEST(CountSteps, RefusesTimesThatAreNoRun) {
  for (const auto& [time, dt] : {std::pair{1e300, 1e-3},
                                 {5.0, 1e-300},
                                 {1.0, 2.0},
                                 {1e6, 1e-3},
                                 {1e300, 1e-300},
                                 {1e-300, 1e300}}) {
    const Expected<long long> steps = countSteps(lasting(time), dt, "");
    ASSERT_FALSE(steps) << time << " " << dt;
    EXPECT_NE(steps.diagnostics().all()[0].remedy.find("--dt"), std::string::npos);
  }
  EXPECT_FALSE(countSteps(lasting(1e300, true), 1e-3, ""));  // --long does not make it countable
  const Diagnostics ofFile = countSteps(lasting(5), 7, "world.xml").diagnostics();
  EXPECT_EQ(ofFile.all()[0].file, "world.xml");
  EXPECT_NE(ofFile.all()[0].remedy.find("<timeStep>"), std::string::npos);
}

}  // namespace
}  // namespace espalier::cli
