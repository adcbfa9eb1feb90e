#include "espalier/io/text/root_element.h"

#include "espalier/io/text/template_array.h"

namespace espalier::io {

std::string rootElement(std::string_view text) {
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at)) {
    const std::string_view rest = text.substr(at), skipped = untouchedPiece(rest);
    if (skipped.empty()) return std::string(rest.substr(1, rest.find_first_of(" \t\r\n/>", 1) - 1));
    at += skipped.size();
  }
  return {};
}

}  // namespace espalier::io
