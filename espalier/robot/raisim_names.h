#pragma once

// Small names that RaiSim's users write and that nothing of ours needs: bits of collision groups,
// matrix functions that fill their last argument. Eigen's operators do the same.

#include <cstdint>

#include "espalier/robot/math.h"
#include "espalier/step/system_option.h"

namespace espalier {

/// Collision groups and masks: two shapes meet when each one's group is in the other's mask.
using CollisionGroup = std::uint64_t;

/// The group or mask with bit `index` (0 to 63) alone.
constexpr CollisionGroup COLLISION(unsigned index) { return CollisionGroup{1} << index; }

/// A pose: R_AB and p_AB.
struct Transformation {
  Mat<3, 3> rot = Mat<3, 3>(identity3<double>());
  Vec<3> pos;
};

// ---- results in the last argument, which may be one of the others

template <class M, class V, class R>
void matvecmul(const M& matrix, const V& x, R& y) {
  y = matrix.e() * x.e();
}
template <class M, class V, class R>
void matvecmulThenAdd(const M& matrix, const V& x, R& y) {
  y += matrix.e() * x.e();
}
template <class M, class V, class R>
void matvecmulThenSub(const M& matrix, const V& x, R& y) {
  y -= matrix.e() * x.e();
}
template <class M, class V, class R>
void matTransposevecmul(const M& matrix, const V& x, R& y) {
  y = matrix.e().transpose() * x.e();
}
template <class A, class B, class R>
void matmul(const A& a, const B& b, R& ab) {
  ab = a.e() * b.e();
}
/// a' b
template <class A, class B, class R>
void transposedMatMul(const A& a, const B& b, R& out) {
  out = a.e().transpose() * b.e();
}
/// a b'
template <class A, class B, class R>
void transposed2MatMul(const A& a, const B& b, R& out) {
  out = a.e() * b.e().transpose();
}
/// R I R'
inline void similarityTransform(const Mat<3, 3>& R, const Mat<3, 3>& I, Mat<3, 3>& out) {
  out = R.e() * I.e() * R.e().transpose();
}
template <class V>
void vecadd(const V& a, const V& b, V& sum) {
  sum = a.e() + b.e();
}
template <class V>
void vecadd(const V& a, V& sum) {
  sum += a.e();
}
template <class V>
void vecsub(const V& a, const V& b, V& difference) {
  difference = a.e() - b.e();
}
template <class V>
double vecDot(const V& a, const V& b) {
  return a.dot(b);
}
template <class V>
void vecScalarMul(double factor, const V& x, V& product) {
  product = factor * x.e();
}
inline void cross(const Vec<3>& a, const Vec<3>& b, Vec<3>& out) {
  out = Vec<3>(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}
inline void crossThenAdd(const Vec<3>& a, const Vec<3>& b, Vec<3>& sum) {
  Vec<3> product;
  cross(a, b, product);
  sum += product;
}

}  // namespace espalier
