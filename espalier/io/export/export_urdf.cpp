// exportUrdf: a robot as URDF text.

#include <cmath>

#include "espalier/core/check.h"
#include "espalier/core/overloaded.h"
#include "espalier/io/export/export.h"
#include "espalier/io/export/export_parts.h"
#include "espalier/io/loop_type.h"
#include "espalier/io/text/rotation_text.h"
#include "espalier/model/spec/spherical_limits.h"

namespace espalier::io {
namespace {

void writeOrigin(XmlWriter& xml, const Transformd& pose) {
  if (isZero(pose.p) && isIdentity(pose.R)) return;
  xml.open("origin").attribute("xyz", shortest(pose.p));
  if (!isIdentity(pose.R)) xml.attribute("rpy", rpyText(pose.R));
  xml.close();
}

void writeMesh(XmlWriter& xml, const MeshShape& mesh, const Vec3d& scale) {
  xml.open("mesh");
  if (needsTriangles(mesh)) {
    writeTriangles(xml, *mesh.data);
  } else {
    xml.attribute("filename", mesh.file);
    if (scale.x != 1 || scale.y != 1 || scale.z != 1) xml.attribute("scale", shortest(scale));
  }
  xml.close();
}

void writeNumbers(XmlWriter& xml, const char* name, double x) { xml.attribute(name, x); }
void writeNumbers(XmlWriter& xml, const char* name, const Vec3d& v) {
  xml.attribute(name, shortest(v));
}

void writeGeometry(XmlWriter& xml, const Shape& shape, const Vec3d& meshScale,
                   const std::string& link) {
  xml.open("geometry");
  std::visit(Overloaded{[&]<ParametricShape S>(const S& s) {
                          xml.open(s.name);
                          forEachParameter<S>(
                              [&](const auto& p) { writeNumbers(xml, p.urdf, s.*p.member); });
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
  xml.open("visual");
  if (!visual.name.empty()) xml.attribute("name", visual.name);
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
  xml.open("collision");
  if (!collision.name.empty()) xml.attribute("name", collision.name);
  if (collision.group != plain.group)
    xml.attribute("collision_group", std::to_string(collision.group));
  if (collision.mask != plain.mask) xml.attribute("collision_mask", std::to_string(collision.mask));
  writeOrigin(xml, collision.X_LG);
  writeGeometry(xml, collision.shape, collision.meshScale, link);
  if (collision.material != plain.material)
    xml.open("material").open("contact").attribute("name", collision.material).close().close();
  xml.close();
}

void writeLink(XmlWriter& xml, const LinkSpec& link) {
  xml.open("link").attribute("name", link.name);
  if (link.gravityCompensation != 0)
    xml.attribute("gravity_compensation", link.gravityCompensation);
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
    if (isRead || (i == 0 && !isPlain))
      xml.open(tags[i]).attribute("xyz", shortest(joint.axes[i])).close();
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
    const auto angle = [&](const char* name, double value) {
      if (std::isfinite(value)) xml.attribute(name, value);
    };
    angle("swing", limits.swing);
    angle("twist_lower", limits.twistLower);
    angle("twist_upper", limits.twistUpper);
  }
  const auto bound = [&](const char* name, double value) {
    if (std::isfinite(value)) xml.attribute(name, value == 0 ? next_to_none : value);
  };
  bound("effort", limits.effort);
  bound("velocity", limits.velocity);
  xml.close();
}

void writeDynamics(XmlWriter& xml, const JointDynamics& d) {
  const bool isPlain = d.damping == 0 && d.friction == 0 && d.stiffness == 0 &&
                       d.rotorInertia == 0 && d.springMount.empty();
  if (isPlain) return;
  xml.open("dynamics").attribute("damping", d.damping).attribute("friction", d.friction);
  if (d.stiffness != 0) xml.attribute("stiffness", d.stiffness);
  if (!d.springMount.empty()) xml.attribute("spring_mount", d.springMount);
  if (d.rotorInertia != 0) xml.attribute("rotor_inertia", d.rotorInertia);
  xml.close();
}

void writeActuator(XmlWriter& xml, const ActuatorSpec& a) {
  xml.open("actuator");
  const auto number = [&](const char* name, double value) {
    if (value != 0) xml.attribute(name, value);
  };
  number("kp", a.kp);
  number("kd", a.kd);
  number("target", a.target);
  number("target_rate", a.targetRate);
  number("feedforward", a.feedforward);
  if (std::isfinite(a.lower)) xml.attribute("lower", a.lower);
  if (std::isfinite(a.upper)) xml.attribute("upper", a.upper);
  xml.close();
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
    if (!isZero(axis - usual)) xml.open(tag).attribute("xyz", shortest(axis)).close();
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
  xml.open(tag).attribute("link", point.link).attribute("xyz", shortest(point.position));
  xml.close();
}

void writeWrap(XmlWriter& xml, const TendonSpec::Wrap& wrap) {
  xml.open(wrap.surface.isCylinder ? "cylinder" : "sphere");
  xml.attribute("link", wrap.link).attribute("radius", wrap.surface.radius);
  writeOrigin(xml, wrap.X_LS);
  if (wrap.side) writePoint(xml, "side", *wrap.side);
  xml.close();
}

void writeTendon(XmlWriter& xml, const TendonSpec& t) {
  const auto bound = [&](const char* name, double value) {
    if (std::isfinite(value)) xml.attribute(name, value);
  };
  const auto number = [&](const char* name, double value) {
    if (value != 0) xml.attribute(name, value);
  };
  xml.open("tendon").attribute("name", t.name);
  bound("lower", t.lower);
  bound("upper", t.upper);
  number("stiffness", t.stiffness);
  number("rest_lower", t.restLower);
  number("rest_upper", t.restUpper);
  number("damping", t.damping);
  number("friction", t.friction);
  for (const TendonSpec::Term& term : t.terms) {
    xml.open("joint").attribute("name", term.joint);
    xml.attribute("coefficient", term.coefficient).close();
  }
  for (const TendonSpec::Way& way : t.ways) {
    xml.open("way");
    if (way.divisor != 1) xml.attribute("divisor", way.divisor);
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
    xml.open("medium")
        .attribute("density", medium.density)
        .attribute("viscosity", medium.viscosity);
    if (!isZero(medium.wind)) xml.attribute("wind", shortest(medium.wind));
    xml.close();
  }
  xml.close();
}

std::string exportUrdf(const SystemSpec& system) {
  XmlWriter xml;
  writeRobot(xml, system);
  return "<?xml version=\"1.0\"?>\n" + xml.text();
}

}  // namespace espalier::io
