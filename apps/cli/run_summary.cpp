#include "apps/cli/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/remarks.h"
#include "apps/cli/table.h"

namespace espalier::cli {
namespace {

/// 1234567 -> "1,234,567".
std::string grouped(double x) {
  std::string digits = fmt::format("{:.0f}", x);
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(static_cast<std::size_t>(i), ",");
  return digits;
}

/// A step that failed may leave numbers that mean nothing.
std::string scientific(double x, int digits) {
  return std::abs(x) < 1e300 ? fmt::format("{:.{}e}", x, digits) : "not finite";
}

}  // namespace

void RunSummary::add(const StepReport& report) {
  ++steps_;
  contacts_ += report.contacts;
  iterations_ += report.iterations;
  maxContacts_ = std::max(maxContacts_, report.contacts);
  maxIterations_ = std::max(maxIterations_, report.iterations);
  penetration_ = std::max(penetration_, report.penetration);
  residual_ = std::max(residual_, report.residual);
  closure_ = std::max(closure_, report.closure);
  unknownBalances_ += !std::isfinite(report.energyBalance);
  energyBalance_ += report.energyBalance;
  if (std::isfinite(report.energyBalance))
    largestBalance_ = std::max(largestBalance_, std::abs(report.energyBalance));
  for (std::size_t i = 0; i < std::size(step_flags); ++i)
    if (report.has(step_flags[i].flag)) ++flagged_[i];
}

void RunSummary::finish(const Simulation& simulation, double wallTime, bool wasInterrupted) {
  wallTime_ = wallTime;
  simulatedTime_ = simulation.world->getWorldTime();
  wasInterrupted_ = wasInterrupted;
  for (const Participant& robot : simulation.robots) {
    baseHeights_.push_back(robot.system->getBodyPose(0).p.z);
    closure_ = std::max(closure_, robot.system->getClosureResidual());
    hasLoops_ |= robot.system->model().hasLoops();
  }
  stateHash_ = fmt::format("{:016x}", simulation.world->stateHash());
}

double RunSummary::meanContacts() const {
  return static_cast<double>(contacts_) / static_cast<double>(std::max(steps_, 1LL));
}
double RunSummary::meanIterations() const {
  return static_cast<double>(iterations_) / static_cast<double>(std::max(steps_, 1LL));
}

Json RunSummary::json(const Simulation& simulation) const {
  Json::array_t robots, flags;
  for (std::size_t i = 0; i < simulation.robots.size(); ++i) {
    const Participant& r = simulation.robots[i];
    robots.push_back({{"name", r.name},
                      {"file", r.file},
                      {"kp", r.hasOwnServos ? Json() : Json(r.kp)},
                      {"kd", r.hasOwnServos ? Json() : Json(r.kd)},
                      {"base_height", baseHeights_[i]}});
  }
  for (std::size_t i = 0; i < std::size(step_flags); ++i)
    if (flagged_[i] > 0)
      flags.push_back(
          {{"name", step_flags[i].name}, {"steps", flagged_[i]}, {"remedy", step_flags[i].remedy}});
  return {{"robots", robots},
          {"scheme", info(simulation.world->getIntegrationScheme()).name},
          {"time", simulatedTime_},
          {"dt", simulation.world->getTimeStep()},
          {"steps", steps_},
          {"interrupted", wasInterrupted_},
          {"wall_time", wallTime_},
          {"real_time_factor", wallTime_ > 0 ? simulatedTime_ / wallTime_ : 0.0},
          {"steps_per_second", wallTime_ > 0 ? static_cast<double>(steps_) / wallTime_ : 0.0},
          {"contacts", {{"mean", meanContacts()}, {"max", maxContacts_}}},
          {"penetration", penetration_},
          {"residual", residual_},
          {"closure", closure_},
          {"iterations", {{"mean", meanIterations()}, {"max", maxIterations_}}},
          {"energy_balance",
           {{"sum", unknownBalances_ == 0 ? Json(energyBalance_) : Json("unknown")},
            {"largest_step", largestBalance_},
            {"unknown_steps", unknownBalances_}}},
          {"flags", flags},
          {"state_hash", stateHash_},
          {"diagnostics", toJson(merged(simulation.diagnostics, simulation.remarks))}};
}

std::string RunSummary::draw(const Terminal& terminal, const Simulation& simulation) const {
  Table table({{""}, {"", Align::Right}, {""}});
  table.add(
      {"simulated", fmt::format("{:.6g}", simulatedTime_),
       fmt::format("s in {:.3g} s, {} steps", wallTime_, grouped(static_cast<double>(steps_)))});
  if (wallTime_ > 0) {
    table.add({"real-time factor", fmt::format("{:.3g}", simulatedTime_ / wallTime_)});
    table.add({"steps/s", grouped(static_cast<double>(steps_) / wallTime_)});
  }
  table.add({"contacts", fmt::format("{:.2f}", meanContacts()),
             fmt::format("mean, at most {}", maxContacts_)});
  table.add({"largest penetration", fmt::format("{:.3g}", 1e3 * penetration_), "mm"});
  table.add({"largest NCP residual", scientific(residual_, 2), "m/s"});
  if (hasLoops_)
    table.add({"largest closure error", scientific(closure_, 2), "m, or 1 for directions"});
  table.add({"solver iterations", fmt::format("{:.1f}", meanIterations()),
             fmt::format("mean, at most {}", maxIterations_)});
  if (unknownBalances_ == 0)
    table.add({"energy balance", scientific(energyBalance_, 2),
               fmt::format("J, at most {} in a step", scientific(largestBalance_, 1))});
  else
    table.add({"energy balance", "unknown",
               fmt::format("in {} steps, else at most {} J in a step",
                           grouped(static_cast<double>(unknownBalances_)),
                           scientific(largestBalance_, 1))});
  for (std::size_t i = 0; i < simulation.robots.size(); ++i) {
    const Participant& robot = simulation.robots[i];
    table.add(
        {"base height" + (simulation.robots.size() > 1 ? ", " + printable(robot.name) : ""),
         fmt::format("{:.4f}", baseHeights_[i]),
         robot.hasOwnServos
             ? hasServos(robot.system->model()) ? "m, held by its file's actuators"
                                                : "m, not held: its file's actuators move others"
             : fmt::format("m, held by {:.4g} N m/rad, {:.4g} N m s/rad", robot.kp, robot.kd)});
  }
  table.add({"state hash", stateHash_});
  std::string text = table.draw(terminal);
  for (std::size_t i = 0; i < std::size(step_flags); ++i)
    if (flagged_[i] > 0)
      text +=
          paint(terminal, Ink::Yellow,
                fmt::format("  {} in {} of {} steps", step_flags[i].name, flagged_[i], steps_)) +
          fmt::format("\n      {}\n", step_flags[i].remedy);
  if (wasInterrupted_)
    text += paint(terminal, Ink::Yellow, "  interrupted") + " before the time was over\n";
  return text;
}

}  // namespace espalier::cli
