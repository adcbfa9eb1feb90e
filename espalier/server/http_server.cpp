#include "espalier/server/http_server.h"

#include <civetweb.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "espalier/core/check.h"
#include "espalier/server/http_checks.h"
#include "espalier/server/peer_socket.h"
#include "espalier/server/receive_watch.h"

namespace espalier {
namespace {

constexpr int request_threads = 16;  ///< beside one for each client of the WebSocket
/// ms after which a thread that waits for a client looks whether it shall end.
constexpr const char* quantum = "200";
/// Bound of the kernel's buffer of a client's messages, because buffered frames are latency.
constexpr int send_buffer = 1 << 18, receive_buffer = 1 << 18;

const char* reason(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 426: return "Upgrade Required";
    case 503: return "Service Unavailable";
    default: return status < 400 ? "OK" : "Error";
  }
}

std::string_view orEmpty(const char* text) {
  return text ? std::string_view(text) : std::string_view();
}

int write(mg_connection* connection, const HttpResponse& response, bool withBody) {
  std::string head = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
      "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n"
      "Referrer-Policy: no-referrer\r\n",
      response.status, reason(response.status), response.type, response.body.size());
  for (const auto& [name, value] : response.headers) head += name + ": " + value + "\r\n";
  head += "\r\n";
  mg_write(connection, head.data(), head.size());
  std::span<const std::byte> rest = withBody ? response.body : std::span<const std::byte>();
  while (!rest.empty()) {
    const std::size_t piece = std::min<std::size_t>(rest.size(), 1 << 20);
    if (mg_write(connection, rest.data(), piece) <= 0) break;
    rest = rest.subspan(piece);
  }
  return response.status;
}

int toOpcode(WebSocketMessage kind) {
  switch (kind) {
    case WebSocketMessage::TEXT: return MG_WEBSOCKET_OPCODE_TEXT;
    case WebSocketMessage::BINARY: return MG_WEBSOCKET_OPCODE_BINARY;
    case WebSocketMessage::PONG: return MG_WEBSOCKET_OPCODE_PONG;
    case WebSocketMessage::CLOSE: return MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE;
  }
  return MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE;
}

int count(const mg_request_info& info, const char* header) {
  const auto* headers = info.http_headers;
  return static_cast<int>(std::count_if(headers, headers + info.num_headers, [&](const auto& h) {
    return mg_strcasecmp(h.name, header) == 0;
  }));
}

/// civetweb changes the process's handling of these signals; readers of meshes wait for children.
class KeptSignals {
 public:
  KeptSignals() {
    sigaction(SIGPIPE, nullptr, &pipe_);
    sigaction(SIGCHLD, nullptr, &child_);
  }
  ~KeptSignals() {
    sigaction(SIGPIPE, &pipe_, nullptr);
    sigaction(SIGCHLD, &child_, nullptr);
  }

 private:
  struct sigaction pipe_ {
  }, child_{};
};

}  // namespace

HttpResponse HttpResponse::text(int status, std::string type, std::string text) {
  HttpResponse response;
  response.status = status;
  response.type = std::move(type);
  const auto owned = std::make_shared<const std::string>(std::move(text));
  response.body = std::as_bytes(std::span(owned->data(), owned->size()));
  response.owner = owned;
  return response;
}

struct HttpServer::Data {
  /// A connection of the WebSocket.
  struct Connection {
    std::shared_ptr<WebSocketClient> client;
    int socket = -1;
    std::string partial;  ///< frames of a message that goes on
  };
  struct Route {
    std::string method, path;
    HttpHandler handler;
    std::size_t mostBody;
  };

  HttpServerOptions options;
  std::vector<Route> routes;
  std::string socketPath;
  WebSocketHandlers socket;
  std::string token;
  int port = 0;
  mg_context* context = nullptr;
  std::optional<ReceiveWatch> watch;  ///< while it runs
  mutable std::mutex mutex;           ///< of the connections
  std::map<const mg_connection*, std::shared_ptr<Connection>> connections;
  bool isStopping = false;

  static Data& of(const mg_connection* connection) {
    return *static_cast<Data*>(mg_get_user_context_data(connection));
  }

  std::optional<HttpResponse> refused(const mg_connection* connection) const {
    const mg_request_info* info = mg_get_request_info(connection);
    std::optional<std::string> why;
    for (const char* name : {"Host", "Origin"})
      if (count(*info, name) > 1) why = std::string("a request has one ") + name;
    if (!why)
      why = refusal({orEmpty(mg_get_header(connection, "Host")),
                     orEmpty(mg_get_header(connection, "Origin")), orEmpty(info->query_string)},
                    isLoopback(options.host), token);
    if (!why) return std::nullopt;
    return HttpResponse::text(403, "text/plain; charset=utf-8", *why + "\n");
  }

