#pragma once

// Users' actions between two steps that nothing else records, for viewers: external forces,
// rays. The dynamics do not read it.

#include <cstddef>
#include <vector>

#include "espalier/spatial/vec3.h"

namespace espalier {

/// Both lists keep their memory, and have some from the begin, so that commands allocate nothing.
template <class Note>
struct StepNotes {
  explicit StepNotes(std::size_t room = 4) { reserve(room); }
  void reserve(std::size_t room) {
    next.reserve(room);
    last.reserve(room);
  }

  std::vector<Note> next;  ///< since the last step
  std::vector<Note> last;  ///< between the last step and the one before

  void endStep() {
    last.swap(next);
    next.clear();
  }
  void clear() {
    next.clear();
    last.clear();
  }
};

/// An external force as it was set. The force that acts is the sum (System::external,
/// FreeBody::force).
struct AppliedForce {
  int body = 0;     ///< of its object
  Vec3d point_B{};  ///< m, where it acts, in the body's frame
  Vec3d force{};    ///< N, world axes
};
using AppliedForces = StepNotes<AppliedForce>;  ///< of one object

class Object;

/// A ray, up to the nearest surface that it met.
struct CastRay {
  Vec3d start{}, end{};            ///< m, world
  const Object* object = nullptr;  ///< that it met; null: none. Not to be followed: it may be gone
  int body = 0;                    ///< of this object
};
inline constexpr std::size_t most_noted_rays = 1024;  ///< of a step; further ones are not noted

}  // namespace espalier
