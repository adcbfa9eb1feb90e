#pragma once

// A mechanism twice, at one state: its geared rotors as constants of joints and carriers
// (model/compile/gyrostats.h), beside its loops, and as bodies of the loops' clusters.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <string>

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/model.h"
#include "tests/support/cluster_aba.h"
#include "tests/support/cluster_rnea.h"
#include "tests/support/force_propagators.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {

inline Model compiledTwin(SystemSpec spec, bool asBodies) {
  spec.rotorsAsBodies = asBodies;
  auto model = compile(spec);
  EXPECT_TRUE(model) << model.diagnostics().toString();
  EXPECT_FALSE(model->mechanism.isTree());
  return std::move(*model);
}

/// One of the two, and the algorithms on it.
class GyrostatTwin {
 public:
  using MatrixXd = Eigen::MatrixXd;
  using VectorXd = Eigen::VectorXd;

  GyrostatTwin(const SystemSpec& spec, bool asBodies)
      : model(compiledTwin(spec, asBodies)),
        t(model.topology),
        m(model.mechanism),
        ws(t),
        loops(t, m),
        clusters(t, m),
        q(m.assembled),
        u(static_cast<std::size_t>(t.nv)) {}
  GyrostatTwin(const GyrostatTwin&) = delete;
  GyrostatTwin& operator=(const GyrostatTwin&) = delete;

  int ny() const { return m.reduced.nv; }
  /// Of an independent dof: its joint and which of the joint's.
  std::string nameOf(int y) const {
    const int dof = m.dofOfY[y];
    const auto b = static_cast<std::size_t>(t.dofBody[dof]);
    return model.bodies[b].joint + "/" + std::to_string(dof - t.bodies[b].u);
  }

  void evaluate() {
    kinematics(t, model.lowered, q.data(), u.data(), ws);
    loopRates(t, m, q.data(), ws, loops);
    loopAccelerations(t, m, u.data(), ws, loops);
    computeReducedColumns(t, m, ws, loops);
  }
  MatrixXd massMatrix() {
    std::vector<double> H(static_cast<std::size_t>(m.reduced.entries()));
    reducedMassMatrix(t, model.lowered, m, ws, loops, H.data());
    MatrixXd M(ny(), ny());
    unpack(m.reduced, H.data(), M.data());
    return M;
  }
  VectorXd bias() {
    std::vector<double> h(u.size());
    VectorXd y(ny());
    inverseDynamics(t, model.lowered, gravity, loops.g.data(), ws, h.data());
    reduce(m, loops, h.data(), y.data());
    return y;
  }
  VectorXd rnea(const VectorXd& ydot) {
    VectorXd tau(ny());
    clusterRnea(t, model.lowered, m, gravity, ydot.data(), ws, loops, clusters, tau.data());
    return tau;
  }
  VectorXd aba(const VectorXd& tauY) {
    std::vector<double> tau(u.size(), 0.0), udot(u.size());
    for (int y = 0; y < ny(); ++y) tau[m.dofOfY[y]] = tauY[y];
    VectorXd ydot(ny());
    clusterAba(t, model.lowered, m, gravity, tau.data(), ws, loops, clusters, ydot.data(),
               udot.data());
    return ydot;
  }
  /// Of a wrench on every body, against J M^-1 J'.
  void expectOperationalInertia(const MatrixXd& M) {
    factorClusters(t, model.lowered, m, ws, loops, clusters);
    std::vector<BodyWrench<double>> rows;
    MatrixXd J = MatrixXd::Zero(t.nb, ny());
    for (int b = 0; b < t.nb; ++b) {
      const Force<double> f{{0.3, 1 - 0.1 * b, 0.2 * b}, {1, -0.4 + 0.1 * b, 0.7}};
      rows.push_back({b, f});
      for (int k = m.firstColumn[b]; k < m.firstColumn[b + 1]; ++k)
        J(b, m.columnY[k]) = dot(loops.reducedColumn[m.columnReduced[k]], f);
    }
    std::vector<double> z(rows.size() * static_cast<std::size_t>(ny())), udot(u.size());
    MatrixXd inverse(t.nb, t.nb);
    inverseOperationalInertia(m, loops, clusters, rows.data(), t.nb, z.data(), inverse.data());
    const MatrixXd wanted = J * M.ldlt().solve(J.transpose());
    EXPECT_LT((inverse - wanted).norm(), 1e-12 * wanted.norm());
    VectorXd ydot(ny());
    for (int b = 0; b < t.nb; ++b)
      EXPECT_NEAR(testForce(m, loops, rows[b], clusters, ydot.data(), udot.data()), wanted(b, b),
                  1e-12 * wanted.norm());
  }

  const Model model;
  const Topology& t;
  const Mechanism& m;
  Workspace<double> ws;
  LoopWorkspace<double> loops;
  ClusterScratch<double> clusters;
  std::vector<double> q, u;
  Vec3d gravity{0.3, -0.2, -9.81};
};

class GyrostatTwins {
 public:
  using MatrixXd = Eigen::MatrixXd;
  using VectorXd = Eigen::VectorXd;

