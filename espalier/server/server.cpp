#include "espalier/server/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "espalier/core/check.h"
#include "espalier/server/server_data.h"
#include "espalier/visual/scene_json.h"

namespace espalier {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr double frame_rate = 60;  // Hz
/// A thread that has no time to spare gives this share of it, at most, to frames.
constexpr double most_share = 0.01;
/// s that simulated time may be ahead: many short steps share one sleep.
constexpr double ahead = 0.004;

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }
Clock::duration duration(double s) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
}

const char* nameOf(Severity severity) {
  switch (severity) {
    case Severity::Note: return "info";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "error";
}

}  // namespace

Server::Data::Data(std::vector<World*> shown, std::string title, Visuals& drawn) : visuals(drawn) {
  setWorlds(std::move(shown), std::move(title));
}

void Server::Data::setWorlds(std::vector<World*> shown, std::string title) {
  const std::uint32_t version = capture ? capture->description().version : 0;
  auto next = std::make_unique<WorldCapture>(shown, &visuals, title, version);
  capture = std::move(next);
  worlds = std::move(shown);
  name = std::move(title);
  drags.clear();
  focus = nullptr;
  flags = 0;
  pacer.rest();
  isFrameWanted = true;
}

void Server::Data::updateScene() {
  if (capture->update() && hub) hub->setScene(capture->description());
}

void Server::Data::updateVisuals() {
  if (visuals.updateOverlay()) hub->setText(Topic::OVERLAY, visuals.overlay());
  if (visuals.updateGraphs()) hub->setText(Topic::GRAPHS, visuals.graphs());
  for (std::string& sample : visuals.takeSamples()) hub->sendText(std::move(sample));
}

void Server::Data::show() {
  updateScene();
  updateVisuals();
  capture->capture(frame, stepTime);
  frame.flags |= std::exchange(flags, 0);
  hub->sendFrame(frame);
  isFrameWanted = false;
}

void Server::Data::showIfDue(SteadyTime now) {
  if (!hub || isAsleep || hub->spectators() == 0) return;
  if (isWaiting() ? !isFrameWanted : now < nextFrame) return;
  show();
  // A thread that never waits for its turn has no time to give away.
  const double least =
      std::exchange(hasSlept, false) ? 0 : seconds(Clock::now() - now) / most_share;
  const Clock::duration interval = duration(std::max(1 / frame_rate, least));
  nextFrame += interval;
  if (nextFrame < now) nextFrame = now + interval;
}

void Server::Data::sendStatus() {
  if (!hub) return;
  const Pacer::Rate& rate = pacer.rate();
  const json status = {{"type", "status"},
                       {"paused", isPaused},
                       {"speed", pacer.speed()},
                       {"realTimeFactor", std::round(rate.realTimeFactor * 1000) / 1000},
                       {"stepsPerSecond", std::round(rate.stepsPerSecond)},
                       {"spectators", hub->spectators()},
                       {"canControl", true},
                       {"canReload", static_cast<bool>(reload)},
                       {"source", source},
                       {"focus", focus ? capture->placeOf(*focus) : -1}};
  std::string text = textOf(status);
  if (text == lastStatus) return;
  lastStatus = text;
  hub->setText(Topic::STATUS, std::move(text));
}

bool Server::Data::waitForTurn(std::unique_lock<std::recursive_mutex>& lock, SteadyTime end) {
  while (!isPaused) {
    const SteadyTime now = Clock::now();
    const SteadyTime due = pacer.due(time(), now);
    if (due <= now + duration(ahead)) return true;
    nextTurn = due;
    if (now >= end) return false;
    hasSlept = true;
    lock.unlock();
    queue.waitUntil(std::min(due, end));
    lock.lock();
    obey();
  }
  return stepsLeft > 0;
}

void Server::Data::step() {
  std::erase_if(drags, [](const auto& entry) { return !entry.second.apply(); });
  const SteadyTime begin = Clock::now();
  for (World* world : worlds) flags |= world->integrate().flags;
  const SteadyTime end = Clock::now();
  stepTime = seconds(end - begin);
  if (stepsLeft > 0) {
    --stepsLeft;
    isFrameWanted = true;
  }
  if (pacer.count(time(), end)) sendStatus();
  showIfDue(end);
}

void Server::Data::launch(HttpServerOptions options, const char* announcement) {
  const std::lock_guard lock(mutex);
  ESPALIER_REQUIRE(!hub,
                   "the server runs already; call killServer() before another launchServer()");
  const auto onText = [this](const ClientPtr& client, std::string_view text) {
    auto command = parseCommand(text);
    if (const auto* error = std::get_if<CommandError>(&command)) {
      client->sendText(toJson(*error));
    } else if (!queue.push({client, std::move(std::get<Command>(command))})) {
      client->sendText(toJson({"too many commands wait to be done", "send fewer"}));
    }
  };
  auto next = std::make_unique<Hub>(std::move(options), Hub::Handlers{onText,
                                                                      [this](const ClientPtr& c) {
                                                                        queue.push({c, Joined{}});
                                                                      },
                                                                      [this](const ClientPtr& c) {
                                                                        queue.push({c, Left{}});
                                                                      }});
  next->start();
  hub = std::move(next);
  if (announcement) {
    fmt::print("{}{}\n", announcement, hub->url());
    std::fflush(stdout);
  }
  lastStatus.clear();
  // All that holds, for whoever comes before the first step.
  capture->update();
  hub->setScene(capture->description());
  visuals.updateOverlay();
  visuals.updateGraphs();
  hub->setText(Topic::OVERLAY, visuals.overlay());
  hub->setText(Topic::GRAPHS, visuals.graphs());
  sendStatus();
  if (!diagnostics.empty()) hub->setText(Topic::DIAGNOSTICS, diagnostics);
  if (!camera.empty()) hub->setText(Topic::CAMERA, camera);
  show();
}

