#pragma once

// The same worlds twice, stepped alone and in a LanePack: everything must be the same to the bit.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "espalier/batch/lane_pack.h"

namespace espalier::testing {

class LaneTwins {
 public:
  /// in  make(world, i)  fills the i-th world
  LaneTwins(int count, const std::function<void(World&, int)>& make) {
    std::vector<World*> worlds;
    for (int i = 0; i < count; ++i)
      for (auto* side : {&alone_, &packed_}) {
        side->push_back(std::make_unique<World>());
        make(*side->back(), i);
      }
    for (const auto& world : packed_) worlds.push_back(world.get());
    pack_ = std::make_unique<LanePack>(worlds);
  }

  LanePack& pack() { return *pack_; }
  int count() const { return static_cast<int>(alone_.size()); }
  World& packed(int i) { return *packed_[static_cast<std::size_t>(i)]; }
  /// f(world, i) to both.
  void forEach(const std::function<void(World&, int)>& f) {
    for (int i = 0; i < count(); ++i)
      for (auto* side : {&alone_, &packed_}) f(*(*side)[static_cast<std::size_t>(i)], i);
  }

  /// Steps on; false from the first difference on.
  ///   in  control  before each step, if any
  bool expectSame(int steps, const std::function<void(World&, int)>& control = {}) {
    for (int step = 0; step < steps; ++step) {
      if (control) forEach(control);
      for (const auto& world : alone_) world->integrate();
      pack_->integrate();
      steppedAlone += pack_->steppedAlone();
      solvedAlone += pack_->solvedAlone();
      for (int i = 0; i < count(); ++i)
        if (!isSame(*alone_[static_cast<std::size_t>(i)], packed(i))) {
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

  std::vector<std::unique_ptr<World>> alone_, packed_;
  std::unique_ptr<LanePack> pack_;
};

}  // namespace espalier::testing
