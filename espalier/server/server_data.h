#pragma once

// Data of a Server. Internal.

#include <map>
#include <mutex>

#include "espalier/server/drag.h"
#include "espalier/server/order_queue.h"
#include "espalier/server/pacer.h"
#include "espalier/server/server.h"

namespace espalier {

using SteadyTime = std::chrono::steady_clock::time_point;

struct Server::Data {
  Data(std::vector<World*> shown, std::string title, Visuals& drawn);

  // ---- of the thread that steps, under `mutex`

  std::recursive_mutex mutex;
  std::vector<World*> worlds;
  std::string name;
  Visuals& visuals;  ///< the Server itself
  std::unique_ptr<WorldCapture> capture;
  std::map<const WebSocketClient*, Drag> drags;
  Pacer pacer;
  bool isPaused = false;
  int stepsLeft = 0;  ///< of those that were asked for while paused
  bool isAsleep = false;
  const Object* focus = nullptr;
  std::string source;
  std::function<void()> reload;
  std::function<void(const std::optional<std::string>&)> reset;

  Frame frame;
  std::uint32_t flags = 0;  ///< of all steps since the last frame
  double stepTime = 0;      ///< s, of the last step
  SteadyTime nextFrame{};
  SteadyTime nextTurn{};      ///< when the step is due that integrateUnlessPaused() did not make
  bool isFrameWanted = true;  ///< something has changed, or somebody has come
  bool hasSlept = true;       ///< since the last frame: there is time to spare
  std::string lastStatus, diagnostics, camera;  ///< messages
  std::vector<Order> orders;                    ///< scratch

  // ---- of all threads

  OrderQueue queue;
  std::unique_ptr<Hub> hub;  ///< null before launchServer()

  double time() const { return worlds.front()->getWorldTime(); }
  bool isWaiting() const { return isPaused && stepsLeft == 0; }
  void launch(HttpServerOptions options, const char* announcement);
  void setWorlds(std::vector<World*> shown, std::string title);

  /// Executes the commands of pages (server_orders.cpp).
  void obey();
  void obey(const Order& order);
  void obey(const ClientPtr& from, const Command& command);
  void drag(const ClientPtr& from, const DragCommand& command);
  void slide(const JointCommand& command);
  /// errors  throws a CommandError where the scene has no such body, or another one by now
  BodyPlace bodyOf(int place);
  void resetWorlds(const std::optional<std::string>& keyframe);

  /// Waits while simulated time is ahead.
  ///   returns  false where a page has paused meanwhile, or `end` has come
  bool waitForTurn(std::unique_lock<std::recursive_mutex>& lock, SteadyTime end);
  void step();
  /// Sends the scene where it has changed.
  void updateScene();
  /// The program's drawings: overlay, graphs and their samples, where there are new ones.
  void updateVisuals();
  /// A frame, if one is due and somebody looks.
  void showIfDue(SteadyTime now);
  void show();
  void sendStatus();
};

}  // namespace espalier
