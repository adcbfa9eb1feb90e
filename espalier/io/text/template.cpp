#include "espalier/io/text/template.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "espalier/io/text/expression.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/template_array.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {
namespace {

using Parameters = std::map<std::string, std::string>;

constexpr double largest_index = 1e9;       // exact as int and double
constexpr std::size_t cost_of_copy = 1024;  // bytes of the budget, for the time of one copy

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// A parameter inside an attribute must not end it.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&apos;"; break;
      case '\n':
      case '\r': result += ' '; break;  // lines keep their numbers
      default: result += c;
    }
  }
  return result;
}

/// Walks once over the XML, copies fixed text and fills in placeholders.
class Expander {
 public:
  /// depth: arrays around the text.
  Expander(std::string_view text, const Parameters& parameters, const std::string& name, int line,
           int depth, ReadingBudget& budget, std::span<const std::string_view> ignored = {})
      : text_(text),
        parameters_(parameters),
        name_(name),
        line_(line),
        depth_(depth),
        budget_(budget),
        ignored_(ignored),
        lines_{line} {}

  Expected<ExpandedText> run() {
    while (at_ < text_.size() && !isOver_) {
      const std::string_view rest = text_.substr(at_);
      if (const std::string_view piece = untouchedPiece(rest); !piece.empty())
        copy(take(at_ + piece.size()));
      else if (const std::string_view element = elementOf(rest, ignored_); !element.empty())
        copy(take(at_ + element.size()));
      else if (beginsArray(rest))
        array();
      else if (text_[at_] == '<')
        tag();
      else
        fill(take(text_.find('<', at_)), false);
    }
    return result();
  }

  Expected<ExpandedText> value() {
    fill(text_, true);
    return result();
  }

 private:
  Expected<ExpandedText> result() {
    if (diagnostics_.hasErrors()) return diagnostics_;
    return {ExpandedText{std::move(out_), std::move(lines_)}, diagnostics_};
  }

  /// The piece up to end, which is then behind us.
  std::string_view take(std::size_t end) {
    const std::string_view piece = text_.substr(at_, end == text_.npos ? end : end - at_);
    at_ += piece.size();
    return piece;
  }
  /// Appends to the result as far as the budget allows.
  void put(std::string_view piece) {
    if (!isOver_) charge(budget_.takeText(piece.size()));
    if (!isOver_) out_ += piece;
  }
  /// The Error of a budget that is exceeded; nothing is filled in behind it.
  void charge(const std::optional<ReadingBudget::Excess>& excess) {
    if (!excess) return;
    isOver_ = true;
    error(excess->what, excess->remedy);
  }
  void copy(std::string_view piece) {
    put(piece);
    const auto newlines = std::count(piece.begin(), piece.end(), '\n');
    for (auto i = 0 * newlines; i < newlines; ++i) lines_.push_back(++line_);
  }

  // ---- arrays

  void array() {
    const ArrayElement array = scanArray(text_.substr(at_));
    at_ += array.whole.size();
    const int first = line_ + countLines(array.tag);
    if (!array.isClosed) {
      error("the <array> is not closed", "add </array>");
    } else if (depth_ >= budget_.limits().depth) {
      error("arrays stand in arrays more than " + std::to_string(budget_.limits().depth) + " deep",
            "take some of them apart");
    } else {
      repeat(array, first);
    }
    line_ += countLines(array.whole);
    breakLine(line_);
  }

