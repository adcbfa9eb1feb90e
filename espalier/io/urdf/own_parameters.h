#pragma once

// The <params> a template brings with it: <params> <NAME value="..."/> ... </params>, right inside
// the outermost element.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/reading_budget.h"

namespace espalier::io {

struct OwnParameter {
  std::string name, value;
  int line = 0;
};

struct OwnParameters {
  std::vector<OwnParameter> all;  ///< in their order, those without errors
  bool isXml = true;              ///< false: the text cannot be read any further
};

enum class Precedence { Given, Own };

/// Every parameter of a template's <params>. A value may be a template itself, which knows the
/// given parameters and the own ones before it.
///   in   given        from outside
///   in   precedence   which of the two counts where a name has both
///   in   kind         name of such a file in remedies: "a URDF file"
///   in   folder       value of [THIS_DIR]
///   in   budget       a value that is too long is an Error, so is a text that exceeds it
///   out  diagnostics  appended to
OwnParameters readOwnParameters(std::string_view text,
                                const std::map<std::string, std::string>& given,
                                Precedence precedence, std::string_view kind,
                                const std::string& name, const std::string& folder,
                                ReadingBudget& budget, Diagnostics& diagnostics);

}  // namespace espalier::io
