// <constraint>: equations between coordinates of joints, traced into a tape as they are read.

#include <tinyxml2.h>

#include <algorithm>
#include <stdexcept>

#include "espalier/io/text/formula.h"
#include "espalier/io/urdf/urdf_parts.h"

namespace espalier::io {
namespace {

/// A <let> or <phi>.
struct Line {
  std::string name, formula;  ///< no name: an equation
  int line = 0;
};

class ConstraintReader {
 public:
  ConstraintReader(XmlReader& xml, const XMLElement& e) : xml_(xml), e_(e) {}

  std::optional<ConstraintSpec> read() {
    spec_.name = xml_.text(e_, "name");
    spec_.line = xml_.lineOf(e_);
    xml_.setSubject("constraint " + shown(spec_.name));
    xml_.expectAttributes(e_, {"name"});
    xml_.expectChildren(e_, {"joint", "let", "phi"});
    for (const XMLElement* c : childrenOf(e_)) {
      const std::string_view tag = c->Name();
      if (tag == "joint") readJoint(*c);
      if (tag == "let") readLine(*c, xml_.text(*c, "name"));
      if (tag == "phi") readLine(*c, {});
    }
    if (isBad_) return std::nullopt;
    if (names_.empty())
      error(e_.GetLineNum(), "it names no joint", "add <joint name=\"...\" as=\"...\"/>");
    else if (std::none_of(lines_.begin(), lines_.end(),
                          [](const Line& l) { return l.name.empty(); }))
      error(e_.GetLineNum(), "it has no equation", "add <phi value=\"...\"/>, which is to be zero");
    else
      trace();
    if (isBad_) return std::nullopt;
    return std::move(spec_);
  }

 private:
  void error(int line, const std::string& what, const std::string& remedy) {
    isBad_ = true;
    xml_.error(line, what, remedy);
  }

  bool isFree(int line, const std::string& name) {
    if (!isFormulaName(name)) {
      error(line, shown(name) + " cannot be a name in formulas",
            "use letters, digits and _, no digit first, and none of pi, sin, cos, tan, sqrt, fma");
      return false;
    }
    const auto hasIt = [&](const Line& l) { return l.name == name; };
    if (std::find(names_.begin(), names_.end(), name) == names_.end() &&
        std::none_of(lines_.begin(), lines_.end(), hasIt))
      return true;
    error(line, "the name " + shown(name) + " is given twice", "use another");
    return false;
  }

  /// A name for each of its coordinates; its own where it has one.
  void readJoint(const XMLElement& e) {
    xml_.expectAttributes(e, {"name", "as"});
    xml_.expectChildren(e, {});
    const std::string joint = xml_.text(e, "name"),
                      as = xml_.has(e, "as") ? xml_.text(e, "as") : joint;
    spec_.joints.push_back(joint);
    for (const std::string_view word : wordsOf(as))
      if (isFree(e.GetLineNum(), std::string(word))) names_.emplace_back(word);
  }

  void readLine(const XMLElement& e, const std::string& name) {
    const bool isLet = std::string_view(e.Name()) == "let";
    if (isLet)
      xml_.expectAttributes(e, {"name", "value"});
    else
      xml_.expectAttributes(e, {"value"});
    xml_.expectChildren(e, {});
    if (isLet && !isFree(e.GetLineNum(), name)) return;
    lines_.push_back({name, xml_.text(e, "value"), e.GetLineNum()});
  }

  std::vector<Traced> evaluate(const std::vector<Traced>& q) {
    NamedValues known;
    std::vector<Traced> rows;
    for (std::size_t i = 0; i < names_.size(); ++i) known[names_[i]] = q[i];
    for (const Line& l : lines_) {
      const Formula formula = readFormula(l.formula, known);
      if (!formula.problem.empty() && !isBad_)
        error(l.line, "the formula " + shown(l.formula) + " cannot be read: " + formula.problem,
              "write it with numbers, named values, + - * / ^ and sin cos tan sqrt");
      (l.name.empty() ? rows.emplace_back() : known[l.name]) = formula.value;
    }
    return rows;
  }

  void trace() {
    const std::vector<Traced> plain(names_.size(), Traced(0.5));
    evaluate(plain);  // only for its errors
    if (isBad_) return;
    try {
      spec_.phi = espalier::trace(static_cast<int>(names_.size()),
                                  [this](const std::vector<Traced>& q) { return evaluate(q); });
    } catch (const std::invalid_argument& e) {
      error(e_.GetLineNum(), std::string("its formulas are no tape: ") + e.what(),
            "leave out what divides by zero");
    }
  }

  XmlReader& xml_;
  const XMLElement& e_;
  ConstraintSpec spec_;
  std::vector<std::string> names_;  ///< of the coordinates
  std::vector<Line> lines_;
  bool isBad_ = false;
};

}  // namespace

std::optional<ConstraintSpec> readConstraint(XmlReader& xml, const XMLElement& e) {
  return ConstraintReader(xml, e).read();
}

}  // namespace espalier::io
