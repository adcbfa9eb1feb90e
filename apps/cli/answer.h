#pragma once

// The results of `compute` at one state, everything in the authored order; with closed loops, of
// the independent joints.

#include <optional>

#include "apps/cli/json.h"
#include "apps/cli/state_file.h"
#include "apps/cli/terminal.h"
#include "espalier/dynamics/loops/closure.h"
#include "espalier/dynamics/tree/workspace.h"
#include "espalier/world/world.h"

namespace espalier::cli {

/// A frame's motion in world axes.
struct FrameAnswer {
  Transformd X_WF;
  Vec3d velocity, angularVelocity;                   ///< m/s, rad/s
  Vec3d acceleration, angularAcceleration;           ///< at the given udot, else at the one found
  std::vector<double> jacobian, rotationalJacobian;  ///< [3][nv] row-major
};

struct TendonAnswer {
  double length = 0, velocity = 0;
  std::vector<double> jacobian;  ///< [nv]
};

/// Of all joints, internal order.
struct JointMotion {
  std::vector<double> q, u, udot;
};

/// All joints of a model with closed loops.
struct LoopAnswer {
  std::vector<double> q, u, udot;
  double residual = 0;  ///< m, or 1 for directions: the largest gap
};

struct Answer {
  std::vector<double> q, u, tau;
  std::vector<double> M;           ///< [nv][nv] row-major
  std::vector<double> h;           ///< [nv]
  std::vector<double> udot;        ///< [nv] forward dynamics of tau
  std::vector<double> tauInverse;  ///< [nv] inverse dynamics of the given udot; else empty
  double kineticEnergy = 0, potentialEnergy = 0;
  Vec3d com{};
  std::optional<LoopAnswer> loops;
  std::vector<FrameAnswer> frames;    ///< as in Model::frames
  std::vector<TendonAnswer> tendons;  ///< as in Model::tendons
  std::vector<std::string> warnings;
};

/// Answers state after state with the same workspaces.
class Computer {
 public:
  Computer(const Model& model, const Vec3d& gravity)
      : model_(model), gravity_(gravity), ws_(model.topology) {
    if (model.hasLoops() || !model.tendons.empty()) inWorld_.emplace(model, gravity);
  }

  Answer answer(const StateInput& state);

 private:
  /// Data of loops and tendons beyond the tree.
  struct InWorld {
    InWorld(const Model& model, const Vec3d& gravity);
    World world;
    ArticulatedSystem* system;
    LoopWorkspace<double> at;  ///< of embedded ones
  };

  std::vector<double> dofs(const std::vector<double>& internal) const;
  JointMotion answerTree(const StateInput& state, Answer& answer);
  JointMotion answerRows(const StateInput& state, Answer& answer);
  JointMotion answerLoops(const StateInput& state, Answer& answer);
  void computeFrames(const JointMotion& joints, Answer& answer);
  void computeTendons(const JointMotion& joints, Answer& answer);

  const Model& model_;
  Vec3d gravity_;
  Workspace<double> ws_;
  std::optional<InWorld> inWorld_;
};

/// {nq, nv, joints, M, h, udot, ..., frames: {name: {...}}, warnings}; with tendons also
/// tendons: {name: {length, velocity, jacobian}}, with closed loops
/// loops: {residual, joints, q, u, udot} of all joints
Json toJson(const Model& model, const Answer& answer);

/// The same as tables, without Jacobians.
std::string draw(const Terminal& terminal, const Model& model, const Answer& answer);

}  // namespace espalier::cli
