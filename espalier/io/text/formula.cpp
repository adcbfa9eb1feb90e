#include "espalier/io/text/formula.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <vector>

#include "espalier/io/text/numbers.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {
namespace {

struct Function {
  std::string_view name;
  std::size_t arguments;
  Traced (*of)(const std::vector<Traced>&);
};
using Arguments = std::vector<Traced>;
constexpr std::array<Function, 9> functions = {{
    {"sin", 1, [](const Arguments& x) { return sin(x[0]); }},
    {"cos", 1, [](const Arguments& x) { return cos(x[0]); }},
    {"tan", 1, [](const Arguments& x) { return tan(x[0]); }},
    {"asin", 1, [](const Arguments& x) { return asin(x[0]); }},
    {"acos", 1, [](const Arguments& x) { return acos(x[0]); }},
    {"atan", 1, [](const Arguments& x) { return atan(x[0]); }},
    {"atan2", 2, [](const Arguments& x) { return atan2(x[0], x[1]); }},
    {"sqrt", 1, [](const Arguments& x) { return sqrt(x[0]); }},
    {"fma", 3, [](const Arguments& x) { return fma(x[0], x[1], x[2]); }},
}};
constexpr int deepest = 100;

/// Null where there is none.
const Function* functionOf(std::string_view name) {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const Function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Goes down the rules; after a problem everything is zero until the end.
class FormulaReader {
 public:
  FormulaReader(std::string_view text, const NamedValues& names) : rest_(text), names_(names) {}

  Formula read() {
    Formula formula{sum(), {}};
    skip();
    if (problem_.empty() && !rest_.empty()) fail(shown(rest_) + " is left over");
    formula.problem = problem_;
    return formula;
  }

 private:
  void skip() {
    while (!rest_.empty() && isSpace(rest_.front())) rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  Traced fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
    rest_ = {};
    return 0.0;
  }

  Traced sum() {
    if (++depth_ > deepest) return fail("it is nested too deeply");
    Traced value = product();
    for (;;) {
      if (take('+')) {
        value = value + product();
      } else if (take('-')) {
        value = value - product();
      } else {
        --depth_;
        return value;
      }
    }
  }
  Traced product() {
    Traced value = factor();
    for (;;)
      if (take('*'))
        value = value * factor();
      else if (take('/'))
        value = value / factor();
      else
        return value;
  }
  Traced factor() {
    bool isNegative = false;
    for (;;)  // no recursion: a row of signs may be long
      if (take('-'))
        isNegative = !isNegative;
      else if (!take('+'))
        break;
    const Traced base = atom();
    Traced value = base;
    if (take('^')) {
      skip();
      if (rest_.empty() || rest_.front() < '1' || rest_.front() > '9' ||
          (rest_.size() > 1 && (isDigit(rest_[1]) || rest_[1] == '.')))
        return fail("a power is a whole number from 1 to 9");
      for (int n = rest_.front() - '0'; n > 1; --n) value = value * base;
      rest_.remove_prefix(1);
    }
    return isNegative ? -value : value;
  }
  Traced atom() {
    skip();
    if (rest_.empty()) return fail("it ends too early");
    if (isDigit(rest_.front()) || rest_.front() == '.') return number();
    if (isLetter(rest_.front())) return named();
    if (!take('(')) return fail(shown(rest_.substr(0, 1)) + " has no meaning");
    const Traced value = sum();
    if (!take(')')) return fail("a ')' is missing");
    return value;
  }
  Traced number() {
    std::size_t n = 0;
    while (n < rest_.size() &&
           (isDigit(rest_[n]) || rest_[n] == '.' || rest_[n] == 'e' || rest_[n] == 'E' ||
            ((rest_[n] == '-' || rest_[n] == '+') && (rest_[n - 1] | 0x20) == 'e')))
      ++n;
    const std::string_view digits = rest_.substr(0, n);
    const auto value = parseNumber(digits);
    if (!value) return fail(shown(digits) + " is no number");
    rest_.remove_prefix(n);
    return *value;
  }
  Traced named() {
    std::size_t n = 0;
    while (n < rest_.size() && (isLetter(rest_[n]) || isDigit(rest_[n]))) ++n;
    const std::string_view name = rest_.substr(0, n);
    rest_.remove_prefix(n);
    if (name == "pi") return std::numbers::pi;
    if (const Function* function = functionOf(name)) return call(*function);
    const auto place = names_.find(name);
    if (place == names_.end()) return fail("the name " + shown(name) + " is not known");
    return place->second;
  }
  Traced call(const Function& function) {
    if (!take('(')) return fail("a '(' is missing after " + shown(function.name));
    std::vector<Traced> of = {sum()};
    while (take(',')) of.push_back(sum());
    if (!take(')')) return fail("a ')' is missing");
    if (of.size() != function.arguments)
      return fail(shown(function.name) + " is a function of " + std::to_string(function.arguments));
    return function.of(of);
  }

  std::string_view rest_;
  const NamedValues& names_;
  std::string problem_;
  int depth_ = 0;
};

}  // namespace

Formula readFormula(std::string_view text, const NamedValues& names) {
  return FormulaReader(text, names).read();
}

bool isFormulaName(std::string_view name) {
  if (name.empty() || !isLetter(name.front()) || name == "pi") return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return isLetter(c) || isDigit(c); }) &&
         !functionOf(name);
}

}  // namespace espalier::io
