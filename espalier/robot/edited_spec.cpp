#include "espalier/robot/edited_spec.h"

#include <optional>

#include "espalier/core/check.h"
#include "espalier/dynamics/tree/energy.h"
#include "espalier/model/spec/named.h"

namespace espalier {
namespace {

RigidInertia<double> aboutOrigin(const InertialSpec& in) {
  return toParent(transpose(in.X_LC.R), in.X_LC.p, RigidInertia<double>{in.mass, {0, 0, 0}, in.I});
}

/// Mass and inertia of a body without its rotors, which are links of their own in the file; none
/// where they are all it weighs.
std::optional<InertialSpec> withoutRotors(const SystemSpec& spec, const Model& model, int b) {
  const AuthoredBody& body = model.authored.bodies[b];
  InertialSpec own{body.mass, {identity3<double>(), body.com}, body.I};
  RigidInertia<double> rest = aboutOrigin(own);
  bool hasRotor = false;
  for (const RotorInfo& rotor : model.rotors) {
    if (rotor.body != b) continue;
    hasRotor = true;
    InertialSpec part = *spec.links[indexOf(model.links, rotor.name)].inertial;
    part.X_LC = rotor.X_LJ * part.X_LC;
    const Sym3<double>& I = part.I;
    part.mass = -part.mass;
    part.I = {-I.xx, -I.xy, -I.xz, -I.yy, -I.yz, -I.zz};
    rest += aboutOrigin(part);
  }
  if (!hasRotor) return own;
  const double rounding = 1e-12 * body.mass;
  ESPALIER_REQUIRE(rest.m >= -rounding, "link '" + model.bodies[b].name + "' weighs " +
                                            std::to_string(body.mass) +
                                            " kg with its rotors, which is less than they do");
  if (rest.m <= rounding) return {};
  return InertialSpec{rest.m, {identity3<double>(), centreOf(rest)}, inertiaAboutCentre(rest)};
}

}  // namespace

SystemSpec editedSpec(const StepData& world, const System& sys) {
  ESPALIER_REQUIRE(sys.spec != nullptr, "robot '" + sys.model->name +
                                            "' was added as a compiled model: what it was "
                                            "compiled from is not known");
  SystemSpec spec = *sys.spec;
  const Model& model = *sys.model;
  std::size_t shape = 0;
  for (std::size_t l = 0; l < spec.links.size(); ++l)
    for (CollisionSpec& c : spec.links[l].collisions) {
      const GeomId id = sys.geoms[shape];
      if (sys.editing) c.X_LG = inverse(model.links[l].X_LF) * model.collisions[shape].X_LG;
      ++shape;
      if (!id.isValid()) continue;
      c.material = world.materials.name(world.geom(id).material);
      c.shape = world.scene.shape(id);
      c.group = world.scene.group(id);
      c.mask = world.scene.mask(id);
    }
  if (!sys.editing) return spec;
  if (!model.topology.floating) spec.X_WB = model.authored.bodies[0].X_PJ;
  for (std::size_t l = 0; l < spec.links.size(); ++l) {
    const auto b = static_cast<std::size_t>(model.links[l].body);
    const AuthoredBody& body = model.authored.bodies[b];
    if (model.links[l].rotor >= 0) continue;  // as it was: rotors are not edited
    spec.links[l].inertial.reset();
    if (model.bodies[b].name == spec.links[l].name && body.mass > 0)
      spec.links[l].inertial = withoutRotors(*sys.spec, model, static_cast<int>(b));
  }
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    JointSpec& joint = spec.joints[model.bodies[b].specJoint];
    const auto parent = static_cast<std::size_t>(indexOf(model.links, joint.parent));
    const AuthoredBody& body = model.authored.bodies[b];
    joint.X_PJ = inverse(model.links[parent].X_LF) * body.X_PJ;
    joint.axes = body.axes;
    const BodyTopology& t = model.topology.bodies[b];
    if (t.nv > 0) joint.dynamics.rotorInertia = model.authored.rotorInertia[t.u];
  }
  return spec;
}

}  // namespace espalier