  HttpResponse answer(mg_connection* connection, const mg_request_info& info) const {
    HttpRequest request{info.request_method, info.local_uri ? info.local_uri : "",
                        std::string(orEmpty(info.query_string)), ""};
    if (request.path == socketPath)
      return HttpResponse::text(426, "text/plain", "this address is of a WebSocket\n");
    const std::string method = request.method == "HEAD" ? "GET" : request.method;
    bool isKnown = false;
    for (const Route& route : routes) {
      const bool isFolder = route.path.size() > 1 && route.path.back() == '/';
      if (isFolder ? !request.path.starts_with(route.path) : request.path != route.path) continue;
      isKnown = true;
      if (route.method != method) continue;
      if (method == "POST") {
        if (info.content_length < 0)
          return HttpResponse::text(411, "text/plain", "a body needs a Content-Length\n");
        if (static_cast<std::size_t>(info.content_length) > route.mostBody)
          return HttpResponse::text(413, "text/plain",
                                    fmt::format("at most {} bytes\n", route.mostBody));
        request.body.resize(static_cast<std::size_t>(info.content_length));
        std::size_t size = 0;
        while (size < request.body.size()) {
          const int more =
              mg_read(connection, request.body.data() + size, request.body.size() - size);
          if (more <= 0) return HttpResponse::text(400, "text/plain", "the body ends too early\n");
          size += static_cast<std::size_t>(more);
        }
      }
      return route.handler(request);
    }
    if (isKnown) return HttpResponse::text(405, "text/plain", "not this method\n");
    return HttpResponse::text(404, "text/plain", "nothing is here\n");
  }

  static int onRequest(mg_connection* connection) {
    const Data& data = of(connection);
    const mg_request_info& info = *mg_get_request_info(connection);
    HttpResponse response;
    try {
      if (std::optional<HttpResponse> refused = data.refused(connection)) {
        response = std::move(*refused);
      } else if (orEmpty(info.local_uri) == data.socketPath &&
                 mg_get_header(connection, "Upgrade") != nullptr) {
        return 0;  // on to onConnect
      } else {
        response = data.answer(connection, info);
      }
    } catch (const std::exception& exception) {
      response = HttpResponse::text(500, "text/plain", std::string(exception.what()) + "\n");
    }
    return write(connection, response, orEmpty(info.request_method) != "HEAD");
  }

  /// returns 1: the connection is refused
  static int onConnect(const mg_connection* connection, void* self) {
    const Data& data = *static_cast<Data*>(self);
    if (data.refused(connection)) return 1;
    const std::lock_guard lock(data.mutex);
    return data.isStopping ||
           data.connections.size() >= static_cast<std::size_t>(data.options.mostClients);
  }

  static void onReady(mg_connection* connection, void* self) {
    Data& data = *static_cast<Data*>(self);
    const mg_request_info& info = *mg_get_request_info(connection);
    auto entry = std::make_shared<Data::Connection>();
    entry->socket = findPeerSocket(info.remote_addr, info.remote_port, info.server_port);
    if (entry->socket < 0) return;  // it is gone already
    setSocketBuffers(entry->socket, send_buffer, receive_buffer);
    entry->client = std::make_shared<WebSocketClient>(
        [connection](WebSocketMessage kind, const void* bytes, std::size_t size) {
          return mg_websocket_write(connection, toOpcode(kind), static_cast<const char*>(bytes),
                                    size) >= static_cast<int>(size);
        },
        [socket = entry->socket] { endConnection(socket); });
    {
      const std::lock_guard lock(data.mutex);
      data.connections[connection] = entry;
      data.watch->add(entry->socket);
      if (data.isStopping) endConnection(entry->socket);
    }
    if (data.socket.onOpen) data.socket.onOpen(entry->client);
  }

  /// returns 0: the connection is closed
  static int onData(mg_connection* connection, int bits, char* bytes, std::size_t size,
                    void* self) {
    Data& data = *static_cast<Data*>(self);
    std::shared_ptr<Data::Connection> entry;
    {
      const std::lock_guard lock(data.mutex);
      const auto at = data.connections.find(connection);
      if (at == data.connections.end()) return 0;
      entry = at->second;
    }
    data.watch->note(entry->socket);
    const bool isLast = (bits & 0x80) != 0;
    switch (bits & 0xf) {
      case MG_WEBSOCKET_OPCODE_CONTINUATION:
      case MG_WEBSOCKET_OPCODE_TEXT:
        if (entry->partial.size() + size > data.socket.mostBytes) return 0;
        entry->partial.append(bytes, size);
        if (isLast) {
          const std::string text = std::exchange(entry->partial, {});
          if (data.socket.onText) data.socket.onText(entry->client, text);
        }
        return 1;
      case MG_WEBSOCKET_OPCODE_PING:
        if (size > 125) return 0;
        entry->client->sendPong(std::string(bytes, size));
        return 1;
      case MG_WEBSOCKET_OPCODE_PONG: return 1;
      default: return 0;  // closed, or bytes that nobody has asked for
    }
  }

