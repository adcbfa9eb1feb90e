#include "apps/cli/run_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "apps/cli/failure.h"

namespace espalier::cli {
namespace {

/// A name as one CSV field that no reader has to unquote.
std::string field(std::string name) {
  for (char& c : name)
    if (c == ',' || c == '"' || c == '/' || static_cast<unsigned char>(c) < 0x20) c = '_';
  return name;
}

/// "base.x" -> "base_x" for the base's own numbers, "q.knee" for the joints'.
std::string title(const std::string& kind, const std::string& name, bool isBase) {
  if (isBase) return "base_" + name.substr(name.find('.') + 1);
  return kind + "." + field(name);
}

/// The largest gap of a loop now.
double closureOf(const Simulation& simulation) {
  double closure = 0;
  for (const Participant& robot : simulation.robots)
    closure = std::max(closure, robot.system->getClosureResidual());
  return closure;
}

[[noreturn]] void fail(const std::string& path) {
  throw Failure({Severity::Error, path, 0,
                 std::string("the log cannot be written: ") + std::strerror(errno),
                 "give --log a file in a folder that can be written, on a disk with space left"});
}

}  // namespace

RunLog::RunLog(const std::string& path, const Simulation& simulation)
    : path_(path), file_(std::fopen(path.c_str(), "w")) {
  if (!file_) fail(path_);
  std::string header = "time";
  for (const Participant& robot : simulation.robots) {
    const Model& model = robot.system->model();
    const std::string prefix = simulation.robots.size() > 1 ? field(robot.name) + "/" : "";
    const std::size_t baseQ = model.topology.floating ? 7 : 0;
    const std::size_t baseU = model.topology.floating ? 6 : 0;
    const auto add = [&](const std::string& name) { header += "," + prefix + name; };
    const std::vector<std::string> q = coordinateNames(model, Joints::All);
    const std::vector<std::string> u = dofNames(model, Joints::All);
    hasLoops_ |= model.hasLoops();
    for (std::size_t i = 0; i < q.size(); ++i) add(title("q", q[i], i < baseQ));
    for (std::size_t i = 0; i < u.size(); ++i) add(title("u", u[i], i < baseU));
    for (std::size_t i = baseU; i < u.size(); ++i) add(title("tau", u[i], false));
    add("kinetic_energy");
    add("potential_energy");
  }
  header += ",contacts,penetration,residual,iterations,mechanical_energy,energy_balance";
  header += hasLoops_ ? ",closure\n" : "\n";
  if (std::fputs(header.c_str(), file_.get()) < 0) fail(path_);
}

void RunLog::write(const Simulation& simulation, double energyBalance) {
  fmt::memory_buffer line;
  const auto add = [&](double x) { fmt::format_to(std::back_inserter(line), ",{}", x); };
  fmt::format_to(std::back_inserter(line), "{:.9g}", simulation.world->getWorldTime());
  for (const Participant& robot : simulation.robots) {
    const ArticulatedSystem& system = *robot.system;
    for (double x : system.getSpanningCoordinate()) add(x);
    for (double x : system.getSpanningVelocity()) add(x);
    const Eigen::VectorXd tau = system.getSpanningAppliedForce();
    for (Eigen::Index i = system.model().topology.floating ? 6 : 0; i < tau.size(); ++i)
      add(tau[i]);
    add(system.getKineticEnergy());
    add(system.getPotentialEnergy());
  }
  const StepReport& report = simulation.world->report();
  fmt::format_to(std::back_inserter(line), ",{}", report.contacts);
  add(report.penetration);
  add(report.residual);
  fmt::format_to(std::back_inserter(line), ",{}", report.iterations);
  // Before the first step there is no report yet.
  if (simulation.world->getWorldTime() > 0)
    add(report.energy);
  else
    line.push_back(',');
  add(energyBalance);
  if (hasLoops_) add(closureOf(simulation));
  line.push_back('\n');
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size()) fail(path_);
}

void RunLog::close() {
  if (std::fclose(file_.release()) != 0) fail(path_);
}

}  // namespace espalier::cli
