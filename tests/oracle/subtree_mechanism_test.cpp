// SubtreeMechanism side by side against the plain algorithms.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/core/processor.h"
#include "espalier/dynamics/simd/subtree_mechanism.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/model/coordinates.h"
#include "espalier/world/world.h"
#include "espalier/world/world_data.h"
#include "tests/support/source_folder.h"

namespace espalier {
namespace {

/// A mechanism, if only by its rotors: by all of them, or by those of the thighs, which rub.
SystemSpec own(const std::string& name) {
  const bool rubs = name == "rubbing_strider";
  const std::string file = rubs ? "geared_strider" : name;
  auto spec = io::loadRobot(sourceFolder() + "/models/" + file + "/" + file + ".urdf");
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  spec->rotorsAsBodies = !rubs;
  for (JointSpec& joint : spec->joints)
    if (rubs && joint.name.find("HFE_rotor") != std::string::npos) joint.dynamics.friction = 1e-3;
  return std::move(spec).value();
}

double difference(const AlignedArray<double>& a, const AlignedArray<double>& b) {
  double most = 0, size = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(a[i]));
  }
  return most / size;
}

/// The plain algorithms and the subtrees at the same state.
struct Both {
  explicit Both(const std::string& name, bool wide = hasWideRegisters())
      : system(*world.addArticulatedSystem(own(name))),
        t(system.model().topology),
        m(system.model().mechanism),
        par(system.model().lowered),
        ws(t),
        plain(t, m),
        side(t, m),
        subtrees(t, m, wide),
        q(static_cast<std::size_t>(t.nq)),
        subtreeQ(q),
        u(static_cast<std::size_t>(t.nv)),
        h(u),
        subtreeH(u),
        H(static_cast<std::size_t>(m.reduced.entries())),
        subtreeM(H) {}

  /// Somewhere near the assembled configuration, the base anywhere; moving.
  void move(std::uint64_t seed) {
    std::vector<double> drawn(static_cast<std::size_t>(t.nq)), none(drawn), step(u.size());
    randomConfiguration(t, seed, 1, drawn.data());
    neutral(t, none.data());
    espalier::difference(t, none.data(), drawn.data(), step.data());
    std::vector<double> small(u.size(), 0.0);
    for (std::size_t d = 0; d < small.size(); ++d) {
      u[d] = 2 * step[step.size() - 1 - d];
      const bool isBase = t.floating && d < 6;
      small[d] = isBase ? step[d] : 0.02 * step[d];
    }
    advance(t, m.assembled.data(), small.data(), q.data());
    std::copy(q.begin(), q.end(), subtreeQ.begin());
  }

  void compute() {
    placeBodies(t, par, q.data(), ws);
    left = closePlacedLoops(t, par, m, q.data(), 1e-13, 20, ws, plain);
    solveRates(m, plain);
    dependentRates(m, plain, u.data());
    placeInertias(t, par, ws);
    velocities(t, u.data(), ws);
    loopAccelerations(t, m, u.data(), ws, plain);
    inverseDynamics(t, par, gravity, plain.g.data(), ws, h.data());
    computeReducedColumns(t, m, ws, plain);
    reducedMassMatrix(t, par, m, ws, plain, H.data());
  }
  void computeBySubtrees() {
    subtrees.load(par, side);
    subtreeLeft = subtrees.close(subtreeQ.data(), 1e-13, 20, side);
    subtrees.massMatrix(subtreeM.data());
    subtrees.bias(gravity, u.data(), side, subtreeH.data());
  }

  World world;
  ArticulatedSystem& system;
  const Topology& t;
  const Mechanism& m;
  Lowered<double> par;
  Workspace<double> ws;
  LoopWorkspace<double> plain, side;
  SubtreeMechanism subtrees;
  AlignedArray<double> q, subtreeQ, u, h, subtreeH, H, subtreeM;
  double left = 0, subtreeLeft = 0;
  Vec3d gravity{0.3, -0.2, -9.81};
};

