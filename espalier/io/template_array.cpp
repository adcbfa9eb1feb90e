#include "espalier/io/template_array.h"

#include <algorithm>

namespace espalier::io {
namespace {

constexpr std::string_view white_space = " \t\r\n";

std::string_view through(std::string_view text, std::string_view mark) {
  const std::size_t end = text.find(mark);
  return text.substr(0, end == text.npos ? end : end + mark.size());
}

/// From < to >, quoted ones passed over.
std::string_view tagAt(std::string_view text) {
  std::size_t at = 0;
  while (true) {
    at = text.find_first_of("\"'>", at);
    if (at == text.npos) return text;
    if (text[at] == '>') return text.substr(0, at + 1);
    at = text.find(text[at], at + 1);
    if (at == text.npos) return text;
    ++at;
  }
}

std::map<std::string, std::string> attributesOf(std::string_view tag) {
  std::map<std::string, std::string> result;
  tag.remove_prefix(std::min(tag.find_first_of(white_space), tag.size()));
  while (true) {
    const std::size_t open = tag.find_first_of("\"'");
    if (open == tag.npos) return result;
    const std::size_t close = tag.find(tag[open], open + 1);
    if (close == tag.npos) return result;
    std::string_view name = tag.substr(0, open);
    name = name.substr(0, name.find('='));
    const std::size_t first = name.find_first_not_of(white_space);
    if (first != name.npos) {
      name = name.substr(first, name.find_last_not_of(white_space) - first + 1);
      result.emplace(name, tag.substr(open + 1, close - open - 1));
    }
    tag.remove_prefix(close + 1);
  }
}

bool closesArray(std::string_view text) {
  if (text.substr(0, 7) != "</array") return false;
  const std::size_t end = text.find_first_not_of(white_space, 7);
  return end != text.npos && text[end] == '>';
}

bool closesItself(std::string_view tag) { return tag.size() > 1 && tag[tag.size() - 2] == '/'; }

}  // namespace

bool beginsArray(std::string_view text) {
  constexpr std::string_view open = "<array";
  if (text.substr(0, open.size()) != open || text.size() == open.size()) return false;
  return (std::string(white_space) + "/>").find(text[open.size()]) != std::string::npos;
}

std::string_view untouchedPiece(std::string_view text) {
  if (text.substr(0, 4) == "<!--") return through(text, "-->");
  if (text.substr(0, 9) == "<![CDATA[") return through(text, "]]>");
  if (text.substr(0, 2) == "<?" || text.substr(0, 2) == "<!") return through(text, ">");
  return {};
}

ArrayElement scanArray(std::string_view text) {
  ArrayElement array;
  array.tag = tagAt(text);
  array.attributes = attributesOf(array.tag);
  const std::size_t begin = array.tag.size();
  if (closesItself(array.tag)) {
    array.whole = array.tag;
    array.isClosed = true;
    return array;
  }
  int depth = 1;
  std::size_t at = begin;
  while ((at = text.find('<', at)) != text.npos) {
    const std::string_view rest = text.substr(at);
    if (const std::string_view piece = untouchedPiece(rest); !piece.empty()) {
      at += piece.size();
      continue;
    }
    const std::string_view tag = tagAt(rest);
    if (closesArray(rest)) --depth;
    if (beginsArray(rest) && !closesItself(tag)) ++depth;
    at += tag.size();
    if (depth > 0) continue;
    array.body = text.substr(begin, at - tag.size() - begin);
    array.whole = text.substr(0, at);
    array.isClosed = true;
    return array;
  }
  array.body = text.substr(begin);
  array.whole = text;
  return array;
}

}  // namespace espalier::io
