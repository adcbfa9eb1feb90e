#pragma once

#include <cstddef>
#include <span>

namespace espalier {
class HttpServer;
}

namespace espalier::cli {

/// The routes of a page that replays a recording: the page itself and `/recording`.
///   in  recording  bytes of an .esp file; they outlive the server
void addReplayRoutes(HttpServer& server, std::span<const std::byte> recording);

}  // namespace espalier::cli
