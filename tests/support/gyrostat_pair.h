#pragma once

// A robot twice, at one state: its geared rotors as constants of joints and carriers
// (model/compile/gyrostats.h), and as bodies, tied by couplings, in the general mechanism.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "espalier/dynamics/loops/closure.h"
#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/simd/chain_lanes.h"
#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/compile/gyrostats.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/model.h"
#include "tests/support/aba.h"
#include "tests/support/forward_dynamics.h"
#include "tests/support/random_tree.h"
#include "tests/support/rnea.h"

namespace espalier::testing {

class GyrostatPair {
 public:
  using MatrixXd = Eigen::MatrixXd;
  using VectorXd = Eigen::VectorXd;
  using Numbers = std::vector<double>;

  /// At a random state.
  GyrostatPair(const SystemSpec& spec, std::uint64_t seed)
      : with_(compiled(spec, false)),
        bodies_(compiled(spec, true)),
        t_(with_.topology),
        ws_(t_),
        full_(bodies_.topology),
        loops_(bodies_.topology, bodies_.mechanism),
        q_(static_cast<std::size_t>(with_.nq())) {
    Random random(seed);
    randomConfiguration(t_, seed, 1.5, q_.data());
    u_ = draw(random);
    udot_ = draw(random);
    spread();
  }

  const Model& with() const { return with_; }
  const Model& bodies() const { return bodies_; }

  void expectFewerBodies() const {
    EXPECT_TRUE(with_.mechanism.isTree());
    EXPECT_EQ(with_.nb() + static_cast<int>(with_.rotors.size()), bodies_.nb());
    EXPECT_NEAR(with_.mass, bodies_.mass, 1e-14 * with_.mass);
  }

  void expectSameMotion() {
    massMatrix(t_, with_.lowered, ws_);
    MatrixXd M(t_.nv, t_.nv);
    unpack(t_, ws_.H.data(), M.data());
    const MatrixXd wanted = massOfBodies();
    EXPECT_LT((M - wanted).norm(), 1e-13 * wanted.norm());
    VectorXd h(t_.nv), tau(t_.nv), again(t_.nv), udot(t_.nv), projected(t_.nv);
    bias(t_, with_.lowered, gravity_, ws_, h.data());
    expectSame(h, biasOfBodies(), "h");
    inverseDynamics(t_, with_.lowered, gravity_, udot_.data(), ws_, tau.data());
    expectSame(tau, wanted * map(udot_) + biasOfBodies(), "inverse dynamics");
    Workspace<double> body(t_);
    rnea(t_, with_.lowered, gravity_, q_.data(), u_.data(), udot_.data(), body, again.data());
    expectSame(again, tau, "rnea");
    AbaWorkspace<double> aws(t_);
    aba(t_, with_.lowered, gravity_, q_.data(), u_.data(), tau.data(), aws, udot.data());
    const double condition = wanted.norm() * wanted.inverse().norm();
    expectSame(udot, map(udot_), "aba", 1e-13 + 1e-14 * condition);
    forwardDynamics(t_, with_.lowered, gravity_, q_.data(), u_.data(), tau.data(), body,
                    projected.data());
    expectSame(projected, map(udot_), "projection", 1e-13 + 1e-14 * condition);
  }

  void expectSameEnergyAndMomentum() const {
    const double kinetic = kineticEnergy(bodies_.topology, bodies_.lowered, us_.data(), full_);
    EXPECT_NEAR(kineticEnergy(t_, with_.lowered, u_.data(), ws_), kinetic, 1e-13 * kinetic);
    const double height = potentialEnergy(bodies_.topology, gravity_, full_);
    EXPECT_NEAR(potentialEnergy(t_, gravity_, ws_), height, 1e-13 * (1 + std::abs(height)));
    const Force<double> a = momentum(t_, with_.lowered, u_.data(), ws_),
                        b = momentum(bodies_.topology, bodies_.lowered, us_.data(), full_);
    EXPECT_LT(norm(a.n - b.n), 1e-13 * (1 + norm(b.n)));
    EXPECT_LT(norm(a.f - b.f), 1e-13 * (1 + norm(b.f)));
  }

  /// Whether there are legs side by side in lanes.
  bool expectSameBitsInLanes() {
    ChainLanes chains(t_, with_.lowered);
    if (!chains.isProfitable()) return false;
    Workspace<double> lanes(t_);
    const auto n = static_cast<std::size_t>(t_.nv);
    Numbers a(n), b(n);
    chains.kinematics(q_.data(), u_.data(), lanes);
    chains.bias(gravity_, lanes, a.data());
    bias(t_, with_.lowered, gravity_, ws_, b.data());
    EXPECT_EQ(a, b) << "bias";
    chains.massMatrix(lanes);
    massMatrix(t_, with_.lowered, ws_);
    for (std::size_t i = 0; i < lanes.H.size(); ++i) EXPECT_EQ(lanes.H[i], ws_.H[i]) << i;
    const Force<double> p = chains.momentum(u_.data(), lanes),
                        other = momentum(t_, with_.lowered, u_.data(), ws_);
    EXPECT_EQ(norm(p.n - other.n) + norm(p.f - other.f), 0);
    return true;
  }

