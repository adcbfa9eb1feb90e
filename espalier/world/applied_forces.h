#pragma once

// External forces as users set them: where they act, for those who draw them. The dynamics read
// their sum (System::external, FreeBody::force).

#include <vector>

#include "espalier/spatial/vec3.h"

namespace espalier {

struct AppliedForce {
  int body = 0;     ///< of its object
  Vec3d point_B{};  ///< m, where it acts, in the body's frame
  Vec3d force{};    ///< N, world axes
};

/// Of one object; both lists keep their memory.
struct AppliedForces {
  std::vector<AppliedForce> next;  ///< set for the next step
  std::vector<AppliedForce> last;  ///< that acted in the last one

  void endStep() {
    last.swap(next);
    next.clear();
  }
  void clear() {
    next.clear();
    last.clear();
  }
};

}  // namespace espalier
