#pragma once

// How files name the kinds of loops.

#include "espalier/model/spec.h"

namespace espalier::io {

struct LoopType {
  const char* name;
  LoopKind kind;
};

/// The first of a kind is the name it is written by.
inline constexpr LoopType loop_types[] = {
    {"point", LoopKind::POINT},         {"spherical", LoopKind::POINT},
    {"fixed", LoopKind::FIXED},         {"revolute", LoopKind::REVOLUTE},
    {"continuous", LoopKind::REVOLUTE}, {"prismatic", LoopKind::PRISMATIC},
    {"planar", LoopKind::PLANAR},       {"cylindrical", LoopKind::CYLINDRICAL},
    {"universal", LoopKind::UNIVERSAL}, {"screw", LoopKind::SCREW},
};

inline const char* nameOf(LoopKind kind) {
  for (const LoopType& type : loop_types) {
    if (type.kind == kind) return type.name;
  }
  return "point";
}

}  // namespace espalier::io
