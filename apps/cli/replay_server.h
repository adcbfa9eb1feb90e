#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "apps/cli/recording_file.h"
#include "espalier/server/http_server.h"

namespace espalier::cli {

/// The routes of a page that replays a recording: the page itself and `/recording`.
///   in  recording  bytes of an .esp file; they outlive the server
void addReplayRoutes(HttpServer& server, std::span<const std::byte> recording);

/// Serves a recording's page until Ctrl-C.
///   in      announce  called with the address
///   errors  throws std::runtime_error where the library was built without the page
void serveReplay(const RecordingFile& recording, const HttpServerOptions& options,
                 const std::function<void(const std::string& url)>& announce);

}  // namespace espalier::cli
