#pragma once

// Templates of robot and world files: placeholders are filled in before the XML is read.
//
//   @@name          the parameter as it is written; in attribute values and in element text
//   {expression}    its value, in attribute values: + - * / ^, comparisons, c ? a : b, sin, cos,
//                   tan, sqrt, exp, log (natural), abs, min, max, pi ...; names and @@names of
//                   parameters. Printed with 17 digits.
//   <array idx="@@i" start="0" end="3" increment="1"> ... </array>
//                   its content, once for each i = start, start + increment, ... up to and with
//                   end; arrays may stand in arrays
//
// Comments, CDATA, ${...} and elements that the reader leaves out stay as they are, and so does a text
// with no @@, { and <array.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/reading_budget.h"

namespace espalier::io {

struct ExpandedText {
  std::string text;
  /// lines[i]: which line of the template the line i + 1 of text comes from; empty: the same.
  std::vector<int> lines;
};

/// The text with everything filled in.
///   in   name     its name in remarks
///   in   budget   counts the text filled in, and the copies of arrays
///   in   ignored  names of elements that stay as they are, with all they hold
///   out  none where a variable is not set, an expression has no finite value, an array has no end
///        or the budget is exceeded; every such place with its line
Expected<ExpandedText> expandTemplate(std::string_view text,
                                      const std::map<std::string, std::string>& parameters,
                                      const std::string& name, ReadingBudget& budget,
                                      std::span<const std::string_view> ignored = {});
/// The same with a budget of its own, of the default limits.
Expected<ExpandedText> expandTemplate(std::string_view text,
                                      const std::map<std::string, std::string>& parameters = {},
                                      const std::string& name = "<text>");

/// One attribute's value with everything filled in.
///   in   line   where it stands, for remarks
Expected<std::string> expandValue(std::string_view value,
                                  const std::map<std::string, std::string>& parameters,
                                  const std::string& name, int line, ReadingBudget& budget);

}  // namespace espalier::io
