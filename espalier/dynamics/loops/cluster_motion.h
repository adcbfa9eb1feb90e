#pragma once

// S, vJ and cJ of any cluster of a compiled robot, at any state: the quantities that the cluster
// joints of compat/grbda/cluster_joints.h return for themselves.

#include <vector>

#include "espalier/model/loops/dense_matrix.h"
#include "espalier/model/model.h"

namespace espalier {

/// How the N bodies of a cluster move over the body that carries it, [angular; linear] in the axes
/// of each body's link and at its origin.
struct ClusterMotion {
  std::vector<int> bodies;       ///< [N] of the model
  std::vector<int> independent;  ///< [ny] the spanning dof (authored order) that each ydot is
  DenseMatrix<double> S;         ///< [6N][ny]  vJ = S ydot
  std::vector<double> vJ;        ///< [6N]
  std::vector<double> cJ;        ///< [6N]  Sring ydot: the rate of vJ's numbers at yddot = 0
};

/// By the public independent dofs.
///   in   cluster  index in Mechanism::clusters; bodies on joints that nothing ties are in none, and
///                 geared rotors only with SystemSpec::rotorsAsBodies
///   in   q [nq], u [nv]  of all joints, authored order: ArticulatedSystem::getSpanningCoordinate()
///                        and getSpanningVelocity()
///   pre  the cluster exists, the sizes fit, q and u meet its loops, |phi| and |K u| <= 1e-8, and its
///        independent dofs are not at a dead point; else std::invalid_argument
///   cost linear in the robot's bodies; allocates
ClusterMotion clusterMotion(const Model& model, const Lowered<double>& parameters, int cluster,
                            const std::vector<double>& q, const std::vector<double>& u);

}  // namespace espalier
