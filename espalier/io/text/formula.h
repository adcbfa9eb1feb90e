#pragma once

// Formulas of coordinates: text to traced numbers (model/spec/trace.h), for <constraint>.
//
//   formula  = term { (+ | -) term }
//   term     = factor { (* | /) factor }
//   factor   = (+ | -) factor | atom [^ n]              n = 1 .. 9;  -x^2 is -(x^2)
//   atom     = number | pi | name | name ( formula {, formula} ) | ( formula )
//
// Functions: sin cos tan sqrt of one formula, fma(a, b, c) = a b + c rounded once.

#include <map>
#include <string>
#include <string_view>

#include "espalier/model/spec/trace.h"

namespace espalier::io {

using NamedValues = std::map<std::string, Traced, std::less<>>;

struct Formula {
  Traced value;
  std::string problem;  ///< empty where all went well
};
Formula readFormula(std::string_view text, const NamedValues& names);

/// Whether a name may stand for a value: letters, digits and _, no digit first, nothing that
/// formulas use themselves.
bool isFormulaName(std::string_view name);

}  // namespace espalier::io
