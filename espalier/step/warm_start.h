#pragma once

// Finds the impulses of the last step again: by (geoms, feature), and the others of a pair by
// place. Features change while bodies do not move, as where two faces are parallel to rounding and
// either may be the one that is clipped; the points stay where they are.

#include "espalier/step/step_data.h"

namespace espalier {

class WarmStart {
 public:
  explicit WarmStart(const StepData& world) : world_(world) {}

  /// The impulse that contact i starts from; null: none. To be asked in order.
  const WarmImpulse* find(int i) {
    if (i == end_) match(i);
    return i - begin_ < most ? known_[i - begin_] : nullptr;
  }

 private:
  static constexpr int most = 8;  // points of a pair that are looked at

  const WarmImpulse& old(int i) const { return world_.warm[i]; }
  const Contact& now(int i) const { return world_.contacts[i]; }
  /// The contacts of two geoms, now and in the last step.
  struct Pair {
    int firstOld, points, olds;
    bool isTaken[most] = {};  ///< by old ones
  };
  void match(int first);
  void matchFeatures(Pair& pair);
  void matchPlaces(Pair& pair);  ///< those whose feature was not found

  const StepData& world_;
  int next_ = 0;             // of the old ones, which are in the same order
  int begin_ = 0, end_ = 0;  // the pair's contacts
  const WarmImpulse* known_[most];
};

}  // namespace espalier