 private:
  /// All joints but those of rotors lead.
  static Model compiled(SystemSpec spec, bool asBodies) {
    const Gyrostats rotors = findGyrostats(spec);
    for (int j = 0; j < static_cast<int>(spec.joints.size()); ++j)
      spec.joints[j].independent = !rotors.isA(j);
    spec.rotorsAsBodies = asBodies;
    auto model = compile(spec);
    EXPECT_TRUE(model) << model.diagnostics().toString();
    return std::move(*model);
  }
  Numbers draw(Random& random) const {
    Numbers x(static_cast<std::size_t>(with_.nv()));
    for (double& i : x) i = random.uniform(-2, 2);
    return x;
  }
  /// The state of the model with bodies: every dof by the name of its joint.
  void spread() {
    qs_.resize(static_cast<std::size_t>(bodies_.nq()));
    us_.resize(static_cast<std::size_t>(bodies_.nv()));
    dof_.assign(us_.size(), -1);
    for (int b = 0; b < bodies_.nb(); ++b) {
      const BodyTopology& to = bodies_.topology.bodies[b];
      const std::string& joint = bodies_.bodies[b].joint;
      const int from = b == 0 ? 0 : with_.joint(joint);
      if (from >= 0) {
        const BodyTopology& source = t_.bodies[from];
        for (int k = 0; k < to.nq; ++k) qs_[to.q + k] = q_[source.q + k];
        for (int k = 0; k < to.nv; ++k)
          us_[to.u + k] = u_[source.u + k], dof_[to.u + k] = source.u + k;
        continue;
      }
      const int rotor = with_.rotor(joint);
      ASSERT_GE(rotor, 0) << joint;
      qs_[to.q] = with_.rotors[rotor].angle(q_.data());
      us_[to.u] = with_.rotors[rotor].rate(u_.data());
    }
    kinematics(t_, with_.lowered, q_.data(), u_.data(), ws_);
    kinematics(bodies_.topology, bodies_.lowered, qs_.data(), us_.data(), full_);
    loopRates(bodies_.topology, bodies_.mechanism, qs_.data(), full_, loops_);
    loopAccelerations(bodies_.topology, bodies_.mechanism, us_.data(), full_, loops_);
    computeReducedColumns(bodies_.topology, bodies_.mechanism, full_, loops_);
  }
  /// x_y of the model with bodies as a dof vector of the one without.
  VectorXd byDof(const VectorXd& y) const {
    VectorXd x(t_.nv);
    for (int i = 0; i < y.size(); ++i) x[dof_[loops_.dofOfY[i]]] = y[i];
    return x;
  }
  MatrixXd massOfBodies() {
    const Topology& r = bodies_.mechanism.reduced;
    Numbers H(static_cast<std::size_t>(r.entries()));
    reducedMassMatrix(bodies_.topology, bodies_.lowered, bodies_.mechanism, full_, loops_,
                      H.data());
    MatrixXd M(r.nv, r.nv), by(t_.nv, t_.nv);
    unpack(r, H.data(), M.data());
    for (int i = 0; i < r.nv; ++i)
      for (int j = 0; j < r.nv; ++j) by(dof_[loops_.dofOfY[i]], dof_[loops_.dofOfY[j]]) = M(i, j);
    return by;
  }
  VectorXd biasOfBodies() {
    Numbers h(us_.size());
    VectorXd y(bodies_.mechanism.reduced.nv);
    inverseDynamics(bodies_.topology, bodies_.lowered, gravity_, loops_.g.data(), full_, h.data());
    reduce(bodies_.mechanism, loops_, h.data(), y.data());
    return byDof(y);
  }
  static void expectSame(const VectorXd& a, const VectorXd& b, const char* what,
                         double bar = 1e-13) {
    EXPECT_LT((a - b).norm(), bar * (1 + b.norm())) << what;
  }
  static VectorXd map(const Numbers& x) {
    return VectorXd::Map(x.data(), static_cast<int>(x.size()));
  }

  Model with_, bodies_;
  const Topology& t_;
  Workspace<double> ws_, full_;
  LoopWorkspace<double> loops_;
  Numbers q_, u_, udot_, qs_, us_;
  std::vector<int> dof_;  ///< of the model with bodies: the other's; -1: a rotor's
  Vec3d gravity_{0.3, -0.2, -9.81};
};

}  // namespace espalier::testing
