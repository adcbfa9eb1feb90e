#include "espalier/io/template.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "espalier/io/expression.h"
#include "espalier/io/numbers.h"
#include "espalier/io/xml_reader.h"

namespace espalier::io {
namespace {

using Parameters = std::map<std::string, std::string>;

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

/// Walks once over the XML, copies what is fixed and fills in what is open.
class Expander {
 public:
  Expander(std::string_view text, const Parameters& parameters, const std::string& name)
      : text_(text), parameters_(parameters), name_(name) {}

  Expected<std::string> run() {
    while (at_ < text_.size()) {
      if (startsWith("<!--")) {
        copyThrough("-->");
      } else if (startsWith("<![CDATA[")) {
        copyThrough("]]>");
      } else if (startsWith("<?") || startsWith("<!")) {
        copyThrough(">");
      } else if (text_[at_] == '<') {
        tag();
      } else {
        fill(take(text_.find('<', at_)), false);
      }
    }
    if (diagnostics_.hasErrors()) return diagnostics_;
    return {std::move(out_), diagnostics_};
  }

 private:
  bool startsWith(std::string_view s) const { return text_.substr(at_, s.size()) == s; }

  /// The piece up to end, which is then behind us.
  std::string_view take(std::size_t end) {
    const std::string_view piece = text_.substr(at_, end == text_.npos ? end : end - at_);
    at_ += piece.size();
    return piece;
  }
  void copyThrough(std::string_view mark) {
    const std::size_t end = text_.find(mark, at_);
    copy(take(end == text_.npos ? end : end + mark.size()));
  }
  void copy(std::string_view piece) {
    out_ += piece;
    line_ += static_cast<int>(std::count(piece.begin(), piece.end(), '\n'));
  }

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
    while (!piece.empty()) {
      const std::size_t variable = piece.find("@@");
      const std::size_t brace = braces ? piece.find('{') : piece.npos;
      const std::size_t next = std::min(variable, brace);
      copy(piece.substr(0, next));
      if (next == piece.npos) return;
      const bool isForXacro = next == brace && next > 0 && piece[next - 1] == '$';
      piece.remove_prefix(next);
      if (next == variable) {
        const std::string name = takeName(piece);
        if (const std::string* value = lookUp(name)) out_ += escaped(*value);
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
    if (const auto found = parameters_.find(name); found != parameters_.end()) {
      return &found->second;
    }
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
    }
    if (!isComplete) return;
    auto known = values_.find(formula);
    if (known == values_.end()) {
      if (!expression_) expression_.emplace(parameters_);
      known = values_.emplace(formula, expression_->evaluate(formula)).first;
    }
    const Expression::Result& result = known->second;
    if (result.problem.empty()) {
      out_ += printNumber(result.value);
    } else if (!result.variable.empty()) {
      unset(result.variable);
    } else {
      error("the expression " + shown(formula) + " has no value: " + result.problem,
            "correct it; names in it are those of the parameters");
    }
  }

  void unset(const std::string& name) {
    std::string known;
    for (const auto& [parameter, value] : parameters_) {
      known += (known.empty() ? "" : ", ") + parameter;
    }
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
  int line_ = 1;
  std::string out_;
  std::optional<Expression> expression_;
  std::map<std::string, Expression::Result> values_;
  Diagnostics diagnostics_;
};

}  // namespace

Expected<std::string> expandTemplate(std::string_view text, const Parameters& parameters,
                                     const std::string& name) {
  const bool isPlain = text.find("@@") == text.npos && text.find('{') == text.npos;
  if (isPlain) return std::string(text);
  return Expander(text, parameters, name).run();
}

}  // namespace espalier::io
