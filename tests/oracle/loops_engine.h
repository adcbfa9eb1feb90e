#pragma once

// The engine's closed loops at one state, in the words of the second opinion: q, u, G, g, M and h as
// dense matrices in the tree's order, and the comparison of both.

#include <gtest/gtest.h>

#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/model.h"
#include "tests/support/closure.h"
#include "tests/support/compare.h"

namespace espalier::testing {

class LoopsEngine {
 public:
  using MatrixXd = Eigen::MatrixXd;
  using VectorXd = Eigen::VectorXd;

  /// pre  model.mechanism; both outlive this
  LoopsEngine(const Model& compiled, const MechanismTree& tree)
      : model(compiled),
        m(compiled.mechanism),
        ws(compiled.topology),
        loops(compiled.topology, m),
        nv(compiled.nv()),
        ny(m.reduced.nv),
        dofs_(static_cast<std::size_t>(nv)),
        coordinates_(static_cast<std::size_t>(compiled.nq())) {
    for (const MechanismTree::Joint& j : tree.joints) {
      const int body = j.name.empty() ? 0 : compiled.joint(j.name);
      const BodyTopology& b = compiled.topology.bodies.at(static_cast<std::size_t>(body));
      for (int k = 0; k < j.nv; ++k) dofs_.at(static_cast<std::size_t>(b.u + k)) = j.u + k;
      for (int k = 0; k < j.nq; ++k) coordinates_.at(static_cast<std::size_t>(b.q + k)) = j.q + k;
    }
  }

  const Model& model;
  const Mechanism& m;
  Workspace<double> ws;
  LoopWorkspace<double> loops;
  int nv, ny;

  // Between the tree's order and the engine's.
  VectorXd toEngine(const VectorXd& q) const { return q(coordinates_); }
  VectorXd ratesToEngine(const VectorXd& u) const { return u(dofs_); }
  VectorXd fromEngine(const VectorXd& q) const {
    VectorXd out(q.size());
    out(coordinates_) = q;
    return out;
  }
  VectorXd ratesFromEngine(const VectorXd& u) const {
    VectorXd out(u.size());
    out(dofs_) = u;
    return out;
  }

  /// The dofs that lead at this state, in the tree's order of dofs.
  std::vector<int> independent() const {
    std::vector<int> y;
    for (const int d : loops.dofOfY) y.push_back(dofs_[d]);
    return y;
  }

  /// in  chooses  whether others than the public dofs may lead
  void move(const MechanismState& s, bool chooses = false) {
    const Topology& t = model.topology;
    const VectorXd q = s.q(coordinates_), u = s.u(dofs_);
    kinematics(t, model.lowered, q.data(), u.data(), ws);
    loopRates(t, m, q.data(), ws, loops);
    if (chooses) chooseIndependents(m, loops);
    loopAccelerations(t, m, u.data(), ws, loops);
    computeReducedColumns(t, m, ws, loops);
  }
  MatrixXd G() const {
    MatrixXd all(nv, ny);
    for (int i = 0; i < ny; ++i) {
      const VectorXd y = VectorXd::Unit(ny, i);
      VectorXd x = VectorXd::Zero(nv);
      expand(m, loops, y.data(), x.data());
      all.col(i) = ratesFromEngine(x);
    }
    return all;
  }
  VectorXd g() const { return ratesFromEngine(VectorXd::Map(loops.g.data(), nv)); }
  MatrixXd M() {
    VectorXd packed(m.reduced.entries());
    reducedMassMatrix(model.topology, model.lowered, m, ws, loops, packed.data());
    MatrixXd dense(ny, ny);
    unpack(m.reduced, packed.data(), dense.data());
    return dense;
  }
  VectorXd h(const V3& gravity) {
    VectorXd spanning(nv), y(ny);
    inverseDynamics(model.topology, model.lowered, fromEigen(gravity), loops.g.data(), ws,
                    spanning.data());
    reduce(m, loops, spanning.data(), y.data());
    return y;
  }
  VectorXd reduced(const VectorXd& tau) const {
    const VectorXd spanning = ratesToEngine(tau);
    VectorXd y(ny);
    reduce(m, loops, spanning.data(), y.data());
    return y;
  }

 private:
  std::vector<int> dofs_, coordinates_;  // of the tree, by those of the engine
};

/// How far from singular a state is: the error in y that an error of 1 in the rows may cause.
inline double sensitivity(const Maximal& maximal, const std::vector<int>& y) {
  return maximal.reduced(y).condition / maximal.conditioning();
}

/// G, g, M, h and the accelerations under random forces, projected against dense.
///   in  tolerance  relative, for a sensitivity of 1
///   pre  engine.move(s)
inline void expectSameDynamics(LoopsEngine& engine, const MechanismTree& tree,
                               const MechanismState& s, double tolerance, Random& random) {
  using VectorXd = Eigen::VectorXd;
  const V3 gravity(0.3, -0.2, -9.81);
  Maximal maximal(tree, s.q, s.u);
  maximal.addGravity(gravity);
  EXPECT_EQ(maximal.dofs(), engine.ny);
  if (maximal.dofs() != engine.ny) return;
  VectorXd tau(tree.nv);
  for (double& x : tau) x = random.uniform(-5, 5);
  const Maximal::Reduced r = maximal.reduced(engine.independent());
  const double bad = r.condition / maximal.conditioning();
  const Eigen::MatrixXd G = engine.G(), M = engine.M();
  const VectorXd h = engine.h(gravity), right = engine.reduced(tau) - h;
  const VectorXd udot = G * M.ldlt().solve(right) + engine.g();
  const auto expectSame = [&](const auto& value, const auto& wanted, const char* what) {
    const double error =
        relativeDifference(VectorXd(value.reshaped()), VectorXd(wanted.reshaped()));
    EXPECT_LT(error, tolerance * bad)
        << what << ", conditioning " << maximal.conditioning() << ", choice of y " << r.condition;
  };
  expectSame(G, r.G, "G");
  expectSame(engine.g(), r.g, "g");
  expectSame(M, r.M, "M");
  expectSame(h, r.h, "h");
  expectSame(udot, maximal.accelerations(tau), "udot");
}

}  // namespace espalier::testing
