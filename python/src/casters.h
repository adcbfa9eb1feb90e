#pragma once

// How vectors and matrices of double cross to Python. Include this in every source that binds
// something, and never nanobind/eigen: one type has one caster in the whole module.
//
//   Eigen vectors, Vec<n>, VecDyn, Vec3d, std::vector<double>   (n,)
//   Eigen matrices, Mat<n, m>, MatDyn, Mat3d                    (n, m)
//   Sym3                                                        (3, 3), symmetric
//   Quat                                                        (4,)  w, x, y, z
//   Transformd X_AB                                             (4, 4) homogeneous: p_A = X_AB p_B
//   Motion, Force                                               (6,)  angular part first
//   std::vector of any of these whose size is fixed             (k, ...)
//
// In: anything array-like of numbers. A wrong shape is a ValueError that names both shapes (among
// overloads, too: let one function take arguments that differ by shape alone), other types a
// TypeError. Whether numbers are finite is for the engine to judge. Out: a fresh array in C order.

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "array.h"
#include "espalier/robot/math.h"
#include "espalier/spatial/inertia.h"
#include "espalier/spatial/motion.h"
#include "espalier/spatial/rotation.h"

namespace espalier::python {

/// How T is written as an array.
///   wanted     shape; -1 where any number will do
///   shapeOf()  of one value
///   write(), read()  its elements in C order
template <class T>
struct ArrayForm;

/// The Eigen matrix of double that T is or derives from; void where there is none.
template <int rows, int cols, int options, int maxRows, int maxCols>
Eigen::Matrix<double, rows, cols, options, maxRows, maxCols> eigenOf(
    const Eigen::Matrix<double, rows, cols, options, maxRows, maxCols>&);
void eigenOf(...);
template <class T>
using EigenOf = decltype(eigenOf(std::declval<const T&>()));

template <class T>
requires(!std::is_void_v<EigenOf<T>>) struct ArrayForm<T> {
  using Matrix = EigenOf<T>;
  static constexpr int rows = Matrix::RowsAtCompileTime, cols = Matrix::ColsAtCompileTime;
  static constexpr bool isVector = Matrix::IsVectorAtCompileTime;
  static constexpr auto wanted = [] {
    if constexpr (isVector)
      return std::array<Py_ssize_t, 1>{rows == 1 ? cols : rows};
    else
      return std::array<Py_ssize_t, 2>{rows, cols};
  }();
  static auto shapeOf(const Matrix& x) {
    if constexpr (isVector)
      return std::array<Py_ssize_t, 1>{x.size()};
    else
      return std::array<Py_ssize_t, 2>{x.rows(), x.cols()};
  }
  static void write(const Matrix& x, double* to) {
    if constexpr (isVector) {
      for (Eigen::Index i = 0; i < x.size(); ++i) to[i] = x[i];
    } else {
      for (Eigen::Index i = 0; i < x.rows(); ++i)
        for (Eigen::Index j = 0; j < x.cols(); ++j) *to++ = x(i, j);
    }
  }
  static void read(Matrix& x, const double* from, const Py_ssize_t* shape) {
    if constexpr (isVector) {
      x.resize(shape[0]);
      for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = from[i];
    } else {
      x.resize(shape[0], shape[1]);
      for (Eigen::Index i = 0; i < x.rows(); ++i)
        for (Eigen::Index j = 0; j < x.cols(); ++j) x(i, j) = *from++;
    }
  }
};

/// Types with n elements at all times, by Self::write(x, to) and Self::read(x, from).
template <class T, class Self, Py_ssize_t... n>
struct FixedForm {
  static constexpr std::array<Py_ssize_t, sizeof...(n)> wanted{n...};
  static constexpr auto shapeOf(const T&) { return wanted; }
  static void read(T& x, const double* from, const Py_ssize_t*) { Self::read(x, from); }
};

template <>
struct ArrayForm<Vec3d> : FixedForm<Vec3d, ArrayForm<Vec3d>, 3> {
  using FixedForm::read;
  static void write(const Vec3d& v, double* to) { put(to, v.x, v.y, v.z); }
  static void read(Vec3d& v, const double* a) { v = {a[0], a[1], a[2]}; }
};
template <>
struct ArrayForm<Mat3d> : FixedForm<Mat3d, ArrayForm<Mat3d>, 3, 3> {
  using FixedForm::read;
  static void write(const Mat3d& R, double* to) {
    put(to, R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z);
  }
  static void read(Mat3d& R, const double* a) {
    R = {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}};
  }
};
template <>
struct ArrayForm<Sym3<double>> : FixedForm<Sym3<double>, ArrayForm<Sym3<double>>, 3, 3> {
  using FixedForm::read;
  static void write(const Sym3<double>& I, double* to) {
    put(to, I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz);
  }
  static void read(Sym3<double>& I, const double* a) {
    I = {a[0], (a[1] + a[3]) / 2, (a[2] + a[6]) / 2, a[4], (a[5] + a[7]) / 2, a[8]};
  }
  static const char* faultOf(const double* a) {
    const double size = std::max({std::abs(a[0]), std::abs(a[4]), std::abs(a[8])});
    for (const double gap : {a[1] - a[3], a[2] - a[6], a[5] - a[7]})
      if (std::abs(gap) > 1e-9 * size) return "expected a symmetric matrix of shape (3, 3)";
    return nullptr;
  }
};
template <>
struct ArrayForm<Quat<double>> : FixedForm<Quat<double>, ArrayForm<Quat<double>>, 4> {
  using FixedForm::read;
  static void write(const Quat<double>& q, double* to) { put(to, q.w, q.x, q.y, q.z); }
  static void read(Quat<double>& q, const double* a) { q = {a[0], a[1], a[2], a[3]}; }
};
template <>
struct ArrayForm<Transformd> : FixedForm<Transformd, ArrayForm<Transformd>, 4, 4> {
  using FixedForm::read;
  static void write(const Transformd& X, double* to) {
    const Mat3d& R = X.R;
    put(to, R.r0.x, R.r0.y, R.r0.z, X.p.x, R.r1.x, R.r1.y, R.r1.z, X.p.y, R.r2.x, R.r2.y, R.r2.z,
        X.p.z, 0, 0, 0, 1);
  }
  static void read(Transformd& X, const double* a) {
    X = {{{a[0], a[1], a[2]}, {a[4], a[5], a[6]}, {a[8], a[9], a[10]}}, {a[3], a[7], a[11]}};
  }
  static const char* faultOf(const double* a) {
    const bool isHomogeneous = a[12] == 0 && a[13] == 0 && a[14] == 0 && a[15] == 1;
    return isHomogeneous ? nullptr
                         : "expected a homogeneous transform of shape (4, 4): its last row must be "
                           "0, 0, 0, 1";
  }
};
template <>
struct ArrayForm<Motion<double>> : FixedForm<Motion<double>, ArrayForm<Motion<double>>, 6> {
  using FixedForm::read;
  static void write(const Motion<double>& V, double* to) {
    put(to, V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z);
  }
  static void read(Motion<double>& V, const double* a) {
    V = {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
  }
};
template <>
struct ArrayForm<Force<double>> : FixedForm<Force<double>, ArrayForm<Force<double>>, 6> {
  using FixedForm::read;
  static void write(const Force<double>& F, double* to) {
    put(to, F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z);
  }
  static void read(Force<double>& F, const double* a) {
    F = {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
  }
};

template <>
struct ArrayForm<std::vector<double>> {
  static constexpr std::array<Py_ssize_t, 1> wanted{-1};
  static auto shapeOf(const std::vector<double>& x) {
    return std::array<Py_ssize_t, 1>{static_cast<Py_ssize_t>(x.size())};
  }
  static void write(const std::vector<double>& x, double* to) {
    for (double number : x) *to++ = number;
  }
  static void read(std::vector<double>& x, const double* from, const Py_ssize_t* shape) {
    x.assign(from, from + shape[0]);
  }
};

template <class T>
concept HasArrayForm = requires {
  ArrayForm<T>::wanted;
};

/// The number of elements of a type of fixed size; 0 for others.
template <class T>
constexpr Py_ssize_t sizeOf() {
  Py_ssize_t size = 1;
  for (Py_ssize_t n : ArrayForm<T>::wanted) size *= n < 0 ? 0 : n;
  return size;
}

template <class T>
requires(HasArrayForm<T>&& sizeOf<T>() > 0) struct ArrayForm<std::vector<T>> {
  using Element = ArrayForm<T>;
  static constexpr auto shapeFor(Py_ssize_t count) {
    std::array<Py_ssize_t, Element::wanted.size() + 1> shape{count};
    for (std::size_t i = 0; i < Element::wanted.size(); ++i) shape[i + 1] = Element::wanted[i];
    return shape;
  }
  static constexpr auto wanted = shapeFor(-1);
  static auto shapeOf(const std::vector<T>& x) {
    return shapeFor(static_cast<Py_ssize_t>(x.size()));
  }
  static void write(const std::vector<T>& x, double* to) {
    for (const T& element : x) Element::write(element, to), to += sizeOf<T>();
  }
  static void read(std::vector<T>& x, const double* from, const Py_ssize_t* shape) {
    x.resize(static_cast<std::size_t>(shape[0]));
    for (T& element : x) Element::read(element, from, shape + 1), from += sizeOf<T>();
  }
};

/// A new numpy array of x; null with a Python error set where memory is short.
template <HasArrayForm T>
PyObject* toArray(const T& x) noexcept {
  double* data;
  const auto shape = ArrayForm<T>::shapeOf(x);
  PyObject* array = newArray(shape, &data);
  if (array) ArrayForm<T>::write(x, data);
  return array;
}

}  // namespace espalier::python

namespace nanobind::detail {

template <class T>
struct numpy_caster {
  using Form = espalier::python::ArrayForm<T>;
  using Value = T;
  static constexpr auto Name =
      io_name("numpy.typing.ArrayLike", "numpy.typing.NDArray[numpy.float64]");
  template <class T_>
  using Cast = movable_cast_t<T_>;

