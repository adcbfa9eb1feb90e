#pragma once

// Collision groups and masks as files write them.

#include <cstdint>

#include "espalier/io/text/xml_reader.h"

namespace tinyxml2 {
class XMLAttribute;
}

namespace espalier::io {

/// A whole number, -1 for all bits, or RaiSim's collision[i|j|...] with bits from 0 to 63.
std::uint64_t readBits(XmlReader& xml, const XMLElement& e, const tinyxml2::XMLAttribute& attribute,
                       std::uint64_t fallback);
/// The same by the attribute's name; fallback where it is absent.
std::uint64_t readBits(XmlReader& xml, const XMLElement& e, const char* attribute,
                       std::uint64_t fallback);

}  // namespace espalier::io
