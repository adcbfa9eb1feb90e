#pragma once

// Arrays of double to and from Python, whatever C++ type they are of: the part of casters.h that is
// no template. Data are in C order throughout.

#include <nanobind/nanobind.h>

#include <span>
#include <string>
#include <vector>

namespace espalier::python {

namespace nb = nanobind;

/// Number of elements along each axis. Where an array is asked for, -1 stands for any number.
using Extents = std::span<const Py_ssize_t>;

/// Looks up the functions of numpy needed here. Called once, when the module is imported.
void importNumpy();

/// A fresh numpy array of float64 in C order.
///   out      data  of its elements, to be filled; not initialised
///   returns  a new reference; null with a Python error set where memory is short
PyObject* newArray(Extents shape, double** data) noexcept;

/// The numbers of an array-like object: anything numpy.asarray makes an array of bool, integers or
/// floating point numbers of.
class ArrayReader {
 public:
  ArrayReader() = default;
  ~ArrayReader();
  ArrayReader(const ArrayReader&) = delete;
  ArrayReader& operator=(const ArrayReader&) = delete;

  enum Result {
    NO_NUMBERS,   ///< no array of numbers
    WRONG_SHAPE,  ///< numbers in another shape; fault() names both shapes
    READ          ///< shape() and data() are set
  };
  /// in  convert  false: only arrays of float64 in C order, whose elements are then not copied
  Result read(nb::handle source, Extents wanted, bool convert) noexcept;

  std::span<const Py_ssize_t> shape() const { return shape_; }
  const double* data() const { return static_cast<const double*>(view_.buf); }
  const std::string& fault() const { return fault_; }

 private:
  bool open(PyObject* source) noexcept;
  void close() noexcept;

  Py_buffer view_{};
  bool isOpen_ = false;
  std::vector<Py_ssize_t> shape_;
  std::string fault_;
};

}  // namespace espalier::python
