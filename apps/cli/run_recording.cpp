#include "apps/cli/run_recording.h"

#include "apps/cli/failure.h"

namespace espalier::cli {
namespace {

/// "strider", or "strider and 2 more".
std::string nameOf(const Simulation& simulation) {
  if (simulation.robots.empty()) return "world";
  const std::size_t others = simulation.robots.size() - 1;
  return simulation.robots[0].name + (others > 0 ? " and " + std::to_string(others) + " more" : "");
}

}  // namespace

template <class F>
void RunRecording::orFail(const F& f) {
  try {
    f();
  } catch (const std::runtime_error& error) {
    throw Failure(toDiagnostic(error, path_));
  }
}

RunRecording::RunRecording(const std::string& path, const Simulation& simulation,
                           const std::vector<std::string>& files, double rate)
    : path_(path) {
  WorldRecordingOptions options;
  options.rate = rate;
  options.name = nameOf(simulation);
  options.sources = files;
  orFail([&] {
    recording_ = std::make_unique<WorldRecording>(*simulation.world, path, std::move(options));
  });
}

void RunRecording::write(double stepTime) {
  orFail([&] { recording_->capture(stepTime); });
}

void RunRecording::close() {
  orFail([&] { recording_->close(); });
}

}  // namespace espalier::cli
