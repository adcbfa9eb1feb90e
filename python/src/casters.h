#pragma once

// How the engine's small vectors and matrices cross to Python: as numpy arrays of double.
//
//   Vec<n>, VecDyn, Vec3d        (n,)
//   Mat<n, m>, MatDyn, Mat3d     (n, m)
//   Sym3                         (3, 3), symmetric
//   Transformd X_AB              (4, 4) homogeneous: p_A = X_AB p_B
//   Motion, Force                (6,)  angular part first
//
// What comes from Python may be any sequence of numbers of the right shape. Results are copies.

#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>

#include "espalier/spatial/inertia.h"
#include "espalier/spatial/motion.h"
#include "espalier/world/math.h"

namespace espalier::python {

namespace nb = nanobind;

/// The Eigen matrix that stands for T in Python, and the ways there and back. Vec<n>, Mat<n, m>, VecDyn
/// and MatDyn are Eigen's own and need none.
template <class T>
struct AsEigen;

template <>
struct AsEigen<Vec3d> {
  using Matrix = Eigen::Vector3d;
  static Matrix to(const Vec3d& v) { return {v.x, v.y, v.z}; }
  static Vec3d from(const Matrix& v) { return {v[0], v[1], v[2]}; }
};
template <>
struct AsEigen<Mat3d> {
  using Matrix = Eigen::Matrix3d;
  static Matrix to(const Mat3d& R) { return Mat<3, 3>(R); }
  static Mat3d from(const Matrix& R) { return Mat<3, 3>(R); }
};
template <>
struct AsEigen<Transformd> {
  using Matrix = Eigen::Matrix4d;
  static Matrix to(const Transformd& X) {
    Matrix H = Matrix::Identity();
    H.topLeftCorner<3, 3>() = AsEigen<Mat3d>::to(X.R);
    H.topRightCorner<3, 1>() = AsEigen<Vec3d>::to(X.p);
    return H;
  }
  static Transformd from(const Matrix& H) {
    return {AsEigen<Mat3d>::from(H.topLeftCorner<3, 3>()),
            AsEigen<Vec3d>::from(H.topRightCorner<3, 1>())};
  }
};
template <>
struct AsEigen<Sym3<double>> {
  using Matrix = Eigen::Matrix3d;
  static Matrix to(const Sym3<double>& I) {
    Matrix m;
    m << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    return m;
  }
  static Sym3<double> from(const Matrix& m) {
    return {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
  }
};
template <>
struct AsEigen<Motion<double>> {
  using Matrix = Eigen::Matrix<double, 6, 1>;
  static Matrix to(const Motion<double>& V) { return {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z}; }
  static Motion<double> from(const Matrix& V) { return {{V[0], V[1], V[2]}, {V[3], V[4], V[5]}}; }
};
template <>
struct AsEigen<Force<double>> {
  using Matrix = Eigen::Matrix<double, 6, 1>;
  static Matrix to(const Force<double>& F) { return {F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z}; }
  static Force<double> from(const Matrix& F) { return {{F[0], F[1], F[2]}, {F[3], F[4], F[5]}}; }
};

template <class T>
concept HasEigenForm = requires {
  typename AsEigen<T>::Matrix;
};

}  // namespace espalier::python

namespace nanobind::detail {

template <class T>
requires espalier::python::HasEigenForm<T>
struct type_caster<T> {
  using Form = espalier::python::AsEigen<T>;
  using Inner = make_caster<typename Form::Matrix>;
  NB_TYPE_CASTER(T, Inner::Name)

  bool from_python(handle source, uint8_t flags, cleanup_list* cleanup) noexcept {
    Inner inner;
    if (!inner.from_python(source, flags, cleanup)) return false;
    value = Form::from(inner.operator typename Form::Matrix &());
    return true;
  }
  static handle from_cpp(const T& x, rv_policy, cleanup_list* cleanup) noexcept {
    return Inner::from_cpp(Form::to(x), rv_policy::move, cleanup);
  }
};

}  // namespace nanobind::detail
