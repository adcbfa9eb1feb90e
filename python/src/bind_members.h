#pragma once

// Member functions of the engine as functions that nanobind binds on a handle's class, where the
// class bound is another type than the engine's.

#include <type_traits>
#include <utility>

namespace espalier::python {

/// C::f as a function of (T&, arguments...); T is C where not given.
template <class T = void, class R, class C, class... A>
auto method(R (C::*f)(A...)) {
  using Self = std::conditional_t<std::is_void_v<T>, C, T>;
  return [f](Self& self, A... a) -> R { return (self.*f)(std::forward<A>(a)...); };
}
template <class T = void, class R, class C, class... A>
auto method(R (C::*f)(A...) const) {
  using Self = std::conditional_t<std::is_void_v<T>, C, T>;
  return [f](const Self& self, A... a) -> R { return (self.*f)(std::forward<A>(a)...); };
}

/// C::f, which fills its last argument, as a function that returns that. Only for one argument
/// before it or none; name the overload by its type where there are several.
template <class C, class Out>
auto filled(void (C::*f)(Out&) const) {
  return [f](const C& self) {
    Out out;
    (self.*f)(out);
    return out;
  };
}
template <class C, class A, class Out>
auto filled(void (C::*f)(A, Out&) const) {
  return [f](const C& self, A a) {
    Out out;
    (self.*f)(std::forward<A>(a), out);
    return out;
  };
}

}  // namespace espalier::python
