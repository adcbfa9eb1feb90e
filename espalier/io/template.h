#pragma once

// Templates of robot and world files: what is left open is filled in before the XML is read.
//
//   @@name          the parameter as it is written; in attribute values and in element text
//   {expression}    its value, in attribute values: + - * / ^, comparisons, c ? a : b, sin, cos,
//                   tan, sqrt, exp, log (natural), abs, min, max, pi ...; names and @@names of
//                   parameters. Printed with 17 digits.
//
// Comments, CDATA and ${...} stay as they are, and so does a text with neither @@ nor {. Lines
// keep their numbers.

#include <map>
#include <string>
#include <string_view>

#include "espalier/core/diagnostic.h"

namespace espalier::io {

/// The text with everything filled in.
///   in   name   what remarks call the text
///   out  none where a variable is not set or an expression has no finite value; every such place
///        with its line
Expected<std::string> expandTemplate(std::string_view text,
                                     const std::map<std::string, std::string>& parameters = {},
                                     const std::string& name = "<text>");

}  // namespace espalier::io
