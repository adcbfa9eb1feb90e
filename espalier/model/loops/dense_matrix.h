#pragma once

// A small dense matrix by rows, returned by the objects of model/. Not for the step.

#include <initializer_list>
#include <vector>

#include "espalier/core/check.h"
#include "espalier/scalar/scalar.h"

namespace espalier {

template <class T>
class DenseMatrix {
 public:
  DenseMatrix() = default;
  /// All zero.
  DenseMatrix(int rows, int columns)
      : rows_(rows),
        columns_(columns),
        values_(static_cast<std::size_t>(rows * columns), bc<T>(0.0)) {}
  /// Row by row.
  DenseMatrix(std::initializer_list<std::initializer_list<T>> rows)
      : rows_(static_cast<int>(rows.size())),
        columns_(rows.size() == 0 ? 0 : static_cast<int>(rows.begin()->size())) {
    for (const auto& row : rows) {
      ESPALIER_REQUIRE(static_cast<int>(row.size()) == columns_, "rows of one length");
      values_.insert(values_.end(), row);
    }
  }

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  T& operator()(int i, int j) { return values_[i * columns_ + j]; }
  const T& operator()(int i, int j) const { return values_[i * columns_ + j]; }
  T* row(int i) { return values_.data() + i * columns_; }
  const T* row(int i) const { return values_.data() + i * columns_; }

 private:
  int rows_ = 0, columns_ = 0;
  std::vector<T> values_;
};

template <class T>
DenseMatrix<T> unitMatrix(int n) {
  DenseMatrix<T> unit(n, n);
  for (int i = 0; i < n; ++i) unit(i, i) = bc<T>(1.0);
  return unit;
}

template <class T>
DenseMatrix<T> operator*(const DenseMatrix<T>& a, const DenseMatrix<T>& b) {
  ESPALIER_REQUIRE(a.columns() == b.rows(), "a product's inner sizes agree");
  DenseMatrix<T> c(a.rows(), b.columns());
  for (int i = 0; i < a.rows(); ++i)
    for (int k = 0; k < a.columns(); ++k)
      for (int j = 0; j < b.columns(); ++j) c(i, j) = fma(a(i, k), b(k, j), c(i, j));
  return c;
}
template <class T>
std::vector<T> operator*(const DenseMatrix<T>& a, const std::vector<T>& x) {
  ESPALIER_REQUIRE(a.columns() == static_cast<int>(x.size()), "a product's inner sizes agree");
  std::vector<T> y(static_cast<std::size_t>(a.rows()), bc<T>(0.0));
  for (int i = 0; i < a.rows(); ++i)
    for (int j = 0; j < a.columns(); ++j) y[i] = fma(a(i, j), x[j], y[i]);
  return y;
}

}  // namespace espalier
