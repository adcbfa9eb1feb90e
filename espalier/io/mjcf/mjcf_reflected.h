#pragma once

// The inertia that actuators of a MuJoCo model see.

#include <vector>

#include "espalier/io/mjcf/mjcf_actuation.h"
#include "espalier/spatial/inertia.h"

namespace espalier::io {

struct MjcfModel;

/// The mass matrix M of a model where all is as drawn, armatures with it, factored as L' D L along the
/// tree (Featherstone 2008, 6.3).
class MjcfMassMatrix {
 public:
  explicit MjcfMassMatrix(const MjcfModel& model);

  /// (J M^-1 J')^-1 of an actuator whose length moves by J u: kg m^2 or kg; 0 where J is zero.
  double seenBy(const MjcfActuator& actuator) const;
  /// The same of each of a joint's `count` coordinates, on the average of their inverses.
  double seenBy(const MjcfTerm& joint, int count) const;

 private:
  struct Dof {
    int body, parent;  ///< the dof before it on the way to the world, -1 for none
    Motion<double> S;  ///< about the world's origin, in its axes
    double armature;
    std::vector<double>
        row;  ///< of L, D last: by the dof's ancestors and itself, the first one first
  };

  void addDofs(const MjcfModel& model, int body);
  void fill(const MjcfModel& model);
  void factor();
  std::vector<double> jacobian(const MjcfActuator& actuator) const;
  double mobility(std::vector<double> J) const;  ///< J M^-1 J'

  std::vector<Dof> dofs_;
  std::vector<Transformd> X_WB_;
  std::vector<int> parentOf_;               ///< by body
  std::vector<int> lastDof_;                ///< by body: its own or an ancestor's; -1: none
  std::vector<std::vector<int>> firstDof_;  ///< by body and joint
};

}  // namespace espalier::io
