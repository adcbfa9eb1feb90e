// exportUrdf: a robot as URDF text.

#include <cmath>

#include "espalier/core/check.h"
#include "espalier/core/overloaded.h"
#include "espalier/io/export/export.h"
#include "espalier/io/export/export_parts.h"
#include "espalier/model/loops/mechanism.h"
#include "espalier/model/spec/spherical_limits.h"

namespace espalier::io {
namespace {

void writeOrigin(XmlWriter& xml, const Transformd& pose) {
  if (!isPlaced(pose)) return;
  xml.open("origin").attribute("xyz", pose.p);
  if (!isIdentity(pose.R)) xml.attribute("rpy", rpyText(pose.R));
  xml.close();
}

void writeMesh(XmlWriter& xml, const MeshShape& mesh, const Vec3d& scale) {
  xml.open("mesh");
  if (needsTriangles(mesh)) {
    writeTriangles(xml, *mesh.data);
  } else {
    xml.attribute("filename", mesh.file).optional("scale", scale, {1, 1, 1});
  }
  xml.close();
}

void writeGeometry(XmlWriter& xml, const Shape& shape, const Vec3d& meshScale,
                   const std::string& link) {
  xml.open("geometry");
  std::visit(
      Overloaded{[&]<ParametricShape S>(const S& s) {
                   xml.open(s.name);
                   forEachParameter<S>([&](const auto& p) { xml.attribute(p.urdf, s.*p.member); });
                   xml.close();
                 },
                 [&](const MeshShape& m) { writeMesh(xml, m, meshScale); },
                 [&](const Heightfield&) {
                   ESPALIER_REQUIRE(false, "a URDF has no height maps, but link '" + link +
                                               "' has one; make it an object of the world");
                 }},
      shape);
  xml.close();
}

void writeInertial(XmlWriter& xml, const InertialSpec& inertial) {
  xml.open("inertial");
  writeOrigin(xml, inertial.X_LC);
  xml.open("mass").attribute("value", inertial.mass).close();
  const Sym3<double>& I = inertial.I;
  xml.open("inertia").attribute("ixx", I.xx).attribute("ixy", I.xy).attribute("ixz", I.xz);
  xml.attribute("iyy", I.yy).attribute("iyz", I.yz).attribute("izz", I.zz).close();
  xml.close();
}

void writeVisual(XmlWriter& xml, const VisualSpec& visual, const std::string& link) {
  xml.open("visual").optional("name", visual.name);
  writeOrigin(xml, visual.X_LG);
  writeGeometry(xml, visual.shape, visual.meshScale, link);
  if (!visual.material.empty() || visual.rgba != VisualSpec().rgba) {
    xml.open("material").attribute("name", visual.material);
    xml.open("color").attribute("rgba", visual.rgba).close();
    xml.close();
  }
  xml.close();
}

void writeCollision(XmlWriter& xml, const CollisionSpec& collision, const std::string& link) {
  const CollisionSpec plain;
  xml.open("collision").optional("name", collision.name);
  xml.optional("collision_group", collision.group, plain.group);
  xml.optional("collision_mask", collision.mask, plain.mask);
  writeOrigin(xml, collision.X_LG);
  writeGeometry(xml, collision.shape, collision.meshScale, link);
  if (collision.material != plain.material)
    xml.open("material").open("contact").attribute("name", collision.material).close().close();
  xml.close();
}

void writeLink(XmlWriter& xml, const LinkSpec& link) {
  xml.open("link").attribute("name", link.name);
  xml.optional("gravity_compensation", link.gravityCompensation);
  if (link.inertial) writeInertial(xml, *link.inertial);
  for (const VisualSpec& visual : link.visuals) writeVisual(xml, visual, link.name);
  for (const CollisionSpec& collision : link.collisions) writeCollision(xml, collision, link.name);
  xml.close();
}

// ---- joints

bool isBounded(const JointLimits& limits) {
  return std::isfinite(limits.lower) || std::isfinite(limits.upper);
}

std::string typeOf(const JointSpec& joint) {
  if (joint.kind == JointKind::Revolute && !isBounded(joint.limits)) return "continuous";
  return info(joint.kind).name;
}

void writeAxes(XmlWriter& xml, const JointSpec& joint) {
  static constexpr const char* tags[] = {"axis", "axis2", "axis3"};
  const JointSpec plain;
  for (int i = 0; i < 3; ++i) {
    const bool isRead = i < info(joint.kind).axes;
    const bool isPlain = isZero(joint.axes[i] - plain.axes[i]);
    if (isRead || (i == 0 && !isPlain)) xml.open(tags[i]).attribute("xyz", joint.axes[i]).close();
  }
}

void writeLimits(XmlWriter& xml, const JointSpec& joint) {
  constexpr double next_to_none = 1e-300;  // URDF files say zero for "no limit"
  const JointLimits& limits = joint.limits;
  const bool hasBounds = isBounded(limits) || joint.kind == JointKind::Prismatic;
  const bool hasCone = joint.kind == JointKind::Spherical && sphericalLimits(limits).useAxis();
  if (!hasBounds && !hasCone && !std::isfinite(limits.effort) && !std::isfinite(limits.velocity))
    return;
  xml.open("limit");
  if (hasBounds) xml.attribute("lower", limits.lower).attribute("upper", limits.upper);
  if (hasCone) {
    xml.bound("swing", limits.swing);
    xml.bound("twist_lower", limits.twistLower).bound("twist_upper", limits.twistUpper);
  }
  const auto orNextToNone = [](double value) { return value == 0 ? next_to_none : value; };
  xml.bound("effort", orNextToNone(limits.effort));
  xml.bound("velocity", orNextToNone(limits.velocity)).close();
}

void writeDynamics(XmlWriter& xml, const JointDynamics& d) {
  const bool isPlain = d.damping == 0 && d.friction == 0 && d.stiffness == 0 &&
                       d.rotorInertia == 0 && d.springMount.empty();
  if (isPlain) return;
  xml.open("dynamics").attribute("damping", d.damping).attribute("friction", d.friction);
  xml.optional("stiffness", d.stiffness).optional("spring_mount", d.springMount);
  xml.optional("rotor_inertia", d.rotorInertia).close();
}

void writeActuator(XmlWriter& xml, const ActuatorSpec& a) {
  xml.open("actuator").optional("kp", a.kp).optional("kd", a.kd).optional("target", a.target);
  xml.optional("target_rate", a.targetRate).optional("feedforward", a.feedforward);
  xml.bound("lower", a.lower).bound("upper", a.upper).close();
}

void writeJoint(XmlWriter& xml, const JointSpec& joint) {
  xml.open("joint").attribute("name", joint.name).attribute("type", typeOf(joint));
  if (joint.kind == JointKind::Helical) xml.attribute("pitch", joint.pitch);
  if (joint.independent) xml.attribute("independent", *joint.independent ? "true" : "false");
  writeOrigin(xml, joint.X_PJ);
  xml.open("parent").attribute("link", joint.parent).close();
  xml.open("child").attribute("link", joint.child).close();
  writeAxes(xml, joint);
  writeLimits(xml, joint);
  writeDynamics(xml, joint.dynamics);
  if (joint.actuator) writeActuator(xml, *joint.actuator);
  if (joint.mimic) {
    xml.open("mimic").attribute("joint", joint.mimic->joint);
    xml.attribute("multiplier", joint.mimic->multiplier).attribute("offset", joint.mimic->offset);
    xml.close();
  }
  xml.close();
}

// ---- loops and couplings

void writeEnd(XmlWriter& xml, const char* tag, const std::string& link, const Transformd& pose) {
  xml.open(tag).attribute("link", link);
  writeOrigin(xml, pose);
  xml.close();
}

void writeLoop(XmlWriter& xml, const LoopSpec& loop) {
  const LoopSpec plain;
  const auto direction = [&](const char* tag, const Vec3d& axis, const Vec3d& usual) {
    if (!isZero(axis - usual)) xml.open(tag).attribute("xyz", axis).close();
  };
  xml.open("loop").attribute("name", loop.name).attribute("type", nameOf(loop.kind));
  if (loop.kind == LoopKind::SCREW) xml.attribute("pitch", loop.pitch);
  if (loop.isBilateral) xml.attribute("bilateral", "true");
  writeEnd(xml, "predecessor", loop.predecessor, loop.X_PA);
  writeEnd(xml, "successor", loop.successor, loop.X_SB);
  direction("axis", loop.axis, plain.axis);
  direction("axis2", loop.axis2, plain.axis2);
  xml.close();
}

void writeCoupling(XmlWriter& xml, const CouplingSpec& coupling) {
  xml.open("coupling").attribute("name", coupling.name);
  xml.open("predecessor").attribute("link", coupling.predecessor).close();
  xml.open("successor").attribute("link", coupling.successor).close();
  xml.open("ratio").attribute("value", coupling.ratio).close();
  if (coupling.offset != 0) xml.open("offset").attribute("value", coupling.offset).close();
  xml.close();
}

void writePoint(XmlWriter& xml, const char* tag, const TendonSpec::Point& point) {
  xml.open(tag).attribute("link", point.link).attribute("xyz", point.position).close();
}

void writeWrap(XmlWriter& xml, const TendonSpec::Wrap& wrap) {
  xml.open(wrap.surface.isCylinder ? "cylinder" : "sphere");
  xml.attribute("link", wrap.link).attribute("radius", wrap.surface.radius);
  writeOrigin(xml, wrap.X_LS);
  if (wrap.side) writePoint(xml, "side", *wrap.side);
  xml.close();
}

void writeTendon(XmlWriter& xml, const TendonSpec& t) {
  xml.open("tendon").attribute("name", t.name).bound("lower", t.lower).bound("upper", t.upper);
  xml.optional("stiffness", t.stiffness);
  xml.optional("rest_lower", t.restLower).optional("rest_upper", t.restUpper);
  xml.optional("damping", t.damping).optional("friction", t.friction);
  for (const TendonSpec::Term& term : t.terms) {
    xml.open("joint").attribute("name", term.joint);
    xml.attribute("coefficient", term.coefficient).close();
  }
  for (const TendonSpec::Way& way : t.ways) {
    xml.open("way").optional("divisor", way.divisor, 1);
    auto wrap = way.wraps.begin();
    for (std::size_t i = 0; i < way.points.size(); ++i) {
      writePoint(xml, "point", way.points[i]);
      if (wrap != way.wraps.end() && wrap->after == static_cast<int>(i)) writeWrap(xml, *wrap++);
    }
    xml.close();
  }
  if (t.actuator) writeActuator(xml, *t.actuator);
  xml.close();
}

void writeTransmission(XmlWriter& xml, const TransmissionSpec& t) {
  xml.open("transmission").attribute("name", t.name).attribute("type", t.type);
  xml.open("joint").attribute("name", t.joint).close();
  if (!t.actuator.empty()) xml.open("actuator").attribute("name", t.actuator).close();
  xml.open("mechanicalReduction").content(shortest(t.reduction)).close();
  xml.close();
}

}  // namespace

void writeRobot(XmlWriter& xml, const SystemSpec& system) {
  xml.open("robot").attribute("name", system.name);
  for (const LinkSpec& link : system.links) writeLink(xml, link);
  for (const JointSpec& joint : system.joints) writeJoint(xml, joint);
  for (const LoopSpec& loop : system.loops) writeLoop(xml, loop);
  for (const CouplingSpec& coupling : system.couplings) writeCoupling(xml, coupling);
  for (const ConstraintSpec& c : system.constraints) writeConstraint(xml, system, c);
  for (const TendonSpec& t : system.tendons) writeTendon(xml, t);
  for (const TransmissionSpec& t : system.transmissions) writeTransmission(xml, t);
  if (const MediumSpec& medium = system.medium; medium.acts()) {
    xml.open("medium").attribute("density", medium.density);
    xml.attribute("viscosity", medium.viscosity).optional("wind", medium.wind).close();
  }
  xml.close();
}

std::string exportUrdf(const SystemSpec& system) {
  XmlWriter xml;
  writeRobot(xml, system);
  return "<?xml version=\"1.0\"?>\n" + xml.text();
}

}  // namespace espalier::io
