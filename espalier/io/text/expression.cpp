#include "espalier/io/text/expression.h"

#include <muParser.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "espalier/io/text/numbers.h"

namespace espalier::io {
namespace {

// Longer ones are no formulas; the parser's cost grows with them.
constexpr std::size_t longest = 4096;

bool isName(const std::string& text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  for (const char c : text) {
    const bool good =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!good) return false;
  }
  return true;
}

}  // namespace

struct Expression::Parser {
  mu::Parser mu;
};

Expression::Expression(const std::map<std::string, std::string>& parameters)
    : parser_(std::make_unique<Parser>()) {
  parser_->mu.DefineConst("pi", std::numbers::pi);
  for (const auto& [name, text] : parameters) {
    const std::optional<double> value = parseNumber(trimmed(text));
    if (!value || !isName(name)) continue;
    try {
      parser_->mu.DefineConst(name, *value);
    } catch (const mu::ParserError&) {
      // The name of a function; @@name still reaches the parameter.
    }
  }
}

Expression::~Expression() = default;

Expression::Result Expression::evaluate(const std::string& text) {
  Result result;
  if (text.size() > longest) {
    result.problem = "it is longer than " + std::to_string(longest) + " characters";
    return result;
  }
  try {
    parser_->mu.SetExpr(text);
    result.value = parser_->mu.Eval();
    if (!std::isfinite(result.value)) result.problem = "its value is not finite";
  } catch (const mu::ParserError& e) {
    result.problem = e.GetMsg();
    if (e.GetCode() == mu::ecUNASSIGNABLE_TOKEN && isName(e.GetToken()))
      result.variable = e.GetToken();
  }
  return result;
}

}  // namespace espalier::io
