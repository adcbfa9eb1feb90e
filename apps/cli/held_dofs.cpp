#include "apps/cli/held_dofs.h"

#include <algorithm>
#include <cmath>

namespace espalier::cli {
namespace {

bool isDriven(const Model& model, const SystemSpec& spec, int body) {
  const int joint = model.bodies[body].specJoint;
  if (joint < 0) return false;
  const JointSpec& j = spec.joints[joint];
  return j.independent.value_or(false) ||
         std::any_of(spec.transmissions.begin(), spec.transmissions.end(),
                     [&](const TransmissionSpec& t) { return t.joint == j.name; });
}

bool hasEffort(const Model& model, int body) {
  return std::isfinite(model.bodies[body].limits.effort);
}

}  // namespace

std::vector<char> heldDofs(const Model& model, const SystemSpec& spec) {
  const Topology& t = model.topology;
  std::vector<char> isHeld(static_cast<std::size_t>(t.nv), 1);
  for (int d = 0; d < t.nv; ++d) isHeld[d] = t.bodies[t.dofBody[d]].kind != JointKind::Floating;
  for (const Cluster& c : model.mechanism.clusters) {
    std::vector<int> leads;
    for (const int j : c.plan.independent) leads.push_back(c.dofs[j]);
    const auto holdOnly = [&](const auto& isMeant) {
      const auto isOne = [&](int d) { return isMeant(t.dofBody[d]); };
      if (std::none_of(leads.begin(), leads.end(), isOne)) return false;
      for (const int d : leads) isHeld[d] = isHeld[d] && isOne(d);
      return true;
    };
    if (!holdOnly([&](int body) { return isDriven(model, spec, body); }))
      holdOnly([&](int body) { return hasEffort(model, body); });
  }
  return isHeld;
}

}  // namespace espalier::cli
