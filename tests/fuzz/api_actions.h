#pragma once

// A World driven by bytes: every call with right and with absurd arguments, in any order. Whatever
// comes, only std::invalid_argument may be thrown, and no state may stop being finite.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "espalier/world/world.h"

namespace espalier::fuzz {

class ApiActions {
 public:
  explicit ApiActions(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  /// Ends the process where a promise is broken; other exceptions pass through.
  void run() {
    int actions = 0;
    while (!bytes_.empty() && ++actions < 200) {
      try {
        act(byte() % 28);
        ++accepted;
      } catch (const std::invalid_argument&) {
        ++refused;
      }
      for (const auto numbers : {world_.coordinates(), world_.velocities()})
        for (double x : numbers)
          if (!std::isfinite(x)) std::abort();
    }
  }

  int accepted = 0, refused = 0;

 private:
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t b = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return b;
  }
  /// Mostly sensible, sometimes not.
  double number() {
    static constexpr double odd[] = {0,
                                     -1,
                                     1e-300,
                                     1e300,
                                     std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::quiet_NaN()};
    const int b = byte();
    return b < 24 ? odd[b % 6] : (b - 24) / 100.0;
  }
  Eigen::Vector3d vector() { return {number(), number(), number()}; }
  Eigen::VectorXd numbers(int right) {
    const int size = byte() % 16 == 0 ? byte() % 9 : right;
    Eigen::VectorXd v(size);
    for (double& x : v) x = number();
    return v;
  }
  std::string name() { return byte() % 2 ? "ground" : std::string(1, static_cast<char>(byte())); }
  Object* object() {
    return world_.objectCount() == 0 ? nullptr : world_.getObject(byte() % world_.objectCount());
  }
  SingleBodyObject* body() { return dynamic_cast<SingleBodyObject*>(object()); }
  ArticulatedSystem* robot() { return dynamic_cast<ArticulatedSystem*>(object()); }

  void add(int kind) {
    if (world_.objectCount() > 12) return;
    switch (kind % 7) {
      case 0: world_.addGround(number()); return;
      case 1: world_.addSphere(number(), number()); return;
      case 2: world_.addBox(number(), number(), number(), number()); return;
      case 3: world_.addCapsule(number(), number(), number()); return;
      case 4: world_.addCylinder(number(), number(), number()); return;
      case 5:
        world_.addHeightMap(byte() % 6, byte() % 6, number(), number(), number(), number(),
                            std::vector<double>(byte() % 40, number()));
        return;
      default:
        world_.addArticulatedSystem(std::string(
            "<robot name='r'><link name='world'/><link name='a'><inertial><mass value='1'/>"
            "<inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial><collision>"
            "<geometry><sphere radius='.1'/></geometry></collision></link><joint name='j' "
            "type='revolute'><parent link='world'/><child link='a'/><axis xyz='0 1 0'/><limit "
            "lower='-1' upper='1' effort='5' velocity='3'/><dynamics friction='.1'/></joint>"
            "</robot>"));
    }
  }

  void act(int what) {
    SingleBodyObject* b = what >= 8 && what < 16 ? body() : nullptr;
    ArticulatedSystem* r = what >= 16 && what < 22 ? robot() : nullptr;
    switch (what) {
      case 0:
      case 1: add(byte()); break;
      case 2: world_.removeObject(object()); break;
      case 3: world_.integrate(); break;
      case 4: world_.integrate1(); break;
      case 5: world_.integrate2(); break;
      case 6: world_.setTimeStep(number()); break;
      case 7: world_.setGravity({number(), number(), number()}); break;
      case 8:
        if (b) b->setPosition(vector());
        break;
      case 9:
        if (b) b->setVelocity(vector(), vector());
        break;
      case 10:
        if (b) b->setOrientation(number(), number(), number(), number());
        break;
      case 11:
        if (b) b->setMass(number());
        break;
      case 12:
        if (b) b->setBodyType(static_cast<BodyType>(byte() % 3));
        break;
      case 13:
        if (b) b->setExternalForce(vector(), vector());
        break;
      case 14:
        if (b) b->setInertia(vector().asDiagonal());
        break;
      case 15:
        if (b) b->setCom(vector());
        break;
      case 16:
        if (r) r->setGeneralizedCoordinate(numbers(1));
        break;
      case 17:
        if (r) r->setGeneralizedVelocity(numbers(1));
        break;
      case 18:
        if (r) r->setPdGains(numbers(1), numbers(1));
        break;
      case 19:
        if (r) r->setPdTarget(numbers(1), numbers(1));
        break;
      case 20:
        if (r) r->setGeneralizedForce(numbers(1));
        break;
      case 21:
        if (r) r->setActuationLimits(numbers(1), numbers(1));
        break;
      case 22: world_.setERP(number(), number()); break;
      case 23: world_.setContactSolverParam(number(), byte()); break;
      case 24: world_.setDefaultMaterial(number(), number(), number()); break;
      case 25: world_.attach(object(), byte() % 2 ? object() : nullptr, byte() % 3); break;
      case 26: checkpoint(); break;
      default: world_.rayTest({number(), number(), number()}, {number(), 0, number()}, number());
    }
  }

  void checkpoint() {
    if (byte() % 2 == 0) {
      bytesOfWorld_ = world_.saveCheckpoint();
    } else {
      if (!bytesOfWorld_.empty())
        bytesOfWorld_[byte() % bytesOfWorld_.size()] ^= static_cast<std::byte>(byte());
      world_.restoreCheckpoint(bytesOfWorld_);
    }
  }

  std::span<const std::uint8_t> bytes_;
  World world_;
  std::vector<std::byte> bytesOfWorld_;
};

}  // namespace espalier::fuzz
