#include "espalier/model/compile/compile_steps.h"

#include <map>

#include "espalier/model/spec/named.h"

namespace espalier {
namespace {

/// Of a joint of one dof.
const BodyTopology& bodyOf(const Model& model, const JointSpec& joint) {
  return model.topology.bodies[model.joint(joint.name)];
}

void addConstants(const SystemSpec& spec, const Gyrostats& gyrostats, Model& model) {
  Authored& authored = model.authored;
  authored.spin.assign(model.nv(), 0.0);
  authored.reflected.assign(model.nv(), 0.0);
  for (const BodyInfo& body : model.bodies) {
    if (body.specJoint < 0) continue;
    const int dof = bodyOf(model, spec.joints[body.specJoint]).u;
    authored.spin[dof] = gyrostats.spin[body.specJoint];
    authored.reflected[dof] = gyrostats.inertia[body.specJoint];
  }
  std::map<std::pair<int, int>, double> pairs;
  for (const Gyrostats::Pair& pair : gyrostats.pairs)
    pairs[{bodyOf(model, spec.joints[pair.joint]).u, bodyOf(model, spec.joints[pair.carrier]).u}] +=
        pair.inertia;
  std::vector<Topology::Geared> geared;
  for (const auto& [dofs, inertia] : pairs) {
    geared.push_back({dofs.first, dofs.second});
    authored.geared.push_back(inertia);
  }
  tieByRotors(model.topology, std::move(geared));
}

RotorInfo rotorOf(const SystemSpec& spec, const Gyrostat& g, const Model& model) {
  const JointSpec& joint = spec.joints[g.joint];
  const FrameInfo& frame = model.frames[g.joint];
  RotorInfo rotor;
  rotor.name = joint.child;
  rotor.joint = joint.name;
  rotor.body = frame.body;
  rotor.X_LJ = frame.X_LF;
  rotor.axis = joint.axes[0] * (1 / norm(joint.axes[0]));
  rotor.inertia = g.inertia;
  rotor.limits = joint.limits;
  rotor.offset = g.offset;
  for (const Gyrostat::Term& term : g.terms) {
    const BodyTopology& b = bodyOf(model, spec.joints[term.joint]);
    rotor.terms.push_back({b.q, b.u, term.factor});
  }
  return rotor;
}

}  // namespace

void addRotors(const SystemSpec& spec, const Gyrostats& gyrostats, Model& model) {
  if (gyrostats.isEmpty()) return;
  addConstants(spec, gyrostats, model);
  for (const Gyrostat& g : gyrostats.rotors) {
    const RotorInfo& rotor = model.rotors.emplace_back(rotorOf(spec, g, model));
    const int index = static_cast<int>(model.rotors.size()) - 1;
    model.frames[g.joint].rotor = index;
    model.links[indexOf(model.links, rotor.name)].rotor = index;
  }
}

}  // namespace espalier
