#include "espalier/world/edited_spec.h"

#include "espalier/core/check.h"

namespace espalier {
namespace {

int linkIndex(const Model& model, const std::string& name) {
  for (std::size_t l = 0; l < model.links.size(); ++l)
    if (model.links[l].name == name) return static_cast<int>(l);
  return -1;
}

}  // namespace

SystemSpec editedSpec(const WorldData& world, const System& sys) {
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
    }
  if (!sys.editing) return spec;
  if (!model.topology.floating) spec.X_WB = model.authored.bodies[0].X_PJ;
  for (std::size_t l = 0; l < spec.links.size(); ++l) {
    const auto b = static_cast<std::size_t>(model.links[l].body);
    const AuthoredBody& body = model.authored.bodies[b];
    spec.links[l].inertial.reset();
    if (model.bodies[b].name == spec.links[l].name && body.mass > 0)
      spec.links[l].inertial = InertialSpec{body.mass, {identity3<double>(), body.com}, body.I};
  }
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    JointSpec& joint = spec.joints[static_cast<std::size_t>(model.bodies[b].specJoint)];
    const auto parent = static_cast<std::size_t>(linkIndex(model, joint.parent));
    const AuthoredBody& body = model.authored.bodies[b];
    joint.X_PJ = inverse(model.links[parent].X_LF) * body.X_PJ;
    joint.axes = body.axes;
    const BodyTopology& t = model.topology.bodies[b];
    if (t.nv > 0)
      joint.dynamics.rotorInertia = model.authored.rotorInertia[static_cast<std::size_t>(t.u)];
  }
  return spec;
}

}  // namespace espalier
