#pragma once

// Python's Server: the engine's Server, its Worlds, and the functions that pages call. One
// thread at a time has it (VisualsHandle::turn); while it steps, its Worlds are marked as stepped.
// Between two attempts to step nobody has them, so that other threads may, under lock().

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "espalier/server/server.h"
#include "guard.h"
#include "visuals_handle.h"

namespace espalier::python {

struct ServerHandle : VisualsHandle {
  ServerHandle(nb::handle worldOrWorlds, std::string name);

  /// The engine's Server, while this thread has the turn.
  ///   errors  throws std::runtime_error where another thread steps one of the worlds
  Server& use();
  void setWorlds(nb::handle worldOrWorlds, std::string name);
  /// Steps, or executes pages' commands, for `patience` s at most; Ctrl-C raises.
  ///   returns  whether a step was made
  bool integrate(double patience);
  /// Integrates until the time is over or the server has stopped.
  void run(std::optional<double> seconds);
  /// A lock for Python; the thread that has it gives it back.
  void lock();
  void unlock();
  void stop();

  std::vector<nb::object> worlds;
  nb::object reload, reset;        ///< None or a function
  std::unique_ptr<Server> server;  ///< goes before its worlds
  unsigned long owner = 0;         ///< thread that has called lock()
  int depth = 0;                   ///< calls of lock() without unlock()
  bool isInStep = false;           ///< pages' commands are done, or a step is made

 private:
  bool tryStep();
};

}  // namespace espalier::python
