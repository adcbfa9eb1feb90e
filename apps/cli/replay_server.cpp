#include "apps/cli/replay_server.h"

#include <chrono>
#include <thread>

#include "apps/cli/interrupt.h"
#include "espalier/server/page_route.h"
#include "espalier/visual/page.h"

namespace espalier::cli {

void addReplayRoutes(HttpServer& server, std::span<const std::byte> recording) {
  server.route("GET", "/", pageRoute("replay", server.token()));
  server.route("GET", "/recording", [recording](const HttpRequest&) {
    HttpResponse response;
    response.type = "application/octet-stream";
    response.body = recording;
    return response;
  });
}

void serveReplay(const RecordingFile& recording, const HttpServerOptions& options,
                 const std::function<void(const std::string& url)>& announce) {
  HttpServer server(options);
  addReplayRoutes(server, recording.wholeBytes());
  filledPage("{}");  // refuses where there is no page
  server.start();
  catchInterrupts();
  announce(server.url());
  while (!wasInterrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

}  // namespace espalier::cli
