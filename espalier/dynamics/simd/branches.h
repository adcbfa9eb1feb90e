#pragma once

// The dynamics of one robot with its branches side by side (branch_plan.h). Same results as
// kinematics(), bias(), massMatrix(), rnea() and aba() in double, bit for bit, two to three times
// faster on robots with limbs.

#include "espalier/core/aligned.h"
#include "espalier/dynamics/simd/branch_factor.h"
#include "espalier/dynamics/simd/branch_plan.h"
#include "espalier/dynamics/tree/aba.h"
#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/lowered.h"

namespace espalier {

/// Parameters by node and lane, as they were when last loaded.
struct BranchParameters {
  explicit BranchParameters(const BranchPlan& plan);
  void load(const Topology& t, const BranchPlan& plan, const Lowered<double>& par);
  AlignedArray<LoweredBody<DoubleLanes>> body;  ///< [nodes]
  AlignedArray<DoubleLanes> armature, spin;     ///< [nodes]
  AlignedArray<DoubleLanes> geared;             ///< [nodes] of nodes that are
};

/// Numbers by node and lane; body 0 stays in the plain workspace.
struct BranchWorkspace {
  BranchWorkspace(const Topology& t, const BranchPlan& plan);
  using T = DoubleLanes;
  AlignedArray<Mat3<T>> R;  // [nodes], as in Workspace
  AlignedArray<Vec3<T>> x;
  AlignedArray<Motion<T>> V, c, S, A;
  AlignedArray<RigidInertia<T>> Ib, Ic;
  AlignedArray<Force<T>> F;
  AlignedArray<T> row;           // [longest] of the mass matrix
  AlignedArray<double> idleRow;  // [longest] where idle lanes write
  // aba
  AlignedArray<typename AbaWorkspace<T>::BodyMotion> motion;
  AlignedArray<typename AbaWorkspace<T>::DofFactor> joint;
  AlignedArray<ArticulatedInertia<T>> IA;  // handed to the parent, its axes and origin
  AlignedArray<Force<T>> pA;
  AlignedArray<typename AbaWorkspace<T>::Gear> gear;  // of nodes that are geared
};

class Branches {
 public:
  /// in  topology, parameters   outlive this object
  Branches(const Topology& topology, const Lowered<double>& parameters);

  /// Reads the parameters again after an edit of masses, axes, offsets or armature; no allocation.
  ///   in  parameters   of the same topology; outlive this object
  void load(const Lowered<double>& parameters);

  /// False where the plain algorithms are the better choice; then nothing else may be called but
  /// the factor and its solves.
  bool isProfitable() const { return plan_.isProfitable; }

  /// kinematics(): fills ws.origin, R[0], x[0], V[0], c[0], Ib[0] and the nodes.
  void kinematics(const double* q, const double* u, Workspace<double>& ws);
  void velocities(const double* u, Workspace<double>& ws);
  void bias(const Vec3d& gravity, Workspace<double>& ws, double* h);
  /// Into ws.H, in the plain layout.
  void massMatrix(Workspace<double>& ws);
  /// factor() and its solves (factor.h), ws.H and ws.Dinv in the plain layout; the solves are for
  /// what factor() last left here.
  void factor(Workspace<double>& ws) { factor_.factor(ws); }
  void solveTransposed(const Workspace<double>& ws, double* x) { factor_.solveTransposed(ws, x); }
  void solveForward(const Workspace<double>& ws, double* x) { factor_.solveForward(ws, x); }
  /// Columns into ws.S; poses, twists and accelerations of the given bodies.
  void exportColumns(Workspace<double>& ws) const;
  void exportBody(int body, Workspace<double>& ws) const;
  /// All that kinematics() and bias() leave: columns, and every body's R, x, V, c, Ib, A.
  void exportAll(Workspace<double>& ws) const;

  /// momentum() and totalInertia() (energy.h), after kinematics().
  Force<double> momentum(const double* u, const Workspace<double>& ws);
  RigidInertia<double> totalInertia(const Workspace<double>& ws) const;

  void rnea(const Vec3d& gravity, const double* q, const double* u, const double* udot,
            Workspace<double>& ws, double* tau);
  void aba(const Vec3d& gravity, const double* q, const double* u, const double* tau,
           AbaWorkspace<double>& ws, double* udot);

 private:
  void gearsOfChildren(const BranchNode& node, AbaWorkspace<DoubleLanes>::Gear& below) const;

  const Topology& t_;
  const Lowered<double>* par_;
  BranchPlan plan_;
  BranchParameters lanes_;
  BranchWorkspace w_;
  BranchFactor factor_;
};

}  // namespace espalier
