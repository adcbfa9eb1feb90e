#include "apps/cli/pictures.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "apps/cli/failure.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/json.h"
#include "apps/cli/program.h"
#include "apps/cli/python.h"
#include "apps/cli/replay_server.h"
#include "apps/cli/temporary_folder.h"
#include "espalier/server/http_server.h"

namespace espalier::cli {
namespace {

constexpr std::size_t largest_picture = std::size_t{64} << 20;
constexpr std::chrono::seconds patience{60};  // between two pictures

Json jobOf(const PictureOptions& options) {
  Json job{{"width", options.width},
           {"height", options.height},
           {"times", options.times},
           {"camera", nullptr},
           {"theme", options.isDark ? "dark" : "light"},
           {"show", options.layers}};
  if (const auto& c = options.camera)
    job["camera"] = {{"azimuth", c->azimuth}, {"elevation", c->elevation}, {"zoom", c->zoom}};
  return job;
}

/// Hands pictures from the threads of the server to the one that takes them, one at a time: the browser
/// has its answer when the picture is taken.
class Tray {
 public:
  /// From a thread of the server.
  HttpResponse put(std::string number, std::string picture) {
    std::unique_lock lock(mutex_);
    const bool isNext = !isFull_ && !isClosed_ && number == std::to_string(taken_);
    if (!isNext || !picture.starts_with("\x89PNG\r\n"))
      return HttpResponse::text(400, "text/plain", "not the picture that is waited for");
    picture_ = std::move(picture);
    isFull_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !isFull_ || isClosed_; });
    return HttpResponse::text(200, "text/plain", "");
  }

  HttpResponse fail(const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (error_.empty()) error_ = what.empty() ? "it does not say why" : what;
    changed_.notify_all();
    return HttpResponse::text(200, "text/plain", "");
  }

  /// A picture, or none where the page has failed or nothing has come by then.
  std::optional<std::string> take(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, wait, [this] { return isFull_ || !error_.empty(); });
    if (!isFull_) return std::nullopt;
    return std::move(picture_);
  }

  /// The picture is done with, the next one may come.
  void next() {
    const std::lock_guard lock(mutex_);
    isFull_ = false;
    ++taken_;
    changed_.notify_all();
  }

  /// Nobody takes anything any more: whoever waits goes on.
  void close() {
    const std::lock_guard lock(mutex_);
    isClosed_ = true;
    changed_.notify_all();
  }

  std::string error() {
    const std::lock_guard lock(mutex_);
    return error_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string picture_, error_;
  bool isFull_ = false, isClosed_ = false;
  std::size_t taken_ = 0;
};

std::vector<std::string> browserCommand(const std::string& browser, const std::string& profile,
                                        const std::string& url, const PictureOptions& options) {
  std::vector<std::string> command{
      browser, "--headless", "--disable-extensions", "--disable-background-networking",
      "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--mute-audio",
      "--force-device-scale-factor=1", "--user-data-dir=" + profile,
      // The same pictures with and without a graphics card.
      "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      fmt::format("--window-size={},{}", options.width, options.height)};
  if (geteuid() == 0) command.push_back("--no-sandbox");  // Chromium has none for root
  command.push_back(url + (url.find('?') == std::string::npos ? "?render" : "&render"));
  return command;
}

[[noreturn]] void fail(const std::string& name, const std::string& what,
                       const std::string& remedy) {
  throw Failure({Severity::Error, name, 0, what, remedy});
}

std::string waitForPicture(Tray& tray, Program& browser, const std::string& name) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    if (auto picture = tray.take(std::chrono::milliseconds(200))) return std::move(*picture);
    if (const std::string error = tray.error(); !error.empty())
      fail(name, "the page cannot make the picture: " + error,
           "look at the recording with 'espalier replay " + name + "'");
    if (wasInterrupted()) fail(name, "interrupted: not all pictures are made", "run it again");
    const std::string browserSaid = "it says: " + lastLineOf(browser.said());
    if (!browser.isRunning())
      fail(name, "the headless browser has ended without a picture",
           browserSaid + "; see that it starts with --headless");
    if (std::chrono::steady_clock::now() > end)
      fail(name, fmt::format("the headless browser made no picture within {} s", patience.count()),
           browserSaid + "; ask for a smaller picture");
  }
}

}  // namespace

void takePictures(std::span<const std::byte> recording, const std::string& name,
                  const PictureOptions& options,
                  const std::function<void(std::span<const std::byte>)>& take) {
  const auto browser = findProgram({"chromium", "chromium-browser", "google-chrome"});
  if (!browser)
    fail(name, "pictures are made by a headless Chromium, and there is none on PATH",
         "install one (Debian: apt-get install chromium), or use --html");
  catchInterrupts();
  const TemporaryFolder folder;
  Tray tray;
  HttpServer server({.port = 0, .patience = 2 * static_cast<double>(patience.count())});
  addReplayRoutes(server, recording);
  server.route("GET", "/render", [&](const HttpRequest&) {
    return HttpResponse::text(200, "application/json", jobOf(options).dump());
  });
  const std::string place = "/picture/";
  server.route(
      "POST", place,
      [&](const HttpRequest& request) {
        const std::string number = request.path.substr(place.size());
        return number == "error" ? tray.fail(request.body) : tray.put(number, request.body);
      },
      largest_picture);
  server.start();
  struct Closing {
    Tray& tray;
    ~Closing() { tray.close(); }
  } closing{tray};
  Program program(browserCommand(*browser, folder.file("profile"), server.url(), options),
                  folder.file("browser.log"));
  for (std::size_t i = 0; i < options.times.size(); ++i) {
    const std::string picture = waitForPicture(tray, program, name);
    take(std::as_bytes(std::span(picture)));
    tray.next();
  }
}

}  // namespace espalier::cli
