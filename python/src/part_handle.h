#pragma once

// Parts of a robot in Python: its frames, joints, links, collision bodies, visuals. A part that
// lies in the robot (a reference) keeps the robot's handle, and raises once the robot was removed
// or while another thread steps it; what is of no robot (a CoordinateFrame of one's own) is a value.

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "object_handle.h"

namespace espalier::python {

template <class T>
inline constexpr bool is_part = std::is_same_v<T, JointRef> || std::is_same_v<T, LinkRef> ||
                                std::is_same_v<T, CoordinateFrame> ||
                                std::is_same_v<T, CollisionBody> || std::is_same_v<T, VisObject>;

struct PartHandle {
  /// in  robot  Python's ArticulatedSystem; null: the part is of none
  explicit PartHandle(PyObject* robot) : owner(robot) { Py_XINCREF(owner); }
  ~PartHandle() { clear(); }
  PartHandle(const PartHandle&) = delete;
  PartHandle& operator=(const PartHandle&) = delete;
  void clear() { Py_CLEAR(owner); }
  void check() const {
    if (owner) nb::inst_ptr<ObjectHandle>(owner)->use();
  }
  PyObject* owner;
};

template <class T>
struct Part : PartHandle {
  Part(PyObject* robot, T& in) : PartHandle(robot), part(&in) {}
  Part(PyObject* robot, T&& value) : PartHandle(robot), own(std::move(value)) {}

  T& use() {
    check();
    if (!part && !own) ObjectHandle::throwRemoved();
    return part ? *part : *own;
  }
  void clear() {
    if (owner) {  // it lies in the robot, or refers to it
      part = nullptr;
      own.reset();
    }
    PartHandle::clear();
  }

  T* part = nullptr;
  std::optional<T> own;
};

/// Python's ArticulatedSystem that self is, or is a part of; null where it is neither.
PyObject* robotOf(PyObject* self) noexcept;

/// Slots for garbage collection of the class of a part.
template <class T>
PyType_Slot* partSlots() {
  static const auto traverse = [](PyObject* self, visitproc visit, void* arg) -> int {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<Part<T>>(self)->owner);
    return 0;
  };
  static const auto clear = [](PyObject* self) -> int {
    if (nb::inst_ready(self)) nb::inst_ptr<Part<T>>(self)->clear();
    return 0;
  };
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(+traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(+clear)},
                                {0, nullptr}};
  return slots;
}

/// A frame by its index, its joint's name, or as an object; the text is kept.
class FrameArg {
 public:
  FrameOf of() const;

  std::variant<int, std::string, const CoordinateFrame*> value;
};

}  // namespace espalier::python

namespace nanobind::detail {

template <class T>
requires espalier::python::is_part<T>
struct type_caster<T> : type_caster_base_tag {
  using Handle = espalier::python::Part<T>;
  static constexpr auto Name = const_name<Handle>();
  template <class T_>
  using Cast = precise_cast_t<T_>;

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    return inner.from_python(source, flags, cleanup);
  }
  /// A reference lies in the robot that is `self`, a value in the new part.
  template <class T_>
  static handle from_cpp(T_&& x, rv_policy, cleanup_list* cleanup) noexcept {
    PyObject* robot = espalier::python::robotOf(cleanup ? cleanup->self() : nullptr);
    try {
      object made = inst_alloc(nanobind::type<Handle>());
      if constexpr (std::is_pointer_v<std::remove_reference_t<T_>>) {
        if (!x) return none().release();
        new (inst_ptr<Handle>(made)) Handle(robot, const_cast<T&>(*x));
      } else if constexpr (std::is_lvalue_reference_v<T_>) {
        new (inst_ptr<Handle>(made)) Handle(robot, const_cast<T&>(x));
      } else {
        new (inst_ptr<Handle>(made)) Handle(robot, T(std::move(x)));
      }
      inst_mark_ready(made);
      return made.release();
    } catch (python_error& error) {
      error.restore();
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return {};
  }
  template <class T_>
  bool can_cast() const noexcept {
    return std::is_pointer_v<T_> || inner.template can_cast<Handle&>();
  }
  operator T*() {
    Handle* part = inner.operator Handle*();
    return part ? &part->use() : nullptr;
  }
  operator T&() {
    if (T* part = operator T*()) return *part;
    throw next_overload();
  }

  type_caster_base<Handle> inner;
};

template <>
struct type_caster<espalier::python::FrameArg> {
  NB_TYPE_CASTER(espalier::python::FrameArg,
                 const_name("int | str | ") + make_caster<espalier::CoordinateFrame>::Name)

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept;
};

}  // namespace nanobind::detail
