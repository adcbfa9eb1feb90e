#pragma once

// Tracing: a user's function, written once over a scalar type, is called with numbers that write
// down the operations applied to them.
//
//   const Tape phi = trace(3, [](const auto& q) {
//     return std::array{0.4 * cos(q[0]) + cos(q[0] + q[1]) - 1.0 - 0.8 * cos(q[2]),
//                       0.4 * sin(q[0]) + sin(q[0] + q[1]) - 0.8 * sin(q[2])};
//   });
//
// Understood: + - * / with numbers and one another, sqrt, sin, cos, tan, sincos, asin, acos, atan,
// atan2, fma, fnma, square, and all of espalier's vectors and rotations that need no more (Vec3<T>, axisRotation ...).
// A tape has no branches: what depends on a comparison of traced numbers cannot be traced and is
// refused.

#include <memory>
#include <type_traits>
#include <vector>

#include "espalier/core/check.h"
#include "espalier/model/spec/tape.h"
#include "espalier/scalar/scalar.h"

namespace espalier {

class TapeRecorder;

/// A number that records the operations applied to it; one without a recorder is a constant.
class Traced {
 public:
  Traced(double constant = 0) : constant_(constant) {}

  friend Traced operator+(const Traced& a, const Traced& b);
  friend Traced operator-(const Traced& a, const Traced& b);
  friend Traced operator*(const Traced& a, const Traced& b);
  friend Traced operator/(const Traced& a, const Traced& b);
  friend Traced operator-(const Traced& a);
  friend Traced operator+(const Traced& a) { return a; }
  Traced& operator+=(const Traced& b) { return *this = *this + b; }
  Traced& operator-=(const Traced& b) { return *this = *this - b; }
  Traced& operator*=(const Traced& b) { return *this = *this * b; }
  Traced& operator/=(const Traced& b) { return *this = *this / b; }

  friend Traced fma(const Traced& a, const Traced& b, const Traced& c);
  friend Traced fnma(const Traced& a, const Traced& b, const Traced& c) { return fma(-a, b, c); }
  friend Traced sqrt(const Traced& a);
  friend Traced sin(const Traced& a);
  friend Traced cos(const Traced& a);
  friend Traced tan(const Traced& a) { return sin(a) / cos(a); }
  friend Traced atan2(const Traced& y, const Traced& x);
  friend Traced atan(const Traced& a) { return atan2(a, 1.0); }
  friend Traced asin(const Traced& a) { return atan2(a, sqrt((1.0 - a) * (1.0 + a))); }
  friend Traced acos(const Traced& a) { return atan2(sqrt((1.0 - a) * (1.0 + a)), a); }
  friend Traced square(const Traced& a) { return a * a; }
  friend void sincos(const Traced& a, Traced& s, Traced& c) {
    const Traced angle = a;  // s or c may be a
    s = sin(angle);
    c = cos(angle);
  }

  // Each throws std::invalid_argument with what to write instead.
  friend bool operator<(const Traced&, const Traced&) { refuse("<"); }
  friend bool operator>(const Traced&, const Traced&) { refuse(">"); }
  friend bool operator<=(const Traced&, const Traced&) { refuse("<="); }
  friend bool operator>=(const Traced&, const Traced&) { refuse(">="); }
  friend bool operator==(const Traced&, const Traced&) { refuse("=="); }
  friend bool operator!=(const Traced&, const Traced&) { refuse("!="); }
  friend Traced abs(const Traced&) { refuse("abs"); }
  friend Traced min(const Traced&, const Traced&) { refuse("min"); }
  friend Traced max(const Traced&, const Traced&) { refuse("max"); }

 private:
  friend class TapeRecorder;
  Traced(std::shared_ptr<TapeRecorder> recorder, int value)
      : recorder_(std::move(recorder)), value_(value) {}
  [[noreturn]] static void refuse(const char* what);
  static Traced write(TapeOp op, const Traced& a, const Traced& b, const Traced& c);

  std::shared_ptr<TapeRecorder> recorder_;
  int value_ = -1;       // in the recorder
  double constant_ = 0;  // without one
};

template <>
struct ScalarTraits<Traced> {
  using Value = double;
  using Mask = bool;
  static constexpr int lanes = 1;
};

namespace trace_detail {
std::vector<Traced> freshInputs(int count);
Tape finish(const std::vector<Traced>& inputs, const std::vector<Traced>& outputs);

template <class Function>
Tape traceOnce(int inputs, const Function& function) {
  const std::vector<Traced> q = freshInputs(inputs);
  if constexpr (std::is_convertible_v<decltype(function(q)), Traced>) {
    return finish(q, {Traced(function(q))});
  } else {
    const auto rows = function(q);
    return finish(q, std::vector<Traced>(std::begin(rows), std::end(rows)));
  }
}
}  // namespace trace_detail

/// The tape of a function of `inputs` numbers.
///   in   function  called with a const std::vector<T>&, returns one T or a range of T
///   pre  it does the same operations whatever the numbers are, and whenever it is called; else
///        std::invalid_argument
template <class Function>
Tape trace(int inputs, const Function& function) {
  ESPALIER_REQUIRE(inputs > 0, "a traced function has at least one input");
  const Tape tape = trace_detail::traceOnce(inputs, function);
  ESPALIER_REQUIRE(tape == trace_detail::traceOnce(inputs, function),
                   "the function did something else when it was called a second time: leave out of "
                   "it what changes from call to call");
  return tape;
}

}  // namespace espalier
