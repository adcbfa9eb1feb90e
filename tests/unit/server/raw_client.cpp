#include "tests/unit/server/raw_client.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>

namespace espalier::testing {
namespace {

using Clock = std::chrono::steady_clock;

/// Rounded up, so that a short wait is one.
int millisecondsUntil(Clock::time_point end) {
  return static_cast<int>(std::max<std::int64_t>(
      0, std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count()));
}

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6));
}

}  // namespace

RawClient::RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) close();
}

RawClient::~RawClient() { close(); }

void RawClient::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

int RawClient::port() const {
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

bool RawClient::send(const std::string& bytes, double seconds) {
  const Clock::time_point end = after(seconds);
  std::size_t sent = 0;
  while (socket_ >= 0 && sent < bytes.size()) {
    pollfd out{socket_, POLLOUT, 0};
    if (::poll(&out, 1, millisecondsUntil(end)) <= 0) return false;
    const ssize_t n =
        ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return socket_ >= 0;
}

bool RawClient::fill(double seconds) {
  pollfd in{socket_, POLLIN, 0};
  if (socket_ < 0 || ::poll(&in, 1, millisecondsUntil(after(seconds))) <= 0) return false;
  char piece[65536];
  const ssize_t n = ::recv(socket_, piece, sizeof(piece), 0);
  if (n <= 0) {
    close();
    return false;
  }
  buffer_.append(piece, static_cast<std::size_t>(n));
  return true;
}

std::optional<std::string> RawClient::receiveAll(double seconds) {
  const Clock::time_point end = after(seconds);
  while (fill(millisecondsUntil(end) / 1000.0)) {
  }
  if (socket_ >= 0) return std::nullopt;
  return buffer_;
}

int RawClient::upgrade(const std::string& path, const std::string& headers) {
  std::string text = "GET " + path + " HTTP/1.1\r\n" + headers;
  if (headers.find("Host:") == std::string::npos) text += "Host: localhost\r\n";
  text +=
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  if (!send(text)) return 0;
  while (buffer_.find("\r\n\r\n") == std::string::npos)
    if (!fill(5)) return buffer_.size() > 12 ? std::stoi(buffer_.substr(9, 3)) : 0;
  const std::string head = buffer_.substr(0, buffer_.find("\r\n\r\n"));
  buffer_.erase(0, head.size() + 4);
  // The answer to the key of RFC 6455, section 1.3.
  const bool isAccepted = head.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") != std::string::npos;
  const int status = std::stoi(head.substr(9, 3));
  return status == 101 && !isAccepted ? 0 : status;
}

bool RawClient::sendFrame(int opcode, const std::string& payload, bool isLast) {
  std::string frame(1, static_cast<char>(opcode | (isLast ? 0x80 : 0)));
  const std::uint64_t size = payload.size();
  const int bytes = size < 126 ? 0 : size < 65536 ? 2 : 8;
  frame += static_cast<char>(0x80 | (bytes == 0 ? static_cast<int>(size) : bytes == 2 ? 126 : 127));
  for (int i = bytes - 1; i >= 0; --i) frame += static_cast<char>(size >> (8 * i));
  const char mask[4] = {0x12, 0x34, 0x56, 0x78};
  frame.append(mask, 4);
  for (std::size_t i = 0; i < payload.size(); ++i)
    frame += static_cast<char>(payload[i] ^ mask[i % 4]);
  return send(frame);
}

std::optional<RawClient::Message> RawClient::receive(double seconds) {
  const Clock::time_point end = after(seconds);
  while (true) {
    if (buffer_.size() >= 2) {
      const auto at = [&](std::size_t i) { return static_cast<unsigned char>(buffer_[i]); };
      std::uint64_t size = at(1) & 0x7f;
      const std::size_t bytes = size == 126 ? 2 : size == 127 ? 8 : 0;
      if (buffer_.size() >= 2 + bytes) {
        if (bytes > 0) size = 0;
        for (std::size_t i = 0; i < bytes; ++i) size = size << 8 | at(2 + i);
        if (buffer_.size() >= 2 + bytes + size) {
          Message message{at(0) & 0xf, buffer_.substr(2 + bytes, size)};
          buffer_.erase(0, 2 + bytes + size);
          return message;
        }
      }
    }
    if (!fill(millisecondsUntil(end) / 1000.0)) return std::nullopt;
  }
}

Reply request(int port, const std::string& method, const std::string& target,
              const std::string& headers, const std::string& body) {
  RawClient client(port);
  std::string text = method + " " + target + " HTTP/1.1\r\n" + headers;
  if (headers.find("Host:") == std::string::npos) text += "Host: localhost\r\n";
  if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  client.send(text + "\r\n" + body);
  const std::string answer = client.receiveAll().value_or("");
  Reply reply;
  if (answer.size() < 12) return reply;
  reply.status = std::stoi(answer.substr(9, 3));
  const std::size_t end = answer.find("\r\n\r\n");
  reply.head = answer.substr(0, end);
  if (end != std::string::npos) reply.body = answer.substr(end + 4);
  return reply;
}

}  // namespace espalier::testing
