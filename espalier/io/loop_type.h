#pragma once

// How files name the kinds of loops.

#include "espalier/model/loops/mechanism.h"

namespace espalier::io {

struct LoopType {
  const char* name;
  LoopKind kind;
};

/// All that are read; nameOf() of model/loops/mechanism.h is the one that is written.
inline constexpr LoopType loop_types[] = {
    {"point", LoopKind::POINT},         {"spherical", LoopKind::POINT},
    {"fixed", LoopKind::FIXED},         {"revolute", LoopKind::REVOLUTE},
    {"continuous", LoopKind::REVOLUTE}, {"prismatic", LoopKind::PRISMATIC},
    {"planar", LoopKind::PLANAR},       {"cylindrical", LoopKind::CYLINDRICAL},
    {"universal", LoopKind::UNIVERSAL}, {"screw", LoopKind::SCREW},
};

}  // namespace espalier::io
