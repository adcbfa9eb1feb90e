#pragma once

// The dynamics of a mechanism with its subtrees side by side (subtree_plan.h): same results as
// closeLoops(), loopRates(), loopAccelerations(), inverseDynamics() and reducedMassMatrix() in
// double, to rounding, for the public plan of every cluster.

#include <memory>

#include "espalier/dynamics/simd/subtree_packs.h"

namespace espalier {

template <class T>
struct PartWorkspace;

class SubtreeMechanism {
 public:
  /// In the widest registers of this machine.
  ///   in  topology, mechanism   outlive this object
  SubtreeMechanism(const Topology& topology, const Mechanism& mechanism);
  /// With or without those that only some machines have.
  SubtreeMechanism(const Topology& topology, const Mechanism& mechanism, bool wide);
  ~SubtreeMechanism();

  /// False where the plain algorithms are the better choice; then nothing else may be called.
  bool isProfitable() const { return plan_.isProfitable; }

  /// Reads masses, axes, offsets and the loops' frames again; no allocation.
  ///   in  loops  whose closures are those of the mechanism
  void load(const Lowered<double>& parameters, const LoopWorkspace<double>& loops);

  /// closeLoops(), and G there, which goes to loops.
  double close(double* q, double tolerance, int iterations, LoopWorkspace<double>& loops);

  /// h at q and u; g goes to loops.
  ///   pre  close(q), massMatrix(); u = G u_y
  void bias(const Vec3d& gravity, const double* u, LoopWorkspace<double>& loops, double* h);

  /// M_y in packed rows.
  ///   pre  close(q)
  void massMatrix(double* H);

  /// One of the bodies' reduced columns (computeReducedColumns()).
  ///   in   index  in LoopWorkspace::reducedColumn
  ///   pre  massMatrix()
  Motion<double> reducedColumn(int index) const;
  /// Pose, twist and acceleration of a body; with the first, the origin.
  void exportBody(int body, Workspace<double>& ws) const;
  /// The same of all bodies, and their columns.
  void exportAll(Workspace<double>& ws) const;

 private:
  const Part& root() const { return plan_.parts[0]; }

  const Topology& t_;
  SubtreePlan plan_;
  SubtreeNumbers numbers_;
  std::unique_ptr<PartWorkspace<double>> root_;
  std::unique_ptr<SubtreePacks> packs_;
};

}  // namespace espalier
