#pragma once

// A hand that pulls at a point of a body: a spring with a damper from there to a target, as an external
// force of every step.

#include <optional>

#include "espalier/spatial/vec3.h"
#include "espalier/world/world.h"

namespace espalier {

/// Spring and damper of a drag, fixed while it lasts.
struct DragLaw {
  double stiffness = 0;  ///< N/m
  double damping = 0;    ///< N s/m
  double most = 0;       ///< N

  /// in  mass   kg, of all that is to be carried along
  /// in  atHand  kg, that a force at the point feels: the harmonic mean over the axes
  /// in  dt     s; the force is explicit, so that a light link and a long step bound the law
  static DragLaw of(double mass, double atHand, double dt);

  /// N, on a point at p with velocity v (m, m/s) that is pulled to the target.
  Vec3d force(const Vec3d& p, const Vec3d& v, const Vec3d& target) const;
};

class Drag {
 public:
  /// in  body  of the object; 0 for a single body
  /// none where nothing there can be moved by a force: a static or kinematic body, a fixed base
  static std::optional<Drag> start(World& world, Object& object, int body, const Vec3d& point_B);

  void moveTo(const Vec3d& target) { target_ = target; }
  /// Adds the force of the next step.   pre  between steps
  ///   returns  false where the object is no longer in the world: the drag is over
  bool apply() const;
  bool isAt(const Object& object, int body, const Vec3d& point_B) const;

 private:
  World* world_ = nullptr;
  Object* object_ = nullptr;
  int body_ = 0;
  Vec3d point_{}, target_{};
  DragLaw law_;
};

}  // namespace espalier
