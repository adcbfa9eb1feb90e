#include "espalier/model/spec/trace.h"

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

namespace {

/// The tape of the recorded values that the outputs need, renumbered: inputs, constants, steps.
class Pruned {
 public:
  Pruned(const TapeRecorder& recorder, std::vector<int> outputs)
      : recorder_(recorder),
        outputs_(std::move(outputs)),
        isNeeded_(static_cast<std::size_t>(recorder.size()), 0),
        number_(isNeeded_.size(), -1) {
    tape_.inputs = recorder.inputs();
  }

  Tape tape() {
    markNeeded();
    for (int i = 0; i < tape_.inputs; ++i) number_[i] = i;
    putConstants();
    putSteps();
    for (const int i : outputs_) tape_.outputs.push_back(number_[i]);
    return std::move(tape_);
  }

 private:
  bool isStep(int i) const { return i >= recorder_.inputs() && !recorder_[i].isConstant; }

  /// Calls f(operand) for the operands of a step.
  template <class Step, class F>
  static void forEachOperand(Step& s, F&& f) {
    decltype(&s.a) const read[] = {&s.a, &s.b, &s.c};
    for (int k = 0; k < operandsOf(s.op); ++k) f(*read[k]);
  }
  template <class F>
  void forEachNeededStep(F&& f) const {
    for (int i = tape_.inputs; i < recorder_.size(); ++i)
      if (isNeeded_[i] && isStep(i)) f(i, recorder_[i].step);
  }

  /// From the last value to the first; a sine and its cosine are needed together.
  void markNeeded() {
    for (const int i : outputs_) isNeeded_[i] = 1;
    for (int i = recorder_.size() - 1; i >= 0; --i) {
      if (!isStep(i)) continue;
      const Tape::Step& s = recorder_[i].step;
      if (s.op == TapeOp::SINE && (isNeeded_[i] || isNeeded_[i + 1]))
        isNeeded_[i] = isNeeded_[i + 1] = 1;
      if (!isNeeded_[i]) continue;
      forEachOperand(s, [&](int operand) { isNeeded_[operand] = 1; });
    }
  }

  /// Constants in the order in which the steps that stay, then the outputs, read them, because equal
  /// tapes must not depend on the steps that were left out.
  void putConstants() {
    forEachNeededStep([&](int, const Tape::Step& s) {
      forEachOperand(s, [&](int operand) { putConstant(operand); });
    });
    for (const int i : outputs_) putConstant(i);
  }
  void putConstant(int i) {
    if (isStep(i) || number_[i] >= 0) return;
    number_[i] = tape_.firstStep();
    tape_.constants.push_back(recorder_[i].constant);
  }
  void putSteps() {
    forEachNeededStep([&](int i, Tape::Step s) {
      forEachOperand(s, [&](int& operand) { operand = number_[operand]; });
      number_[i] = tape_.values();
      tape_.steps.push_back(s);
    });
  }

  const TapeRecorder& recorder_;
  const std::vector<int> outputs_;
  std::vector<char> isNeeded_;  ///< [recorder.size()]
  std::vector<int> number_;     ///< [recorder.size()] in the tape; -1: none yet
  Tape tape_;
};

}  // namespace

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
  Tape tape = Pruned(recorder, std::move(wanted)).tape();
  const std::string fault = tape.fault();
  ESPALIER_REQUIRE(fault.empty(), "the traced function has " + fault);
  return tape;
}

}  // namespace trace_detail
}  // namespace espalier
