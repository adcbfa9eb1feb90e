#pragma once

// The socket of a connection that is known by its two ends. civetweb does not give its sockets away;
// with them a client that takes nothing can be disconnected at once, and the kernel kept from
// queueing seconds of frames for it.

#include <cstdint>
#include <string>

namespace espalier {

/// The file descriptor of this process that is connected to a peer; -1 where there is none.
///   in  peer        numerical address, as civetweb writes it
///   in  serverPort  the port of our end
int findPeerSocket(const std::string& peer, int peerPort, int serverPort);

/// Bounds the kernel's buffers of a connection in each direction, in bytes.
void setSocketBuffers(int socket, int send, int receive);

/// Bytes that have come in since the connection was made, also those that nobody has read; 0 where the
/// system does not count.
std::uint64_t bytesReceived(int socket);

/// Ends a connection in both directions: whoever reads or writes it returns. The socket stays open.
void endConnection(int socket);

/// Connects to a port of this machine and leaves at once.
void touchPort(const std::string& host, int port);

}  // namespace espalier
