#include "apps/cli/run_recording.h"

#include "apps/cli/failure.h"
#include "apps/cli/json.h"

namespace espalier::cli {
namespace {

RecordingWriter openWriter(const std::string& path) {
  try {
    return RecordingWriter(path);
  } catch (const std::runtime_error& error) {
    throw Failure(toDiagnostic(error, path));
  }
}

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
    : path_(path),
      capture_(*simulation.world, nullptr, nameOf(simulation)),
      writer_(openWriter(path)) {
  const Json info{{"espalier", ESPALIER_VERSION}, {"source", files}, {"rate", rate}};
  orFail([&] { writer_.info(info.dump(-1, ' ', false, Json::error_handler_t::replace)); });
}

void RunRecording::write(double stepTime) {
  orFail([&] {
    if (capture_.update()) writer_.scene(capture_.description());
    capture_.capture(frame_, stepTime);
    writer_.frame(frame_);
  });
}

void RunRecording::close() {
  orFail([&] { writer_.close(); });
}

}  // namespace espalier::cli
