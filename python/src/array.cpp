#include "array.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace espalier::python {

namespace {

// References that live as long as the process.
PyObject* empty = nullptr;    // numpy.empty
PyObject* asarray = nullptr;  // numpy.asarray
PyObject* float64 = nullptr;  // numpy.float64
PyObject* orderC = nullptr;   // "C"
PyObject *dtypeName = nullptr, *kindName = nullptr;

std::string text(Extents shape, bool isAsked) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i) out += ", ";
    if (isAsked && shape[i] < 0)
      out += "nmk"[std::min<std::size_t>(i, 2)];
    else
      out += std::to_string(shape[i]);
  }
  return out + (shape.size() == 1 ? ",)" : ")");
}

bool isFloat64(const Py_buffer& view) {
  if (view.itemsize != sizeof(double) || !view.format) return false;
  std::string_view format = view.format;
  if (format.size() == 2) {
    const char order = format[0];
    const char native = std::endian::native == std::endian::little ? '<' : '>';
    if (order != '@' && order != '=' && order != native) return false;
    format.remove_prefix(1);
  }
  return format == "d";
}

/// An array of bool, integers or floating point numbers.
bool holdsNumbers(PyObject* array) {
  nb::object dtype = nb::steal(PyObject_GetAttr(array, dtypeName));
  if (!dtype) return false;
  nb::object kind = nb::steal(PyObject_GetAttr(dtype.ptr(), kindName));
  if (!kind || !PyUnicode_Check(kind.ptr())) return false;
  Py_ssize_t size = 0;
  const char* letter = PyUnicode_AsUTF8AndSize(kind.ptr(), &size);
  return letter && size == 1 && std::strchr("biuf", letter[0]);
}

bool fits(Extents shape, Extents wanted) {
  return std::equal(shape.begin(), shape.end(), wanted.begin(), wanted.end(),
                    [](Py_ssize_t n, Py_ssize_t asked) { return asked < 0 || n == asked; });
}

}  // namespace

void importNumpy() {
  const nb::module_ numpy = nb::module_::import_("numpy");
  empty = numpy.attr("empty").inc_ref().ptr();
  asarray = numpy.attr("asarray").inc_ref().ptr();
  float64 = numpy.attr("float64").inc_ref().ptr();
  orderC = PyUnicode_InternFromString("C");
  dtypeName = PyUnicode_InternFromString("dtype");
  kindName = PyUnicode_InternFromString("kind");
}

PyObject* newArray(Extents shape, double** data) noexcept {
  PyObject* size = nullptr;
  if (shape.size() == 1) {
    size = PyLong_FromSsize_t(shape[0]);
  } else {
    size = PyTuple_New(static_cast<Py_ssize_t>(shape.size()));
    for (std::size_t i = 0; size && i < shape.size(); ++i)
      PyTuple_SetItem(size, static_cast<Py_ssize_t>(i), PyLong_FromSsize_t(shape[i]));
  }
  if (!size) return nullptr;
  PyObject* arguments[] = {nullptr, size};
  PyObject* array =
      PyObject_Vectorcall(empty, arguments + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
  Py_DECREF(size);
  if (!array) return nullptr;
  // The array owns its memory and nobody else has seen it: the pointer stays good after the view is
  // given back.
  Py_buffer view;
  if (PyObject_GetBuffer(array, &view, PyBUF_WRITABLE) != 0) {
    Py_DECREF(array);
    return nullptr;
  }
  *data = static_cast<double*>(view.buf);
  PyBuffer_Release(&view);
  return array;
}

ArrayReader::~ArrayReader() { close(); }

void ArrayReader::close() noexcept {
  if (isOpen_) PyBuffer_Release(&view_);
  isOpen_ = false;
}

bool ArrayReader::open(PyObject* source) noexcept {
  if (!PyObject_CheckBuffer(source)) return false;
  if (PyObject_GetBuffer(source, &view_, PyBUF_ND | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  isOpen_ = true;
  const bool isAligned = reinterpret_cast<std::uintptr_t>(view_.buf) % alignof(double) == 0;
  if (!isFloat64(view_) || !isAligned) {
    close();
    return false;
  }
  shape_.assign(view_.shape, view_.shape + view_.ndim);
  return true;
}

ArrayReader::Result ArrayReader::read(nb::handle source, Extents wanted, bool convert) noexcept {
  close();
  fault_.clear();
  if (!open(source.ptr())) {
    if (!convert) return NO_NUMBERS;
    nb::object array = nb::steal(PyObject_CallFunctionObjArgs(asarray, source.ptr(), nullptr));
    if (!array) {
      // numpy's ValueError is about nested sequences of different lengths.
      const bool isRagged = PyErr_ExceptionMatches(PyExc_ValueError);
      PyErr_Clear();
      if (!isRagged) return NO_NUMBERS;
      fault_ = "expected an array of shape " + text(wanted, true) +
               ", got nested sequences of different lengths";
      return WRONG_SHAPE;
    }
    nb::object numbers;
    if (holdsNumbers(array.ptr()))
      numbers =
          nb::steal(PyObject_CallFunctionObjArgs(asarray, array.ptr(), float64, orderC, nullptr));
    // A misaligned array is in C order and comes back as it is: copy it.
    if (numbers && !open(numbers.ptr())) {
      const nb::str name("copy");
      numbers = nb::steal(PyObject_CallMethodObjArgs(numbers.ptr(), name.ptr(), nullptr));
      if (numbers && !open(numbers.ptr())) numbers.reset();
    }
    if (!numbers) {
      PyErr_Clear();
      return NO_NUMBERS;
    }
  }
  // An empty sequence is no rows of any length.
  if (shape_.size() == 1 && shape_[0] == 0 && wanted.size() > 1 && wanted[0] < 0) {
    shape_.resize(wanted.size(), 0);
    for (std::size_t i = 1; i < wanted.size(); ++i) shape_[i] = std::max<Py_ssize_t>(wanted[i], 0);
  }
  if (fits(shape_, wanted)) return READ;
  fault_ =
      "expected an array of shape " + text(wanted, true) + ", got shape " + text(shape_, false);
  return convert ? WRONG_SHAPE : NO_NUMBERS;
}

}  // namespace espalier::python
