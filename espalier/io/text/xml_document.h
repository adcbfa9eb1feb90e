#pragma once

// Text to XML, with error messages of our own; and what can be told before: the kind of a file, from its
// outermost element, and how much XML it holds.

#include <tinyxml2.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {

/// The name of the first element of XML text, past its declaration, comments and document type;
/// empty where there is none. The text need not be well formed behind it.
std::string rootElement(std::string_view text);

struct XmlTally {
  std::size_t elements = 0;    ///< elements, comments, declarations and runs of CDATA
  std::size_t attributes = 0;  ///< the most that one element has
  int line = 0;                ///< 1-based, of that element; 0 where there is none
};

/// Never less than the number that a parser finds in well-formed text.
///   cost O(text)
XmlTally tallyXml(std::string_view text);

/// False, and an Error, where the text is no XML or exceeds the budget.
///   in   kind     name of such a file in remedies: "a URDF file"
///   in   budget   the elements are taken from it
bool parseXml(XmlReader& xml, std::string_view text, std::string_view kind, ReadingBudget& budget,
              tinyxml2::XMLDocument& document);

/// The outermost element; null, and an Error with the remedy, where it is none of these.
const XMLElement* rootOf(XmlReader& xml, const tinyxml2::XMLDocument& document, Names names,
                         std::string remedy);

}  // namespace espalier::io