  static void onClose(const mg_connection* connection, void* self) {
    Data& data = *static_cast<Data*>(self);
    std::shared_ptr<Data::Connection> entry;
    {
      const std::lock_guard lock(data.mutex);
      const auto at = data.connections.find(connection);
      if (at == data.connections.end()) return;
      entry = at->second;
      data.connections.erase(at);
      data.watch->remove(entry->socket);
    }
    endConnection(entry->socket);  // a thread that sends returns
    entry->client->stop();
    if (data.socket.onClose) data.socket.onClose(entry->client);
  }

  mg_context* listen(int at) {
    mg_callbacks callbacks{};
    callbacks.begin_request = onRequest;
    callbacks.log_message = [](const mg_connection*, const char*) { return 1; };
    const bool isV6 = options.host.find(':') != std::string::npos;
    const std::string ports =
        fmt::format(fmt::runtime(isV6 ? "[{}]:{}" : "{}:{}"),
                    options.host == "localhost" ? "127.0.0.1" : options.host, at);
    const std::string threads = std::to_string(options.mostClients + request_threads);
    const std::string patience = std::to_string(static_cast<int>(options.patience * 1000));
    const char* settings[] = {"listening_ports",
                              ports.c_str(),
                              "num_threads",
                              threads.c_str(),
                              "request_timeout_ms",
                              patience.c_str(),
                              "websocket_timeout_ms",
                              quantum,
                              "tcp_nodelay",
                              "1",
                              "access_control_allow_origin",
                              "",
                              "access_control_allow_methods",
                              "",
                              "access_control_allow_headers",
                              "",
                              "enable_auth_domain_check",
                              "no",
                              nullptr};
    const KeptSignals kept;
    return mg_start(&callbacks, this, settings);
  }
};

HttpServer::HttpServer(HttpServerOptions options) : data_(std::make_unique<Data>()) {
  ESPALIER_REQUIRE(options.port >= 0 && options.port <= 65535, "a port is a number up to 65535");
  ESPALIER_REQUIRE(options.mostClients > 0 && options.patience > 0 && options.portsTried > 0,
                   "numbers of clients and ports and the patience must be positive");
  data_->options = std::move(options);
  if (!isLoopback(data_->options.host)) data_->token = randomToken();
}

HttpServer::~HttpServer() { stop(); }

void HttpServer::route(std::string method, std::string path, HttpHandler handler,
                       std::size_t mostBody) {
  ESPALIER_REQUIRE(!data_->context, "routes are set before the server starts");
  data_->routes.push_back({std::move(method), std::move(path), std::move(handler), mostBody});
}

void HttpServer::webSocket(std::string path, WebSocketHandlers handlers) {
  ESPALIER_REQUIRE(!data_->context, "handlers are set before the server starts");
  data_->socketPath = std::move(path);
  data_->socket = std::move(handlers);
}

void HttpServer::start() {
  if (data_->context) return;
  static const unsigned features = mg_init_library(0);
  (void)features;
  Data& data = *data_;
  data.isStopping = false;
  data.watch.emplace(data.socket.mostBytes + 4 * receive_buffer);
  const int first = data.options.port;
  const int last = first == 0 ? 0 : std::min(65535, first + data.options.portsTried - 1);
  for (int port = first; port <= last && !data.context; ++port) data.context = data.listen(port);
  if (!data.context)
    throw std::runtime_error(fmt::format(
        "cannot listen at {}, ports {} to {}; give an address of this machine and a free port",
        data.options.host, first, last));
  mg_server_port ports[1] = {};
  mg_get_server_ports(data.context, 1, ports);
  data.port = ports[0].port;
  if (!data.socketPath.empty())
    mg_set_websocket_handler(data.context, data.socketPath.c_str(), Data::onConnect, Data::onReady,
                             Data::onData, Data::onClose, &data);
}

void HttpServer::stop() {
  Data& data = *data_;
  if (!data.context) return;
  {
    const std::lock_guard lock(data.mutex);
    data.isStopping = true;
    for (const auto& [connection, entry] : data.connections) endConnection(entry->socket);
  }
  // civetweb's listening thread looks every two seconds whether it shall end, or at a connection.
  std::atomic<bool> isStopped = false;
  std::thread waker([&] {
    while (!isStopped) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      touchPort(data.options.host, data.port);
    }
  });
  mg_stop(data.context);
  isStopped = true;
  waker.join();
  data.watch.reset();
  data.context = nullptr;
}

bool HttpServer::isRunning() const { return data_->context != nullptr; }
int HttpServer::port() const { return data_->port; }
const std::string& HttpServer::token() const { return data_->token; }

std::string HttpServer::url() const {
  std::string host = data_->options.host;
  if (host == "0.0.0.0" || host == "::") {
    char name[256] = "";
    host = gethostname(name, sizeof(name) - 1) == 0 && name[0] ? name : "127.0.0.1";
  } else if (host.find(':') != std::string::npos) {
    host = "[" + host + "]";
  }
  const std::string& token = data_->token;
  return fmt::format("http://{}:{}/{}", host, data_->port, token.empty() ? "" : "?token=" + token);
}

int HttpServer::clientCount() const {
  const std::lock_guard lock(data_->mutex);
  return static_cast<int>(data_->connections.size());
}

}  // namespace espalier
