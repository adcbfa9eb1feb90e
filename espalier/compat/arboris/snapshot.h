#pragma once

// Kinematics of a simulation at its state t, for observers. The simulation's own are those of the
// World's evaluation point where Stepping is WORLD.

#include <vector>

#include "espalier/compat/arboris/simulation.h"

namespace espalier::sim {

class Snapshot {
 public:
  explicit Snapshot(const Simulation& simulation);
  /// Brings it up to date.   cost one pass of kinematics
  void take();

  // What these tell throws std::invalid_argument where something that moves was removed.

  double kineticEnergy() const;  ///< J, rotor inertia included
  /// J, zero at the world's origin.
  double potentialEnergy(const Vec3d& gravity) const;
  double mass() const { return mass_; }      ///< kg, of all that moves
  Eigen::Vector3d centreOfMass() const;      ///< m, world
  Eigen::Vector3d centreOfMassRate() const;  ///< m/s
  std::size_t actorCount() const { return workspaces_.size(); }
  /// X_gl of a link (place in Model::links) of an actor.
  Transformd linkPose(std::size_t actor, std::size_t link) const;

 private:
  const Simulation& simulation_;
  std::vector<Workspace<double>> workspaces_;  // by actor
  double mass_ = 0;
};

}  // namespace espalier::sim
