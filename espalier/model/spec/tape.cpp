#include "espalier/model/spec/tape.h"

#include <cmath>
#include <cstring>

namespace espalier {

int operandsOf(TapeOp op) {
  switch (op) {
    case TapeOp::ADD:
    case TapeOp::SUBTRACT:
    case TapeOp::MULTIPLY:
    case TapeOp::DIVIDE:
    case TapeOp::ATAN2: return 2;
    case TapeOp::FUSED: return 3;
    case TapeOp::NEGATE:
    case TapeOp::SQRT:
    case TapeOp::SINE:
    case TapeOp::COSINE: return 1;
  }
  return 0;  // no operation
}

namespace {

/// Whether step i, a sine or a cosine, stands beside the other of the same operand; true for others.
bool hasPartner(const std::vector<Tape::Step>& steps, std::size_t i) {
  const auto isAt = [&](std::size_t k, TapeOp op) {
    return k < steps.size() && steps[k].op == op && steps[k].a == steps[i].a;
  };
  if (steps[i].op == TapeOp::SINE) return isAt(i + 1, TapeOp::COSINE);
  if (steps[i].op == TapeOp::COSINE) return i > 0 && isAt(i - 1, TapeOp::SINE);
  return true;
}

/// What is wrong with step i, whose value is number `here`; null where nothing is.
const char* faultOf(const std::vector<Tape::Step>& steps, std::size_t i, int here) {
  const Tape::Step& s = steps[i];
  const int operands = operandsOf(s.op);
  if (operands == 0) return " is no operation";
  const int read[] = {s.a, s.b, s.c};
  for (int k = 0; k < 3; ++k) {
    if (k >= operands && read[k] != 0) return " has an operand too many";
    if (read[k] < 0 || (k < operands && read[k] >= here))
      return " reads a value that is not there yet";
  }
  return hasPartner(steps, i) ? nullptr : " is half of a pair of sine and cosine";
}

}  // namespace

std::string Tape::fault() const {
  if (inputs < 0) return "a negative number of inputs";
  for (const double x : constants)
    if (!std::isfinite(x)) return "a constant that is not finite";
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (const char* fault = faultOf(steps, i, firstStep() + static_cast<int>(i)))
      return "step " + std::to_string(i) + fault;
  if (outputs.empty()) return "no output";
  for (const int o : outputs)
    if (o < 0 || o >= values()) return "an output that is no value";
  return {};
}

std::uint64_t Tape::hash() const {
  std::uint64_t h = 14695981039346656037ull;  // FNV-1a, 64 bits
  const auto put = [&h](std::uint64_t x) {
    for (int i = 0; i < 64; i += 8) h = (h ^ ((x >> i) & 0xff)) * 1099511628211ull;
  };
  const auto number = [&put](std::size_t n) { put(static_cast<std::uint64_t>(n)); };
  const auto value = [&put](int i) { put(static_cast<std::uint64_t>(static_cast<unsigned>(i))); };
  value(inputs);
  number(constants.size());
  for (const double x : constants) {
    std::uint64_t bits = 0;
    const double plain = x == 0 ? 0 : x;  // -0 equals 0
    std::memcpy(&bits, &plain, sizeof bits);
    put(bits);
  }
  number(steps.size());
  for (const Step& s : steps) {
    value(static_cast<int>(s.op));
    value(s.a);
    value(s.b);
    value(s.c);
  }
  number(outputs.size());
  for (const int o : outputs) value(o);
  return h;
}

Tape singleRow(const Tape& tape, int row) {
  std::vector<char> isNeeded(static_cast<std::size_t>(tape.values()), 0);
  isNeeded[tape.outputs[row]] = 1;
  const auto isPair = [&](std::size_t i) { return tape.steps[i].op == TapeOp::SINE; };
  for (std::size_t i = tape.steps.size(); i-- > 0;) {
    const Tape::Step& s = tape.steps[i];
    char& isWanted = isNeeded[tape.firstStep() + i];
    if (isPair(i)) isWanted = isNeeded[tape.firstStep() + i + 1] |= isWanted;
    if (!isWanted) continue;
    const int read[] = {s.a, s.b, s.c};
    for (int k = 0; k < operandsOf(s.op); ++k) isNeeded[read[k]] = 1;
  }
  Tape out;
  out.inputs = tape.inputs;
  std::vector<int> number(isNeeded.size(), 0);
  for (int i = 0; i < tape.values(); ++i) {
    if (i < tape.inputs) {
      number[i] = i;
    } else if (isNeeded[i] && i < tape.firstStep()) {
      number[i] = out.values();
      out.constants.push_back(tape.constants[i - tape.inputs]);
    } else if (isNeeded[i]) {
      const Tape::Step& s = tape.steps[i - tape.firstStep()];
      const int n = operandsOf(s.op);
      number[i] = out.values();
      out.steps.push_back({s.op, number[s.a], n > 1 ? number[s.b] : 0, n > 2 ? number[s.c] : 0});
    }
  }
  out.outputs = {number[tape.outputs[row]]};
  return out;
}

}  // namespace espalier
