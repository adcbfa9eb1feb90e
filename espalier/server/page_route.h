#pragma once

// The page, as a route of the server.

#include <string>

#include "espalier/server/http_server.h"

namespace espalier {

/// Answers with the page of this library, its configuration filled in; where the library was built
/// without it, with a short page that says so.
///   in  mode   live or replay (docs/viewer_protocol.md)
///   in  token  that the page sends with every request; empty: none
HttpHandler pageRoute(const std::string& mode, const std::string& token);

}  // namespace espalier
