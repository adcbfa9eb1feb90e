#pragma once

// The same worlds twice, stepped alone and in lanes (LaneSteps): everything must be the same to the bit.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "espalier/batch/lane_steps.h"
#include "espalier/world/world.h"

namespace espalier::testing {

class LaneTwins {
 public:
  /// in  make(world, i)  fills the i-th world
  LaneTwins(int count, const std::function<void(World&, int)>& make) {
    std::vector<WorldData*> worlds;
    for (int i = 0; i < count; ++i)
      for (auto* side : {&alone_, &inLanes_}) {
        side->push_back(std::make_unique<World>());
        make(*side->back(), i);
      }
    for (const auto& world : inLanes_) worlds.push_back(&dataOf(*world));
    lanes_ = std::make_unique<LaneSteps>(std::move(worlds));
  }

  /// A step of those in lanes alone.
  void integrate() { lanes_->integrate(lanes_->size()); }
  int count() const { return static_cast<int>(alone_.size()); }
  World& inLanes(int i) { return *inLanes_[i]; }
  /// f(world, i) to both.
  void forEach(const std::function<void(World&, int)>& f) {
    for (int i = 0; i < count(); ++i)
      for (auto* side : {&alone_, &inLanes_}) f(*(*side)[i], i);
  }

  /// Steps on; false from the first difference on.
  ///   in  control  before each step, if any
  bool expectSame(int steps, const std::function<void(World&, int)>& control = {}) {
    for (int step = 0; step < steps; ++step) {
      if (control) forEach(control);
      for (const auto& world : alone_) world->integrate();
      integrate();
      steppedAlone += lanes_->steppedAlone;
      solvedAlone += lanes_->solvedAlone;
      for (int i = 0; i < count(); ++i)
        if (!isSame(*alone_[i], inLanes(i))) {
          ADD_FAILURE() << "world " << i << " differs after step " << step;
          return false;
        }
    }
    return true;
  }

  int steppedAlone = 0, solvedAlone = 0, contacts = 0;  ///< sums over steps
  std::uint32_t flags = 0;

 private:
  static bool isSame(std::span<const double> a, std::span<const double> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
  }
  /// No number is the same as no number.
  static bool isSame(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
  static bool isSame(const Vec3d& a, const Vec3d& b) {
    return isSame(a.x, b.x) && isSame(a.y, b.y) && isSame(a.z, b.z);
  }
  bool isSame(const World& a, const World& b) {
    const StepReport &x = a.report(), &y = b.report();
    flags |= x.flags;
    contacts += x.activeContacts;
    bool same = isSame(a.coordinates(), b.coordinates()) &&
                isSame(a.velocities(), b.velocities()) && a.getWorldTime() == b.getWorldTime() &&
                x.flags == y.flags && isSame(x.residual, y.residual) &&
                isSame(x.closure, y.closure) && isSame(x.energy, y.energy) &&
                isSame(x.energyBalance, y.energyBalance) && x.contacts == y.contacts &&
                x.limits == y.limits && x.activeContacts == y.activeContacts &&
                x.penetration == y.penetration && a.contacts().size() == b.contacts().size();
    for (std::size_t k = 0; same && k < a.contacts().size(); ++k) {
      const Contact &c = a.contacts()[k], &d = b.contacts()[k];
      same = isSame(c.position, d.position) && isSame(c.impulse, d.impulse) &&
             isSame(c.torque, d.torque) && c.depth == d.depth && c.feature == d.feature;
    }
    return same;
  }

  std::vector<std::unique_ptr<World>> alone_, inLanes_;
  std::unique_ptr<LaneSteps> lanes_;
};

}  // namespace espalier::testing
