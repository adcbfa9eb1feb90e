#pragma once

// The dynamics of one robot whose legs go side by side in the lanes of a register: unbranched chains
// of hinges and sliders on the root, all of one length and with the same kinds of joints. Same results
// as kinematics(), velocities(), bias() and massMatrix() in double, bit for bit, because every body
// sees the same operations, and the root the same order of sums.
//
// A node is the bodies at one depth of up to W chains; its parents are the node before, or the root.

#include <array>
#include <vector>

#include "espalier/core/aligned.h"
#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/lowered.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

class ChainLanes {
 public:
  /// in  topology, parameters   outlive this object
  ChainLanes(const Topology& topology, const Lowered<double>& parameters);

  /// Reads the parameters again after an edit of masses, axes, offsets or armature; no allocation.
  ///   in  parameters   of the same topology; outlive this object
  void load(const Lowered<double>& parameters);

  /// False where the plain algorithms run, because the robot is no such or has too few chains; then
  /// nothing else may be called.
  bool isProfitable() const { return nodes_.size() > 0; }

  /// kinematics(): fills ws.origin, R[0], x[0], V[0], c[0], Ib[0] and the nodes.
  void kinematics(const double* q, const double* u, Workspace<double>& ws);
  void velocities(const double* u, Workspace<double>& ws);
  void bias(const Vec3d& gravity, Workspace<double>& ws, double* h);
  /// Into ws.H, in the plain layout.
  void massMatrix(Workspace<double>& ws);
  /// Columns into ws.S; poses, twists and accelerations of the given bodies.
  void exportColumns(Workspace<double>& ws) const;
  void exportBody(int body, Workspace<double>& ws) const;
  /// All that kinematics() and bias() leave: columns, and every body's R, x, V, c, Ib, A.
  void exportAll(Workspace<double>& ws) const;

  /// momentum() and totalInertia() (energy.h), after kinematics().
  Force<double> momentum(const double* u, const Workspace<double>& ws) const;
  RigidInertia<double> totalInertia(const Workspace<double>& ws) const;

 private:
  using T = DoubleLanes;
  static constexpr int W = lanes_v<T>;

  struct Node {
    JointKind kind = JointKind::Revolute;
    bool isFirst = false, isLast = false;  ///< of its chains
    int filled = 0;                        ///< lanes; idle ones repeat the first
    std::array<int, W> body{}, q{}, u{};
    // Parameters, as last loaded.
    LoweredBody<T> par;
    T armature{}, spin{};
    // As in Workspace.
    Mat3<T> R;
    Vec3<T> x;
    Motion<T> V, c, S, A;
    RigidInertia<T> Ib, Ic;
    Force<T> F;
  };

  void plan();
  template <class F>
  void forBodies(F&& f) const;
  template <class Plain, class Wide>
  void addToRoot(Wide Node::*from, Plain& sum) const;

  const Topology& t_;
  const Lowered<double>* par_;
  AlignedArray<Node> nodes_;
  std::vector<int> nodeOf_, laneOf_;  ///< [nb] place of each body
  AlignedArray<T> row_;               ///< [longest] of the mass matrix
  AlignedArray<double> idleRow_;      ///< [longest] where idle lanes write
};

}  // namespace espalier
