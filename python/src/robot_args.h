#pragma once

// Arguments of robots' calls that Python users may give in more than one form.

#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <string>
#include <utility>
#include <variant>

#include "casters.h"
#include "espalier/core/check.h"
#include "espalier/robot/articulated_system.h"

namespace espalier::python {

/// A body by its index or by its link's name.
struct BodyArg {
  std::variant<int, std::string> value;

  /// errors  throws std::invalid_argument where no body has this name
  int in(const ArticulatedSystem& robot) const {
    if (const int* index = std::get_if<int>(&value)) return *index;
    const auto& name = std::get<std::string>(value);
    const int body = robot.getBodyIdx(name);
    ESPALIER_REQUIRE(body >= 0, "there is no link '" + name + "'");
    const std::string& whole = robot.model().bodies[body].name;
    ESPALIER_REQUIRE(whole == name, "link '" + name + "' is welded to '" + whole +
                                        "' and has no body of its own: give that, or ask "
                                        "link('" +
                                        name + "')");
    return body;
  }
};

/// C::f(int body, ...) with a BodyArg.
template <class R, class... A>
auto ofBody(R (ArticulatedSystem::*f)(int, A...)) {
  return [f](ArticulatedSystem& robot, const BodyArg& body, A... a) -> R {
    return (robot.*f)(body.in(robot), std::forward<A>(a)...);
  };
}
template <class R, class... A>
auto ofBody(R (ArticulatedSystem::*f)(int, A...) const) {
  return [f](const ArticulatedSystem& robot, const BodyArg& body, A... a) -> R {
    return (robot.*f)(body.in(robot), std::forward<A>(a)...);
  };
}
/// C::f(int body, out) with a BodyArg, as a function that returns out.
template <class Out>
auto filledOfBody(void (ArticulatedSystem::*f)(int, Out&) const) {
  return [f](const ArticulatedSystem& robot, const BodyArg& body) {
    Out out;
    (robot.*f)(body.in(robot), out);
    return out;
  };
}

/// C::f(out, out), as a function that returns both.
inline auto pairOf(void (ArticulatedSystem::*f)(Eigen::VectorXd&, Eigen::VectorXd&) const) {
  return [f](const ArticulatedSystem& robot) {
    std::pair<Eigen::VectorXd, Eigen::VectorXd> both;
    (robot.*f)(both.first, both.second);
    return both;
  };
}

/// A vector, or one number that stands for each of its numbers.
struct Spread {
  std::variant<double, Eigen::VectorXd> value;

  Eigen::VectorXd of(int size) const {
    if (const double* number = std::get_if<double>(&value))
      return Eigen::VectorXd::Constant(size, *number);
    return std::get<Eigen::VectorXd>(value);
  }
};

}  // namespace espalier::python

namespace nanobind::detail {

/// The same as the variant.
template <class T>
struct variant_like_caster {
  using Inner = make_caster<decltype(T::value)>;
  NB_TYPE_CASTER(T, Inner::Name)

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    Inner inner;
    if (!inner.from_python(source, flags, cleanup)) return false;
    value.value = std::move(inner.operator decltype(T::value) & ());
    return true;
  }
};

template <>
struct type_caster<espalier::python::BodyArg> : variant_like_caster<espalier::python::BodyArg> {};
template <>
struct type_caster<espalier::python::Spread> : variant_like_caster<espalier::python::Spread> {};

}  // namespace nanobind::detail
