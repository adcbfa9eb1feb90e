#include "espalier/model/compile/compile_cache.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "espalier/core/content_hash.h"
#include "espalier/core/overloaded.h"
#include "espalier/model/loops/loop_ties.h"
#include "espalier/model/spec/checks.h"
#include "espalier/spatial/finite.h"

namespace espalier {
namespace {

/// Values one after another; lengths before what has one, so that nothing can be read two ways.
class Writer {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void add(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    bytes_.append(bytes, sizeof value);
  }
  void add(const std::string& text) {
    add(text.size());
    bytes_ += text;
  }
  void add(const Vec3d& v) { addAll(v.x, v.y, v.z); }
  void add(const Transformd& x) { addAll(x.R.r0, x.R.r1, x.R.r2, x.p); }
  void add(const Sym3<double>& s) { addAll(s.xx, s.xy, s.xz, s.yy, s.yz, s.zz); }
  void add(const Shape& shape);

  // Taken apart whole: a member that is added to a Spec does not compile here until it is said
  // whether it counts.
  void add(const MediumSpec& medium) {
    const auto& [density, viscosity, wind] = medium;
    addAll(density, viscosity, wind);
  }
  void add(const InertialSpec& inertial) {
    const auto& [mass, X_LC, I] = inertial;
    addAll(mass, X_LC, I);
  }
  void add(const CollisionSpec& collision) {
    const auto& [name, shape, X_LG, material, group, mask, line, meshScale] = collision;
    addAll(name, shape, X_LG, material, group, mask);
  }
  void add(const VisualSpec& visual) {  // only the fields that can be refused
    const auto& [name, shape, meshScale, X_LG, rgba, material, line] = visual;
    addAll(shape, X_LG);
  }
  void add(const LinkSpec& link) {
    const auto& [name, inertial, gravityCompensation, collisions, visuals, line, file] = link;
    addAll(name, inertial, gravityCompensation, collisions, visuals);
  }
  void add(const JointLimits& limits) {
    const auto& [lower, upper, effort, velocity, swing, twistLower, twistUpper] = limits;
    addAll(lower, upper, effort, velocity, swing, twistLower, twistUpper);
  }
  void add(const JointDynamics& dynamics) {
    const auto& [damping, friction, stiffness, springMount, rotorInertia] = dynamics;
    addAll(damping, friction, stiffness, springMount, rotorInertia);
  }
  void add(const ActuatorSpec& actuator) {
    const auto& [kp, kd, target, targetRate, feedforward, lower, upper] = actuator;
    addAll(kp, kd, target, targetRate, feedforward, lower, upper);
  }
  void add(const MimicSpec& mimic) {
    const auto& [joint, multiplier, offset] = mimic;
    addAll(joint, multiplier, offset);
  }
  void add(const JointSpec& joint) {
    const auto& [name, kind, parent, child, X_PJ, axes, pitch, limits, dynamics, mimic, independent,
                 actuator, line, file] = joint;
    addAll(name, kind, parent, child, X_PJ, axes[0], axes[1], axes[2], pitch, limits, dynamics,
           mimic, independent, actuator);
  }
  void add(const LoopSpec& loop) {
    const auto& [name, kind, predecessor, successor, X_PA, X_SB, axis, axis2, pitch, isBilateral,
                 line, file] = loop;
    addAll(name, kind, predecessor, successor, X_PA, X_SB, axis, axis2, pitch, isBilateral);
  }
  void add(const CouplingSpec& coupling) {
    const auto& [name, predecessor, successor, ratio, offset, line, file] = coupling;
    addAll(name, predecessor, successor, ratio, offset);
  }
  void add(const Tape& tape) {
    const auto& [inputs, constants, steps, outputs] = tape;
    addAll(inputs, constants, steps, outputs);
  }
  void add(const Tape::Step& step) { addAll(step.op, step.a, step.b, step.c); }
  void add(const ConstraintSpec& constraint) {
    const auto& [name, ties, phi, line, file] = constraint;
    addAll(name, ties, phi);
  }
  void add(const TendonSpec::Term& term) { addAll(term.joint, term.coefficient); }
  void add(const TendonSpec::Point& point) { addAll(point.link, point.position); }
  void add(const TendonSpec::Wrap& wrap) {
    const auto& [after, link, X_LS, surface, side] = wrap;
    const auto& [radius, isCylinder] = surface;
    addAll(after, link, X_LS, radius, isCylinder, side);
  }
  void add(const TendonSpec::Way& way) {
    const auto& [points, divisor, wraps] = way;
    addAll(points, divisor, wraps);
  }
  void add(const TendonSpec& tendon) {
    const auto& [name, terms, ways, lower, upper, stiffness, restLower, restUpper, damping,
                 friction, actuator, line, file] = tendon;
    addAll(name, terms, ways, lower, upper, stiffness, restLower, restUpper, damping, friction,
           actuator);
  }
  void add(const TransmissionSpec& transmission) {
    const auto& [name, type, joint, actuator, reduction, line] = transmission;
    addAll(name, type, joint, actuator, reduction);
  }
  void add(const IgnoredPair& pair) { addAll(pair.first, pair.second, pair.reason); }
  void add(const SystemSpec& system) {
    const auto& [name, file, links, joints, jointOrder, loops, couplings, constraints, tendons,
                 transmissions, ignoredPairs, selfCollides, fixedBase, rotorsAsBodies, X_WB, medium,
                 unbounded] = system;
    addAll(name, links, joints, jointOrder, loops, couplings, constraints, tendons, transmissions,
           ignoredPairs, selfCollides, fixedBase, rotorsAsBodies, medium, unbounded);
    if (isBaseTied(system)) add(X_WB);
  }

