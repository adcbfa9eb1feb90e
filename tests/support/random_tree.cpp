#include "tests/support/random_tree.h"

#include <algorithm>
#include <utility>

#include "espalier/model/coordinates.h"

namespace espalier::testing {

RandomTree randomTree(std::uint64_t seed, const RandomTreeOptions& options) {
  Random random(seed);
  std::vector<BodyTopology> bodies;
  Lowered<double> par;
  for (int i = 0; i < options.bodies; ++i) {
    BodyTopology b;
    b.parent = i == 0 ? -1 : std::max(0, i - 1 - random.integer(3));
    b.kind = options.kinds[random.integer(static_cast<int>(options.kinds.size()))];
    if (i == 0) b.kind = options.floating ? JointKind::Floating : JointKind::Fixed;
    bodies.push_back(b);
    LoweredBody<double> low{random.rotation(), random.vector(0.5), random.inertia()};
    if (i == 0 && options.floating) low.E = identity3<double>(), low.p = {0, 0, 0};
    par.bodies.push_back(low);
    par.extra.push_back({{random.unit(), random.unit(), random.unit()}, random.uniform(-0.2, 0.2)});
  }
  RandomTree tree{makeTopology(std::move(bodies)), std::move(par)};
  for (int d = 0; d < tree.topology.nv; ++d)
    tree.parameters.armature.push_back(
        options.armature && tree.topology.dofBody[d] > 0 ? random.uniform(0, 0.5) : 0);
  tree.parameters.hasArmature = options.armature;
  return tree;
}

RandomState randomState(const Topology& t, std::uint64_t seed) {
  RandomState s{std::vector<double>(t.nq), std::vector<double>(t.nv), std::vector<double>(t.nv)};
  randomConfiguration(t, seed, 1.0, s.q.data());
  Random random(seed ^ 0x9e3779b97f4a7c15u);
  for (double& x : s.u) x = random.uniform(-2, 2);
  for (double& x : s.udot) x = random.uniform(-5, 5);
  return s;
}

}  // namespace espalier::testing