class SubtreeMechanismOf : public ::testing::TestWithParam<std::string> {};

TEST_P(SubtreeMechanismOf, AgreeWithThePlainAlgorithms) {
  Both both(GetParam());
  ASSERT_TRUE(both.subtrees.isProfitable());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    both.move(seed);
    both.par.bodies[1].I.m *= 1.1;  // an edit of masses and places is seen
    both.par.bodies.back().p.x += 1e-4;
    both.compute();
    both.computeBySubtrees();
    ASSERT_LT(both.left, 1e-12);
    EXPECT_LT(both.subtreeLeft, 1e-12);
    EXPECT_LT(difference(both.q, both.subtreeQ), 1e-11);
    EXPECT_LT(difference(both.plain.G, both.side.G), 1e-10);
    EXPECT_LT(difference(both.plain.g, both.side.g), 1e-10);
    EXPECT_LT(difference(both.h, both.subtreeH), 1e-10);
    EXPECT_LT(difference(both.H, both.subtreeM), 1e-10);
    for (std::size_t s = 0; s < both.plain.reducedColumn.size(); ++s) {
      const Motion<double> screw = both.subtrees.reducedColumn(static_cast<int>(s));
      EXPECT_LT(norm(both.plain.reducedColumn[s].w - screw.w), 1e-10);
      EXPECT_LT(norm(both.plain.reducedColumn[s].v - screw.v), 1e-10);
    }
  }
}

TEST_P(SubtreeMechanismOf, ExportTheirBodies) {
  Both both(GetParam());
  both.move(7);
  both.compute();
  both.computeBySubtrees();
  Workspace<double> ws(both.t);
  both.subtrees.exportAll(ws);
  for (int b = 0; b < both.t.nb; ++b) {
    EXPECT_LT(norm(ws.x[b] - both.ws.x[b]), 1e-10);
    EXPECT_LT(norm(ws.R[b].r0 - both.ws.R[b].r0), 1e-10);
    EXPECT_LT(norm(ws.V[b].v - both.ws.V[b].v), 1e-9);
    EXPECT_LT(norm(ws.c[b].v - both.ws.c[b].v), 1e-9);
    EXPECT_LT(norm(ws.A[b].v - both.ws.A[b].v), 1e-8);
  }
  for (int d = both.t.floating ? 6 : 0; d < both.t.nv; ++d)
    EXPECT_LT(norm(ws.S[d].v - both.ws.S[d].v), 1e-10);
}

/// How wide the registers are changes no bit.
TEST_P(SubtreeMechanismOf, AreTheSameInWideRegisters) {
  if (!hasWideRegisters()) GTEST_SKIP() << "this processor has no x86-64-v4";
  Both narrow(GetParam(), false), wide(GetParam(), true);
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (Both* both : {&narrow, &wide}) {
      both->move(seed);
      dependentRates(both->m, both->side, both->u.data());
      both->computeBySubtrees();
    }
  const auto same = [](const AlignedArray<double>& a, const AlignedArray<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  EXPECT_TRUE(same(narrow.subtreeQ, wide.subtreeQ));
  EXPECT_TRUE(same(narrow.side.G, wide.side.G));
  EXPECT_TRUE(same(narrow.side.g, wide.side.g));
  EXPECT_TRUE(same(narrow.subtreeH, wide.subtreeH));
  EXPECT_TRUE(same(narrow.subtreeM, wide.subtreeM));
}
INSTANTIATE_TEST_SUITE_P(Models, SubtreeMechanismOf,
                         ::testing::Values("beest", "geared_strider", "rubbing_strider"),
                         [](const auto& known) { return known.param; });

/// A crank-rocker has no subtrees.
TEST(SubtreeMechanism, RobotsWithoutIsomorphicSubtreesHaveNone) {
  World world;
  const Model& model = world.addArticulatedSystem(own("four_bar"))->model();
  EXPECT_FALSE(SubtreeMechanism(model.topology, model.mechanism).isProfitable());
}

}  // namespace
}  // namespace espalier