  template <class T>
  void add(const std::vector<T>& all) {
    add(all.size());
    for (const T& one : all) add(one);
  }
  template <class T>
  void add(const std::optional<T>& maybe) {
    add(maybe.has_value());
    if (maybe) add(*maybe);
  }
  template <class... T>
  void addAll(const T&... values) {
    (add(values), ...);
  }
  /// A long run of numbers by two hashes.
  template <class T>
  void addHashed(const std::vector<T>& all) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, Vec3d> ||
                  std::is_same_v<T, double>);
    const std::string_view bytes(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T));
    addAll(all.size(), contentHash(bytes, 1), contentHash(bytes, 2));
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

void Writer::add(const Shape& shape) {
  add(shape.index());
  std::visit(Overloaded{[this]<ParametricShape S>(const S& s) {
                          forEachParameter<S>([&](const auto& p) { add(s.*p.member); });
                        },
                        [this](const MeshShape& m) {
                          addAll(m.file, m.data != nullptr, m.isConvex, m.maxHullVertices, m.part);
                          if (!m.data) return;
                          addHashed(m.data->vertices);
                          addHashed(m.data->triangles);
                        },
                        [this](const Heightfield& h) {
                          add(h.data != nullptr);
                          if (!h.data) return;
                          addAll(h.data->xSamples, h.data->ySamples, h.data->xSize, h.data->ySize);
                          addHashed(h.data->heights);
                        }},
             shape);
}

}  // namespace

std::string contentOf(const SystemSpec& spec) {
  Writer to;
  to.add(spec);
  return to.take();
}

Expected<std::shared_ptr<const Model>> CompileCache::compile(const SystemSpec& spec) {
  if (!isFinite(spec.X_WB) ||
      !isRotation(spec.X_WB.R))  // which the copy that is compiled would not show
    return espalier::compile(spec).diagnostics();
  std::string content = contentOf(spec);
  Diagnostics diagnostics;
  if (auto known = find(content, diagnostics)) return {std::move(known), diagnostics};

  SystemSpec placed = spec;
  if (!isBaseTied(spec)) placed.X_WB = identityTransform<double>();
  Expected<Model> compiled = espalier::compile(placed);
  if (!compiled) return compiled.diagnostics();
  diagnostics = compiled.diagnostics();
  auto model = std::make_shared<const Model>(std::move(compiled).value());
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const auto& entry) { return entry.second.model.expired(); });
  entries_[std::move(content)] = {model, diagnostics};
  return {std::move(model), diagnostics};
}

/// None where nobody holds it.
std::shared_ptr<const Model> CompileCache::find(const std::string& content,
                                                Diagnostics& diagnostics) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(content);
  if (found == entries_.end()) return nullptr;
  diagnostics = found->second.diagnostics;
  return found->second.model.lock();
}

CompileCache& CompileCache::ofProcess() {
  static CompileCache cache;
  return cache;
}

int CompileCache::size() const {
  const std::lock_guard lock(mutex_);
  int held = 0;
  for (const auto& [content, entry] : entries_) held += !entry.model.expired();
  return held;
}

}  // namespace espalier
