#include "espalier/server/peer_socket.h"

#include <arpa/inet.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace espalier {
namespace {

struct Address {
  std::string host;
  int port = -1;
};

Address toAddress(const sockaddr_storage& storage) {
  char text[INET6_ADDRSTRLEN] = "";
  if (storage.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(storage);
    inet_ntop(AF_INET, &v4.sin_addr, text, sizeof(text));
    return {text, ntohs(v4.sin_port)};
  }
  if (storage.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(storage);
    inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof(text));
    return {text, ntohs(v6.sin6_port)};
  }
  return {};
}

bool isConnection(int socket, const std::string& peer, int peerPort, int serverPort) {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return false;
  const Address there = toAddress(storage);
  if (there.port != peerPort || there.host != peer) return false;
  size = sizeof(storage);
  return getsockname(socket, reinterpret_cast<sockaddr*>(&storage), &size) == 0 &&
         toAddress(storage).port == serverPort;
}

}  // namespace

int findPeerSocket(const std::string& peer, int peerPort, int serverPort) {
  std::error_code error;
  for (std::filesystem::directory_iterator at("/proc/self/fd", error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }))
      continue;
    const int socket = std::atoi(name.c_str());
    if (isConnection(socket, peer, peerPort, serverPort)) return socket;
  }
  return -1;
}

void setSocketBuffers(int socket, int send, int receive) {
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &send, sizeof(send));
  setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receive, sizeof(receive));
}

std::uint64_t bytesReceived(int socket) {
#ifdef TCP_INFO
  tcp_info info{};
  socklen_t size = sizeof(info);
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0) return info.tcpi_bytes_received;
#endif
  return 0;
}

void endConnection(int socket) { shutdown(socket, SHUT_RDWR); }

void touchPort(const std::string& host, int port) {
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  v4.sin_family = AF_INET;
  v6.sin6_family = AF_INET6;
  v4.sin_port = v6.sin6_port = htons(static_cast<std::uint16_t>(port));
  const bool isV6 = inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) == 1;
  if (!isV6 && inet_pton(AF_INET, host.c_str(), &v4.sin_addr) != 1)
    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int socket = ::socket(isV6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (socket < 0) return;
  (void)!(isV6 ? connect(socket, reinterpret_cast<const sockaddr*>(&v6), sizeof(v6))
               : connect(socket, reinterpret_cast<const sockaddr*>(&v4), sizeof(v4)));
  close(socket);
}

}  // namespace espalier
