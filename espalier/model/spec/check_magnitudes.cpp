#include "espalier/model/spec/check_magnitudes.h"

#include <algorithm>
#include <cmath>

#include "espalier/core/overloaded.h"

namespace espalier {

const char* const remedy_for_magnitudes =
    "check its unit and digits; the option unbounded lifts the bounds";

namespace {

/// Whether a finite number is beyond its bound; numbers that are not finite are reported elsewhere.
bool exceeds(double x, double bound) { return std::isfinite(x) && std::abs(x) > bound; }

double largest(const Vec3d& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }
double largest(const Sym3<double>& s) {
  return std::max(largest(Vec3d{s.xx, s.xy, s.xz}), largest(Vec3d{s.yy, s.yz, s.zz}));
}

std::string beyond(const std::string& what, double x, double bound, const char* unit) {
  return what + " of " + printed(x) + " " + unit + ", more than " + printed(bound) + " " + unit;
}

/// Reports each value beyond its bound: "link 'shin' has a mass of 1e+12 kg, ...".
class Judge {
 public:
  Judge(std::string file, Diagnostics& diagnostics)
      : file_(std::move(file)), diagnostics_(diagnostics) {}

  /// In which the lines are.
  void setFile(const std::string& file) { file_ = file; }

  void setSubject(const std::string& kind, const std::string& name, int line) {
    subject_ = kind + " " + inQuotes(name) + " has ";
    line_ = line;
  }
  void setSubject(const std::string& subject, int line) {
    subject_ = subject + " has ";
    line_ = line;
  }

  void length(const std::string& what, double x) const {
    judge(what, x, magnitude_bounds.length, "m");
  }
  void place(const std::string& what, const Vec3d& p) const { length(what, largest(p)); }
  void rate(const std::string& what, const Vec3d& v, const char* unit) const {
    judge(what, largest(v), magnitude_bounds.rate, unit);
  }
  void inertial(const InertialSpec& inertial) const {
    judge("a mass", inertial.mass, magnitude_bounds.mass, "kg");
    judge("an inertia", largest(inertial.I), magnitude_bounds.inertia, "kg m^2");
    place("a centre of mass at a coordinate", inertial.X_LC.p);
  }
  void inertia(const std::string& what, double x) const {
    judge(what, x, magnitude_bounds.inertia, "kg m^2");
  }
  void number(const std::string& what, double x, const char* unit) const {
    judge(what, x, magnitude_bounds.length, unit);
  }
  void shape(const Shape& shape, const Transformd& pose, const char* use, bool isCollision) const;

 private:
  void judge(const std::string& what, double x, double bound, const char* unit) const {
    if (exceeds(x, bound)) say(beyond(what, x, bound, unit));
  }
  void say(const std::string& what) const {
    diagnostics_.add({Severity::Error, file_, line_, subject_ + what, remedy_for_magnitudes});
  }
  void mesh(const MeshShape& mesh, const std::string& what, bool isCollision) const;