  bool from_python(handle source, uint32_t flags, cleanup_list*) noexcept {
    using Reader = espalier::python::ArrayReader;
    Reader reader;
    const bool convert = flags & static_cast<uint32_t>(cast_flags::convert);
    const auto result = reader.read(source, Form::wanted, convert);
    if (result == Reader::NO_NUMBERS) return false;
    if (result == Reader::WRONG_SHAPE) {
      fault = reader.fault();
      return true;
    }
    if constexpr (requires { Form::faultOf(reader.data()); }) {
      if (const char* found = Form::faultOf(reader.data())) fault = found;
    }
    Form::read(value, reader.data(), reader.shape().data());
    return true;
  }
  static handle from_cpp(const T& x, rv_policy, cleanup_list*) noexcept {
    return espalier::python::toArray(x);
  }
  static handle from_cpp(const T* x, rv_policy, cleanup_list*) noexcept {
    return x ? handle(espalier::python::toArray(*x)) : none().release();
  }

  // Containers ask, before they cast where nothing may be thrown; functions do not ask, and the
  // ValueError is thrown.
  template <class T_>
  bool can_cast() const noexcept {
    return fault.empty();
  }
  explicit operator T*() { return &checked(); }
  explicit operator T&() { return checked(); }
  explicit operator T&&() { return static_cast<T&&>(checked()); }

  T& checked() {
    if (!fault.empty()) throw value_error(fault.c_str());
    return value;
  }

  T value{};
  std::string fault;
};

template <class T>
requires espalier::python::HasArrayForm<T>
struct type_caster<T> : numpy_caster<T> {
};
// Before nanobind's own for vectors, wherever nanobind/stl/vector.h is included.
template <class Element, class Allocator>
requires espalier::python::HasArrayForm<std::vector<Element, Allocator>>
struct type_caster<std::vector<Element, Allocator>>
    : numpy_caster<std::vector<Element, Allocator>> {
};

}  // namespace nanobind::detail
