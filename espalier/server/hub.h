#pragma once

// Hub: one source of scenes and frames for many pages. The stepping thread only hands them over; a
// thread of the Hub encodes them once and gives them to all clients. A new client gets the present
// scene and all messages that still hold. Routes: /, /mesh/HASH, /ws (docs/viewer_protocol.md).

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "espalier/server/http_server.h"
#include "espalier/visual/world_capture.h"

namespace espalier {

/// Messages of which the last one holds, in the order in which a client gets them.
enum class Topic { HELLO, SCENE, OVERLAY, STATUS, DIAGNOSTICS, GRAPHS, CAMERA };
inline constexpr std::size_t topic_count = 7;

using ClientPtr = std::shared_ptr<WebSocketClient>;

class Hub {
 public:
  /// All are called by threads of the server.
  struct Handlers {
    std::function<void(const ClientPtr&, std::string_view)> onText;
    std::function<void(const ClientPtr&)> onJoin, onLeave;
  };

  Hub(HttpServerOptions options, Handlers handlers);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  /// errors  throws std::runtime_error as HttpServer::start()
  void start();
  void stop();
  std::string url() const { return http_.url(); }
  int port() const { return http_.port(); }
  int spectators() const { return spectators_; }

  void setScene(const SceneDescription& scene);
  void setText(Topic topic, std::string json);
  /// A message for the present clients; later ones do not get it.
  void sendText(std::string json);
  /// The frame replaces one that was not encoded yet, whose flags it takes over.
  ///   io  frame  gets memory of an earlier one
  void sendFrame(Frame& frame);

 private:
  struct Data;
  void publish();
  void join(const ClientPtr& client);
  void leave(const ClientPtr& client);
  HttpResponse mesh(const std::string& hash) const;

  Handlers handlers_;
  HttpServer http_;
  std::unique_ptr<Data> data_;
  std::atomic<int> spectators_ = 0;
  std::thread thread_;
};

/// The frame, with the flags of one before it that was left out.
SharedBytes withFlagsOf(const SharedBytes& earlier, const SharedBytes& frame);

}  // namespace espalier