  std::string file_;
  Diagnostics& diagnostics_;
  std::string subject_;
  int line_ = 0;
};

void Judge::mesh(const MeshShape& mesh, const std::string& what, bool isCollision) const {
  if (!mesh.data || mesh.data->vertices.empty()) return;
  Vec3d low = mesh.data->vertices[0], high = low;
  for (const Vec3d& v : mesh.data->vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  length(what + " with a coordinate", std::max(largest(low), largest(high)));
  const double extent = largest(high - low);
  if (isCollision && extent < magnitude_bounds.leastLength) {
    say(what + " of " + printed(extent) + " m, less than " + printed(magnitude_bounds.leastLength) +
        " m");
  }
}

void Judge::shape(const Shape& shape, const Transformd& pose, const char* use,
                  bool isCollision) const {
  const std::string what = std::string("a ") + use + " " + shapeName(shape);
  place(what + " at a coordinate", pose.p);
  std::visit(Overloaded{[&]<ParametricShape S>(const S& s) {
                          forEachParameter<S>([&](const auto& p) {
                            forEachNumber(p.name, s.*p.member, [&](const char*, double x) {
                              length(what + " with a " + p.name, x);
                            });
                          });
                        },
                        [&](const MeshShape& m) { mesh(m, what, isCollision); },
                        [&](const Heightfield& h) {
                          if (!h.data) return;
                          length(what + " with a side", std::max(h.data->xSize, h.data->ySize));
                          double most = 0;
                          for (const double z : h.data->heights) most = std::max(most, std::abs(z));
                          length(what + " with a height", most);
                        }},
             shape);
}

void judgeLink(Judge& judge, const SystemSpec& spec, const LinkSpec& link) {
  judge.setFile(fileOf(spec, link));
  judge.setSubject("link", link.name, link.line);
  if (link.inertial) judge.inertial(*link.inertial);
  for (const CollisionSpec& c : link.collisions) judge.shape(c.shape, c.X_LG, "collision", true);
  for (const VisualSpec& v : link.visuals) judge.shape(v.shape, v.X_LG, "visual", false);
}

void judgeJoint(Judge& judge, const SystemSpec& spec, const JointSpec& joint) {
  judge.setFile(fileOf(spec, joint));
  judge.setSubject("joint", joint.name, joint.line);
  judge.place("an origin with a coordinate", joint.X_PJ.p);
  judge.number("a pitch", joint.pitch, "m/rad");
  judge.inertia("a rotor_inertia", joint.dynamics.rotorInertia);
  for (const double q : joint.dynamics.springMount) judge.number("a spring_mount", q, "rad or m");
  if (joint.actuator) {
    judge.number("an actuator's target", joint.actuator->target, "rad or m");
    judge.number("an actuator's target rate", joint.actuator->targetRate, "rad/s or m/s");
  }
  if (joint.mimic) {
    judge.number("a mimic multiplier", joint.mimic->multiplier, "rad or m for each");
    judge.number("a mimic offset", joint.mimic->offset, "rad or m");
  }
}

void judgeLoops(Judge& judge, const SystemSpec& spec) {
  for (const LoopSpec& loop : spec.loops) {
    judge.setFile(fileOf(spec, loop));
    judge.setSubject("loop", loop.name, loop.line);
    judge.place("a frame at a coordinate", loop.X_PA.p);
    judge.place("a frame at a coordinate", loop.X_SB.p);
    judge.number("a pitch", loop.pitch, "m/rad");
  }
  for (const CouplingSpec& coupling : spec.couplings) {
    judge.setFile(fileOf(spec, coupling));
    judge.setSubject("coupling", coupling.name, coupling.line);
    judge.number("a ratio", coupling.ratio, "rad or m for each");
    judge.number("an offset", coupling.offset, "rad or m");
  }
}

}  // namespace

void checkMagnitudes(const CheckReport& report) {
  const SystemSpec& spec = report.spec;
  if (spec.unbounded) return;
  Judge judge(spec.file, report.diagnostics);
  for (const LinkSpec& link : spec.links) judgeLink(judge, spec, link);
  for (const JointSpec& joint : spec.joints) judgeJoint(judge, spec, joint);
  judgeLoops(judge, spec);
  judge.setFile(spec.file);
  judge.setSubject("the base", 0);
  judge.place("a pose with a coordinate", spec.X_WB.p);
}

void checkMagnitudes(const BodySpec& body, const std::string& file, Diagnostics& diagnostics) {
  Judge judge(file, diagnostics);
  judge.setSubject("object", body.name, body.line);
  judge.inertial(body.inertial);
  judge.place("a pose with a coordinate", body.X_WB.p);
  judge.rate("a velocity", body.velocity, "m/s");
  judge.rate("an angular velocity", body.angularVelocity, "rad/s");
  for (const CollisionSpec& c : body.collisions) judge.shape(c.shape, c.X_LG, "collision", true);
  for (const VisualSpec& v : body.visuals) judge.shape(v.shape, v.X_LG, "visual", false);
}

void checkMagnitudes(const WorldSpec& world, Diagnostics& diagnostics) {
  Judge judge(world.file, diagnostics);
  judge.setSubject("the world", 0);
  judge.rate("a gravity", world.gravity, "m/s^2");
  for (const BodySpec& body : world.bodies)
    checkMagnitudes(body, body.file.empty() ? world.file : body.file, diagnostics);
  for (const PlacedSystemSpec& placed : world.systems) {
    judge.setSubject("system", placed.system.name, 0);
    judge.place("a pose with a coordinate", placed.system.X_WB.p);
    const std::string excess = excessOf(placed.q, placed.u);
    if (excess.empty()) continue;
    diagnostics.add({Severity::Error, world.file, 0,
                     "the initial state of " + inQuotes(placed.system.name) + ": " + excess,
                     remedy_for_magnitudes});
  }
}

std::string excessOf(std::span<const double> q, std::span<const double> u) {
  const auto first = [](std::span<const double> x, double bound, const std::string& name,
                        const std::string& unit) -> std::string {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!exceeds(x[i], bound)) continue;
      return name + "[" + std::to_string(i) + "] is " + printed(x[i]) + ", more than " +
             printed(bound) + " " + unit;
    }
    return {};
  };
  const std::string excess = first(q, magnitude_bounds.length, "q", "m or rad");
  return excess.empty() ? first(u, magnitude_bounds.rate, "u", "m/s or rad/s") : excess;
}

}  // namespace espalier
