#pragma once

// Playing a tape, its first derivatives (forward, one input at a time) and its second along a
// direction:
//
//   K = d phi / d q,     k = -Kdot u = -(d/dt)^2 phi(q + u t)
//
// Templates on the scalar; nothing allocated; branches on the tape, never on a Scalar.

#include "espalier/model/spec/tape.h"
#include "espalier/scalar/atan2.h"
#include "espalier/scalar/dual.h"
#include "espalier/scalar/sincos.h"

namespace espalier {

/// All values of a tape.
///   in   values  [inputs] filled
///   out  values  [tape.values()]
///   pre  tape.fault() is empty
template <class T>
void play(const Tape& tape, T* values) {
  T* out = values + tape.inputs;
  for (const double x : tape.constants) *out++ = bc<T>(x);
  for (const Tape::Step& s : tape.steps) {
    const T& a = values[s.a];
    switch (s.op) {
      case TapeOp::ADD: *out = a + values[s.b]; break;
      case TapeOp::SUBTRACT: *out = a - values[s.b]; break;
      case TapeOp::MULTIPLY: *out = a * values[s.b]; break;
      case TapeOp::DIVIDE: *out = a / values[s.b]; break;
      case TapeOp::NEGATE: *out = -a; break;
      case TapeOp::FUSED: *out = fma(a, values[s.b], values[s.c]); break;
      case TapeOp::SQRT: *out = sqrt(a); break;
      case TapeOp::SINE: sincos(a, out[0], out[1]); break;
      case TapeOp::COSINE: break;
      case TapeOp::ATAN2: *out = atan2(a, values[s.b]); break;
    }
    ++out;
  }
}

/// phi at q.
///   out   phi     [rows]
///   uses  values  [tape.values()]
template <class T>
void playValues(const Tape& tape, const T* q, T* values, T* phi) {
  for (int i = 0; i < tape.inputs; ++i) values[i] = q[i];
  play(tape, values);
  for (int r = 0; r < tape.rows(); ++r) phi[r] = values[tape.outputs[r]];
}

/// K at q.
///   out   K       [rows][inputs]
///   uses  values  [tape.values()]
template <class T>
void playJacobian(const Tape& tape, const T* q, Dual<T>* values, T* K) {
  for (int j = 0; j < tape.inputs; ++j) {
    for (int i = 0; i < tape.inputs; ++i) values[i] = {q[i], bc<T>(i == j ? 1.0 : 0.0)};
    play(tape, values);
    for (int r = 0; r < tape.rows(); ++r) K[r * tape.inputs + j] = values[tape.outputs[r]].d;
  }
}

}  // namespace espalier
