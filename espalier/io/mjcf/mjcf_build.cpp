// From the model as it stands in the file to Specs.
//
// A link's frame L is that of its last joint: the body's axes, at the joint's pos. A body with
// several joints hangs on a chain of massless links, one for each joint but the last.

#include <algorithm>
#include <cmath>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/model/model.h"

namespace espalier::io {
namespace {

constexpr const char* world_link = "world";
constexpr int last_drawn_group = 2;  // MuJoCo draws groups 0 to 2

/// The body's frame in its link's.
Transformd linkToBody(const MjcfBody& body) {
  Transformd X = identityTransform<double>();
  if (!body.joints.empty()) X.p = -body.joints.back().pos;
  return X;
}

/// The joint's frame at q = 0, where `X` is that at q = ref.
Transformd atZero(const MjcfJoint& joint, Transformd X) {
  const Vec3d axis = joint.spec.axes[0];
  if (joint.ref == 0 || norm(axis) == 0) return X;
  if (joint.spec.kind == JointKind::Prismatic) X.p -= mul(X.R, axis * joint.ref);
  if (joint.spec.kind == JointKind::Revolute)
    X.R = mul(X.R, axisRotation(axis, std::sin(-joint.ref), std::cos(joint.ref)));
  return X;
}

void addShapes(const MjcfModel& model, int index, const Transformd& X_LB, LinkSpec& link) {
  for (const MjcfGeom& geom : model.bodies[index].geoms) {
    if (!geom.shape) continue;
    const Transformd X_LG = X_LB * geom.X_BG;
    if (geom.collides()) {
      const auto [group, mask] = mjcfGroupAndMask(model, index, geom);
      link.collisions.push_back({geom.name, *geom.shape, X_LG, mjcfMaterial(geom.surface), group,
                                 mask, geom.line, geom.meshScale});
    }
    if (geom.group <= last_drawn_group) {
      link.visuals.push_back(
          {geom.name, *geom.shape, geom.meshScale, X_LG, geom.rgba, geom.material, geom.line});
    }
  }
}

/// Writes bodies into one SystemSpec.
class Builder {
 public:
  Builder(const MjcfModel& model, SystemSpec& spec) : model_(model), spec_(spec) {}

  /// The body as the root, without its free joint.
  void addRoot(int body) {
    spec_.X_WB = model_.bodies[body].X_WB;
    addLink(body, model_.bodies[body].name);
    for (const int child : model_.bodies[body].children) addBody(child);
  }

  /// pre  the link of the body's parent is there
  void addBody(int index) {
    const MjcfBody& body = model_.bodies[index];
    const Transformd X_LB =
        body.parent == 0 ? identityTransform<double>() : linkToBody(model_.bodies[body.parent]);
    Transformd X = X_LB * body.X_PB;
    std::string parent = body.parent == 0 ? world_link : model_.bodies[body.parent].name;
    if (body.joints.empty()) {
      JointSpec weld;
      weld.name = free(body.name + ":weld", model_.joints);
      weld.parent = parent;
      weld.child = body.name;
      weld.X_PJ = X;
      weld.line = body.line;
      weld.file = body.file;
      spec_.joints.push_back(std::move(weld));
    }
    Vec3d reached{0, 0, 0};
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      const MjcfJoint& authored = body.joints[j];
      const bool isLast = j + 1 == body.joints.size();
      JointSpec joint = authored.spec;
      joint.parent = parent;
      joint.child = isLast ? body.name : free(body.name + ":" + joint.name, model_.bodyOf);
      X.p += mul(X.R, authored.pos - reached);
      joint.X_PJ = atZero(authored, X);
      if (!isLast) addMassless(joint);
      parent = joint.child;
      reached = authored.pos;
      X = identityTransform<double>();
      spec_.joints.push_back(std::move(joint));
    }
    addLink(index, body.name);
    // MuJoCo keeps a body from its parent; with links between them that has to be said.
    if (body.joints.size() > 1 && body.parent != 0) {
      spec_.ignoredPairs.emplace_back(model_.bodies[body.parent].name, body.name,
                                      "neighbours in the tree");
    }
    for (const int child : body.children) addBody(child);
  }

 private:
  template <class Taken>
  static std::string free(std::string name, const Taken& taken) {
    while (taken.count(name) != 0) name += "_";
    return name;
  }

  void addMassless(const JointSpec& joint) {
    LinkSpec link;
    link.name = joint.child;
    link.line = joint.line;
    link.file = joint.file;
    spec_.links.push_back(std::move(link));
  }

  void addLink(int index, const std::string& name) {
    const MjcfBody& body = model_.bodies[index];
    const Transformd X_LB = linkToBody(body);
    LinkSpec link;
    link.name = name;
    link.line = body.line;
    link.file = body.file;
    link.inertial = body.inertial;
    link.gravityCompensation = body.gravityCompensation;
    if (link.inertial) link.inertial->X_LC = X_LB * link.inertial->X_LC;
    addShapes(model_, index, X_LB, link);
    spec_.links.push_back(std::move(link));
  }

