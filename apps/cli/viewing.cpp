#include "apps/cli/viewing.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "apps/cli/failure.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/world_xml/world_xml.h"

namespace espalier::cli {
namespace {

namespace fs = std::filesystem;

constexpr double patience = 0.1;  // s

/// xacro reads its includes itself: all of the package's folder that it may include count.
void addIncludesOfXacro(std::set<std::string>& paths) {
  std::set<std::string> found;
  for (const std::string& path : paths) {
    if (fs::path(path).extension() != ".xacro") continue;
    std::error_code code;
    const fs::path folder = fs::absolute(path, code).parent_path();
    for (const auto& entry : fs::directory_iterator(folder, code))
      if (entry.path().extension() == ".xacro") found.insert(entry.path().string());
  }
  paths.insert(found.begin(), found.end());
}

std::string titleOf(const Simulation& simulation) {
  std::string names;
  for (const Participant& robot : simulation.robots)
    names += (names.empty() ? "" : ", ") + robot.name;
  return names;
}

}  // namespace

Viewing::Viewing(SimulationOptions options) : options_(std::move(options)), server_(&nothing_) {
  options_.isLong = true;  // there is no end
  std::string source;
  for (const std::string& file : options_.files) source += (source.empty() ? "" : ", ") + file;
  server_.setSource(source);
  server_.onReload([this] { isReloadWanted_ = true; });
  server_.onReset([this](const std::optional<std::string>& keyframe) { reset(keyframe); });
  load();
}

void Viewing::load() {
  isReloadWanted_ = false;
  std::set<std::string> paths;
  Simulation next;
  bool isWorldFile = false;
  {
    const io::FilesRead read;
    isWorldFile = options_.files.size() == 1 && io::isWorld(options_.files[0]);
    next = setUp(options_);
    paths = read.paths();
  }
  addIncludesOfXacro(paths);
  watch_.set(paths);
  Diagnostics all = next.diagnostics;
  all.append(next.remarks);
  if (!all.hasErrors()) {
    server_.setWorlds({next.world.get()}, titleOf(next));
    std::swap(simulation_, next);
    isWorldFile_ = isWorldFile;
    rememberStart();
  }
  show(all);
}

void Viewing::show(const Diagnostics& diagnostics) {
  diagnostics_ = diagnostics;
  server_.setDiagnostics(diagnostics);
}

void Viewing::rememberStart() {
  World& world = *simulation_.world;
  start_.state = world.getState();
  start_.actuations.clear();
  for (int i = 0; i < world.systemCount(); ++i)
    start_.actuations.push_back(world.system(i)->actuation());
}

void Viewing::reset(const std::optional<std::string>& keyframe) {
  if (!simulation_.world) return;
  World& world = *simulation_.world;
  if (keyframe) return world.reset(*keyframe);
  world.setState(start_.state);
  for (int i = 0; i < world.systemCount(); ++i) world.system(i)->actuation() = start_.actuations[i];
}

void Viewing::run() {
  if (isReloadWanted_ || watch_.hasChanged()) load();
  try {
    server_.integrateUnlessPaused(patience);
  } catch (const std::exception& exception) {
    server_.setPaused(true);
    Diagnostics all = diagnostics_;
    all.add(toDiagnostic(exception, ""));
    show(all);
  }
}

}  // namespace espalier::cli
