#pragma once

// A contact of two shapes at their nearest points, as far as geometry goes; what forces it bears is
// for the class derived from it (SoftFinger, or a user's own).
//
// The contact frame is at shape 0's point, its z towards shape 1. Forces act on body 1 and,
// reversed, on body 0.

#include "espalier/compat/arboris/constraint.h"
#include "espalier/compat/arboris/frame.h"
#include "espalier/compat/arboris/shape_pair.h"

namespace espalier::sim {

class PointContact : public Constraint {
 public:
  /// Shapes sit at the frames, which are on different bodies and outlive this.
  PointContact(const Frame& frame0, const Shape& shape0, const Frame& frame1, const Shape& shape1,
               double proximity = 0.02, std::string name = {});

  /// Geometry, and the force back to zero; active where distance + dt (its rate) < proximity.
  void update(double dt) override;
  bool isActive() const override { return active_; }

  /// m, of the last update; infinite where the shapes are far apart.
  double sdist() const { return sdist_; }
  /// The contact frame, world.
  const Transformd& contactPose() const { return X_gc_; }

 protected:
  const Frame& frame0() const { return frame0_; }
  const Frame& frame1() const { return frame1_; }

 private:
  const Frame &frame0_, &frame1_;
  ShapePair shapes_;
  double proximity_;
  double sdist_ = 0;
  Transformd X_gc_ = identityTransform<double>();
  bool active_ = false;
};

}  // namespace espalier::sim
