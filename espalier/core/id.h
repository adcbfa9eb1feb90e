#pragma once

// Typed indices: a BodyId cannot be handed where a JointId is asked for.

#include <compare>

namespace espalier {

template <class Tag>
struct Id {
  int value = -1;
  constexpr Id() = default;
  constexpr explicit Id(int v) : value(v) {}
  constexpr bool isValid() const { return value >= 0; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using BodyId = Id<struct BodyTag>;
using FrameId = Id<struct FrameTag>;
using SystemId = Id<struct SystemTag>;
using GeomId = Id<struct GeomTag>;
using MaterialId = Id<struct MaterialTag>;

}  // namespace espalier
