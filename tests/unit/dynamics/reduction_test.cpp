#include "espalier/dynamics/loops/reduction.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/model.h"
#include "tests/support/four_bar.h"

namespace espalier {
namespace {

/// A four-bar on a base that floats or not, one arm with a rotor geared to its shoulder, and a
/// ball on the coupler.
SystemSpec gearedFourBar(bool floats, LoopKind kind) {
  SystemSpec s = testing::fourBar({.floats = floats, .kind = kind});
  LinkSpec tip = s.links[1], rotor = s.links[1];
  tip.name = "tip";
  rotor.name = "rotor";
  rotor.inertial->mass = 0.1;
  rotor.inertial->X_LC.p = {0, 0, 0};
  s.links.insert(s.links.end(), {tip, rotor});
  JointSpec ball = s.joints[0], axle = s.joints[0];
  ball.name = "d";
  ball.kind = JointKind::Spherical;
  ball.parent = "coupler";
  ball.child = "tip";
  ball.X_PJ.p = {0.6, 0.1, 0};
  ball.independent.reset();
  axle.name = "e";
  axle.child = "rotor";
  axle.X_PJ.p = {0, 0.3, 0};
  axle.independent = false;
  s.joints.insert(s.joints.end(), {ball, axle});
  s.couplings = {{.name = "gear", .predecessor = "crank", .successor = "rotor", .ratio = 6}};
  return s;
}

struct ReductionCase {
  Model model;
  Workspace<double> ws;
  LoopWorkspace<double> loops;
  std::vector<double> q, u;

  explicit ReductionCase(const SystemSpec& spec)
      : model(compile(spec).value()),
        ws(model.topology),
        loops(model.topology, model.mechanism),
        q(model.mechanism.assembled),
        u(static_cast<std::size_t>(model.nv()), 0.0) {}
  const Topology& t() const { return model.topology; }
  const Mechanism& m() const { return model.mechanism; }

  void move(int seed) {
    std::vector<double> random(q.size()), none(q.size()), step(u.size());
    neutral(t(), none.data());
    randomConfiguration(t(), static_cast<std::uint64_t>(seed), 0.03, random.data());
    difference(t(), none.data(), random.data(), step.data());
    advance(t(), q.data(), step.data(), q.data());
    kinematics(t(), model.lowered, q.data(), u.data(), ws);
    ASSERT_LT(closeLoops(t(), model.lowered, m(), q.data(), 1e-13, 20, ws, loops), 1e-12);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = std::sin(1.0 + seed + 3.0 * i);
    refresh();
  }
  void refresh() {
    kinematics(t(), model.lowered, q.data(), u.data(), ws);
    loopRates(t(), m(), q.data(), ws, loops);
    dependentRates(m(), loops, u.data());
    kinematics(t(), model.lowered, q.data(), u.data(), ws);
    loopAccelerations(t(), m(), u.data(), ws, loops);
    computeReducedColumns(t(), m(), ws, loops);
  }
  /// Dense spanning G.
  Eigen::MatrixXd G() const {
    Eigen::MatrixXd out(t().nv, m().reduced.nv);
    std::vector<double> y(static_cast<std::size_t>(m().reduced.nv)), x(u.size());
    for (int i = 0; i < m().reduced.nv; ++i) {
      std::fill(y.begin(), y.end(), 0.0);
      y[i] = 1;
      expand(m(), loops, y.data(), x.data());
      out.col(i) = Eigen::VectorXd::Map(x.data(), t().nv);
    }
    return out;
  }
};

class Reduction : public ::testing::TestWithParam<std::tuple<bool, LoopKind>> {};

TEST_P(Reduction, MassMatrixIsTheProjectedOne) {
  ReductionCase c(gearedFourBar(std::get<0>(GetParam()), std::get<1>(GetParam())));
  const int n = c.t().nv, ny = c.m().reduced.nv;
  EXPECT_EQ(ny, (std::get<0>(GetParam()) ? 6 : 0) + 1 + 3);
  for (int seed = 0; seed < 10; ++seed) {
    c.move(seed);
    Eigen::MatrixXd H(n, n), My(ny, ny);
    massMatrix(c.t(), c.model.lowered, c.ws);
    unpack(c.t(), c.ws.H.data(), H.data());
    const Eigen::MatrixXd G = c.G(), wanted = G.transpose() * H * G;
    std::vector<double> packed(static_cast<std::size_t>(c.m().reduced.entries()));
    reducedMassMatrix(c.t(), c.model.lowered, c.m(), c.ws, c.loops, packed.data());
    unpack(c.m().reduced, packed.data(), My.data());
    EXPECT_LT((My - wanted).norm(), 1e-12 * wanted.norm());
  }
}

TEST_P(Reduction, RatesAndAccelerationsKeepTheLoopsClosed) {
  ReductionCase c(gearedFourBar(std::get<0>(GetParam()), std::get<1>(GetParam())));
  for (int seed = 0; seed < 10; ++seed) {
    c.move(seed);
    const Eigen::VectorXd u = Eigen::VectorXd::Map(c.u.data(), c.t().nv);
    const Eigen::VectorXd g = Eigen::VectorXd::Map(c.loops.g.data(), c.t().nv);
    // Along q(s) = q (+) s u, closed again, the dependent rates change by g.
    const double s = 1e-5;
    std::vector<double> rates[2];
    const std::vector<double> q = c.q, u0 = c.u;
    for (int k = 0; k < 2; ++k) {
      const double h = k == 0 ? s : -s;
      std::vector<double> step(u0.size());
      for (std::size_t i = 0; i < step.size(); ++i) step[i] = h * u0[i];
      advance(c.t(), q.data(), step.data(), c.q.data());
      c.u = u0;
      kinematics(c.t(), c.model.lowered, c.q.data(), c.u.data(), c.ws);
      EXPECT_LT(closeLoops(c.t(), c.model.lowered, c.m(), c.q.data(), 0, 0, c.ws, c.loops), 1e-8);
      closeLoops(c.t(), c.model.lowered, c.m(), c.q.data(), 1e-14, 5, c.ws, c.loops);
      c.refresh();
      rates[k] = c.u;
    }
    for (std::size_t i = 0; i < u0.size(); ++i)
      EXPECT_NEAR((rates[0][i] - rates[1][i]) / (2 * s), g[static_cast<Eigen::Index>(i)],
                  1e-7 * (1 + g.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(FourBar, Reduction,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(LoopKind::POINT, LoopKind::REVOLUTE,
                                                              LoopKind::CYLINDRICAL)));

}  // namespace
}  // namespace espalier
