#pragma once

// Common code of the World::add... calls.

#include <string>
#include <utility>

#include "espalier/core/check.h"
#include "espalier/core/diagnostic.h"
#include "espalier/model/spec/spec.h"

namespace espalier {

/// The value, or std::invalid_argument with every diagnostic.
template <class T>
T valueOrThrow(Expected<T>&& expected, const std::string& what) {
  ESPALIER_REQUIRE(expected.hasValue(), what + ":\n" + expected.diagnostics().toString());
  return std::move(expected).value();
}

/// A body that was just made with a shape of this kind.
template <class Kind, class Base>
Kind* asKind(Base* body) {
  return static_cast<Kind*>(body);
}

inline CollisionSpec shapeSpec(const Shape& shape, const std::string& material, std::uint64_t group,
                               std::uint64_t mask) {
  CollisionSpec c;
  c.shape = shape;
  c.material = material;
  c.group = group;
  c.mask = mask;
  return c;
}

}  // namespace espalier
