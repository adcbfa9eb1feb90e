#include "server_handle.h"

#include <algorithm>
#include <chrono>
#include <list>

#include "espalier/core/check.h"

namespace espalier::python {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double slice = 0.05;  // s between looks for Ctrl-C

std::vector<nb::object> listOf(nb::handle worldOrWorlds) {
  std::vector<nb::object> list;
  if (nb::isinstance<WorldHandle>(worldOrWorlds))
    list.push_back(nb::borrow(worldOrWorlds));
  else
    for (nb::handle world : worldOrWorlds) list.push_back(nb::borrow(world));
  ESPALIER_REQUIRE(!list.empty(), "a server shows at least one World");
  for (const nb::object& world : list)
    if (!nb::isinstance<WorldHandle>(world)) throw nb::type_error("a server shows Worlds");
  return list;
}

WorldHandle& worldHandle(const nb::object& world) { return nb::cast<WorldHandle&>(world); }

std::vector<World*> enginesOf(const std::vector<nb::object>& worlds) {
  std::vector<World*> engines;
  for (const nb::object& world : worlds) engines.push_back(&worldHandle(world).world());
  return engines;
}

double secondsUntil(Clock::time_point end) {
  return std::chrono::duration<double>(end - Clock::now()).count();
}

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e9)));
}

}  // namespace

ServerHandle::ServerHandle(nb::handle worldOrWorlds, std::string name) : VisualsHandle(nullptr) {
  worlds = listOf(worldOrWorlds);
  server = std::make_unique<Server>(enginesOf(worlds), std::move(name));
  visuals = server.get();
}

Server& ServerHandle::use() {
  if (!server) throw std::runtime_error("the server is gone");
  for (const nb::object& world : worlds) worldHandle(world).check();
  return *server;
}

void ServerHandle::setWorlds(nb::handle worldOrWorlds, std::string name) {
  const std::lock_guard lock(turn);
  if (isInStep) throw std::runtime_error("worlds are exchanged between steps, not during one");
  std::vector<nb::object> next = listOf(worldOrWorlds);
  use().setWorlds(enginesOf(next), std::move(name));
  worlds.swap(next);
}

bool ServerHandle::tryStep() {
  const std::lock_guard lock(turn);
  Server& engine = use();
  if (isInStep) throw std::runtime_error("a step is being made; call this behind it");
  std::list<WorldHandle::Mark> marks;
  std::vector<WorldHandle*> stepped;
  for (const nb::object& world : worlds) {
    stepped.push_back(&worldHandle(world));
    marks.emplace_back(*stepped.back());
  }
  struct InStep {
    explicit InStep(bool& flag) : on(flag) { on = true; }
    ~InStep() { on = false; }
    bool& on;
  };
  const InStep inStep(isInStep);
  const nb::gil_scoped_release release;
  if (!engine.integrateUnlessPaused(0)) return false;
  for (WorldHandle* world : stepped) world->stepped();
  return true;
}

bool ServerHandle::integrate(double patience) {
  const Clock::time_point end = after(patience);
  while (true) {
    if (tryStep()) return true;
    const double left = secondsUntil(end);
    if (left <= 0) return false;
    {
      const nb::gil_scoped_release release;
      server->waitForTurn(std::min(left, slice));
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

void ServerHandle::run(std::optional<double> seconds) {
  const Clock::time_point end = after(seconds.value_or(1e9));
  while (secondsUntil(end) > 0) {
    {
      const std::lock_guard lock(turn);
      if (!server || server->port() == 0) return;
    }
    integrate(std::min(slice, secondsUntil(end)));
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

void ServerHandle::lock() {
  turn.lock();
  owner = PyThread_get_thread_ident();
  ++depth;
}

void ServerHandle::unlock() {
  if (depth == 0 || owner != PyThread_get_thread_ident())
    throw std::runtime_error("this thread does not have the lock of the server");
  struct GiveBack {
    ~GiveBack() {
      --self.depth;
      self.turn.unlock();
    }
    ServerHandle& self;
  };
  const GiveBack giveBack{*this};
  if (depth > 1 || isInStep) return;
  // Shows changes.
  isInStep = true;
  struct Leave {
    ~Leave() { flag = false; }
    bool& flag;
  };
  const Leave leave{isInStep};
  Server& engine = use();
  engine.lockVisualizationServerMutex();
  engine.unlockVisualizationServerMutex();
}

void ServerHandle::stop() {
  const std::lock_guard lock(turn);
  Server& engine = use();
  const nb::gil_scoped_release release;
  engine.killServer();
}

}  // namespace espalier::python
