#pragma once

// Crossing<T> for a type of fields: every field by its own type, lists and optionals element by
// element. Included by the sources that compile Crossing for the types of spec_casters.h.

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "spec_fields.h"

namespace espalier::python {

/// espalier.MODULE.NAME, looked up once.
inline nb::handle lookUp(const char* module, const char* name, PyObject*& kept) {
  if (kept == nullptr) kept = nb::object(nb::module_::import_(module).attr(name)).release().ptr();
  return kept;
}
template <class T>
nb::handle classOf() {
  static PyObject* kept = nullptr;  // for the life of the process
  return lookUp(FieldsClass<T>::in, FieldsClass<T>::as, kept);
}

inline std::string typeName(nb::handle object) {
  return nb::cast<std::string>(
      nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()))).attr("__name__"));
}

/// Prefixes an error with one more element of its path.
inline void prefix(WrongField& wrong, const std::string& step) {
  if (wrong.where.size() > 200) return;
  const bool joins = !wrong.where.empty() && wrong.where[0] != '[';
  wrong.where = step + (joins ? "." : "") + wrong.where;
}

/// How deep objects of fields lie in one another here: children of children may hold themselves.
class Depth {
 public:
  Depth() {
    if (++depth_ > deepest) {
      --depth_;
      throw WrongField{"", "is nested too deeply, or holds itself", false};
    }
  }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  static constexpr int deepest = 1000;
  static inline thread_local int depth_ = 0;
};

/// Types that are no structs of fields: by their caster.
template <class T>
struct FieldCrossing {
  static nb::object to(const T& value) { return nb::cast(value); }
  static void from(nb::handle object, T& value) {
    nb::detail::make_caster<T> caster;
    const auto flags = static_cast<std::uint32_t>(nb::detail::cast_flags::convert);
    if (!caster.from_python(object, flags, nullptr))
      throw WrongField{"", "does not take a value of type " + typeName(object), true};
    try {
      value = caster.operator nb::detail::cast_t<T>();
    } catch (const nb::builtin_exception& error) {
      throw WrongField{"", error.what(), error.type() == nb::exception_type::type_error};
    }
  }
};

template <CrossesByFields T>
struct FieldCrossing<T> {
  static nb::object to(const T& value) { return Crossing<T>::to(value); }
  static void from(nb::handle object, T& value) { Crossing<T>::from(object, value); }
};

template <std::size_t n>
struct FieldCrossing<std::array<double, n>> {
  using Eigens = Eigen::Matrix<double, static_cast<int>(n), 1>;
  static nb::object to(const std::array<double, n>& value) {
    return nb::cast(Eigens(Eigens::Map(value.data())));
  }
  static void from(nb::handle object, std::array<double, n>& value) {
    Eigens read;
    FieldCrossing<Eigens>::from(object, read);
    Eigens::Map(value.data()) = read;
  }
};

/// Axes, one a row.
template <>
struct FieldCrossing<std::array<Vec3d, 3>> {
  static nb::object to(const std::array<Vec3d, 3>& value) {
    return nb::cast(Mat3d{value[0], value[1], value[2]});
  }
  static void from(nb::handle object, std::array<Vec3d, 3>& value) {
    Mat3d rows;
    FieldCrossing<Mat3d>::from(object, rows);
    value = {rows.r0, rows.r1, rows.r2};
  }
};

template <class T>
requires(!HasArrayForm<std::vector<T>>) struct FieldCrossing<std::vector<T>> {
  static nb::object to(const std::vector<T>& values) {
    nb::list list;
    for (const T& value : values) list.append(FieldCrossing<T>::to(value));
    return list;
  }
  static void from(nb::handle object, std::vector<T>& values) {
    if (!nb::isinstance<nb::sequence>(object) || nb::isinstance<nb::str>(object))
      throw WrongField{"", "expected a list, got " + typeName(object), true};
    values.clear();
    values.reserve(nb::len(object));
    std::size_t i = 0;
    for (const nb::handle element : object) {
      try {
        T value = blank<T>();
        FieldCrossing<T>::from(element, value);
        values.push_back(std::move(value));
      } catch (WrongField& wrong) {
        prefix(wrong, "[" + std::to_string(i) + "]");
        throw;
      }
      ++i;
    }
  }
};

template <class T>
struct FieldCrossing<std::optional<T>> {
  static nb::object to(const std::optional<T>& value) {
    return value ? FieldCrossing<T>::to(*value) : nb::none();
  }
  static void from(nb::handle object, std::optional<T>& value) {
    value.reset();
    if (!object.is_none()) FieldCrossing<T>::from(object, value.emplace());
  }
};

template <class... T>
struct FieldCrossing<std::variant<T...>> {
  static nb::object to(const std::variant<T...>& value) {
    return std::visit(
        [](const auto& one) { return FieldCrossing<std::decay_t<decltype(one)>>::to(one); }, value);
  }
  static void from(nb::handle object, std::variant<T...>& value) {
    const auto tryOne = [&]<class One>() {
      if (!Crossing<One>::isInstance(object)) return false;
      Crossing<One>::from(object, value.template emplace<One>());
      return true;
    };
    if (!(tryOne.template operator()<T>() || ...))
      throw WrongField{"", "expected a shape, got " + typeName(object), true};
  }
};

template <class T>
bool Crossing<T>::isInstance(nb::handle object) {
  const int is = PyObject_IsInstance(object.ptr(), classOf<T>().ptr());
  if (is < 0) throw nb::python_error();
  return is == 1;
}

template <class T>
nb::object Crossing<T>::to(const T& value) {
  const nb::handle type = classOf<T>();
  nb::object object = type.attr("__new__")(type);
  nb::dict fields = nb::borrow<nb::dict>(object.attr("__dict__"));
  std::apply(
      [&](const auto&... f) {
        ((fields[f.name] =
              FieldCrossing<std::decay_t<decltype(value.*f.member)>>::to(value.*f.member)),
         ...);
      },
      FieldsOf<T>::all);
  return object;
}

template <class T>
void Crossing<T>::from(nb::handle object, T& value) {
  if (!isInstance(object))
    throw WrongField{
        "", std::string("expected ") + FieldsClass<T>::as + ", got " + typeName(object), true};
  const Depth depth;
  const auto read = [&](const auto& f) {
    try {
      // Objects may be without a value that was deleted, or never set by __new__ alone.
      const nb::object part = nb::getattr(object, f.name, nb::handle());
      if (!part.is_valid()) throw WrongField{"", "has no value", true};
      FieldCrossing<std::decay_t<decltype(value.*f.member)>>::from(part, value.*f.member);
    } catch (WrongField& wrong) {
      prefix(wrong, f.name);
      throw;
    }
  };
  std::apply([&](const auto&... f) { (read(f), ...); }, FieldsOf<T>::all);
}

}  // namespace espalier::python