  void repeat(const ArrayElement& array, int first) {
    std::string index = attributeOf(array, "idx");
    if (index.substr(0, 2) == "@@") index.erase(0, 2);
    const bool isName = !index.empty() && std::all_of(index.begin(), index.end(), isNameCharacter);
    if (!isName) error("the <array> names no index", "add idx=\"@@i\"");
    const std::optional<double> start = wholeNumber(array, "start", "");
    const std::optional<double> end = wholeNumber(array, "end", "");
    const std::optional<double> increment = wholeNumber(array, "increment", "1");
    if (!isName || !start || !end || !increment) return;
    if (*increment <= 0) {
      error("the <array>'s increment is " + printNumber(*increment),
            "count upwards, in steps >= 1");
      return;
    }
    if (*start > *end) {
      diagnostics_.add({Severity::Note, name_, line_,
                        "the <array> repeats nothing: its start lies beyond its end",
                        "nothing to do if that is meant"});
    }
    const double copies = std::max(0.0, std::floor((*end - *start) / *increment) + 1);
    // Every array takes the cost of its copies before it is repeated; their text, each itself.
    const auto cost = static_cast<double>(array.body.size() + cost_of_copy);
    if (copies * cost > static_cast<double>(budget_.textLeft())) {
      const std::size_t bytes = budget_.limits().textBytes;
      budget_.takeText(bytes + 1);
      isOver_ = true;
      error("the <array> repeats too much", "a file is filled in up to " +
                                                std::to_string(bytes / cost_of_copy) +
                                                " copies or " + std::to_string(bytes) + " bytes");
      return;
    }
    charge(
        budget_.takeText(static_cast<std::size_t>(copies) * cost_of_copy + bytesOf(parameters_)));
    Parameters scope = parameters_;
    for (double i = *start; i <= *end && !isOver_ && budget_.textLeft() > 0; i += *increment) {
      scope[index] = printNumber(i);
      append(Expander(array.body, scope, name_, first, depth_ + 1, budget_, ignored_).run(), first);
    }
  }

  /// Every copy begins on a line of its own, so that lines can be told apart.
  void append(const Expected<ExpandedText>& copy, int first) {
    for (const Diagnostic& d : copy.diagnostics().all()) {
      // Most say the same of every copy.
      if (said_.emplace(d.line, d.what).second) diagnostics_.add(d);
    }
    isOver_ = isOver_ || budget_.textLeft() == 0;
    if (!copy) return;
    breakLine(first);
    out_ += copy->text;
    lines_.insert(lines_.end(), copy->lines.begin() + 1, copy->lines.end());
  }
  void breakLine(int line) {
    out_ += '\n';
    lines_.push_back(line);
  }

  static std::size_t bytesOf(const Parameters& parameters) {
    std::size_t bytes = 0;
    for (const auto& [name, value] : parameters) bytes += name.size() + value.size();
    return bytes;
  }
  static int countLines(std::string_view piece) {
    return static_cast<int>(std::count(piece.begin(), piece.end(), '\n'));
  }
  static std::string attributeOf(const ArrayElement& array, const std::string& name) {
    const auto found = array.attributes.find(name);
    return found == array.attributes.end() ? std::string() : found->second;
  }

  /// An attribute of an <array>, filled in; an Error where it is not a whole number.
  std::optional<double> wholeNumber(const ArrayElement& array, const std::string& name,
                                    const std::string& fallback) {
    std::string text = attributeOf(array, name);
    if (text.empty()) text = fallback;
    const auto filled = Expander(text, parameters_, name_, line_, depth_, budget_).value();
    diagnostics_.append(filled.diagnostics());
    if (!filled) return std::nullopt;
    const std::optional<double> value = parseNumber(trimmed(filled->text));
    if (value && std::floor(*value) == *value && std::abs(*value) <= largest_index) return value;
    error("the <array>'s " + name + " is " + shown(filled->text) + ", not a whole number",
          "write " + name + "=\"0\", or whatever it is to be");
    return std::nullopt;
  }

  // ---- tags, attributes, text

  void tag() {
    while (at_ < text_.size()) {
      copy(take(text_.find_first_of("\"'>", at_)));
      if (at_ >= text_.size()) return;
      const char mark = text_[at_];
      copy(take(at_ + 1));
      if (mark == '>') return;
      fill(take(text_.find(mark, at_)), true);
      if (at_ < text_.size()) copy(take(at_ + 1));
    }
  }

  /// Fills in one attribute value or one run of text.
  void fill(std::string_view piece, bool braces) {
    while (!piece.empty() && !isOver_) {
      const std::size_t variable = piece.find("@@");
      const std::size_t brace = braces ? piece.find('{') : piece.npos;
      const std::size_t next = std::min(variable, brace);
      copy(piece.substr(0, next));
      if (next == piece.npos) return;
      const bool isForXacro = next == brace && next > 0 && piece[next - 1] == '$';
      piece.remove_prefix(next);
      if (next == variable) {
        const std::string name = takeName(piece);
        if (const std::string* value = lookUp(name)) put(escaped(*value));
        continue;
      }
      const std::size_t end = piece.find('}');
      const std::string_view whole = piece.substr(0, end == piece.npos ? end : end + 1);
      if (isForXacro) {
        copy(whole);
      } else if (end == piece.npos) {
        error("the brace in " + shown(piece) + " is not closed", "add }");
      } else {
        evaluate(whole.substr(1, whole.size() - 2));
        // Lines keep their numbers, also where an expression has several.
        copy(std::string(std::count(whole.begin(), whole.end(), '\n'), '\n'));
      }
      piece.remove_prefix(whole.size());
    }
  }

