#include "espalier/model/spec/tape_affine.h"

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

using Maybe = std::optional<AffineRow>;

bool isConstant(const AffineRow& a) {
  return std::all_of(a.factors.begin(), a.factors.end(), [](double f) { return f == 0; });
}

Maybe sum(const Maybe& a, const Maybe& b, double sign) {
  if (!a || !b) return {};
  AffineRow s = *a;
  for (std::size_t i = 0; i < s.factors.size(); ++i) s.factors[i] += sign * b->factors[i];
  s.offset += sign * b->offset;
  return s;
}

Maybe times(const Maybe& a, double factor) {
  if (!a) return {};
  AffineRow s = *a;
  for (double& f : s.factors) f *= factor;
  s.offset *= factor;
  return s;
}

Maybe product(const Maybe& a, const Maybe& b) {
  if (a && isConstant(*a)) return times(b, a->offset);
  if (b && isConstant(*b)) return times(a, b->offset);
  return {};
}

Maybe quotient(const Maybe& a, const Maybe& b) {
  if (!a || !b || !isConstant(*b) || b->offset == 0) return {};
  AffineRow s = *a;
  for (double& f : s.factors) f /= b->offset;
  s.offset /= b->offset;
  return s;
}

/// The value of an operation, where it is affine.
Maybe valueOf(TapeOp op, const Maybe& a, const Maybe& b, const Maybe& c) {
  switch (op) {
    case TapeOp::ADD: return sum(a, b, 1);
    case TapeOp::SUBTRACT: return sum(a, b, -1);
    case TapeOp::NEGATE: return times(a, -1);
    case TapeOp::MULTIPLY: return product(a, b);
    case TapeOp::DIVIDE: return quotient(a, b);
    case TapeOp::FUSED: return sum(product(a, b), c, 1);
    case TapeOp::SQRT:
    case TapeOp::SINE:
    case TapeOp::COSINE:
    case TapeOp::ATAN2: break;
  }
  return {};
}

bool isFinite(const AffineRow& row) {
  return std::isfinite(row.offset) && std::all_of(row.factors.begin(), row.factors.end(),
                                                  [](double f) { return std::isfinite(f); });
}

}  // namespace

std::optional<AffineRow> affineOf(const Tape& tape) {
  std::vector<Maybe> values;
  const AffineRow none{std::vector<double>(static_cast<std::size_t>(tape.inputs), 0.0), 0};
  for (std::size_t i = 0; i < none.factors.size(); ++i) {
    values.emplace_back(none);
    values.back()->factors[i] = 1;
  }
  for (const double x : tape.constants) {
    values.emplace_back(none);
    values.back()->offset = x;
  }
  for (const Tape::Step& s : tape.steps)
    values.push_back(valueOf(s.op, values[s.a], values[s.b], values[s.c]));
  Maybe& found = values[tape.outputs.front()];
  if (found && !isFinite(*found)) return {};
  return std::move(found);
}

}  // namespace espalier
