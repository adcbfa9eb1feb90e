#include "espalier/server/page_route.h"

#include <nlohmann/json.hpp>

#include "espalier/visual/page.h"

namespace espalier {
namespace {

/// Sites that may show the page in a frame: itself and this machine's, as a notebook.
constexpr const char* frame_policy = "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*";

constexpr const char* without_page =
    "<!doctype html><meta charset=\"utf-8\"><title>Espalier</title>"
    "<p>This build of Espalier has no viewer in it. Configure it with "
    "<code>-DESPALIER_VIEWER=ON</code>, which needs node 18 and npm.</p>\n";

}  // namespace

HttpHandler pageRoute(const std::string& mode, const std::string& token) {
  nlohmann::json config = {{"mode", mode}};
  if (!token.empty()) config["token"] = token;
  const auto page = std::make_shared<const std::string>(
      pageGzip().empty() ? std::string(without_page) : filledPage(config.dump()));
  return [page](const HttpRequest&) {
    HttpResponse response;
    response.type = "text/html; charset=utf-8";
    response.headers = {{"Cache-Control", "no-store"}, {"Content-Security-Policy", frame_policy}};
    response.body = std::as_bytes(std::span(page->data(), page->size()));
    response.owner = page;
    return response;
  };
}

}  // namespace espalier