  /// @@name at the front of piece, which is then behind us.
  static std::string takeName(std::string_view& piece) {
    std::size_t end = 2;
    while (end < piece.size() && isNameCharacter(piece[end])) ++end;
    const std::string name(piece.substr(2, end - 2));
    piece.remove_prefix(end);
    return name;
  }

  const std::string* lookUp(const std::string& name) {
    if (const auto found = parameters_.find(name); found != parameters_.end())
      return &found->second;
    unset(name);
    return nullptr;
  }

  void evaluate(std::string_view inside) {
    std::string formula;
    bool isComplete = true;
    while (!inside.empty()) {
      const std::size_t next = inside.find("@@");
      formula += inside.substr(0, next);
      if (next == inside.npos) break;
      inside.remove_prefix(next);
      const std::string* value = lookUp(takeName(inside));
      isComplete = isComplete && value != nullptr;
      if (value != nullptr) formula += "(" + *value + ")";
      if (formula.size() > budget_.limits().parameterBytes)
        break;  // no formula: evaluate() says so
    }
    if (!isComplete) return;
    auto known = values_.find(formula);
    if (known == values_.end()) {
      if (!expression_) expression_.emplace(parameters_);
      known = values_.emplace(formula, expression_->evaluate(formula)).first;
    }
    const Expression::Result& result = known->second;
    if (result.problem.empty()) {
      put(printNumber(result.value));
    } else if (!result.variable.empty()) {
      unset(result.variable);
    } else {
      error("the expression " + shown(formula) + " has no value: " + result.problem,
            "correct it; names in it are those of the parameters");
    }
  }

  void unset(const std::string& name) {
    std::string known;
    for (const auto& [parameter, value] : parameters_)
      known += (known.empty() ? "" : ", ") + parameter;
    error("the template variable " + shown(name) + " is not set",
          "give it a value; " + (known.empty() ? "no parameters are set" : "set are " + known));
  }

  void error(std::string what, std::string remedy) {
    constexpr std::size_t most_errors = 200;
    if (diagnostics_.all().size() >= most_errors) return;
    diagnostics_.add({Severity::Error, name_, line_, std::move(what), std::move(remedy)});
  }

  std::string_view text_;
  const Parameters& parameters_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_;
  int depth_;
  ReadingBudget& budget_;
  std::span<const std::string_view> ignored_;
  bool isOver_ = false;  // the budget is exceeded
  std::string out_;
  std::vector<int> lines_;
  std::set<std::pair<int, std::string>> said_;
  std::optional<Expression> expression_;
  std::map<std::string, Expression::Result> values_;
  Diagnostics diagnostics_;
};

}  // namespace

Expected<ExpandedText> expandTemplate(std::string_view text, const Parameters& parameters,
                                      const std::string& name) {
  ReadingBudget budget;
  return expandTemplate(text, parameters, name, budget);
}

Expected<ExpandedText> expandTemplate(std::string_view text, const Parameters& parameters,
                                      const std::string& name, ReadingBudget& budget,
                                      std::span<const std::string_view> ignored) {
  const bool isPlain = text.find("@@") == text.npos && text.find('{') == text.npos &&
                       text.find("<array") == text.npos;
  if (isPlain) return ExpandedText{std::string(text), {}};
  return Expander(text, parameters, name, 1, 0, budget, ignored).run();
}

Expected<std::string> expandValue(std::string_view value, const Parameters& parameters,
                                  const std::string& name, int line, ReadingBudget& budget) {
  Expected<ExpandedText> expanded = Expander(value, parameters, name, line, 0, budget).value();
  if (!expanded) return expanded.diagnostics();
  return {std::move(expanded->text), expanded.diagnostics()};
}

}  // namespace espalier::io
