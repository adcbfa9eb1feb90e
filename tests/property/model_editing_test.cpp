// Random robots, random edits of all their parameters: by reference in the one world, in the Spec
// in the other. Both worlds must agree to the bit, at once and after a while.

#include <gtest/gtest.h>

#include "espalier/world/world.h"
#include "tests/support/random_spec.h"

namespace espalier::testing {
namespace {

struct Twins {
  Random random;
  SystemSpec spec;

  double factor() { return random.uniform(0.5, 2); }

  /// Every parameter of a body and its joint, both ways, with an even chance each.
  void edit(ArticulatedSystem& robot, std::size_t b) {
    const auto chance = [this] { return random.integer(2) == 0; };
    const Model& m = robot.model();
    LinkSpec& link = *std::find_if(spec.links.begin(), spec.links.end(),
                                   [&](const LinkSpec& l) { return l.name == m.bodies[b].name; });
    InertialSpec& in = *link.inertial;
    if (chance()) robot.getMass()[b] = in.mass *= factor();
    if (chance()) {
      in.X_LC.p = random.vector(0.3);
      robot.getBodyCOM_B()[b] = in.X_LC.p;
    }
    if (chance()) {
      in.I = randomInertial(random).I;
      robot.getInertia()[b] = Mat3d{
          {in.I.xx, in.I.xy, in.I.xz}, {in.I.xy, in.I.yy, in.I.yz}, {in.I.xz, in.I.yz, in.I.zz}};
    }
    if (chance()) {
      link.collisions[0].X_LG = {random.rotation(), random.vector(0.2)};
      CollisionBody& body = robot.getCollisionBody(link.name + "/0");
      body.posOffset = link.collisions[0].X_LG.p;
      body.rotOffset = link.collisions[0].X_LG.R;
    }
    if (b == 0) return;

    JointSpec& joint = spec.joints[m.bodies[b].specJoint];
    if (chance()) {
      joint.X_PJ.p = random.vector(0.5);
      robot.getJointPos_P()[b] = joint.X_PJ.p;
    }
    if (chance()) {
      joint.dynamics.rotorInertia = random.uniform(0, 0.2);
      VecDyn rotor = robot.getRotorInertia();
      const BodyTopology& t = m.topology.bodies[b];
      for (int k = 0; k < t.nv; ++k) rotor[m.publicDof[t.u + k]] = joint.dynamics.rotorInertia;
      robot.setRotorInertia(rotor);
    }
    // An axis stays where it is in the parent when the joint's frame turns.
    const Mat3d was = joint.X_PJ.R;
    const bool turns = chance(), tilts = chance();
    if (turns) {
      joint.X_PJ.R = random.rotation();
      robot.getJointOrientation_P()[b] = joint.X_PJ.R;
    }
    const auto axes = static_cast<std::size_t>(info(joint.kind).axes);
    if (tilts && axes > 0) robot.getJointAxis_P()[b] = random.unit() * factor();
    if ((turns || tilts) && axes > 0)
      joint.axes[0] =
          tmul(joint.X_PJ.R, static_cast<Vec3d>(std::as_const(robot).getJointAxis_P()[b]));
    for (std::size_t k = 1; turns && k < axes; ++k)
      joint.axes[k] = tmul(joint.X_PJ.R, mul(was, joint.axes[k]));
  }
};

class RandomEdits : public ::testing::TestWithParam<int> {};

TEST_P(RandomEdits, AreThoseOfTheEditedFile) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  RandomSpecOptions options{.links = 7, .welds = false, .fixedBase = seed % 3 == 0};
  Twins twins{Random(seed), randomSpec(seed, options)};
  for (LinkSpec& link : twins.spec.links) link.inertial->X_LC.R = identity3<double>();
  World live, file;
  ArticulatedSystem* robot = live.addArticulatedSystem(twins.spec);
  for (std::size_t b = 0; b < twins.spec.links.size(); ++b) twins.edit(*robot, b);
  ArticulatedSystem* recompiled = file.addArticulatedSystem(twins.spec);
  const RandomState state = randomState(robot->model().topology, seed);
  for (ArticulatedSystem* r : {robot, recompiled}) {
    Eigen::VectorXd q(r->getGeneralizedCoordinateDim()), u(r->getDOF());
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = state.q[i];
    for (Eigen::Index i = 0; i < u.size(); ++i) u[i] = state.u[i];
    r->setState(q, u);
  }
  for (World* world : {&live, &file}) world->addGround(-0.5);
  for (int i = 0; i < 40; ++i) {
    live.integrate();
    file.integrate();
    ASSERT_EQ(live.stateHash(), file.stateHash()) << "step " << i;
  }
  EXPECT_TRUE(sameBits(robot->model().lowered, recompiled->model().lowered));
  for (std::size_t c = 0; c < robot->model().collisions.size(); ++c)
    EXPECT_EQ(Vec<3>(robot->model().collisions[c].X_CG.p),
              Vec<3>(recompiled->model().collisions[c].X_CG.p));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomEdits, ::testing::Range(1, 25));

}  // namespace
}  // namespace espalier::testing
