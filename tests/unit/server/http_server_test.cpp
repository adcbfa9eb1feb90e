#include "espalier/server/http_server.h"

#include <gtest/gtest.h>

#include <signal.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "espalier/server/peer_socket.h"
#include "tests/unit/server/raw_client.h"

namespace espalier {
namespace {

using testing::RawClient;
using testing::Reply;
using testing::request;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

HttpResponse plain(std::string text) { return HttpResponse::text(200, "text/plain", text); }

/// Answers with what it was asked for, echoes on /ws.
class HttpServerTest : public ::testing::Test {
 protected:
  void start(HttpServerOptions options = {}) {
    options.port = 0;
    server = std::make_unique<HttpServer>(options);
    server->route("GET", "/", [](const HttpRequest& r) { return plain("root?" + r.query); });
    server->route("GET", "/mesh/", [](const HttpRequest& r) { return plain(r.path); });
    server->route(
        "POST", "/picture/",
        [](const HttpRequest& r) { return plain(r.path + " " + std::to_string(r.body.size())); },
        1 << 20);
    server->route("GET", "/bad", [](const HttpRequest&) -> HttpResponse {
      throw std::runtime_error("no such thing");
    });
    server->webSocket(
        "/ws",
        {.onOpen = [this](const auto& c) { ++opened, c->sendText("hello"); },
         .onText = [](const auto& c, std::string_view text) { c->sendText(std::string(text)); },
         .onClose = [this](const auto&) { ++closed; },
         .mostBytes = 100000});
    server->start();
    port = server->port();
  }
  bool waitForClients(int count) const {
    const auto begin = Clock::now();
    while (server->clientCount() != count && secondsSince(begin) < 5)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return server->clientCount() == count;
  }

