// Cluster joints by name against the general mechanism: the same linkage as links, joints, loops
// and couplings of a SystemSpec; and custom equations against the loops that say the same.

#include "espalier/compat/grbda/cluster_joints.h"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "espalier/compat/grbda/cluster_spec.h"
#include "espalier/dynamics/loops/closure.h"
#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/model.h"
#include "espalier/scalar/instantiate.h"
#include "tests/support/cluster_bodies.h"
#include "tests/support/dense.h"

namespace espalier::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Numbers = std::vector<double>;

LinkSpec link(const std::string& name, double mass) {
  LinkSpec l;
  l.name = name;
  l.inertial.emplace();
  l.inertial->mass = mass;
  l.inertial->X_LC.p = {0.05, 0.02 * mass, -0.1};
  l.inertial->I = {0.01 * mass, 0.001 * mass, 0, 0.02 * mass, 0, 0.015 * mass};
  return l;
}

SystemSpec torso() {
  SystemSpec s;
  s.name = "robot";
  s.fixedBase = true;
  s.links = {link("torso", 5)};
  return s;
}

std::vector<LinkSpec> linksFor(const ClusterJoint::Base& cluster) {
  std::vector<LinkSpec> links;
  for (int b = 0; b < cluster.numBodies(); ++b)
    links.push_back(link("l" + std::to_string(b), 0.5 + 0.3 * b));
  return links;
}

SystemSpec asSystem(const ClusterJoint::Base& cluster) {
  SystemSpec s = torso();
  s.rotorsAsBodies = true;
  appendCluster(s, "tie", "torso", cluster, linksFor(cluster));
  return s;
}

/// The engine at spanning q and y rates.
struct Engine {
  Model model;
  Workspace<double> ws;
  LoopWorkspace<double> loops;
  Numbers q, u;

  explicit Engine(const SystemSpec& spec)
      : model(compile(spec).value()), ws(model.topology), loops(model.topology, model.mechanism) {}
  const Topology& t() const { return model.topology; }
  const Mechanism& m() const { return model.mechanism; }

  /// Both in the order of the file's joints, velocities on the constraint.
  void move(const Numbers& spanningQ, const Numbers& spanningU) {
    q.resize(spanningQ.size());
    u.resize(spanningU.size());
    for (int d = 0; d < model.nv(); ++d) {
      q[d] = spanningQ[model.spanningCoordinate[d]];
      u[d] = spanningU[model.spanningDof[d]];
    }
    kinematics(t(), model.lowered, q.data(), u.data(), ws);
    loopRates(t(), m(), q.data(), ws, loops);
    loopAccelerations(t(), m(), u.data(), ws, loops);
    computeReducedColumns(t(), m(), ws, loops);
  }
  /// Row by joint of the file, column by y.
  MatrixXd G() const {
    MatrixXd out(model.nv(), m().reduced.nv);
    Numbers y(static_cast<std::size_t>(m().reduced.nv)), x(u.size());
    for (int i = 0; i < m().reduced.nv; ++i) {
      std::fill(y.begin(), y.end(), 0.0);
      y[i] = 1;
      expand(m(), loops, y.data(), x.data());
      for (int d = 0; d < model.nv(); ++d) out(model.spanningDof[d], i) = x[d];
    }
    return out;
  }
  VectorXd g() const {
    VectorXd out(model.nv());
    for (int d = 0; d < model.nv(); ++d) out[model.spanningDof[d]] = loops.g[d];
    return out;
  }
  /// M_y, then h_y.
  std::pair<MatrixXd, VectorXd> reduced() {
    const int ny = m().reduced.nv;
    MatrixXd M(ny, ny);
    Numbers packed(static_cast<std::size_t>(m().reduced.entries())), h(u.size()),
        hy(static_cast<std::size_t>(ny));
    reducedMassMatrix(t(), model.lowered, m(), ws, loops, packed.data());
    unpack(m().reduced, packed.data(), M.data());
    inverseDynamics(t(), model.lowered, {0.1, 0.2, -9.81}, loops.g.data(), ws, h.data());
    reduce(m(), loops, h.data(), hy.data());
    return {M, VectorXd::Map(hy.data(), ny)};
  }
};

