#pragma once

// <array idx="@@i" start="0" end="3" increment="1"> ... </array>: where one begins and ends, found
// before the XML is read.

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace espalier::io {

struct ArrayElement {
  std::map<std::string, std::string> attributes;  ///< as written
  std::string_view tag;                           ///< from < to >
  std::string_view body;                          ///< between the tags
  std::string_view whole;                         ///< with both tags
  bool isClosed = false;                          ///< false: body and whole go to the text's end
};

/// Whether an <array> opens at the beginning of text.
bool beginsArray(std::string_view text);

/// The array at the beginning of text, those inside it and comments passed over.
///   pre  beginsArray(text)
ArrayElement scanArray(std::string_view text);

/// The whole element of one of these names at the beginning of text, with those of the same name inside
/// it, up to the text's end where it is not closed; empty where there is none.
std::string_view elementOf(std::string_view text, std::span<const std::string_view> names);

/// The piece of XML that no template looks into at the beginning of text (a comment, CDATA, a
/// declaration); empty where there is none.
std::string_view untouchedPiece(std::string_view text);

}  // namespace espalier::io