  std::atomic<int> opened = 0, closed = 0;
  std::unique_ptr<HttpServer> server;
  int port = 0;
};

TEST_F(HttpServerTest, RoutesAnswer) {
  start();
  EXPECT_EQ(request(port, "GET", "/?a=b").body, "root?a=b");
  EXPECT_EQ(request(port, "GET", "/mesh/12%20ab").body, "/mesh/12 ab");
  const Reply head = request(port, "HEAD", "/");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
  EXPECT_NE(head.head.find("Content-Length: 5"), std::string::npos);
  EXPECT_EQ(request(port, "GET", "/nothing").status, 404);
  EXPECT_EQ(request(port, "GET", "/mesh").status, 404);
  EXPECT_EQ(request(port, "POST", "/", "", "x").status, 405);
  const Reply bad = request(port, "GET", "/bad");
  EXPECT_EQ(bad.status, 500);
  EXPECT_EQ(bad.body, "no such thing\n");
  EXPECT_EQ(request(port, "GET", "/ws").status, 426);
}

TEST_F(HttpServerTest, BodiesAreTakenUpToTheirLimit) {
  start({.patience = 0.5});
  EXPECT_EQ(request(port, "POST", "/picture/3", "", std::string(1 << 20, 'x')).body,
            "/picture/3 1048576");
  EXPECT_EQ(request(port, "POST", "/picture/3", "Content-Length: 1048577\r\n").status, 413);
  EXPECT_EQ(request(port, "POST", "/picture/3", "Content-Length: 999999999999\r\n").status, 413);
  EXPECT_EQ(request(port, "POST", "/picture/3").status, 411);
}

TEST_F(HttpServerTest, OtherSitesAreRefused) {
  start();
  EXPECT_EQ(server->token(), "");
  EXPECT_EQ(request(port, "GET", "/", "Host: evil.com\r\n").status, 403);
  EXPECT_EQ(request(port, "GET", "/", "Host: localhost\r\nOrigin: http://evil.com\r\n").status,
            403);
  EXPECT_EQ(request(port, "GET", "/", "Host: localhost\r\nHost: evil.com\r\n").status, 403);
  EXPECT_EQ(request(port, "OPTIONS", "/",
                    "Host: localhost\r\nOrigin: http://evil.com\r\n"
                    "Access-Control-Request-Method: POST\r\n")
                .head.find("Access-Control-Allow"),
            std::string::npos);
  EXPECT_NE(RawClient(port).upgrade("/ws", "Host: evil.com\r\n"), 101);
  EXPECT_NE(RawClient(port).upgrade("/ws", "Host: localhost\r\nOrigin: http://evil.com\r\n"), 101);
  EXPECT_EQ(RawClient(port).upgrade("/ws", "Host: localhost\r\nOrigin: http://localhost\r\n"), 101);
}

TEST_F(HttpServerTest, TokenIsNeededBeyondLoopback) {
  start({.host = "0.0.0.0"});
  ASSERT_EQ(server->token().size(), 32u);
  EXPECT_NE(server->url().find("/?token=" + server->token()), std::string::npos);
  EXPECT_EQ(request(port, "GET", "/").status, 403);
  EXPECT_EQ(request(port, "GET", "/?token=" + std::string(32, '0')).status, 403);
  EXPECT_EQ(request(port, "GET", "/?token=" + server->token(), "Host: robot.lab\r\n").status, 200);
  EXPECT_NE(RawClient(port).upgrade("/ws"), 101);
  EXPECT_EQ(RawClient(port).upgrade("/ws?token=" + server->token()), 101);
}

TEST_F(HttpServerTest, NextFreePortIsTaken) {
  start();
  HttpServer second({.port = port});
  second.start();
  EXPECT_GT(second.port(), port);
  EXPECT_EQ(second.url(), "http://127.0.0.1:" + std::to_string(second.port()) + "/");
  HttpServer third({.port = port, .portsTried = 1});
  EXPECT_THROW(third.start(), std::runtime_error);
  EXPECT_FALSE(third.isRunning());
  HttpServer elsewhere({.host = "203.0.113.1", .port = 0});
  EXPECT_THROW(elsewhere.start(), std::runtime_error);
  EXPECT_THROW(HttpServer({.port = 70000}), std::invalid_argument);
}

TEST_F(HttpServerTest, WebSocketEchoes) {
  start();
  RawClient client(port);
  ASSERT_EQ(client.upgrade("/ws"), 101);
  EXPECT_EQ(client.receive()->bytes, "hello");
  for (std::size_t size : {0, 1, 125, 126, 65535, 65536, 100000}) {
    ASSERT_TRUE(client.sendText(std::string(size, 'x')));
    const auto message = client.receive();
    ASSERT_TRUE(message) << size;
    EXPECT_EQ(message->opcode, 1);
    EXPECT_EQ(message->bytes.size(), size);
  }
  client.sendFrame(1, "in ", false);
  client.sendFrame(9, "ping");
  client.sendFrame(0, "pieces", true);
  const auto pong = client.receive(), text = client.receive();
  ASSERT_TRUE(pong && text);
  EXPECT_EQ(pong->opcode, 10);
  EXPECT_EQ(pong->bytes, "ping");
  EXPECT_EQ(text->bytes, "in pieces");
  EXPECT_EQ(server->clientCount(), 1);
  client.close();
  EXPECT_TRUE(waitForClients(0));
  server->stop();  // waits for the handler
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(closed, 1);
}

TEST_F(HttpServerTest, MessagesTooLongEndTheConnection) {
  start();
  RawClient whole(port), pieces(port), endless(port), binary(port);
  for (RawClient* c : {&whole, &pieces, &endless, &binary}) ASSERT_EQ(c->upgrade("/ws"), 101);
  whole.sendText(std::string(100001, 'x'));
  for (int i = 0; i < 3; ++i) pieces.sendFrame(i == 0 ? 1 : 0, std::string(50000, 'x'), false);
  binary.sendFrame(2, "bytes");
  // Says that 8 exabytes follow.
  endless.send(std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10) + "maskxxxx");
  EXPECT_TRUE(waitForClients(0));
  EXPECT_EQ(request(port, "GET", "/").status, 200);
}

TEST_F(HttpServerTest, HugeMessageIsNotWaitedFor) {
  start();
  RawClient client(port), honest(port);
  ASSERT_EQ(client.upgrade("/ws"), 101);
  ASSERT_EQ(honest.upgrade("/ws"), 101);
  // Says that 2 GB follow, and sends.
  ASSERT_TRUE(client.send(std::string("\x81\xff\0\0\0\0\x7f\0\0\0mask", 14)));
  const std::string piece(1 << 20, 'x');
  std::size_t sent = 0;
  while (sent < 2000 && client.send(piece, 2)) ++sent;
  EXPECT_LT(sent, 1000u);  // MB
  EXPECT_TRUE(waitForClients(1));
  // Many short ones are no such message.
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(honest.sendText(std::string(1000, 'x')));
  for (int i = 0; i < 3001; ++i) ASSERT_TRUE(honest.receive()) << i;
}

TEST_F(HttpServerTest, ClientsBeyondTheMostAreRefused) {
  start({.mostClients = 2});
  RawClient a(port), b(port), c(port);
  EXPECT_EQ(a.upgrade("/ws"), 101);
  EXPECT_EQ(b.upgrade("/ws"), 101);
  ASSERT_TRUE(waitForClients(2));
  EXPECT_NE(c.upgrade("/ws"), 101);
  a.close();
  ASSERT_TRUE(waitForClients(1));
  RawClient d(port);
  EXPECT_EQ(d.upgrade("/ws"), 101);
}

TEST_F(HttpServerTest, ClientThatTakesNothingIsDropped) {
  std::vector<std::shared_ptr<WebSocketClient>> clients;
  HttpServer flood({.port = 0, .patience = 0.5});
  std::mutex mutex;
  flood.webSocket("/ws", {.onOpen = [&](const auto& c) {
                    const std::lock_guard lock(mutex);
                    clients.push_back(c);
                  }});
  flood.start();
  RawClient deaf(flood.port());
  ASSERT_EQ(deaf.upgrade("/ws"), 101);
  const auto bytes = std::make_shared<const std::vector<std::byte>>(1 << 20);
  const auto begin = Clock::now();
  bool isDropped = false;
  while (!isDropped && secondsSince(begin) < 10) {
    {
      const std::lock_guard lock(mutex);
      if (!clients.empty()) {
        clients[0]->sendLatest(bytes);
        isDropped = clients[0]->isDropped();
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(isDropped);
  EXPECT_GT(secondsSince(begin), 0.4);
  while (flood.clientCount() > 0 && secondsSince(begin) < 10)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(flood.clientCount(), 0);
}

TEST_F(HttpServerTest, HalfOpenConnectionsLetOthersThrough) {
  start({.mostClients = 4, .patience = 0.5});
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 60; ++i) {
    silent.push_back(std::make_unique<RawClient>(port));
    if (i % 3 == 1) silent.back()->send("GET / HT");
    if (i % 3 == 2)
      silent.back()->send(
          "POST /picture/1 HTTP/1.1\r\nHost: localhost\r\n"
          "Content-Length: 100\r\n\r\nhalf");
  }
  RawClient client(port);
  ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  const std::optional<std::string> answer = client.receiveAll(15);
  ASSERT_TRUE(answer);
  EXPECT_NE(answer->find("root?"), std::string::npos);
}

TEST_F(HttpServerTest, StopsAtOnceWithSpectators) {
  start();
  RawClient spectator(port), inMessage(port);
  ASSERT_EQ(spectator.upgrade("/ws"), 101);
  ASSERT_EQ(inMessage.upgrade("/ws"), 101);
  inMessage.send(std::string("\x81\xfe\x10\x00mask", 8));
  ASSERT_TRUE(waitForClients(2));
  const auto begin = Clock::now();
  server->stop();
  EXPECT_LT(secondsSince(begin), 1);
  EXPECT_EQ(closed, 2);
  server->stop();
  EXPECT_FALSE(server->isRunning());
  EXPECT_FALSE(RawClient(port).isConnected());
}

TEST_F(HttpServerTest, StopsSoonWithRequestsHalfSent) {
  start({.patience = 60});
  RawClient idle(port), half(port);
  half.send("GET");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto begin = Clock::now();
  server->stop();
  EXPECT_LT(secondsSince(begin), 3);
}

TEST_F(HttpServerTest, SignalsOfTheProcessStay) {
  struct sigaction before {};
  sigaction(SIGCHLD, nullptr, &before);
  start();
  struct sigaction after {};
  sigaction(SIGCHLD, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST_F(HttpServerTest, PeerSocketIsFound) {
  EXPECT_EQ(findPeerSocket("127.0.0.1", 1, 2), -1);
  start();
  RawClient client(port);
  ASSERT_EQ(client.upgrade("/ws"), 101);
  const int socket = findPeerSocket("127.0.0.1", client.port(), port);
  ASSERT_GE(socket, 0);
  setSocketBuffers(socket, 1 << 16, 1 << 16);
  endConnection(socket);
  EXPECT_TRUE(waitForClients(0));
  touchPort("127.0.0.1", port);
  EXPECT_EQ(request(port, "GET", "/").status, 200);
}

}  // namespace
}  // namespace espalier
