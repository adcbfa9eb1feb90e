// <constraint>: a tape as formulas, one for each step, that trace into the same tape.

#include "espalier/io/export/export_parts.h"
#include "espalier/io/text/numbers.h"

namespace espalier::io {
namespace {

std::string formulaOf(const Tape::Step& s, const std::vector<std::string>& names) {
  const std::string &a = names[s.a], &b = names[s.b], &c = names[s.c];
  switch (s.op) {
    case TapeOp::ADD: return a + " + " + b;
    case TapeOp::SUBTRACT: return a + " - " + b;
    case TapeOp::MULTIPLY: return a + " * " + b;
    case TapeOp::DIVIDE: return a + " / " + b;
    case TapeOp::NEGATE: return "-" + a;
    case TapeOp::FUSED: return "fma(" + a + ", " + b + ", " + c + ")";
    case TapeOp::SQRT: return "sqrt(" + a + ")";
    case TapeOp::SINE: return "sin(" + a + ")";
    case TapeOp::COSINE: return "cos(" + a + ")";
    case TapeOp::ATAN2: return "atan2(" + a + ", " + b + ")";
  }
  return {};
}

}  // namespace

void writeConstraint(XmlWriter& xml, const SystemSpec& system, const ConstraintSpec& constraint) {
  const Tape& tape = constraint.phi;
  std::vector<std::string> names;
  xml.open("constraint").attribute("name", constraint.name);
  for (const std::string& name : constraint.joints) {
    std::string as;
    for (const JointSpec& joint : system.joints)
      for (int k = 0; joint.name == name && k < info(joint.kind).nq; ++k) {
        names.push_back("q" + std::to_string(names.size()));
        as += (as.empty() ? "" : " ") + names.back();
      }
    xml.open("joint").attribute("name", name).attribute("as", as).close();
  }
  names.resize(static_cast<std::size_t>(tape.inputs));  // as many, in a sound Spec
  for (const double x : tape.constants) names.push_back(printNumber(x));
  for (const Tape::Step& step : tape.steps) {
    const std::string name = "v" + std::to_string(names.size());
    xml.open("let").attribute("name", name).attribute("value", formulaOf(step, names)).close();
    names.push_back(name);
  }
  for (const int output : tape.outputs) xml.open("phi").attribute("value", names[output]).close();
  xml.close();
}

}  // namespace espalier::io
