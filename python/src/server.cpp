// Server: shows running Worlds in web pages.

#include "espalier/server/server.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "casters.h"
#include "object_handle.h"
#include "server_handle.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

int traverseServer(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  ServerHandle* server = nb::inst_ptr<ServerHandle>(self);
  for (const nb::object& world : server->worlds) Py_VISIT(world.ptr());
  Py_VISIT(server->reload.ptr());
  Py_VISIT(server->reset.ptr());
  return 0;
}

int clearServer(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  ServerHandle* server = nb::inst_ptr<ServerHandle>(self);
  server->visuals = nullptr;
  server->server.reset();
  std::vector<nb::object> worlds;
  worlds.swap(server->worlds);
  server->reload.reset();
  server->reset.reset();
  return 0;
}

PyType_Slot server_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverseServer)},
                              {Py_tp_clear, reinterpret_cast<void*>(clearServer)},
                              {0, nullptr}};

struct Lock {
  nb::object server;
};

/// f(server, arguments...) for the thread that has the turn.
template <class R, class... A>
auto used(R (*f)(Server&, A...)) {
  return [f](ServerHandle& self, A... a) -> R {
    const std::lock_guard lock(self.turn);
    return f(self.use(), std::forward<A>(a)...);
  };
}
template <class R, class... A>
auto used(R (Server::*f)(A...)) {
  return [f](ServerHandle& self, A... a) -> R {
    const std::lock_guard lock(self.turn);
    return (self.use().*f)(std::forward<A>(a)...);
  };
}
/// The server's state, also while another thread steps its worlds.
template <class R>
auto told(R (Server::*f)() const) {
  return [f](ServerHandle& self) -> R {
    const std::lock_guard lock(self.turn);
    if (!self.server) throw std::runtime_error("the server is gone");
    return (self.server.get()->*f)();
  };
}

/// Calls a function of Python from the step, which has no GIL. Errors go to the page, too.
template <class... A>
void callBack(const nb::object& function, const char* name, A&&... arguments) {
  const nb::gil_scoped_acquire acquire;
  const nb::object kept = function;  // it may set another one
  try {
    kept(std::forward<A>(arguments)...);
  } catch (nb::python_error& error) {
    const std::string what = nb::str(error.value()).c_str();
    error.discard_as_unraisable(name);
    throw std::runtime_error(std::string(name) + ": " + what);
  }
}

void requireCallable(const nb::object& function) {
  if (!function.is_none() && PyCallable_Check(function.ptr()) == 0)
    throw nb::type_error("it takes a function, or None");
}

void launch(ServerHandle& self, int port, const std::string& host, int portsTried, int mostClients,
            double patience, bool quiet) {
  if (port < 0 || port > 65535) throw std::invalid_argument("a port is from 0 to 65535");
  HttpServerOptions options;
  options.host = host;
  options.port = port;
  options.portsTried = portsTried;
  options.mostClients = mostClients;
  options.patience = patience;
  const std::lock_guard lock(self.turn);
  self.use().launchServer(options);
  if (!quiet) nb::print(("espalier: the world can be seen at " + self.server->url()).c_str());
}

std::string frameOf(ServerHandle& self) {
  const std::string url = told(&Server::url)(self);
  if (url.empty()) return "<p>espalier.Server, not launched</p>";
  return "<iframe src=\"" + url +
         "\" width=\"100%\" height=\"480\" style=\"border: 0\" "
         "allow=\"fullscreen\"></iframe>";
}

using Class = nb::class_<ServerHandle, VisualsHandle>;

void bindLaunch(Class& c) {
  c.def("launch_server", &launch, "port"_a = 8080, nb::kw_only(), "host"_a = "127.0.0.1",
        "ports_tried"_a = 100, "most_clients"_a = 64, "patience"_a = 5.0, "quiet"_a = false,
        "Serves at a port of this machine, or the next free one, and prints the address.\n\n"
        "port: 0 is any free one. host: an address of this machine; 0.0.0.0 are all of them, the "
        "URL then holds a token. patience: s; a client that takes nothing for so long is dropped. "
        "RuntimeError where no port is free or the server runs already.")
      .def("kill_server", &ServerHandle::stop,
           "Closes all connections; another launch_server() may follow.")
      .def("stop", &ServerHandle::stop, "kill_server().")
      .def(
          "__enter__", [](nb::handle_t<ServerHandle> self) { return nb::borrow(self); },
          nb::sig("def __enter__(self) -> Server"))
      .def("__exit__", [](ServerHandle& self, nb::args) { self.stop(); })
      .def("__repr__",
           [](ServerHandle& self) {
             const std::string url = told(&Server::url)(self);
             return "<espalier.Server" + (url.empty() ? ", not launched" : " at " + url) + ">";
           })
      .def("_repr_html_", &frameOf)
      .def_prop_ro("url", told(&Server::url), "str, empty before launch_server()")
      .def_prop_ro("port", told(&Server::port), "int, 0 before launch_server()")
      .def_prop_ro("is_connected", told(&Server::isConnected), "bool: some page looks")
      .def_prop_ro("spectators", told(&Server::spectators), "int: pages that look")
      .def("hibernate", used(&Server::hibernate), "No frames are captured until wakeup().")
      .def("wakeup", used(&Server::wakeup), "Ends hibernate().");
}

