#include "espalier/model/trace.h"

#include <cmath>
#include <map>
#include <tuple>

namespace espalier {

/// Values as they come; operations on constants are done at once, equal ones are written once.
class TapeRecorder {
 public:
  struct Value {
    bool isConstant = false;
    double constant = 0;
    Tape::Step step;  // operands are values of the recorder
  };

  explicit TapeRecorder(int inputs) : inputs_(inputs), values_(static_cast<std::size_t>(inputs)) {}

  int inputs() const { return inputs_; }
  int constant(double x) {
    ESPALIER_REQUIRE(std::isfinite(x), "a traced function has a constant that is not finite");
    const auto [place, isNew] = constants_.emplace(x == 0 ? 0 : x, size());
    if (isNew) values_.push_back({true, place->first, {}});
    return place->second;
  }
  int step(const Tape::Step& s) {
    const auto [place, isNew] = steps_.emplace(std::tuple(s.op, s.a, s.b, s.c), size());
    if (isNew) values_.push_back({false, 0, s});
    return place->second;
  }
  const Value& operator[](int i) const { return values_[i]; }
  int size() const { return static_cast<int>(values_.size()); }
  int numberOf(const Traced& x) { return x.recorder_ ? x.value_ : constant(x.constant_); }
  bool owns(const Traced& x) const { return !x.recorder_ || x.recorder_.get() == this; }

  static std::vector<Traced> freshInputs(int count) {
    const auto recorder = std::make_shared<TapeRecorder>(count);
    std::vector<Traced> q;
    for (int i = 0; i < count; ++i) q.push_back(Traced(recorder, i));
    return q;
  }
  static TapeRecorder& of(const Traced& x) { return *x.recorder_; }

