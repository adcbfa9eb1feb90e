// The armature belongs to joints: numbers given for a floating base's own dofs are read nowhere.

#include <gtest/gtest.h>

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "tests/support/aba.h"
#include "tests/support/compare.h"
#include "tests/support/random_tree.h"
#include "tests/support/rnea.h"

namespace espalier::testing {
namespace {

TEST(Armature, EveryAlgorithmLeavesOutThatOfAFloatingBase) {
  RandomTree tree = randomTree(3, {.bodies = 7, .floating = true, .armature = true});
  for (std::size_t d = 0; d < 6; ++d) tree.parameters.armature[d] = 0.7;
  const Topology& t = tree.topology;
  const RandomState s = randomState(t, 4);
  const Vec3d gravity{0.3, -0.2, -9.81};
  Workspace<double> ws(t), body(t);
  std::vector<double> tau(s.u.size()), again(tau), h(tau), product(tau), udot(tau);
  rnea(t, tree.parameters, gravity, s.q.data(), s.u.data(), s.udot.data(), body, tau.data());
  kinematics(t, tree.parameters, s.q.data(), s.u.data(), ws);
  inverseDynamics(t, tree.parameters, gravity, s.udot.data(), ws, again.data());
  EXPECT_LT(relativeDifference(again, tau), 1e-13);
  bias(t, tree.parameters, gravity, ws, h.data());
  massMatrix(t, tree.parameters, ws);
  multiply(t, ws.H.data(), s.udot.data(), product.data());
  for (std::size_t d = 0; d < h.size(); ++d) product[d] += h[d];
  EXPECT_LT(relativeDifference(product, tau), 1e-13);
  AbaWorkspace<double> aws(t);
  aba(t, tree.parameters, gravity, s.q.data(), s.u.data(), tau.data(), aws, udot.data());
  EXPECT_LT(relativeDifference(udot, s.udot), 1e-11);
  multiply(t, ws.H.data(), s.u.data(), product.data());
  double twice = 0;
  for (std::size_t d = 0; d < product.size(); ++d) twice += product[d] * s.u[d];
  EXPECT_NEAR(kineticEnergy(t, tree.parameters, s.u.data(), ws), twice / 2, 1e-13 * twice);
}

}  // namespace
}  // namespace espalier::testing