  const MjcfModel& model_;
  SystemSpec& spec_;
};

/// A free joint as it is: one with friction or a rotor's inertia has to be a joint in the tree.
bool isPlainFree(const MjcfBody& body) {
  if (body.joints.size() != 1 || body.joints[0].spec.kind != JointKind::Floating) return false;
  const MjcfJoint& joint = body.joints[0];
  const JointDynamics& d = joint.spec.dynamics;
  return d.damping == 0 && d.friction == 0 && d.stiffness == 0 && d.rotorInertia == 0;
}

/// The loop with both ends in links of the system; the ground where an end is not of it.
LoopSpec placed(const MjcfReading& reading, const MjcfGroups& groups, int group,
                const MjcfLoop& loop) {
  const MjcfModel& model = reading.model;
  const XmlReader& xml = reading.files.reader(*loop.element);
  LoopSpec spec;
  spec.name = loop.name;
  spec.kind = loop.kind;
  spec.line = xml.lineOf(*loop.element);
  spec.file = xml.file();
  const auto place = [&](const MjcfFrame& frame, std::string& link, Transformd& X) {
    const MjcfBody& body = model.bodies[frame.body];
    const bool isOfSystem = groups.of[frame.body] == group;
    link = isOfSystem ? body.name : world_link;
    X = (isOfSystem ? linkToBody(body) : body.X_WB) * frame.X_BF;
  };
  place(loop.first, spec.predecessor, spec.X_PA);
  place(loop.second, spec.successor, spec.X_SB);
  return spec;
}

/// The group whose joints or bodies a tendon pulls; -1 where nothing of it moves.
int groupOfTendon(const MjcfGroups& groups, const MjcfTendon& tendon) {
  int group = tendon.terms.empty() ? -1 : groups.of[tendon.terms[0].body];
  for (const MjcfWay& way : tendon.ways)
    forEachBody(way, [&](int body) { group = std::max(group, groups.of[body]); });
  return group;
}

/// The tendon with its joints and points in links of the system.
TendonSpec placed(const MjcfModel& model, const MjcfGroups& groups, int group,
                  const MjcfTendon& tendon) {
  TendonSpec spec = tendon.spec;
  for (const MjcfTerm& term : tendon.terms) {
    const MjcfJoint& joint = model.joint(term);
    spec.terms.push_back({joint.spec.name, term.factor});
  }
  // A body's link, and its frame in it.
  const auto place = [&](int index) -> std::pair<std::string, Transformd> {
    const MjcfBody& body = model.bodies[index];
    const bool isOfSystem = groups.of[index] == group;
    return {isOfSystem ? body.name : world_link, isOfSystem ? linkToBody(body) : body.X_WB};
  };
  const auto pointOf = [&](const MjcfWay::Point& point) -> TendonSpec::Point {
    const auto [link, X] = place(point.body);
    return {link, X * point.position};
  };
  for (const MjcfWay& way : tendon.ways) {
    TendonSpec::Way& to = spec.ways.emplace_back();
    to.divisor = way.divisor;
    for (const MjcfWay::Point& point : way.points) to.points.push_back(pointOf(point));
    for (const MjcfWay::Wrap& wrap : way.wraps) {
      const auto [link, X] = place(wrap.body);
      TendonSpec::Wrap& round = to.wraps.emplace_back();
      round = {wrap.after, link, X * wrap.X_BS, wrap.surface, std::nullopt};
      if (wrap.side) round.side = pointOf(*wrap.side);
    }
  }
  return spec;
}

void addTies(const MjcfReading& reading, const MjcfGroups& groups, int group, SystemSpec& spec) {
  const MjcfModel& model = reading.model;
  const auto groupOf = [&](int body) { return groups.of[body]; };
  for (const MjcfLoop& loop : model.loops)
    if (groupOf(loop.first.body) == group || groupOf(loop.second.body) == group)
      spec.loops.push_back(placed(reading, groups, group, loop));
  for (const auto& [body, constraint] : model.constraints)
    if (groupOf(body) == group) spec.constraints.push_back(constraint);
  for (const MjcfTendon& tendon : model.tendons)
    if (tendon.acts() && groupOfTendon(groups, tendon) == group)
      spec.tendons.push_back(placed(model, groups, group, tendon));
  for (const auto& [body, motor] : model.motors)
    if (groupOf(body) == group) spec.transmissions.push_back(motor);
  for (const auto& [a, b, element, isOfGeoms] : model.excluded)
    if (!isOfGeoms && a != b && groupOf(a) == group && groupOf(b) == group)
      spec.ignoredPairs.emplace_back(model.bodies[a].name, model.bodies[b].name, "MJCF <exclude>");
}

}  // namespace

SystemSpec buildMjcfSystem(const MjcfReading& reading, const MjcfGroups& groups, int group) {
  const MjcfModel& model = reading.model;
  const std::vector<int>& tops = groups.all[group];
  SystemSpec spec;
  spec.name = model.bodies[tops.front()].name;
  spec.medium = model.medium;
  Builder builder(model, spec);
  if (tops.size() == 1 && isPlainFree(model.bodies[tops.front()])) {
    builder.addRoot(tops.front());
  } else {
    LinkSpec world;
    world.name = world_link;
    spec.links.push_back(std::move(world));
    for (const int top : tops) builder.addBody(top);
  }
  addTies(reading, groups, group, spec);
  return spec;
}

SystemSpec buildMjcfStatic(const MjcfReading& reading, int body) {
  SystemSpec spec;
  spec.name = reading.model.bodies[body].name;
  spec.fixedBase = true;
  Builder(reading.model, spec).addRoot(body);
  return spec;
}

LinkSpec buildMjcfWorldLink(const MjcfReading& reading) {
  LinkSpec link;
  link.name = world_link;
  addShapes(reading.model, 0, identityTransform<double>(), link);
  return link;
}

}  // namespace espalier::io
