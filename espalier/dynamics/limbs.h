#pragma once

// The dynamics of a mechanism with its limbs side by side (limb_plan.h): same results as closeLoops(),
// loopRates(), loopAccelerations(), inverseDynamics() and reducedMassMatrix() in double, to rounding,
// for the public plan of every cluster.

#include "espalier/dynamics/limb_plan.h"
#include "espalier/dynamics/reduction.h"

namespace espalier {

/// A part at work; its numbers are those of the whole at its places.
template <class T>
struct PartWorkspace {
  explicit PartWorkspace(const Part& part);

  Lowered<T> par;
  Workspace<T> ws;
  LoopWorkspace<T> loops;
  AlignedArray<T> q, u, h, H;
};

class Limbs {
 public:
  /// in  topology, mechanism   outlive this object
  Limbs(const Topology& topology, const Mechanism& mechanism);

  /// False where the plain algorithms are the better choice; then nothing else may be called.
  bool isWorthIt() const { return plan_.isWorthIt; }

  /// Reads masses, axes, offsets and the loops' frames again; no allocation.
  ///   in  loops  whose closures are those of the mechanism
  void load(const Lowered<double>& parameters, const LoopWorkspace<double>& loops);

  /// closeLoops(), and G there, which goes to loops.
  double close(double* q, double tolerance, int iterations, LoopWorkspace<double>& loops);

  /// h at q and u; g goes to loops.
  ///   pre  close(q), massMatrix(); u = G u_y
  void bias(const Vec3d& gravity, const double* u, LoopWorkspace<double>& loops, double* h);

  /// M_y in packed rows; the bodies' screws go to loops.
  ///   pre  close(q)
  void massMatrix(const Topology& reduced, LoopWorkspace<double>& loops, double* H);

  /// Pose, twist and acceleration of a body; with the first, the origin.
  void exportBody(int body, Workspace<double>& ws) const;
  /// The same of all bodies, and their columns.
  void exportAll(Workspace<double>& ws) const;

 private:
  struct Place {
    int part = 0, body = 0, lane = 0;
  };
  const Topology& t_;
  LimbPlan plan_;
  std::vector<Place> placeOf_;                     // [nb]
  std::vector<PartWorkspace<double>> trunk_;       // one
  std::vector<PartWorkspace<DoubleLanes>> packs_;  // the other parts
};

}  // namespace espalier
