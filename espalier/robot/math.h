#pragma once

// The small vectors and matrices of the public calls, in RaiSim's names. Each is an Eigen type with
// two additions: it starts as zero, and e() is the Eigen object itself, so that code written for
// either reads on.
//
//   Vec<3> p;  robot->getFramePosition(foot, p);  p[2];  p.e().norm();
//   Eigen::Vector3d q;  robot->getFramePosition(foot, q);

#include <Eigen/Core>
#include <concepts>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "espalier/spatial/rotation.h"

namespace espalier {

namespace math_detail {

/// An Eigen expression that may have this shape.
template <class D, int rows, int cols>
concept Shaped = (int(D::RowsAtCompileTime) == rows ||
                  int(D::RowsAtCompileTime) == Eigen::Dynamic) &&
                 (int(D::ColsAtCompileTime) == cols || int(D::ColsAtCompileTime) == Eigen::Dynamic);

}  // namespace math_detail

/// n numbers.
template <int n>
class Vec : public Eigen::Matrix<double, n, 1> {
 public:
  using Base = Eigen::Matrix<double, n, 1>;

  Vec() { Base::setZero(); }
  template <class... X>
  requires(sizeof...(X) == n && n > 1 && (std::convertible_to<X, double> && ...)) Vec(X... x) {
    const double list[] = {static_cast<double>(x)...};
    for (int i = 0; i < n; ++i) (*this)[i] = list[i];
  }
  template <class D>
  requires math_detail::Shaped<D, n, 1> Vec(const Eigen::MatrixBase<D>& x) : Base(x) {}
  Vec(const Vec3<double>& v) requires(n == 3) : Base(v.x, v.y, v.z) {}

  template <class D>
  Vec& operator=(const Eigen::MatrixBase<D>& x) {
    Base::operator=(x);
    return *this;
  }
  operator Vec3<double>() const requires(n == 3) { return {(*this)[0], (*this)[1], (*this)[2]}; }

  Base& e() & { return *this; }
  const Base& e() const& { return *this; }
  Base e() && { return std::move(*this); }
};

/// n rows, m columns.
template <int n, int m>
class Mat : public Eigen::Matrix<double, n, m> {
 public:
  using Base = Eigen::Matrix<double, n, m>;

  Mat() { Base::setZero(); }
  template <class D>
  requires math_detail::Shaped<D, n, m> Mat(const Eigen::MatrixBase<D>& x) : Base(x) {}
  Mat(const Mat3<double>& r) requires(n == 3 && m == 3) {
    *this << r.r0.x, r.r0.y, r.r0.z, r.r1.x, r.r1.y, r.r1.z, r.r2.x, r.r2.y, r.r2.z;
  }

  template <class D>
  Mat& operator=(const Eigen::MatrixBase<D>& x) {
    Base::operator=(x);
    return *this;
  }
  operator Mat3<double>() const requires(n == 3 && m == 3) {
    const Base& r = *this;
    return {{r(0, 0), r(0, 1), r(0, 2)}, {r(1, 0), r(1, 1), r(1, 2)}, {r(2, 0), r(2, 1), r(2, 2)}};
  }

  /// Column after column.
  double& operator[](int i) { return Base::coeffRef(i); }
  double operator[](int i) const { return Base::coeff(i); }

  Base& e() & { return *this; }
  const Base& e() const& { return *this; }
  Base e() && { return std::move(*this); }
};

/// Any number of numbers.
class VecDyn : public Eigen::VectorXd {
 public:
  using Base = Eigen::VectorXd;

  VecDyn() = default;
  template <std::integral I>
  explicit VecDyn(I size) : Base(Base::Zero(static_cast<Eigen::Index>(size))) {}
  VecDyn(std::initializer_list<double> x) : Base(static_cast<Eigen::Index>(x.size())) {
    Eigen::Index i = 0;
    for (double number : x) (*this)[i++] = number;
  }
  template <class D>
  requires math_detail::Shaped<D, Eigen::Dynamic, 1> VecDyn(const Eigen::MatrixBase<D>& x)
      : Base(x) {}
  VecDyn(Base&& x) : Base(std::move(x)) {}

  template <class D>
  VecDyn& operator=(const Eigen::MatrixBase<D>& x) {
    Base::operator=(x);
    return *this;
  }

  Base& e() & { return *this; }
  const Base& e() const& { return *this; }
  Base e() && { return std::move(*this); }
};

/// Any number of rows and columns.
class MatDyn : public Eigen::MatrixXd {
 public:
  using Base = Eigen::MatrixXd;

  MatDyn() = default;
  template <std::integral I, std::integral J>
  MatDyn(I rows, J cols)
      : Base(Base::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols))) {}
  template <class D>
  MatDyn(const Eigen::MatrixBase<D>& x) : Base(x) {}
  MatDyn(Base&& x) : Base(std::move(x)) {}

  template <class D>
  MatDyn& operator=(const Eigen::MatrixBase<D>& x) {
    Base::operator=(x);
    return *this;
  }

  Base& e() & { return *this; }
  const Base& e() const& { return *this; }
  Base e() && { return std::move(*this); }
};

/// Whether R is finite, orthonormal to 1e-6 and right-handed.
inline bool isRotation(const Mat<3, 3>& R) {
  const Mat3d m = R;
  return (R.e() * R.e().transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().sum() < 1e-6 &&
         dot(cross(m.r0, m.r1), m.r2) > 0;
}

/// R_PB of a unit quaternion (w, x, y, z) body to parent, and back with w >= 0.
inline void quatToRotMat(const Vec<4>& q, Eigen::Matrix3d& R) {
  R = Mat<3, 3>(rotation(Quat<double>{q[0], q[1], q[2], q[3]}));
}
inline void rotMatToQuat(const Mat<3, 3>& R, Eigen::Vector4d& q) {
  const Quat<double> unit = quaternion(static_cast<Mat3d>(R));
  q << unit.w, unit.x, unit.y, unit.z;
}

}  // namespace espalier
