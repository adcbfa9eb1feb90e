// FileView and RecordingView: robot files, a world file or a recording in a web page, as
// `espalier view` shows them, by a thread of its own.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "apps/cli/failure.h"
#include "apps/cli/recording_file.h"
#include "apps/cli/replay_server.h"
#include "apps/cli/viewing.h"
#include "bindings.h"
#include "casters.h"
#include "diagnostics.h"
#include "espalier/visual/page.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// The options of `espalier view` about the world, from arguments as the command takes them.
cli::SimulationOptions optionsOf(const std::vector<std::string>& files,
                                 const std::vector<std::string>& arguments) {
  for (const std::string& file : files)
    if (std::error_code code; !std::filesystem::exists(file, code))
      throw std::invalid_argument("'" + file + "': there is no such file; check the path");
  cli::SimulationOptions options;
  options.files = files;
  CLI::App app;
  options.addTo(app);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(error.what());
  }
  return options;
}

template <class F>
auto orValueError(F&& f) {
  try {
    return f();
  } catch (const cli::Failure& failure) {
    throw std::invalid_argument(toString(failure.diagnostic));
  }
}

/// A world of files that steps in a thread of its own; Python never has it.
class FileView {
 public:
  FileView(const std::vector<std::string>& files, const std::vector<std::string>& arguments,
           const HttpServerOptions& http)
      : viewing_(optionsOf(files, arguments)) {
    viewing_.server().setSpeed(1);
    viewing_.server().setPaused(!viewing_.isWorldFile());
    viewing_.server().launchServer(http);
    diagnostics_ = viewing_.diagnostics();
    thread_ = std::thread([this] {
      while (!isEnding_) viewing_.run();
    });
  }
  ~FileView() { stop(); }
  FileView(const FileView&) = delete;
  FileView& operator=(const FileView&) = delete;

  std::string url() { return viewing_.server().url(); }  ///< empty: it has stopped
  Server& server() { return viewing_.server(); }
  /// Diagnostics of the first reading of the files.
  const Diagnostics& diagnostics() const { return diagnostics_; }
  void stop() {
    const std::lock_guard lock(stopping_);
    if (!thread_.joinable()) return;
    isEnding_ = true;
    viewing_.server().killServer();
    thread_.join();
  }

 private:
  cli::Viewing viewing_;
  Diagnostics diagnostics_;
  std::mutex stopping_;
  std::atomic<bool> isEnding_ = false;
  std::thread thread_;
};

/// The page that replays a recording.
class RecordingView {
 public:
  RecordingView(nb::bytes recording, const HttpServerOptions& http)
      : recording_(std::move(recording)), server_(http) {
    cli::addReplayRoutes(server_,
                         {static_cast<const std::byte*>(recording_.data()), recording_.size()});
    filledPage("{}");  // refuses where there is no page
    server_.start();
  }
  std::string url() const { return server_.isRunning() ? server_.url() : ""; }
  void stop() { server_.stop(); }

 private:
  nb::bytes recording_;
  HttpServer server_;
};

HttpServerOptions httpOf(const std::string& host, int port) {
  if (port < 0 || port > 65535) throw std::invalid_argument("a port is from 0 to 65535");
  HttpServerOptions http;
  http.host = host;
  http.port = port;
  return http;
}

}  // namespace

void bindFileView(nb::module_& root) {
  nb::module_ m = applicationOf(root);
  using WithoutGil = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<FileView>(m, "FilePage", "Files in a web page, stepped by a thread of their own.")
      .def(
          "__init__",
          [](FileView* self, const std::vector<std::string>& files,
             const std::vector<std::string>& arguments, const std::string& host, int port) {
            const HttpServerOptions http = httpOf(host, port);
            orValueError([&] {
              const nb::gil_scoped_release release;
              new (self) FileView(files, arguments, http);
            });
          },
          "files"_a, "arguments"_a, "host"_a, "port"_a)
      .def_prop_ro("url", &FileView::url, WithoutGil())
      .def_prop_ro(
          "is_connected", [](FileView& self) { return self.server().isConnected(); }, WithoutGil())
      .def_prop_ro("diagnostics", [](const FileView& self) { return self.diagnostics(); })
      .def(
          "set_paused", [](FileView& self, bool on) { self.server().setPaused(on); }, "on"_a,
          WithoutGil())
      .def(
          "set_speed", [](FileView& self, double factor) { self.server().setSpeed(factor); },
          "factor"_a, WithoutGil())
      .def("stop", &FileView::stop, WithoutGil());
  nb::class_<RecordingView>(m, "RecordingPage", "A recording in a web page.")
      .def(
          "__init__",
          [](RecordingView* self, nb::bytes recording, const std::string& host, int port) {
            new (self) RecordingView(std::move(recording), httpOf(host, port));
          },
          "recording"_a, "host"_a, "port"_a)
      .def_prop_ro("url", &RecordingView::url)
      .def("stop", &RecordingView::stop, WithoutGil());
}

}  // namespace espalier::python
