// espalier view FILE...: robots, a world or a recording in a web page.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <spawn.h>
#include <filesystem>
#include <memory>
#include <optional>

#include "apps/cli/commands.h"
#include "apps/cli/failure.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/recording_file.h"
#include "apps/cli/remarks.h"
#include "apps/cli/replay_server.h"
#include "apps/cli/terminal.h"
#include "apps/cli/viewing.h"

extern char** environ;

namespace espalier::cli {
namespace {

struct ViewOptions {
  SimulationOptions simulation;
  HttpServerOptions http;
  std::optional<bool> isPaused;  ///< none: robots are, worlds are not
  double speed = 1;
  bool opens = false;
};

/// Starts the user's browser and does not wait for it.
void openBrowser(const std::string& url) {
  std::string program = "xdg-open", address = url;
  char* argv[] = {program.data(), address.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, argv, environ) != 0)
    print(err(), "xdg-open is not there: open the address yourself\n");
}

void announce(const std::string& what, const std::string& url, const ViewOptions& options) {
  print(out(), fmt::format("{}\n{}\n", paint(out(), Ink::Bold, printable(what)), url));
  print(out(), paint(out(), Ink::Faint, "Ctrl-C ends\n"));
  std::fflush(out().stream);
  if (options.opens) openBrowser(url);
}

int viewRecording(const ViewOptions& options) {
  const RecordingFile recording(options.simulation.files[0]);
  print(err(), draw(err(), recording.reader().diagnostics()));
  serveReplay(recording, options.http,
              [&](const std::string& url) { announce(recording.path(), url, options); });
  return exit_ok;
}

int viewFiles(const ViewOptions& options) {
  for (const std::string& file : options.simulation.files)
    if (std::error_code code; !std::filesystem::exists(file, code))
      throw Failure({Severity::Error, file, 0, "there is no such file",
                     "check the path and the current directory"});
  Viewing viewing(options.simulation);
  Server& server = viewing.server();
  server.setSpeed(options.speed);
  server.setPaused(options.isPaused.value_or(!viewing.isWorldFile()));
  server.launchServer(options.http);
  print(err(), draw(err(), viewing.diagnostics(), 20));
  catchInterrupts();
  std::string names;
  for (const std::string& file : options.simulation.files)
    names += (names.empty() ? "" : ", ") + file;
  announce(names, server.url(), options);
  while (!wasInterrupted()) viewing.run();
  server.killServer();
  return exit_ok;
}

int view(const ViewOptions& options) {
  const std::vector<std::string>& files = options.simulation.files;
  const bool isReplay = files.size() == 1 && isRecording(files[0]);
  return isReplay ? viewRecording(options) : viewFiles(options);
}

void addOptions(CLI::App& command, ViewOptions& o) {
  command
      .add_option("FILE", o.simulation.files,
                  "Robot files, several stand side by side; or one world file; or a recording")
      ->required()
      ->check(mustBeNamed);
  command.add_option("--port", o.http.port, "Port, or the next free one; 0: any")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command
      .add_option("--host", o.http.host,
                  "Address to listen at; beyond this machine the URL holds a token")
      ->capture_default_str();
  command.add_flag_callback(
      "--paused", [&o] { o.isPaused = true; }, "Wait for play (default for robot files)");
  command.add_flag_callback(
      "--play", [&o] { o.isPaused = false; }, "Run at once (default for world files)");
  command
      .add_option("--speed", o.speed, "Simulated seconds for each second; 0: as fast as it goes")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  command.add_flag("--open", o.opens, "Open the address in the browser");
  o.simulation.addTo(command);
}

}  // namespace

void addView(CLI::App& app, Run& run) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command =
      app.add_subcommand("view", "Show robots, a world or a recording in a browser");
  addOptions(*command, *options);
  command->footer(
      "The page is served until Ctrl-C. Files that change are read again. From another machine:\n"
      "  ssh -L 8080:localhost:8080 HOST espalier view FILE\n"
      "Examples:\n"
      "  espalier view models/strider/strider.urdf\n"
      "  espalier view models/worlds/tracked_robot.xml --speed 0.5\n"
      "  espalier view run.esp");
  command->callback([options, &run] {
    const std::vector<std::string>& files = options->simulation.files;
    run = {[options] { return view(*options); }, files.size() == 1 ? files[0] : ""};
  });
}

}  // namespace espalier::cli
