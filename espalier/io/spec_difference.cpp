#include "espalier/io/spec_difference.h"

#include <cmath>
#include <concepts>
#include <optional>

#include "espalier/core/overloaded.h"

namespace espalier::io {
namespace {

bool isSame(double a, double b) { return a == b; }
bool isSame(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool isSame(const TriangleMesh& a, const TriangleMesh& b) {
  if (a.triangles != b.triangles || a.vertices.size() != b.vertices.size()) return false;
  for (std::size_t i = 0; i < a.vertices.size(); ++i)
    if (!isSame(a.vertices[i], b.vertices[i])) return false;
  return true;
}

bool isSame(const HeightfieldData& a, const HeightfieldData& b) {
  return a.xSamples == b.xSamples && a.ySamples == b.ySamples && a.xSize == b.xSize &&
         a.ySize == b.ySize && a.heights == b.heights;
}

template <class T>
bool isSameData(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
  return a == b || (a != nullptr && b != nullptr && isSame(*a, *b));
}

/// Walks over two Specs side by side and keeps the first place where they part.
class Comparison {
 public:
  explicit Comparison(double tolerance) : tolerance_(tolerance) {}
  const std::string& found() const { return found_; }

  template <class T>
  void field(const char* name, const T& a, const T& b) {
    if (!found_.empty()) return;
    const std::size_t length = path_.size();
    path_ += (path_.empty() ? "" : ".") + std::string(name);
    compare(a, b);
    path_.resize(length);
  }

 private:
  void part(bool isSameValue) {
    if (!isSameValue && found_.empty()) found_ = path_;
  }

  template <std::equality_comparable T>
  void compare(const T& a, const T& b) {
    part(a == b);
  }
  void compare(const Vec3d& a, const Vec3d& b) { part(isSame(a, b)); }
  void compare(const Shape& a, const Shape& b) { part(isSameShape(a, b)); }
  void compare(const IgnoredPair& a, const IgnoredPair& b) {
    part(a.first == b.first && a.second == b.second);
  }

  template <class T>
  void compare(const std::vector<T>& a, const std::vector<T>& b) {
    part(a.size() == b.size());
    for (std::size_t i = 0; i < a.size() && found_.empty(); ++i) {
      const std::size_t length = path_.size();
      path_ += "[" + std::to_string(i) + "]";
      compare(a[i], b[i]);
      path_.resize(length);
    }
  }
  template <class T>
  void compare(const std::optional<T>& a, const std::optional<T>& b) {
    part(a.has_value() == b.has_value());
    if (a && b) compare(*a, *b);
  }

  void compare(const Transformd& a, const Transformd& b) {
    const auto near = [this](const Vec3d& u, const Vec3d& v) {
      return std::abs(u.x - v.x) <= tolerance_ && std::abs(u.y - v.y) <= tolerance_ &&
             std::abs(u.z - v.z) <= tolerance_;
    };
    part(isSame(a.p, b.p) && near(a.R.r0, b.R.r0) && near(a.R.r1, b.R.r1) && near(a.R.r2, b.R.r2));
  }
  void compare(const Sym3<double>& a, const Sym3<double>& b) {
    part(a.xx == b.xx && a.xy == b.xy && a.xz == b.xz && a.yy == b.yy && a.yz == b.yz &&
         a.zz == b.zz);
  }

  void compare(const MediumSpec& a, const MediumSpec& b) {
    field("density", a.density, b.density);
    field("viscosity", a.viscosity, b.viscosity);
    field("wind", a.wind, b.wind);
  }
  void compare(const InertialSpec& a, const InertialSpec& b) {
    field("mass", a.mass, b.mass);
    field("X_LC", a.X_LC, b.X_LC);
    field("I", a.I, b.I);
  }
  void compare(const CollisionSpec& a, const CollisionSpec& b) {
    field("name", a.name, b.name);
    field("shape", a.shape, b.shape);
    field("X_LG", a.X_LG, b.X_LG);
    field("material", a.material, b.material);
    field("group", a.group, b.group);
    field("mask", a.mask, b.mask);
    field("meshScale", a.meshScale, b.meshScale);
  }
  void compare(const VisualSpec& a, const VisualSpec& b) {
    field("name", a.name, b.name);
    field("shape", a.shape, b.shape);
    field("meshScale", a.meshScale, b.meshScale);
    field("X_LG", a.X_LG, b.X_LG);
    field("rgba", a.rgba, b.rgba);
    field("material", a.material, b.material);
  }
  void compare(const LinkSpec& a, const LinkSpec& b) {
    field("name", a.name, b.name);
    field("inertial", a.inertial, b.inertial);
    field("gravityCompensation", a.gravityCompensation, b.gravityCompensation);
    field("collisions", a.collisions, b.collisions);
    field("visuals", a.visuals, b.visuals);
  }
  void compare(const JointLimits& a, const JointLimits& b) {
    field("lower", a.lower, b.lower);
    field("upper", a.upper, b.upper);
    field("effort", a.effort, b.effort);
    field("velocity", a.velocity, b.velocity);
    field("swing", a.swing, b.swing);
    field("twistLower", a.twistLower, b.twistLower);
    field("twistUpper", a.twistUpper, b.twistUpper);
  }
  void compare(const JointDynamics& a, const JointDynamics& b) {
    field("damping", a.damping, b.damping);
    field("friction", a.friction, b.friction);
    field("stiffness", a.stiffness, b.stiffness);
    field("springMount", a.springMount, b.springMount);
    field("rotorInertia", a.rotorInertia, b.rotorInertia);
  }
  void compare(const ActuatorSpec& a, const ActuatorSpec& b) {
    field("kp", a.kp, b.kp);
    field("kd", a.kd, b.kd);
    field("target", a.target, b.target);
    field("targetRate", a.targetRate, b.targetRate);
    field("feedforward", a.feedforward, b.feedforward);
    field("lower", a.lower, b.lower);
    field("upper", a.upper, b.upper);
  }
  void compare(const MimicSpec& a, const MimicSpec& b) {
    field("joint", a.joint, b.joint);
    field("multiplier", a.multiplier, b.multiplier);
    field("offset", a.offset, b.offset);
  }
  void compare(const JointSpec& a, const JointSpec& b) {
    field("name", a.name, b.name);
    field("kind", a.kind, b.kind);
    field("parent", a.parent, b.parent);
    field("child", a.child, b.child);
    field("X_PJ", a.X_PJ, b.X_PJ);
    field("axis", a.axes[0], b.axes[0]);
    field("axis2", a.axes[1], b.axes[1]);
    field("axis3", a.axes[2], b.axes[2]);
    field("pitch", a.pitch, b.pitch);
    field("limits", a.limits, b.limits);
    field("dynamics", a.dynamics, b.dynamics);
    field("mimic", a.mimic, b.mimic);
    field("independent", a.independent, b.independent);
    field("actuator", a.actuator, b.actuator);
  }
  void compare(const LoopSpec& a, const LoopSpec& b) {
    field("name", a.name, b.name);
    field("kind", a.kind, b.kind);
    field("predecessor", a.predecessor, b.predecessor);
    field("successor", a.successor, b.successor);
    field("X_PA", a.X_PA, b.X_PA);
    field("X_SB", a.X_SB, b.X_SB);
    field("axis", a.axis, b.axis);
    field("axis2", a.axis2, b.axis2);
    field("pitch", a.pitch, b.pitch);
    field("isBilateral", a.isBilateral, b.isBilateral);
  }
  void compare(const CouplingSpec& a, const CouplingSpec& b) {
    field("name", a.name, b.name);
    field("predecessor", a.predecessor, b.predecessor);
    field("successor", a.successor, b.successor);
    field("ratio", a.ratio, b.ratio);
    field("offset", a.offset, b.offset);
  }
  void compare(const ConstraintSpec& a, const ConstraintSpec& b) {
    field("name", a.name, b.name);
    field("joints", a.joints, b.joints);
    field("phi", a.phi, b.phi);
  }
  void compare(const TendonSpec::Term& a, const TendonSpec::Term& b) {
    field("joint", a.joint, b.joint);
    field("coefficient", a.coefficient, b.coefficient);
  }
  void compare(const TendonSpec::Point& a, const TendonSpec::Point& b) {
    field("link", a.link, b.link);
    part(isSame(a.position, b.position));
  }
  void compare(const TendonSpec::Way& a, const TendonSpec::Way& b) {
    field("points", a.points, b.points);
    field("divisor", a.divisor, b.divisor);
    field("wraps", a.wraps, b.wraps);
  }
  void compare(const TendonSpec::Wrap& a, const TendonSpec::Wrap& b) {
    field("after", a.after, b.after);
    field("link", a.link, b.link);
    field("X_LS", a.X_LS, b.X_LS);
    field("radius", a.surface.radius, b.surface.radius);
    field("isCylinder", a.surface.isCylinder, b.surface.isCylinder);
    field("side", a.side, b.side);
  }
  void compare(const TendonSpec& a, const TendonSpec& b) {
    field("name", a.name, b.name);
    field("terms", a.terms, b.terms);
    field("ways", a.ways, b.ways);
    field("lower", a.lower, b.lower);
    field("upper", a.upper, b.upper);
    field("stiffness", a.stiffness, b.stiffness);
    field("restLower", a.restLower, b.restLower);
    field("restUpper", a.restUpper, b.restUpper);
    field("damping", a.damping, b.damping);
    field("friction", a.friction, b.friction);
    field("actuator", a.actuator, b.actuator);
  }
  void compare(const TransmissionSpec& a, const TransmissionSpec& b) {
    field("name", a.name, b.name);
    field("type", a.type, b.type);
    field("joint", a.joint, b.joint);
    field("actuator", a.actuator, b.actuator);
    field("reduction", a.reduction, b.reduction);
  }
  void compare(const MaterialPairSpec& a, const MaterialPairSpec& b) {
    field("first", a.first, b.first);
    field("second", a.second, b.second);
    field("friction", a.friction, b.friction);
    field("restitution", a.restitution, b.restitution);
    field("restitutionThreshold", a.restitutionThreshold, b.restitutionThreshold);
    field("staticFriction", a.staticFriction, b.staticFriction);
    field("staticVelocity", a.staticVelocity, b.staticVelocity);
    field("rollingFriction", a.rollingFriction, b.rollingFriction);
    field("spinningFriction", a.spinningFriction, b.spinningFriction);
  }
  void compare(const PlacedSystemSpec& a, const PlacedSystemSpec& b) {
    all(a.system, b.system);
    field("q", a.q, b.q);
    field("u", a.u, b.u);
  }
  void compare(const BodySpec& a, const BodySpec& b) { all(a, b); }

 public:
  void all(const SystemSpec& a, const SystemSpec& b) {
    field("name", a.name, b.name);
    field("links", a.links, b.links);
    field("joints", a.joints, b.joints);
    field("jointOrder", a.jointOrder, b.jointOrder);
    field("loops", a.loops, b.loops);
    field("couplings", a.couplings, b.couplings);
    field("constraints", a.constraints, b.constraints);
    field("tendons", a.tendons, b.tendons);
    field("transmissions", a.transmissions, b.transmissions);
    field("ignoredPairs", a.ignoredPairs, b.ignoredPairs);
    field("selfCollides", a.selfCollides, b.selfCollides);
    field("fixedBase", a.fixedBase, b.fixedBase);
    field("X_WB", a.X_WB, b.X_WB);
    field("medium", a.medium, b.medium);
  }
  void all(const BodySpec& a, const BodySpec& b) {
    field("name", a.name, b.name);
    field("collisions", a.collisions, b.collisions);
    field("visuals", a.visuals, b.visuals);
    field("inertial", a.inertial, b.inertial);
    field("type", a.type, b.type);
    field("X_WB", a.X_WB, b.X_WB);
    field("velocity", a.velocity, b.velocity);
    field("angularVelocity", a.angularVelocity, b.angularVelocity);
  }
  void all(const WorldSpec& a, const WorldSpec& b) {
    field("systems", a.systems, b.systems);
    field("bodies", a.bodies, b.bodies);
    field("materials", a.materials, b.materials);
    field("defaultMaterial", a.defaultMaterial, b.defaultMaterial);
    field("gravity", a.gravity, b.gravity);
    field("timeStep", a.timeStep, b.timeStep);
    field("erp", a.erp, b.erp);
    field("slop", a.slop, b.slop);
    field("maxDepenetrationVelocity", a.maxDepenetrationVelocity, b.maxDepenetrationVelocity);
  }

 private:
  double tolerance_;
  std::string path_, found_;
};

template <class Spec>
std::string differenceOf(const Spec& a, const Spec& b, double tolerance) {
  Comparison comparison(tolerance);
  comparison.all(a, b);
  return comparison.found();
}

}  // namespace

bool isSameShape(const Shape& a, const Shape& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      Overloaded{
          [&]<ParametricShape S>(const S& s) {
            bool same = true;
            forEachParameter<S>([&](const auto& p) {
              same = same && isSame(s.*p.member, std::get<S>(b).*p.member);
            });
            return same;
          },
          [&](const MeshShape& s) {
            const auto& t = std::get<MeshShape>(b);
            return s.file == t.file && s.part == t.part && isSameData(s.data, t.data);
          },
          [&](const Heightfield& s) { return isSameData(s.data, std::get<Heightfield>(b).data); }},
      a);
}

std::string difference(const SystemSpec& a, const SystemSpec& b, double tolerance) {
  return differenceOf(a, b, tolerance);
}
std::string difference(const BodySpec& a, const BodySpec& b, double tolerance) {
  return differenceOf(a, b, tolerance);
}
std::string difference(const WorldSpec& a, const WorldSpec& b, double tolerance) {
  return differenceOf(a, b, tolerance);
}

}  // namespace espalier::io
