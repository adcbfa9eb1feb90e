#pragma once

// A client of HTTP and WebSockets for tests, written against the RFCs (9112, 6455) and not with the
// server's library: it can also send what no honest client sends.

#include <cstdint>
#include <optional>
#include <string>

namespace espalier::testing {

class RawClient {
 public:
  /// Connects to 127.0.0.1.
  explicit RawClient(int port);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool isConnected() const { return socket_ >= 0; }
  /// False where the connection is broken, or the other side takes nothing for `seconds`.
  bool send(const std::string& bytes, double seconds = 5);
  /// All until the other side closes; none where it does not within `seconds`.
  std::optional<std::string> receiveAll(double seconds = 5);
  void close();
  int port() const;  ///< of this end
  int socket() const { return socket_; }

  // ---- WebSocket

  struct Message {
    int opcode = 0;
    std::string bytes;
  };
  /// The upgrade; the answer's status, 0 where there is none.
  int upgrade(const std::string& path, const std::string& headers = "");
  bool sendFrame(int opcode, const std::string& payload, bool isLast = true);
  bool sendText(const std::string& text) { return sendFrame(1, text); }
  /// The next message; none where the connection ends or nothing comes within `seconds`.
  std::optional<Message> receive(double seconds = 5);

 private:
  bool fill(double seconds);

  int socket_ = -1;
  std::string buffer_;
};

struct Reply {
  int status = 0;
  std::string head, body;
};

/// One request by HTTP/1.1 with these headers (lines that end in \r\n); "Host" is added where it is
/// not among them.
Reply request(int port, const std::string& method, const std::string& target,
              const std::string& headers = "", const std::string& body = "");

}  // namespace espalier::testing
