#pragma once

// Objects of a World in Python: handles, that keep their World, and raise once the object was
// removed. A handle's class is HandleOf<Box>, HandleOf<ArticulatedSystem>, ..., under the engine's
// names in Python. Bound functions take and return the engine's own types:
//
//   nb::class_<HandleOf<Sphere>, HandleOf<SingleBodyObject>>(m, "Sphere")
//       .def_prop_ro("radius", [](const Sphere& s) { return s.getRadius(); });
//
// Results of type Object* and the like become handles in methods of World and of its objects; None
// where they are null.

#include "guard.h"

namespace espalier::python {

struct ObjectHandle {
  ObjectHandle(PyObject* itsOwner, WorldHandle& itsWorld, Object& itsObject)
      : owner(itsOwner), world(&itsWorld), object(&itsObject) {
    Py_INCREF(owner);
  }
  ~ObjectHandle() { clear(); }
  ObjectHandle(const ObjectHandle&) = delete;
  ObjectHandle& operator=(const ObjectHandle&) = delete;

  /// errors  throws std::runtime_error where the object was removed, and while another thread
  ///         steps its world
  Object& use() const {
    if (!object) throwRemoved();
    world->check();
    return *object;
  }
  void clear();
  [[noreturn]] static void throwRemoved();

  PyObject* owner;     ///< Python's World
  WorldHandle* world;  ///< the same
  Object* object;      ///< null: removed
};

template <class T>
struct HandleOf;
template <>
struct HandleOf<Object> : ObjectHandle {
  using ObjectHandle::ObjectHandle;
};
template <>
struct HandleOf<ArticulatedSystem> : HandleOf<Object> {
  using HandleOf<Object>::HandleOf;
};
template <>
struct HandleOf<SingleBodyObject> : HandleOf<Object> {
  using HandleOf<Object>::HandleOf;
};
template <class T>
struct HandleOf : HandleOf<SingleBodyObject> {
  using HandleOf<SingleBodyObject>::HandleOf;
};

/// The handle of an object, made where there is none yet; None of null.
///   in       self  a World or one of its objects in Python
///   returns  a new reference; null with a Python error set
PyObject* handleOf(const Object* object, PyObject* self) noexcept;

/// Slots for garbage collection of the classes of handles.
extern PyType_Slot handle_slots[];

}  // namespace espalier::python

namespace nanobind::detail {

template <class T>
requires std::is_base_of_v<espalier::Object, T>
struct type_caster<T> : type_caster_base_tag {
  using Handle = espalier::python::HandleOf<T>;
  static constexpr auto Name = const_name<Handle>();
  template <class T_>
  using Cast = precise_cast_t<T_>;

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    return inner.from_python(source, flags, cleanup);
  }
  static handle from_cpp(const T* object, rv_policy, cleanup_list* cleanup) noexcept {
    return espalier::python::handleOf(object, cleanup ? cleanup->self() : nullptr);
  }
  static handle from_cpp(const T& object, rv_policy policy, cleanup_list* cleanup) noexcept {
    return from_cpp(&object, policy, cleanup);
  }
  template <class T_>
  bool can_cast() const noexcept {
    return std::is_pointer_v<T_> || inner.template can_cast<Handle&>();
  }
  operator T*() {
    Handle* handle = inner.operator Handle*();
    return handle ? static_cast<T*>(&handle->use()) : nullptr;
  }
  operator T&() {
    if (T* object = operator T*()) return *object;
    throw next_overload();
  }

  type_caster_base<Handle> inner;
};

}  // namespace nanobind::detail