/// G and g of the object against those of the mechanism, whichever y it took.
void expectSame(const ClusterJoint::Base& joint, Engine& engine, double scale = 1) {
  engine.move(joint.spanningPosition(), joint.spanningVelocity());
  for (const double phi : engine.loops.phi) EXPECT_NEAR(phi, 0, 1e-12);
  const int n = joint.G().rows(), ny = joint.numVelocities();
  MatrixXd G(n, ny);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < ny; ++j) G(i, j) = joint.G()(i, j);
  const MatrixXd other = engine.G();
  ASSERT_EQ(other.cols(), ny);
  // The rows of y itself are the unit matrix there.
  MatrixXd lead(ny, ny);
  for (int i = 0; i < ny; ++i)
    lead.row(i) = G.row(engine.model.spanningDof[engine.loops.dofOfY[i]]);
  EXPECT_LT((other * lead - G).cwiseAbs().maxCoeff(), 1e-12 * scale);
  // g + G lead^-1 (-g of y): the same motion with the other y steady.
  const VectorXd mine = VectorXd::Map(joint.g().data(), n);
  VectorXd ofY(ny);
  for (int i = 0; i < ny; ++i) ofY[i] = mine[engine.model.spanningDof[engine.loops.dofOfY[i]]];
  EXPECT_LT((mine - other * ofY - engine.g()).cwiseAbs().maxCoeff(), 1e-11 * scale);
}

void expectSameReduced(Engine& a, Engine& b) {
  ASSERT_EQ(a.loops.dofOfY, b.loops.dofOfY);
  const auto [Ma, ha] = a.reduced();
  const auto [Mb, hb] = b.reduced();
  EXPECT_LT((Ma - Mb).norm(), 1e-12 * Ma.norm());
  EXPECT_LT((ha - hb).norm(), 1e-11 * (1 + ha.norm()));
}

/// Explicit ones, as a spec of their own and by appendCluster().
void checkGeared(ClusterJoint::Base& joint, const std::vector<CouplingSpec>& couplings) {
  SystemSpec spec = asSystem(joint), byHand = spec;
  byHand.constraints.clear();
  byHand.couplings = couplings;
  Engine custom(spec), general(byHand);
  for (const Cluster& c : custom.m().clusters) EXPECT_EQ(c.gain, 0);  // found to be plain ratios
  std::mt19937 draw(1);
  for (int i = 0; i < 20; ++i) {
    Numbers y, ydot;
    for (int d = 0; d < joint.numVelocities(); ++d) {
      y.push_back(2 * random(draw));
      ydot.push_back(2 * random(draw));
    }
    joint.updateKinematics(y, ydot);
    expectSame(joint, general);
    expectSame(joint, custom);
    expectSameReduced(general, custom);
  }
}

CouplingSpec belt(const std::string& a, const std::string& b, double ratio) {
  return {a + b, a, b, ratio, 0, 0};
}

TEST(ClusterJointsInMechanisms, RevoluteWithRotor) {
  ClusterJoint::RevoluteWithRotor joint({link_1, rotor_1, 6});
  checkGeared(joint, {belt("l0", "l1", 6)});
}

TEST(ClusterJointsInMechanisms, RevolutePairWithRotor) {
  ClusterJoint::RevolutePairWithRotor joint({link_1, rotor_1, 6, {2}},
                                            {link_2, rotor_2, 3, {2, 1}});
  checkGeared(joint, {belt("l0", "l1", 12), belt("l3", "l2", 6)});
}

TEST(ClusterJointsInMechanisms, RevoluteTripleWithRotor) {
  ClusterJoint::RevoluteTripleWithRotor joint(
      {link_1, rotor_1, 6, {1}}, {link_2, rotor_2, 5, {2, 1}}, {link_3, rotor_3, 4, {-1, 1, 1}});
  checkGeared(joint, {belt("l0", "l3", 6), belt("l1", "l4", 10), belt("l2", "l5", -4)});
}

TEST(ClusterJointsInMechanisms, WithoutAnythingTiedItIsATree) {
  ClusterJoint::RevolutePair joint(link_1, link_2);
  const auto model = compile(asSystem(joint));
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_TRUE(model->mechanism.isTree());
  EXPECT_EQ(model->nv(), 2);
  EXPECT_THROW(asSystem(ClusterJoint::Free()), std::invalid_argument);
}

