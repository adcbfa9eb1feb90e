#include "espalier/io/text/template_array.h"

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

/// Whether <name or </name begins there and ends with its name.
bool begins(std::string_view text, std::string_view mark, std::string_view name,
            std::string_view ends) {
  const std::size_t length = mark.size() + name.size();
  return text.substr(0, mark.size()) == mark && text.substr(mark.size(), name.size()) == name &&
         text.size() > length && ends.find(text[length]) != ends.npos;
}
bool opens(std::string_view text, std::string_view name) {
  return begins(text, "<", name, " \t\r\n/>");
}
bool closes(std::string_view text, std::string_view name) {
  return begins(text, "</", name, " \t\r\n>");
}

bool closesItself(std::string_view tag) { return tag.size() > 1 && tag[tag.size() - 2] == '/'; }

/// An element: its body between its tags, and the whole.
struct Extent {
  std::string_view body, whole;
  bool isClosed = false;  ///< false: both go to the text's end
};

/// The element at the beginning of text, those of the same name inside it and comments passed over.
///   in  tag  its first one
Extent extentOf(std::string_view text, std::string_view name, std::string_view tag) {
  if (closesItself(tag)) return {{}, tag, true};
  const std::size_t begin = tag.size();
  int depth = 1;
  std::size_t at = begin;
  while ((at = text.find('<', at)) != text.npos) {
    const std::string_view rest = text.substr(at);
    if (const std::string_view piece = untouchedPiece(rest); !piece.empty()) {
      at += piece.size();
      continue;
    }
    const std::string_view next = tagAt(rest);
    if (closes(rest, name)) --depth;
    if (opens(rest, name) && !closesItself(next)) ++depth;
    at += next.size();
    if (depth == 0) return {text.substr(begin, at - next.size() - begin), text.substr(0, at), true};
  }
  return {text.substr(begin), text, false};
}

}  // namespace

bool beginsArray(std::string_view text) { return opens(text, "array"); }

std::string_view untouchedPiece(std::string_view text) {
  if (text.substr(0, 4) == "<!--") return through(text, "-->");
  if (text.substr(0, 9) == "<![CDATA[") return through(text, "]]>");
  if (text.substr(0, 2) == "<?") return through(text, "?>");
  if (text.substr(0, 2) == "<!") return through(text, ">");
  return {};
}

ArrayElement scanArray(std::string_view text) {
  ArrayElement array;
  array.tag = tagAt(text);
  array.attributes = attributesOf(array.tag);
  const Extent extent = extentOf(text, "array", array.tag);
  array.body = extent.body;
  array.whole = extent.whole;
  array.isClosed = extent.isClosed;
  return array;
}

std::string_view elementOf(std::string_view text, std::span<const std::string_view> names) {
  for (const std::string_view name : names)
    if (opens(text, name)) return extentOf(text, name, tagAt(text)).whole;
  return {};
}

}  // namespace espalier::io
