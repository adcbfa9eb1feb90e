#pragma once

// Server: shows a running World in web pages, under the names of RaiSim's server.
//
//   World world;
//   ...
//   Server server(&world);
//   server.launchServer();                      // http://127.0.0.1:8080, printed
//   while (true) {
//     ...                                       // control
//     server.integrateWorldThreadSafe();
//   }
//   server.killServer();
//
// Pages may pause, step, reset and pull; their commands are executed by the stepping thread, before
// a step. It captures a frame at most sixty times a second, and only while a page is open; all else
// is done by other threads. A program draws (visuals.h) between steps, or under the lock. See
// docs/viewer.md.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/server/http_server.h"
#include "espalier/visual/visuals.h"
#include "espalier/world/world.h"

namespace espalier {

class Server : public Visuals {
 public:
  /// pre  the world outlives the server, or setWorld() gives another one
  explicit Server(World* world);
  explicit Server(World& world) : Server(&world) {}
  /// Worlds that are shown together and stepped together; the first one keeps the time.
  ///   in  name  title of the page; empty: that of the first robot
  explicit Server(std::vector<World*> worlds, std::string name = "");
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // ---- from launch to end

  /// Serves at a port of this machine, or the next free one, and prints the address.
  ///   errors  throw std::runtime_error where none is free
  void launchServer(int port = 8080);
  /// The same as told, without a word.
  void launchServer(const HttpServerOptions& options);
  /// Closes all connections. A thread that waits in integrateWorldThreadSafe() goes on. Another
  /// launchServer() may follow.
  void killServer();
  std::string url() const;  ///< empty before launchServer()
  int port() const;
  bool isConnected() const { return spectators() > 0; }
  int spectators() const;
  /// No frames are captured until wakeup().
  void hibernate();
  void wakeup();

  // ---- stepping

  /// One step of all worlds. While a page has paused it waits; commands of pages come first.
  void integrateWorldThreadSafe();
  /// The same for a loop that has more to do: while paused it waits for commands, s at most.
  ///   returns  whether a step was made
  bool integrateUnlessPaused(double patience);
  /// Waits until the step that integrateUnlessPaused(0) did not make is due, a page asks for
  /// something, or s have passed. It touches no world, so other threads may have the worlds meanwhile.
  void waitForTurn(double patience);
  /// Held during a step; to be held by other threads that change a world. The same thread may lock
  /// it again. Unlocking shows what has changed, as after a step.
  void lockVisualizationServerMutex();
  void unlockVisualizationServerMutex();

  void setPaused(bool on);
  bool isPaused() const;
  /// Simulated seconds for each second, at most; 0, the default: as fast as steps are asked for.
  void setSpeed(double factor);

  // ---- the view

  /// The camera follows an object; null: none.
  void focusOn(const Object* object);
  /// Position of the camera and its target, m; pages may turn it afterwards.
  void setCameraPositionAndLookAt(const Eigen::Vector3d& position, const Eigen::Vector3d& lookAt);
  /// Does nothing: for code that comes from RaiSim.
  void setMap(const std::string&) {}
  void setWorld(World& world);
  void setWorlds(std::vector<World*> worlds, std::string name = "");
  /// The file of a world, and its diagnostics.
  void setSource(const std::string& file);
  void setDiagnostics(const Diagnostics& diagnostics);

  // ---- commands; executed by the stepping thread, before a step

  /// Without it pages cannot ask for the file to be read again.
  void onReload(std::function<void()> reload);
  /// In place of World::reset().   in  keyframe  none: the start
  void onReset(std::function<void(const std::optional<std::string>& keyframe)> reset);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace espalier