void bindStepping(Class& c) {
  c.def(
       "integrate_world_thread_safe",
       [](ServerHandle& self) {
         while (!self.integrate(1)) {
         }
       },
       "One step of all worlds. While a page has paused it waits; what pages ask for is done "
       "first. The GIL is released; Ctrl-C raises KeyboardInterrupt.")
      .def(
          "step",
          [](ServerHandle& self) {
            while (!self.integrate(1)) {
            }
          },
          "integrate_world_thread_safe().")
      .def(
          "integrate_unless_paused",
          [](ServerHandle& self, double patience) {
            if (!(patience >= 0)) throw std::invalid_argument("a patience is not negative");
            return self.integrate(patience);
          },
          "patience"_a,
          "bool: a step was made. While a page has paused it does what pages ask for, for patience "
          "s at most.")
      .def("run", &ServerHandle::run, "seconds"_a = nb::none(),
           "Steps until so many seconds of real time are over, or the server is stopped, or "
           "Ctrl-C raises. Simulated time goes at set_speed().")
      .def("lock_visualization_server_mutex", &ServerHandle::lock,
           "To be held by threads that change a world which another thread steps by this server, "
           "and by those that step it themselves; may be locked again. See lock().")
      .def("unlock_visualization_server_mutex", &ServerHandle::unlock,
           "Shows what has changed, and gives the lock back. RuntimeError where this thread does "
           "not have it.")
      .def(
          "lock", [](nb::handle_t<ServerHandle> self) { return Lock{nb::borrow(self)}; },
          "A context in which this thread alone has the server and its worlds:\n\n"
          "    with server.lock():\n"
          "        world.step()           # shown at the end")
      .def("set_paused", used(&Server::setPaused), "on"_a, "Pauses, or goes on, as pages do.")
      .def_prop_ro("is_paused", told(&Server::isPaused), "bool")
      .def("set_speed", used(&Server::setSpeed), "factor"_a,
           "Simulated seconds for each second, at most; 0, the default: as fast as it goes.");
}

void bindShown(Class& c) {
  c.def("focus_on", used(&Server::focusOn), "object"_a.none(),
        "The camera follows an object of a world; None: no one.")
      .def("set_camera_position_and_look_at", used(&Server::setCameraPositionAndLookAt),
           "position"_a, "look_at"_a,
           "Where the camera is and what it looks at, (3,), m; pages may turn it afterwards.")
      .def("set_map", used(&Server::setMap), "name"_a, "Does nothing: for code from RaiSim.")
      .def(
          "set_world",
          [](ServerHandle& self, nb::handle_t<WorldHandle> world) { self.setWorlds(world, ""); },
          "world"_a, "Shows another World from now on.")
      .def("set_worlds", &ServerHandle::setWorlds, "worlds"_a, "name"_a = "",
           nb::sig("def set_worlds(self, worlds: Sequence[World], name: str = '') -> None"),
           "Shows other Worlds, side by side, from now on; name is the title of the page.")
      .def("set_source", used(&Server::setSource), "file"_a, "The file that a world comes from.")
      .def("set_diagnostics", used(&Server::setDiagnostics), "diagnostics"_a,
           "What the page lists as remarks about the file.")
      .def(
          "on_reload",
          [](ServerHandle& self, nb::object reload) {
            requireCallable(reload);
            const std::lock_guard lock(self.turn);
            self.reload = reload;
            if (reload.is_none()) return self.use().onReload(nullptr);
            self.use().onReload([&self] { callBack(self.reload, "Server.on_reload"); });
          },
          "reload"_a.none(),
          "What the page's button does, before a step; without it pages cannot ask for it.")
      .def(
          "on_reset",
          [](ServerHandle& self, nb::object reset) {
            requireCallable(reset);
            const std::lock_guard lock(self.turn);
            self.reset = reset;
            if (reset.is_none()) return self.use().onReset(nullptr);
            self.use().onReset([&self](const std::optional<std::string>& keyframe) {
              callBack(self.reset, "Server.on_reset", keyframe);
            });
          },
          "reset"_a.none(),
          "What reset does in place of World.reset(): reset(keyframe), None: the start.");
}

}  // namespace

void bindServer(nb::module_& m) {
  nb::class_<Lock>(m, "ServerLock", "What Server.lock() gives.")
      .def("__enter__", [](Lock& lock) { nb::cast<ServerHandle&>(lock.server).lock(); })
      .def("__exit__", [](Lock& lock, nb::args) { nb::cast<ServerHandle&>(lock.server).unlock(); });
  Class c(m, "Server", nb::type_slots(server_slots),
          "Shows a running World, or several side by side, in web pages.\n\n"
          "    with espalier.Server(world) as server:\n"
          "        server.launch_server()          # prints http://127.0.0.1:8080/\n"
          "        while True:\n"
          "            server.step()               # in place of world.step()\n\n"
          "It keeps its Worlds alive, and what a program draws is drawn on it (Visuals).");
  c.def(nb::init<nb::handle, std::string>(), "world"_a, "name"_a = "",
        nb::sig("def __init__(self, world: World | Sequence[World], name: str = '') -> None"),
        "world: a World, or a sequence of Worlds that are stepped together. name: title of the "
        "page; empty: that of the first robot.");
  bindLaunch(c);
  bindStepping(c);
  bindShown(c);
}

}  // namespace espalier::python