TEST(ClusterJointsInMechanisms, FourBarIsThePinOfTheSameLinkage) {
  ClusterJoint::FourBar joint({0.4, 1.0}, 0.8, {1.0, 0.1}, 0,
                              {rotationFromRpy({0.3, -0.4, 0.5}), {0.1, 0.2, 0.3}});
  SystemSpec spec = asSystem(joint), byHand = spec;
  byHand.constraints.clear();
  LoopSpec pin;
  pin.name = "pin";
  pin.predecessor = "l2";
  pin.successor = "l1";
  pin.X_PA.p = {1.0, 0, 0};
  pin.X_SB.p = {0.8, 0, 0};
  byHand.loops = {pin};
  Engine custom(spec), general(byHand);
  EXPECT_GE(custom.m().clusters[0].gain, 1);
  EXPECT_TRUE(compile(spec)->mechanism.couplings[0].phi);
  Numbers q = {0.3, 1.5, 0.6};
  for (double a = 0.3; a < 6; a += 0.37) {
    q = joint.loopConstraint().gamma({a}, q);
    joint.updateKinematics(q, {1.7});
    expectSame(joint, general, 10);
    expectSame(joint, custom, 10);
    expectSameReduced(general, custom);
    // closeLoops() comes back to it.
    Numbers moved = custom.q;
    for (const int j : custom.m().clusters[0].plan.dependent)
      moved[custom.m().clusters[0].dofs[j]] += 0.01;
    EXPECT_LT(closeLoops(custom.t(), custom.model.lowered, custom.m(), moved.data(), 1e-14, 10,
                         custom.ws, custom.loops),
              1e-13);
    for (std::size_t i = 0; i < moved.size(); ++i) EXPECT_NEAR(moved[i], custom.q[i], 1e-12);
  }
}

/// udot by the dense equations of all joints with multipliers.
VectorXd denseAcceleration(Engine& e, const VectorXd& tau, const MatrixXd& K, const VectorXd& k) {
  const int n = e.model.nv(), rows = static_cast<int>(K.rows());
  Numbers none(e.u.size(), 0.0), h(e.u.size());
  MatrixXd M(n, n);
  massMatrix(e.t(), e.model.lowered, e.ws);
  unpack(e.t(), e.ws.H.data(), M.data());
  inverseDynamics(e.t(), e.model.lowered, {0.1, 0.2, -9.81}, none.data(), e.ws, h.data());
  MatrixXd A = MatrixXd::Zero(n + rows, n + rows);
  A.topLeftCorner(n, n) = M;
  A.topRightCorner(n, rows) = K.transpose();
  A.bottomLeftCorner(rows, n) = K;
  VectorXd b(n + rows);
  b << tau - VectorXd::Map(h.data(), n), k;
  return solveDense(A, b).head(n);
}

TEST(ClusterJointsInMechanisms, TelloMovesAsTheDenseEquationsSay) {
  using Kind = ClusterJoint::TelloDifferential::Kind;
  for (const Kind kind : {Kind::HIP, Kind::KNEE_ANKLE}) {
    ClusterJoint::TelloDifferential joint(kind, {rotor_1, rotor_2, link_1, link_2, 6});
    Engine engine(asSystem(joint));
    std::mt19937 draw(2);
    for (int i = 0; i < 20; ++i) {
      const double a = 0.4 * random(draw), b = 0.3 * random(draw);
      const auto rotors = joint.differential().rotorsAt({a, b});
      joint.updateKinematics({rotors[0], rotors[1], a, b}, {random(draw), random(draw)});
      expectSame(joint, engine, 30);
      const int n = engine.model.nv(), ny = engine.m().reduced.nv;
      VectorXd tau(n), k = VectorXd::Map(joint.k().data(), 2), tauY(ny);
      MatrixXd K(2, n);
      for (int d = 0; d < n; ++d) {
        tau[d] = random(draw);
        for (int r = 0; r < 2; ++r) K(r, d) = joint.K()(r, engine.model.spanningDof[d]);
      }
      const VectorXd wanted = denseAcceleration(engine, tau, K, k);
      engine.move(joint.spanningPosition(), joint.spanningVelocity());
      const auto [M, h] = engine.reduced();
      reduce(engine.m(), engine.loops, tau.data(), tauY.data());
      const VectorXd ydot = solveDense(M, tauY - h);
      VectorXd udot(n);
      expand(engine.m(), engine.loops, ydot.data(), udot.data());
      for (int d = 0; d < n; ++d) udot[d] += engine.loops.g[d];
      EXPECT_LT((udot - wanted).norm(), 1e-9 * (1 + wanted.norm()));
    }
  }
}

