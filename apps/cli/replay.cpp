// espalier replay RECORDING: shown in the browser, or as a page, pictures, a film, or for Foxglove.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/failure.h"
#include "apps/cli/film.h"
#include "apps/cli/recording_file.h"
#include "apps/cli/remarks.h"
#include "apps/cli/replay_server.h"
#include "apps/cli/robot.h"
#include "apps/cli/write_mcap.h"
#include "espalier/io/text/numbers.h"
#include "espalier/visual/page.h"

namespace espalier::cli {
namespace {

struct ReplayOptions {
  std::string file;
  bool info = false, json = false;
  std::string html, png, mp4, webp, mcap, python;
  std::optional<double> time;      ///< s, of the PNG; none: the last frame
  std::optional<double> from, to;  ///< s, of films; none: all
  double rate = 30;                ///< Hz, pictures of a film
  PictureOptions pictures;
  int port = 8080;

  bool writesFiles() const {
    return !html.empty() || !png.empty() || !mp4.empty() || !webp.empty() || !mcap.empty();
  }
};

/// Pictures that are not made because somebody meant something else.
constexpr double most_pictures = 1e5;

void writeFile(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw Failure({Severity::Error, path, 0, "it cannot be written",
                   "give a file in a folder that can be written, on a disk with space left"});
}

void requireTime(const RecordingFile& recording, const std::string& option, double time) {
  constexpr double rounding = 1e-9;  // s
  if (time < recording.firstTime() - rounding || time > recording.lastTime() + rounding)
    throw Failure(
        {Severity::Error, recording.path(), 0,
         fmt::format("{} {:g}: there is no such time in the recording", option, time),
         fmt::format("it goes from {:g} to {:g} s", recording.firstTime(), recording.lastTime())});
}

/// Moments a picture apart, from the first on.
std::vector<double> timesOf(const RecordingFile& recording, const ReplayOptions& options) {
  const double from = options.from.value_or(recording.firstTime());
  const double to = options.to.value_or(recording.lastTime());
  requireTime(recording, "--from", from);
  requireTime(recording, "--to", to);
  if (to < from || (to - from) * options.rate > most_pictures)
    throw Failure(
        {Severity::Error, recording.path(), 0,
         fmt::format("a film from {:g} to {:g} s, {:g} pictures a second, has none or more "
                     "than {:g}",
                     from, to, options.rate, most_pictures),
         "choose --from, --to and --rate"});
  std::vector<double> times;
  for (int i = 0; from + i / options.rate <= to + 1e-9; ++i)
    times.push_back(std::min(to, from + i / options.rate));
  return times;
}

void writeFiles(const RecordingFile& recording, const ReplayOptions& options) {
  const std::span<const std::byte> bytes = recording.wholeBytes();
  std::string done;
  const auto note = [&](const std::string& file) { done += "wrote " + printable(file) + "\n"; };
  if (!options.html.empty()) {
    const std::string page = filledPage(R"({"mode":"file"})", bytes);
    writeFile(options.html, asBytes(page));
    note(options.html);
  }
  PictureOptions pictures = options.pictures;
  if (!options.png.empty()) {
    const double time = options.time.value_or(recording.lastTime());
    requireTime(recording, "--time", time);
    pictures.times = {time};
    takePictures(bytes, recording.path(), pictures,
                 [&](std::span<const std::byte> png) { writeFile(options.png, png); });
    note(options.png);
  }
  for (const std::string& film : {options.mp4, options.webp}) {
    if (film.empty()) continue;
    pictures.times = timesOf(recording, options);
    writeFilm(bytes, recording.path(), pictures, options.rate,
              film == options.mp4 ? FilmFormat::Mp4 : FilmFormat::Webp, film);
    note(film);
  }
  if (!options.mcap.empty()) {
    writeMcap(recording, options.mcap, options.python);
    note(options.mcap);
  }
  if (!options.json) print(out(), done);
}

void serve(const RecordingFile& recording, const ReplayOptions& options) {
  serveReplay(recording, {.port = options.port}, [](const std::string& url) {
    print(out(), url + "\n");
    print(err(), paint(err(), Ink::Faint, "open it in a browser; Ctrl-C ends the replay\n"));
    std::fflush(out().stream);
  });
}

int replay(const ReplayOptions& options) {
  const RecordingFile recording(options.file);
  Diagnostics diagnostics = recording.reader().diagnostics();
  if (!options.json) print(err(), draw(err(), diagnostics));
  if (options.info || (options.json && !options.writesFiles())) {
    Diagnostics faults;
    const Json description = describe(recording, faults);
    diagnostics.append(faults);
    if (faults.hasErrors()) {
      reportErrors(diagnostics, options.json, options.file);
      return exit_bad_input;
    }
    if (!options.json) print(out(), drawDescription(out(), description));
    if (options.json && !options.writesFiles()) {
      Json json = description;
      json["diagnostics"] = toJson(diagnostics);
      printJson(json);
      return exit_ok;
    }
  }
  if (options.writesFiles()) {
    writeFiles(recording, options);
    if (options.json) printJson({{"ok", true}, {"diagnostics", toJson(diagnostics)}});
  } else if (!options.info) {
    serve(recording, options);
  }
  return exit_ok;
}

std::string number(const std::string& text) {
  return io::parseNumber(text) ? "" : "takes a finite number, not '" + text + "'";
}
std::string positive(const std::string& text) {
  const std::optional<double> value = io::parseNumber(text);
  return value && *value > 0 ? "" : "takes a positive, finite number, not '" + text + "'";
}

/// "1280x720"
void setSize(const std::string& text, PictureOptions& pictures) {
  const std::size_t cross = text.find('x');
  const auto side = [&](const std::string& part) {
    const std::optional<double> n = io::parseNumber(part);
    return n && *n == std::floor(*n) && *n >= 16 && *n <= 8192 ? static_cast<int>(*n) : 0;
  };
  pictures.width = cross == std::string::npos ? 0 : side(text.substr(0, cross));
  pictures.height = cross == std::string::npos ? 0 : side(text.substr(cross + 1));
  if (pictures.width == 0 || pictures.height == 0)
    throw CLI::ValidationError("--size",
                               "takes WIDTHxHEIGHT, each from 16 to 8192, not '" + text + "'");
}

/// "AZIMUTH,ELEVATION" or "AZIMUTH,ELEVATION,ZOOM"
void setView(const std::string& text, PictureOptions& pictures) {
  const auto commas = std::count(text.begin(), text.end(), ',');
  const std::vector<double> n = parseNumberList("--view", text, commas == 1 ? 2 : 3);
  pictures.camera = CameraView{n[0], n[1], n.size() == 3 ? n[2] : 1};
  if (std::abs(n[1]) > 90 || pictures.camera->zoom <= 0)
    throw CLI::ValidationError("--view", "takes an elevation from -90 to 90 and a positive zoom");
}

void addOptions(CLI::App& command, ReplayOptions& o) {
  command.add_option("RECORDING", o.file, "An .esp file, as espalier sim --record writes them")
      ->required()
      ->check(mustBeNamed);
  command.add_flag("--info", o.info, "Tell what is in it, and replay nothing");
  command
      .add_option("--html", o.html, "Write a page with the recording in it, that opens from disk")
      ->type_name("run.html");
  command.add_option("--png", o.png, "Write a picture")->type_name("run.png");
  command.add_option("--mp4", o.mp4, "Write a film")->type_name("run.mp4");
  command.add_option("--webp", o.webp, "Write an animated picture")->type_name("run.webp");
  command.add_option("--mcap", o.mcap, "Write messages for Foxglove")->type_name("run.mcap");
  command.add_option("--time", o.time, "Of the picture, s (default: the end)")
      ->check(number)
      ->type_name("S");
  command.add_option("--from", o.from, "Begin of a film, s (default: that of the recording)")
      ->check(number)
      ->type_name("S");
  command.add_option("--to", o.to, "End of a film, s (default: that of the recording)")
      ->check(number)
      ->type_name("S");
  command.add_option("--rate", o.rate, "Pictures of a film for each second, Hz")
      ->check(positive)
      ->type_name("HZ")
      ->capture_default_str();
  PictureOptions& pictures = o.pictures;
  command
      .add_option_function<std::string>(
          "--size", [&pictures](const std::string& text) { setSize(text, pictures); },
          "Of pictures, pixels")
      ->type_name("WxH")
      ->default_str("1280x720");
  command
      .add_option_function<std::string>(
          "--view", [&pictures](const std::string& text) { setView(text, pictures); },
          "Where pictures look from: azimuth and elevation in degrees, and how near (1: the scene "
          "fills "
          "the picture)")
      ->type_name("AZ,EL[,ZOOM]");
  command
      .add_option("--show", pictures.layers,
                  "Layers of pictures, with a minus to hide: joints,-visuals")
      ->delimiter(',')
      ->type_name("LAYER,...");
  command.add_flag("--dark", pictures.isDark, "Pictures on a dark ground");
  command
      .add_option("--python", o.python,
                  "Python with the package mcap (default: the project's .venv, else python3)")
      ->type_name("FILE");
  command.add_option("--port", o.port, "Of the page; the next free one where it is taken")
      ->check(CLI::Range(1, 65535))
      ->capture_default_str();
  command.add_flag("--json", o.json, "Print what --info tells as JSON");
}

}  // namespace

void addReplay(CLI::App& app, Run& run) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand("replay", "Show a recording, or make pictures of it");
  addOptions(*command, *options);
  command->footer(
      "Without an option it serves the viewer's page and prints its address.\n"
      "Pictures are made by a headless Chromium, films by ffmpeg beside it, MCAP by PyPI's mcap.\n"
      "Examples:\n"
      "  espalier sim models/strider/strider.urdf --record run.esp\n"
      "  espalier replay run.esp\n"
      "  espalier replay run.esp --html run.html --png run.png --time 0.5 --size 640x480\n"
      "  espalier replay run.esp --mp4 run.mp4 --view 30,20,1.5");
  command->callback([options, &run] {
    run = {[options] { return replay(*options); }, options->file};
  });
}

}  // namespace espalier::cli
