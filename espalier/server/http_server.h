#pragma once

// HttpServer: HTTP and WebSockets for pages that look at a process. Routes are functions of a
// request; clients of the WebSocket have a queue each (web_socket_client.h). Handlers run in the
// server's threads, several at a time.
//
//   HttpServer server({.port = 8080});
//   server.route("GET", "/", [](const HttpRequest&) { return HttpResponse::text(200, "text/plain", "hello"); });
//   server.webSocket("/ws", {.onOpen = ..., .onText = ...});
//   server.start();
//   print(server.url());
//
// Bound to loopback by default. Bound to anything else it makes a token that every request needs.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/server/web_socket_client.h"

namespace espalier {

struct HttpServerOptions {
  std::string host = "127.0.0.1";  ///< address of this machine; 0.0.0.0: all of them
  int port = 8080;                 ///< 0: any free one
  int portsTried = 100;            ///< where it is taken, the next ones; 1: this one alone
  int mostClients = 64;            ///< of the WebSocket; more are refused
  /// s; a request must have come by then, and a client that takes nothing for so long is dropped.
  double patience = 5;
};

struct HttpRequest {
  std::string method;  ///< GET, HEAD, POST
  std::string path;    ///< decoded, without the query
  std::string query;   ///< behind '?'
  std::string body;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::vector<std::pair<std::string, std::string>> headers;
  std::span<const std::byte> body;
  std::shared_ptr<const void> owner;  ///< of the body's bytes; null: they live for ever

  static HttpResponse text(int status, std::string type, std::string text);
};

using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

/// Of one client all are called by one thread, one after another.
struct WebSocketHandlers {
  std::function<void(const std::shared_ptr<WebSocketClient>&)> onOpen;
  std::function<void(const std::shared_ptr<WebSocketClient>&, std::string_view)> onText;
  std::function<void(const std::shared_ptr<WebSocketClient>&)> onClose;
  std::size_t mostBytes = std::size_t{1} << 20;  ///< of a message; a longer one ends the connection
};

class HttpServer {
 public:
  explicit HttpServer(HttpServerOptions options = {});
  ~HttpServer();  ///< stop()
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // ---- before start()

  /// in  path      a path, or all that begin with it where it ends in '/' and is not "/"
  /// in  mostBody  bytes that a request may carry; more are refused
  /// A HEAD is answered as the GET of the same path. An exception of a handler becomes a 500.
  void route(std::string method, std::string path, HttpHandler handler, std::size_t mostBody = 0);
  void webSocket(std::string path, WebSocketHandlers handlers);

  /// errors  throws std::runtime_error where no port is free or the address is none of this machine
  void start();
  /// Closes all connections: at once, or within two seconds where a request is half sent. May be
  /// called twice. A handler that runs is waited for.
  void stop();

  // ---- after start()

  bool isRunning() const;
  int port() const;
  const std::string& token() const;  ///< empty: none is needed
  /// http://127.0.0.1:8080/, with the token where one is needed.
  std::string url() const;
  int clientCount() const;  ///< of the WebSocket

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace espalier