TEST(ClusterJointsInMechanisms, LanesAreWorldsAlone) {
  using Kind = ClusterJoint::TelloDifferential::Kind;
  using Lanes = DoubleLanes;
  ClusterJoint::TelloDifferential joint(Kind::HIP, {rotor_1, rotor_2, link_1, link_2, 6});
  Engine engine(asSystem(joint));
  const Topology& t = engine.t();
  Workspace<Lanes> ws(t);
  LoopWorkspace<Lanes> loops(t, engine.m());
  std::vector<Lanes> q(4), u(4);
  std::vector<Numbers> phi, g;
  std::mt19937 draw(4);
  std::vector<std::pair<Numbers, Numbers>> states;
  for (int l = 0; l < lanes_v<Lanes>; ++l) {
    const double a = 0.4 * random(draw), b = 0.3 * random(draw);
    const auto rotors = joint.differential().rotorsAt({a, b});
    joint.updateKinematics({rotors[0], rotors[1], a, b}, {random(draw), random(draw)});
    engine.move(joint.spanningPosition(), joint.spanningVelocity());
    g.emplace_back(engine.loops.g.begin(), engine.loops.g.end());
    phi.emplace_back(engine.loops.K.begin(), engine.loops.K.end());
    for (int d = 0; d < 4; ++d) {
      setLane(q[d], l, engine.q[d]);
      setLane(u[d], l, engine.u[d]);
    }
  }
  kinematics(t, engine.model.lowered, q.data(), u.data(), ws);
  loopRates(t, engine.m(), q.data(), ws, loops);
  loopAccelerations(t, engine.m(), u.data(), ws, loops);
  for (int l = 0; l < lanes_v<Lanes>; ++l) {
    for (std::size_t i = 0; i < g[l].size(); ++i) EXPECT_EQ(lane(loops.g[i], l), g[l][i]);
    for (std::size_t i = 0; i < phi[l].size(); ++i) EXPECT_EQ(lane(loops.K[i], l), phi[l][i]);
  }
}

// ---- bad constraints

void expectRefused(const SystemSpec& spec, const std::string& what) {
  const Expected<Model> model = compile(spec);
  ASSERT_FALSE(model) << what;
  const std::string said = model.diagnostics().toString();
  EXPECT_NE(said.find(what), std::string::npos) << said;
  for (const Diagnostic& d : model.diagnostics().all()) EXPECT_FALSE(d.remedy.empty());
}

TEST(Constraints, BadOnesAreRefusedWithARemedy) {
  const SystemSpec good = asSystem(ClusterJoint::FourBar({0.4, 1.0}, 0.8, {1.0, 0.1}, 0));
  const auto refused = [&](auto&& change, const std::string& what) {
    SystemSpec spec = good;
    change(spec, spec.constraints[0]);
    expectRefused(spec, what);
  };
  ASSERT_TRUE(compile(good));
  refused([](SystemSpec&, ConstraintSpec& c) { c.joints[1] = "nobody"; },
          "constraint 'tie' names the joint 'nobody', which does not exist");
  refused([](SystemSpec&, ConstraintSpec& c) { c.joints[1] = c.joints[0]; }, "twice");
  refused([](SystemSpec&, ConstraintSpec& c) { c.joints.pop_back(); },
          "is of 3 coordinates, but its joints have 2");
  refused([](SystemSpec& s, ConstraintSpec&) { s.joints[1].kind = JointKind::Spherical; },
          "ties the spherical joint");
  refused([](SystemSpec&, ConstraintSpec& c) { c.phi.outputs[0] = 99; }, "has a tape with");
  refused([](SystemSpec&, ConstraintSpec& c) { c.phi.outputs.push_back(3); },
          "has an equation in which no coordinate stands");
  refused([](SystemSpec& s, ConstraintSpec& c) { s.constraints.push_back(c); }, "'tie'");
  refused(
      [](SystemSpec&, ConstraintSpec& c) {
        c.phi = trace(3, [](const auto& q) { return sin(q[0]) + cos(q[1]) + q[2] * q[2] + 3.0; });
      },
      "constraint 'tie' cannot be closed: 1 is left of it");
  refused(
      [](SystemSpec&, ConstraintSpec& c) {
        c.phi = trace(3, [](const auto& q) { return sqrt(q[0] * q[1] - 1e9) - q[2]; });
      },
      "constraint 'tie' cannot be closed");
  refused(
      [](SystemSpec&, ConstraintSpec& c) {
        c.phi = trace(3, [](const auto& q) { return 1e200 * (1e200 * q[0]) - q[1]; });
      },
      "do not determine the motion");
}

TEST(Constraints, OneOfTwoThatSayTheSameIsDropped) {
  SystemSpec spec = asSystem(ClusterJoint::FourBar({0.4, 1.0}, 0.8, {1.0, 0.1}, 0));
  spec.constraints.push_back(spec.constraints[0]);
  spec.constraints[1].name = "again";
  const auto model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->mechanism.clusters[0].rows.size(), 2u);
  EXPECT_EQ(model->mechanism.clusters[0].dropped, 2);
}

}  // namespace
}  // namespace espalier::testing
