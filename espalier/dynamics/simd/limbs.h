#pragma once

// The dynamics of a mechanism with its limbs side by side (limb_plan.h): same results as closeLoops(),
// loopRates(), loopAccelerations(), inverseDynamics() and reducedMassMatrix() in double, to rounding,
// for the public plan of every cluster.

#include <memory>

#include "espalier/dynamics/simd/limb_packs.h"

namespace espalier {

template <class T>
struct PartWorkspace;

class Limbs {
 public:
  /// In the widest registers of this machine.
  ///   in  topology, mechanism   outlive this object
  Limbs(const Topology& topology, const Mechanism& mechanism);
  /// With or without those that only some machines have.
  Limbs(const Topology& topology, const Mechanism& mechanism, bool wide);
  ~Limbs();

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

  /// M_y in packed rows.
  ///   pre  close(q)
  void massMatrix(double* H);

  /// One of the bodies' screws (bodyScrews()).
  ///   in   index  in LoopWorkspace::screw
  ///   pre  massMatrix()
  Motion<double> screw(int index) const;
  /// Pose, twist and acceleration of a body; with the first, the origin.
  void exportBody(int body, Workspace<double>& ws) const;
  /// The same of all bodies, and their columns.
  void exportAll(Workspace<double>& ws) const;

 private:
  const Part& trunk() const { return plan_.parts[0]; }

  const Topology& t_;
  LimbPlan plan_;
  LimbNumbers numbers_;
  std::unique_ptr<PartWorkspace<double>> trunk_;
  std::unique_ptr<LimbPacks> packs_;
};

}  // namespace espalier
