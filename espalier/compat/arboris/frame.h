#pragma once

// Frames on bodies, as constraints, observers and users' controllers ask for them.
//
//   Body            a link, or the ground; its frame is the link's own
//   SubFrame        fixed to a body at bpose
//   MovingSubFrame  moved against its body by the caller, who also gives its twist
//
// Poses are X_gf, ground from f; twists are [w; v] of f over the ground, in f's axes at f's origin,
//   T = J nu + T_f/b,    d/dt (J nu) = J nu' + dJ nu
// All speak of the state that Simulation::updateDynamic() saw last.

#include <Eigen/Core>
#include <span>
#include <string>

#include "espalier/compat/arboris/tree.h"

namespace espalier::sim {

class Simulation;

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6x6 = Eigen::Matrix<double, 6, 6>;
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// The compiled body that carries frames.
struct Carrier {
  const Tree* tree = nullptr;  ///< null: the ground, or a body that no link carries yet
  int body = 0;
  Transformd X_CB = identityTransform<double>();  ///< the Body's frame in the engine's axes
};

class Frame {
 public:
  virtual ~Frame() = default;
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  const std::string& getName() const { return name_; }
  const Transformd& bpose() const { return bpose_; }  ///< in its body
  Transformd pose() const;
  Vector6 twist() const;
  Matrix6X jacobian() const;   ///< 6 x n
  Matrix6X djacobian() const;  ///< 6 x n

  // For constraints: world axes, nothing from the heap.

  /// Twist at the point p (m, world) of a body that moves with this frame.
  Motion<double> twistAt(const Vec3d& p) const;
  /// Its part that is not J nu: a moving frame's own.
  Motion<double> driftAt(const Vec3d& p) const;
  /// The columns of J nu at p, and their rates for a p that moves along; none for the ground.
  /// Valid until the next call for a frame of the same system.
  std::span<const Tree::Column> columnsAt(const Vec3d& p) const;

  const Simulation& simulation() const { return simulation_; }
  /// The same body carries both.
  bool isOnBodyOf(const Frame& other) const {
    return carrier_ == other.carrier_ ||
           (carrier_->tree && carrier_->tree == other.carrier_->tree &&
            carrier_->body == other.carrier_->body);
  }
  ///   errors  throws std::invalid_argument where it is a frame of another Simulation
  void requireIn(const Simulation& simulation) const;
  /// The same Body carries both.
  bool hasCarrier(const Carrier& carrier) const { return carrier_ == &carrier; }

 protected:
  /// pre  the carrier outlives this
  Frame(const Simulation& simulation, std::string name, const Carrier& carrier)
      : simulation_(simulation), name_(std::move(name)), carrier_(&carrier) {}
  Frame(const Frame& body, const Transformd& bpose, std::string name);

  Transformd bpose_ = identityTransform<double>();
  Motion<double> btwist_{{0, 0, 0}, {0, 0, 0}};  ///< over the body, in f

 private:
  const Simulation& simulation_;
  std::string name_;
  const Carrier* carrier_;
};

class Body : public Frame {
 public:
  Body(const Simulation& simulation, std::string name, const Carrier& carrier = {})
      : Frame(simulation, std::move(name), own_), own_(carrier) {}
  /// For Simulation, when the link that carries it is compiled.
  void setCarrier(const Carrier& carrier) { own_ = carrier; }
  const Carrier& carrier() const { return own_; }

  /// Wrench of the surrounding medium = -viscosity twist, both in the body's axes at its origin.
  ///   pre  symmetric part positive semidefinite, or the medium gives energy
  void setViscosity(const Matrix6x6& viscosity);
  const Matrix6x6& viscosity() const { return viscosity_; }
  bool isViscous() const { return isViscous_; }

 private:
  Carrier own_;
  Matrix6x6 viscosity_ = Matrix6x6::Zero();
  bool isViscous_ = false;
};

class SubFrame : public Frame {
 public:
  SubFrame(const Frame& body, const Transformd& bpose, std::string name = {})
      : Frame(body, bpose, std::move(name)) {}
};

class MovingSubFrame : public Frame {
 public:
  MovingSubFrame(const Frame& body, const Transformd& bpose, std::string name = {})
      : Frame(body, bpose, std::move(name)) {}

  /// Where it is now, and how it moves over its body: [w; v] in its own axes at its origin.
  void setBpose(const Transformd& bpose, const Vector6& btwist = Vector6::Zero());
};

}  // namespace espalier::sim
