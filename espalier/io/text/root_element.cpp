#include "espalier/io/text/root_element.h"

namespace espalier::io {
namespace {

/// End of the construct that begins at `from`; npos where it has none.
std::size_t endOfMarkup(std::string_view text, std::size_t from) {
  const std::string_view rest = text.substr(from);
  const std::string_view end =
      rest.substr(0, 4) == "<!--" ? "-->" : (rest.substr(0, 2) == "<?" ? "?>" : ">");
  const std::size_t at = text.find(end, from + 2);
  return at == std::string_view::npos ? at : at + end.size();
}

}  // namespace

std::string rootElement(std::string_view text) {
  std::size_t at = text.find('<');
  while (at != std::string_view::npos && at + 1 < text.size() &&
         (text[at + 1] == '!' || text[at + 1] == '?')) {
    at = endOfMarkup(text, at);
    if (at != std::string_view::npos) at = text.find('<', at);
  }
  if (at == std::string_view::npos) return {};
  const std::size_t end = text.find_first_of(" \t\r\n/>", at + 1);
  return std::string(text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1));
}

}  // namespace espalier::io