Server::Server(World* world) : Server(std::vector<World*>{world}) {}
Server::Server(std::vector<World*> worlds, std::string name)
    : data_(std::make_unique<Data>(std::move(worlds), std::move(name), *this)) {}
Server::~Server() { killServer(); }

void Server::launchServer(int port) {
  HttpServerOptions options;
  options.port = port;
  data_->launch(std::move(options), "espalier: the world can be seen at ");
}
void Server::launchServer(const HttpServerOptions& options) { data_->launch(options, nullptr); }

void Server::killServer() {
  std::unique_ptr<Hub> hub;
  {
    const std::lock_guard lock(data_->mutex);
    hub = std::move(data_->hub);
    data_->drags.clear();
    data_->isPaused = false;
    data_->stepsLeft = 0;
  }
  data_->queue.wake();
  if (hub) hub->stop();
}

std::string Server::url() const {
  const std::lock_guard lock(data_->mutex);
  return data_->hub ? data_->hub->url() : "";
}
int Server::port() const {
  const std::lock_guard lock(data_->mutex);
  return data_->hub ? data_->hub->port() : 0;
}
int Server::spectators() const {
  const std::lock_guard lock(data_->mutex);
  return data_->hub ? data_->hub->spectators() : 0;
}
void Server::hibernate() {
  const std::lock_guard lock(data_->mutex);
  data_->isAsleep = true;
}
void Server::wakeup() {
  const std::lock_guard lock(data_->mutex);
  data_->isAsleep = false;
}

void Server::integrateWorldThreadSafe() {
  while (!integrateUnlessPaused(1)) {
  }
}

bool Server::integrateUnlessPaused(double patience) {
  Data& data = *data_;
  std::unique_lock lock(data.mutex);
  const SteadyTime end = Clock::now() + duration(patience);
  while (true) {
    data.obey();
    if (!data.isWaiting() && data.waitForTurn(lock, end)) break;
    data.showIfDue(Clock::now());
    if (Clock::now() >= end) return false;
    lock.unlock();
    data.queue.waitUntil(end);
    lock.lock();
  }
  data.step();
  return true;
}

void Server::waitForTurn(double patience) {
  Data& data = *data_;
  SteadyTime end = Clock::now() + duration(patience);
  {
    const std::lock_guard lock(data.mutex);
    if (!data.isWaiting()) end = std::min(end, data.nextTurn);
    data.hasSlept = true;
  }
  data.queue.waitUntil(end);
}

void Server::lockVisualizationServerMutex() { data_->mutex.lock(); }
void Server::unlockVisualizationServerMutex() {
  Data& data = *data_;
  data.obey();
  data.isFrameWanted = true;
  data.showIfDue(Clock::now());
  data.mutex.unlock();
}

void Server::setPaused(bool on) {
  {
    const std::lock_guard lock(data_->mutex);
    data_->isPaused = on;
    data_->stepsLeft = 0;
    data_->pacer.rest();
    data_->sendStatus();
  }
  data_->queue.wake();
}
bool Server::isPaused() const {
  const std::lock_guard lock(data_->mutex);
  return data_->isPaused;
}
void Server::setSpeed(double factor) {
  ESPALIER_REQUIRE(factor >= 0 && std::isfinite(factor), "a speed is not negative, and finite");
  const std::lock_guard lock(data_->mutex);
  data_->pacer.setSpeed(factor);
  data_->sendStatus();
}

void Server::focusOn(const Object* object) {
  const std::lock_guard lock(data_->mutex);
  data_->updateScene();
  data_->focus = object;
  data_->sendStatus();
}

void Server::setCameraPositionAndLookAt(const Eigen::Vector3d& position,
                                        const Eigen::Vector3d& lookAt) {
  ESPALIER_REQUIRE(position.allFinite() && lookAt.allFinite(), "a camera's place is finite");
  const auto numbers = [](const Eigen::Vector3d& v) { return json{v.x(), v.y(), v.z()}; };
  const std::lock_guard lock(data_->mutex);
  data_->camera =
      textOf({{"type", "camera"}, {"position", numbers(position)}, {"target", numbers(lookAt)}});
  if (data_->hub) data_->hub->setText(Topic::CAMERA, data_->camera);
}

void Server::setWorld(World& world) { setWorlds({&world}, data_->name); }
void Server::setWorlds(std::vector<World*> worlds, std::string name) {
  const std::lock_guard lock(data_->mutex);
  data_->setWorlds(std::move(worlds), std::move(name));
  if (!data_->hub) return;
  data_->show();
  data_->sendStatus();
}

void Server::setSource(const std::string& file) {
  const std::lock_guard lock(data_->mutex);
  data_->source = file;
  data_->sendStatus();
}

void Server::setDiagnostics(const Diagnostics& diagnostics) {
  json list = json::array();
  for (const Diagnostic& d : diagnostics.all())
    list.push_back({{"severity", nameOf(d.severity)},
                    {"file", d.file},
                    {"line", d.line},
                    {"what", d.what},
                    {"remedy", d.remedy}});
  const std::lock_guard lock(data_->mutex);
  data_->diagnostics = textOf({{"type", "diagnostics"}, {"list", std::move(list)}});
  if (data_->hub) data_->hub->setText(Topic::DIAGNOSTICS, data_->diagnostics);
}

void Server::onReload(std::function<void()> reload) {
  const std::lock_guard lock(data_->mutex);
  data_->reload = std::move(reload);
  data_->sendStatus();
}
void Server::onReset(std::function<void(const std::optional<std::string>&)> reset) {
  const std::lock_guard lock(data_->mutex);
  data_->reset = std::move(reset);
}

}  // namespace espalier
