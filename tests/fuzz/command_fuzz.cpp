#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "espalier/server/command.h"
#include "espalier/server/http_checks.h"

/// Whether a text ends in another one, capitals or not.
static bool endsLike(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         std::equal(
             end.begin(), end.end(), text.end() - static_cast<std::ptrdiff_t>(end.size()),
             [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

/// A message of a page; and, cut at its newlines, the headers of a request.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace espalier;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto command = parseCommand(text);
  if (const auto* error = std::get_if<CommandError>(&command))
    if (toJson(*error).empty() || error->what.empty()) std::abort();
  const std::size_t first = text.find('\n'), second = text.find('\n', first + 1);
  if (first == text.npos || second == text.npos) return 0;
  const RequestOrigin origin{text.substr(0, first), text.substr(first + 1, second - first - 1),
                             text.substr(second + 1)};
  // A local server answers to no other name, and no page of another site.
  const bool isGood = !refusal(origin, true, "");
  if (isGood && !isLoopback(hostName(origin.host))) std::abort();
  if (isGood && !origin.origin.empty() && !endsLike(origin.origin, origin.host)) std::abort();
  if (!refusal(origin, false, "0123456789abcdef") &&
      queryValue(origin.query, "token") != "0123456789abcdef")
    std::abort();
  return 0;
}
