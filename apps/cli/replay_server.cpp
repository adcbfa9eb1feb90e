#include "apps/cli/replay_server.h"

#include "apps/cli/json.h"
#include "espalier/server/http_server.h"
#include "espalier/visual/page.h"

namespace espalier::cli {

void addReplayRoutes(HttpServer& server, std::span<const std::byte> recording) {
  // The server is not started yet and has no token, and its page is the same for all.
  server.route("GET", "/", [&server](const HttpRequest&) {
    const Json config{{"mode", "replay"}, {"token", server.token()}};
    return HttpResponse::text(200, "text/html; charset=utf-8", filledPage(config.dump()));
  });
  server.route("GET", "/recording", [recording](const HttpRequest&) {
    HttpResponse response;
    response.type = "application/octet-stream";
    response.body = recording;
    return response;
  });
}

}  // namespace espalier::cli
