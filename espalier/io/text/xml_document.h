#pragma once

// Text to XML, with error messages of our own.

#include <tinyxml2.h>

#include <string_view>

#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {

/// False, and an Error, where the text is no XML or exceeds the budget.
///   in   kind     name of such a file in remedies: "a URDF file"
///   in   budget   the elements are taken from it
bool parseXml(XmlReader& xml, std::string_view text, std::string_view kind, ReadingBudget& budget,
              tinyxml2::XMLDocument& document);

}  // namespace espalier::io