  explicit GyrostatTwins(const SystemSpec& spec) : with_(spec, false), bodies_(spec, true) {
    EXPECT_EQ(with_.ny(), bodies_.ny());
    for (int y = 0; y < with_.ny(); ++y) {
      int found = -1;
      for (int i = 0; i < bodies_.ny(); ++i)
        if (bodies_.nameOf(i) == with_.nameOf(y)) found = i;
      EXPECT_GE(found, 0) << with_.nameOf(y) << " leads in one twin only";
      place_.push_back(found);
    }
  }

  const Model& with() const { return with_.model; }
  const Model& bodies() const { return bodies_.model; }

  /// Moving, somewhere near the assembled configuration; a base may go anywhere that no loop ties.
  void moveTo(std::uint64_t seed, double far) {
    const Topology& t = with_.t;
    Random random(seed);
    std::vector<double> step(with_.u.size());
    for (std::size_t d = 0; d < step.size(); ++d) {
      const bool isFree = t.floating && d < 6 && with_.m.clusterOf[0] < 0;
      step[d] = (isFree ? 1 : far) * random.uniform(-1, 1);
      with_.u[d] = random.uniform(-2, 2);
    }
    advance(t, with_.m.assembled.data(), step.data(), with_.q.data());
    placeBodies(t, with_.model.lowered, with_.q.data(), with_.ws);
    EXPECT_LT(closeLoops(t, with_.model.lowered, with_.m, with_.q.data(), 1e-14, 30, with_.ws,
                         with_.loops),
              1e-13);
    kinematics(t, with_.model.lowered, with_.q.data(), with_.u.data(), with_.ws);
    loopRates(t, with_.m, with_.q.data(), with_.ws, with_.loops);
    dependentRates(with_.m, with_.loops, with_.u.data());
    with_.evaluate();
    spread();
    bodies_.evaluate();
  }

  void expectSameMotion() {
    const MatrixXd M = with_.massMatrix(), wanted = inOrder(bodies_.massMatrix());
    EXPECT_LT((M - wanted).norm(), 1e-13 * wanted.norm());
    const VectorXd h = with_.bias();
    expectSame(h, inOrder(bodies_.bias()), "h");
    VectorXd ydot(with_.ny());
    for (int i = 0; i < ydot.size(); ++i) ydot[i] = std::sin(1.0 + i);
    const VectorXd tau = with_.rnea(ydot);
    expectSame(tau, wanted * ydot + h, "cluster RNEA");
    const double condition = wanted.norm() * wanted.inverse().norm();
    EXPECT_LT((with_.aba(tau) - ydot).norm(), (1e-13 + 1e-14 * condition) * (1 + ydot.norm()))
        << "cluster ABA, condition " << condition;
    with_.expectOperationalInertia(wanted);
  }

  void expectSameEnergyAndMomentum() {
    const auto energy = [](GyrostatTwin& a) {
      return kineticEnergy(a.t, a.model.lowered, a.u.data(), a.ws);
    };
    const double kinetic = energy(bodies_);
    EXPECT_NEAR(energy(with_), kinetic, 1e-13 * kinetic);
    const Force<double> a = momentum(with_.t, with_.model.lowered, with_.u.data(), with_.ws),
                        b = momentum(bodies_.t, bodies_.model.lowered, bodies_.u.data(),
                                     bodies_.ws);
    EXPECT_LT(norm(a.n - b.n), 1e-13 * (1 + norm(b.n)));
    EXPECT_LT(norm(a.f - b.f), 1e-13 * (1 + norm(b.f)));
  }

 private:
  /// The other's state: every joint by its name, rotors by what turns them.
  void spread() {
    for (int b = 0; b < bodies_.t.nb; ++b) {
      const BodyTopology& to = bodies_.t.bodies[b];
      const std::string& joint = bodies_.model.bodies[b].joint;
      const int from = b == 0 ? 0 : with_.model.joint(joint);
      if (from >= 0) {
        const BodyTopology& source = with_.t.bodies[from];
        std::copy_n(&with_.q[source.q], to.nq, &bodies_.q[to.q]);
        std::copy_n(&with_.u[source.u], to.nv, &bodies_.u[to.u]);
        continue;
      }
      const int rotor = with_.model.rotor(joint);
      ASSERT_GE(rotor, 0) << joint;
      const RotorInfo& r = with_.model.rotors[rotor];
      bodies_.q[to.q] = r.angle(with_.q.data());
      bodies_.u[to.u] = r.rate(with_.u.data());
    }
  }
  VectorXd inOrder(const VectorXd& x) const {
    VectorXd out(x.size());
    for (int y = 0; y < x.size(); ++y) out[y] = x[place_[y]];
    return out;
  }
  MatrixXd inOrder(const MatrixXd& M) const {
    MatrixXd out(M.rows(), M.cols());
    for (int i = 0; i < M.rows(); ++i)
      for (int j = 0; j < M.cols(); ++j) out(i, j) = M(place_[i], place_[j]);
    return out;
  }
  static void expectSame(const VectorXd& a, const VectorXd& b, const char* what) {
    EXPECT_LT((a - b).norm(), 1e-13 * (1 + b.norm())) << what;
  }

  GyrostatTwin with_, bodies_;
  std::vector<int> place_;  ///< of each y of ours in the other
};

}  // namespace espalier::testing
