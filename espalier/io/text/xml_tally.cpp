#include "espalier/io/text/xml_tally.h"

#include <algorithm>

#include "espalier/io/text/template_array.h"

namespace espalier::io {
namespace {

/// Runs of quoted text up to the tag's '>'; `at` is then behind that.
std::size_t countQuoted(std::string_view text, std::size_t& at) {
  std::size_t count = 0;
  while ((at = text.find_first_of("\"'>", at)) != text.npos && text[at] != '>') {
    ++count;
    at = text.find(text[at], at + 1);
    if (at == text.npos) break;
    ++at;
  }
  at = at == text.npos ? text.size() : at + 1;
  return count;
}

}  // namespace

XmlTally tallyXml(std::string_view text) {
  XmlTally tally;
  std::size_t at = 0, counted = 0;
  int line = 1;
  while ((at = text.find('<', at)) != text.npos) {
    const std::string_view rest = text.substr(at);
    const std::size_t begin = at;
    if (const std::string_view piece = untouchedPiece(rest); !piece.empty()) {
      ++tally.elements;
      at += piece.size();
      continue;
    }
    tally.elements += rest.substr(0, 2) != "</";
    const std::size_t attributes = countQuoted(text, at);
    if (attributes <= tally.attributes) continue;
    line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                        text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    counted = begin;
    tally.attributes = attributes;
    tally.line = line;
  }
  return tally;
}

}  // namespace espalier::io