 private:
  int inputs_;
  std::vector<Value> values_;
  std::map<double, int> constants_;
  std::map<std::tuple<TapeOp, int, int, int>, int> steps_;
};

void Traced::refuse(const char* what) {
  core::throwInvalidArgument(
      "a traced function does not branch",
      std::string("'") + what +
          "' of traced numbers: a loop's equation is a tape without branches; write it with smooth "
          "functions (sqrt(x*x + small) for |x|), or choose between two equations beforehand");
}

Traced Traced::write(TapeOp op, const Traced& a, const Traced& b, const Traced& c) {
  const auto& recorder = a.recorder_ ? a.recorder_ : (b.recorder_ ? b.recorder_ : c.recorder_);
  ESPALIER_REQUIRE(recorder->owns(a) && recorder->owns(b) && recorder->owns(c),
                   "a traced number of another function: keep none after its call");
  const int n = operandsOf(op);
  const int i = recorder->numberOf(a), j = n > 1 ? recorder->numberOf(b) : 0,
            k = n > 2 ? recorder->numberOf(c) : 0;
  return {recorder, recorder->step({op, i, j, k})};
}

Traced operator+(const Traced& a, const Traced& b) {
  if (!a.recorder_ && !b.recorder_) return a.constant_ + b.constant_;
  if (!a.recorder_ && a.constant_ == 0) return b;
  if (!b.recorder_ && b.constant_ == 0) return a;
  return Traced::write(TapeOp::ADD, a, b, 0);
}
Traced operator-(const Traced& a, const Traced& b) {
  if (!a.recorder_ && !b.recorder_) return a.constant_ - b.constant_;
  if (!a.recorder_ && a.constant_ == 0) return -b;
  if (!b.recorder_ && b.constant_ == 0) return a;
  return Traced::write(TapeOp::SUBTRACT, a, b, 0);
}
Traced operator*(const Traced& a, const Traced& b) {
  if (!a.recorder_ && !b.recorder_) return a.constant_ * b.constant_;
  for (const auto& [x, y] : {std::tie(a, b), std::tie(b, a)}) {
    if (x.recorder_) continue;
    if (x.constant_ == 0) return 0.0;
    if (x.constant_ == 1) return y;
    if (x.constant_ == -1) return -y;
  }
  return Traced::write(TapeOp::MULTIPLY, a, b, 0);
}
Traced operator/(const Traced& a, const Traced& b) {
  if (!a.recorder_ && !b.recorder_) return a.constant_ / b.constant_;
  ESPALIER_REQUIRE(b.recorder_ || b.constant_ != 0, "a traced function divides by zero");
  if (!b.recorder_ && b.constant_ == 1) return a;
  return Traced::write(TapeOp::DIVIDE, a, b, 0);
}
Traced operator-(const Traced& a) {
  return a.recorder_ ? Traced::write(TapeOp::NEGATE, a, 0, 0) : Traced(-a.constant_);
}
Traced fma(const Traced& a, const Traced& b, const Traced& c) {
  if (!a.recorder_ && !b.recorder_ && !c.recorder_)
    return std::fma(a.constant_, b.constant_, c.constant_);
  for (const auto& [x, y] : {std::tie(a, b), std::tie(b, a)}) {
    if (x.recorder_) continue;
    if (x.constant_ == 0) return c;
    if (x.constant_ == 1) return y + c;
  }
  if (!a.recorder_ && !b.recorder_) return Traced(a.constant_ * b.constant_) + c;
  if (!c.recorder_ && c.constant_ == 0) return a * b;
  return Traced::write(TapeOp::FUSED, a, b, c);
}
Traced sqrt(const Traced& a) {
  return a.recorder_ ? Traced::write(TapeOp::SQRT, a, 0, 0) : Traced(std::sqrt(a.constant_));
}
Traced sin(const Traced& a) {
  if (!a.recorder_) return std::sin(a.constant_);
  const Traced sine = Traced::write(TapeOp::SINE, a, 0, 0);
  Traced::write(TapeOp::COSINE, a, 0, 0);
  return sine;
}
Traced cos(const Traced& a) {
  if (!a.recorder_) return std::cos(a.constant_);
  Traced::write(TapeOp::SINE, a, 0, 0);
  return Traced::write(TapeOp::COSINE, a, 0, 0);
}

Traced atan2(const Traced& y, const Traced& x) {
  if (!y.recorder_ && !x.recorder_) return std::atan2(y.constant_, x.constant_);
  return Traced::write(TapeOp::ATAN2, y, x, 0);
}

namespace trace_detail {

std::vector<Traced> freshInputs(int count) { return TapeRecorder::freshInputs(count); }

/// The part of a tape that the outputs depend on, renumbered: inputs, constants, steps.
Tape finish(const std::vector<Traced>& inputs, const std::vector<Traced>& outputs) {
  ESPALIER_REQUIRE(!outputs.empty(), "a traced function returns at least one number");
  TapeRecorder& recorder = TapeRecorder::of(inputs[0]);
  std::vector<int> wanted;
  for (const Traced& x : outputs) {
    ESPALIER_REQUIRE(recorder.owns(x),
                     "a traced number of another function: keep none after its "
                     "call");
    wanted.push_back(recorder.numberOf(x));
  }
  std::vector<char> isNeeded(static_cast<std::size_t>(recorder.size()), 0);
  const auto need = [&](int i) -> char& { return isNeeded[i]; };
  const auto isStep = [&](int i) { return i >= recorder.inputs() && !recorder[i].isConstant; };
  for (const int i : wanted) need(i) = 1;
  for (int i = recorder.size() - 1; i >= 0; --i) {
    if (!isStep(i)) continue;
    const Tape::Step& s = recorder[i].step;
    if (!need(i) && s.op == TapeOp::SINE) need(i) = need(i + 1);  // its cosine's
    if (!need(i)) continue;
    if (s.op == TapeOp::SINE) need(i + 1) = 1;
    const int read[] = {s.a, s.b, s.c};
    for (int k = 0; k < operandsOf(s.op); ++k) need(read[k]) = 1;
  }
  Tape tape;
  tape.inputs = recorder.inputs();
  std::vector<int> number(isNeeded.size(), -1);
  const auto numberOf = [&](int i) -> int& { return number[i]; };
  for (int i = 0; i < tape.inputs; ++i) numberOf(i) = i;
  // Constants in the order in which the steps that stay, then the outputs, read them: what was left
  // out has no say in what equal tapes are.
  const auto putConstant = [&](int i) {
    if (isStep(i) || numberOf(i) >= 0) return;
    numberOf(i) = tape.firstStep();
    tape.constants.push_back(recorder[i].constant);
  };
  for (int i = tape.inputs; i < recorder.size(); ++i) {
    if (!need(i) || !isStep(i)) continue;
    const Tape::Step& s = recorder[i].step;
    const int read[] = {s.a, s.b, s.c};
    for (int k = 0; k < operandsOf(s.op); ++k) putConstant(read[k]);
  }
  for (const int i : wanted) putConstant(i);
  for (int i = tape.inputs; i < recorder.size(); ++i) {
    if (!need(i) || !isStep(i)) continue;
    Tape::Step s = recorder[i].step;
    const int operands = operandsOf(s.op);
    if (operands > 0) s.a = numberOf(s.a);
    if (operands > 1) s.b = numberOf(s.b);
    if (operands > 2) s.c = numberOf(s.c);
    numberOf(i) = tape.values();
    tape.steps.push_back(s);
  }
  for (const int i : wanted) tape.outputs.push_back(numberOf(i));
  const std::string fault = tape.fault();
  ESPALIER_REQUIRE(fault.empty(), "the traced function has " + fault);
  return tape;
}

}  // namespace trace_detail
}  // namespace espalier
