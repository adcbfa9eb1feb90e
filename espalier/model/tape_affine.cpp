#include "espalier/model/tape_affine.h"

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
  for (const Tape::Step& s : tape.steps) {
    const Maybe &a = values[s.a], &b = values[s.b], &c = values[s.c];
    Maybe found;
    switch (s.op) {
      case TapeOp::ADD: found = sum(a, b, 1); break;
      case TapeOp::SUBTRACT: found = sum(a, b, -1); break;
      case TapeOp::NEGATE: found = times(a, -1); break;
      case TapeOp::MULTIPLY: found = product(a, b); break;
      case TapeOp::DIVIDE: found = quotient(a, b); break;
      case TapeOp::FUSED: found = sum(product(a, b), c, 1); break;
      case TapeOp::SQRT:
      case TapeOp::SINE:
      case TapeOp::COSINE:
      case TapeOp::ATAN2: break;
    }
    values.push_back(std::move(found));
  }
  Maybe& found = values[tape.outputs.front()];
  if (found && !std::isfinite(found->offset)) return {};
  for (std::size_t i = 0; found && i < found->factors.size(); ++i)
    if (!std::isfinite(found->factors[i])) return {};
  return std::move(found);
}

}  // namespace espalier
