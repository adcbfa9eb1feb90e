#include "part_handle.h"

#include "casters.h"

namespace espalier::python {

PyObject* robotOf(PyObject* self) noexcept {
  if (!self) return nullptr;
  const nb::handle object(self);
  if (nb::isinstance<HandleOf<ArticulatedSystem>>(object)) return self;
  if (nb::isinstance<Part<LinkRef>>(object)) return nb::inst_ptr<Part<LinkRef>>(object)->owner;
  if (nb::isinstance<Part<JointRef>>(object)) return nb::inst_ptr<Part<JointRef>>(object)->owner;
  return nullptr;
}

FrameOf FrameArg::of() const {
  if (const int* index = std::get_if<int>(&value)) return FrameOf(*index);
  if (const auto* name = std::get_if<std::string>(&value)) return FrameOf(*name);
  return FrameOf(*std::get<const CoordinateFrame*>(value));
}

}  // namespace espalier::python

namespace nanobind::detail {

bool type_caster<espalier::python::FrameArg>::from_python(handle source, uint32_t flags,
                                                          cleanup_list* cleanup) noexcept {
  using espalier::CoordinateFrame;
  using Part = espalier::python::Part<CoordinateFrame>;
  if (PyUnicode_Check(source.ptr())) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(source.ptr(), &size);
    if (!text) {
      PyErr_Clear();
      return false;
    }
    value.value = std::string(text, static_cast<std::size_t>(size));
    return true;
  }
  make_caster<int> index;
  if (index.from_python(source, flags, cleanup)) {
    value.value = index.value;
    return true;
  }
  type_caster_base<Part> inner;  // no instance without __init__
  if (source.is_none() || !inner.from_python(source, flags, cleanup)) return false;
  Part* part = inner.operator Part*();
  CoordinateFrame* frame = part->own ? &*part->own : part->part;
  // A rotor is counted within its robot.
  const bool isOfOther = part->owner && cleanup && part->owner != cleanup->self();
  if (!frame || (frame->rotor >= 0 && isOfOther)) return false;
  value.value = frame;
  return true;
}

}  // namespace nanobind::detail
