#pragma once

// Text to XML, with what is wrong said in our words.

#include <tinyxml2.h>

#include <string_view>

#include "espalier/io/xml_reader.h"

namespace espalier::io {

/// False, and an Error, where the text is no XML.
///   in   kind   what the remedies call such a file: "a URDF file"
bool parseXml(XmlReader& xml, std::string_view text, std::string_view kind,
              tinyxml2::XMLDocument& document);

}  // namespace espalier::io
