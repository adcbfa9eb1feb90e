#pragma once

// How much XML a text holds, counted before it is parsed.

#include <cstddef>
#include <string_view>

namespace espalier::io {

struct XmlTally {
  std::size_t elements = 0;    ///< elements, comments, declarations and runs of CDATA
  std::size_t attributes = 0;  ///< the most that one element has
  int line = 0;                ///< 1-based, of that element; 0 where there is none
};

/// Never less than the number that a parser finds in well-formed text.
///   cost O(text)
XmlTally tallyXml(std::string_view text);

}  // namespace espalier::io
