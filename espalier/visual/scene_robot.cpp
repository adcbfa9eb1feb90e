// Robots in the message `scene`.

#include <cmath>
#include <set>

#include "espalier/core/check.h"
#include "espalier/model/compile/coordinate_names.h"
#include "espalier/model/compile/gyrostats.h"
#include "espalier/robot/editing.h"
#include "espalier/visual/scene_builder.h"
#include "espalier/visual/scene_json.h"

namespace espalier {
namespace {

using nlohmann::json;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// "m" or "rad" of a joint's i-th coordinate or, with `perSecond`, rate; "" of a quaternion's.
std::string unitOf(JointKind kind, int i, bool isRate) {
  const JointKindInfo& joint = info(kind);
  const bool isLength = i < joint.slides;
  if (isRate) return isLength ? "m/s" : "rad/s";
  const bool isQuaternion = joint.quaternion >= 0 && i >= joint.quaternion;
  return isLength ? "m" : isQuaternion ? "" : "rad";
}

/// A limit as JSON, which has no infinity.
json boundJson(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

json limitsOf(const System& sys, int q) {
  for (const LimitedDof& limit : sys.limits)
    if (limit.q == q) return {boundJson(limit.lower), boundJson(limit.upper)};
  return nullptr;
}

/// [bodies] which are geared rotors that have a body of their own (model/compile/gyrostats.h).
std::vector<char> rotorBodies(const System& sys) {
  std::vector<char> isRotor(at(sys.model->nb()), 0);
  if (!sys.spec) return isRotor;
  SystemSpec spec = *sys.spec;
  spec.rotorsAsBodies = false;  // where it says so, all of them are
  const Gyrostats found = findGyrostats(spec);
  std::set<int> joints;
  for (const Gyrostat& rotor : found.rotors) joints.insert(rotor.joint);
  for (const Gyrostats::Kept& kept : found.kept) joints.insert(kept.joint);
  for (int b = 0; b < sys.model->nb(); ++b)
    isRotor[at(b)] = joints.count(sys.model->bodies[at(b)].specJoint) > 0;
  return isRotor;
}

/// X_BF of a frame, in the body or rotor that it turns with.
Transformd poseInOwner(const Model& model, const CoordinateFrame& frame) {
  const Transformd X_BF{frame.orientation, frame.position};
  if (frame.rotor < 0) return X_BF;
  return inverse(model.rotors[at(frame.rotor)].X_LJ) * X_BF;
}

/// The body of the scene that a link's parts turn with.
int placeOf(const ShownSystem& shown, int body, int rotor) {
  return shown.firstBody + (rotor < 0 ? body : shown.model->nb() + rotor);
}

}  // namespace

void SceneBuilder::addSystem(const World& world, const ArticulatedSystem& robot,
                             const std::string& prefix, const Vec<4>* ghostColor) {
  const Model& model = robot.model();
  const Topology& t = model.topology;
  ShownSystem shown(world, robot, layout.bodyCount);
  if (!ghostColor) addChannels(shown, prefix);

  std::vector<char> collides(at(t.nb), 0);
  for (const CollisionInfo& c : model.collisions) collides[at(c.body)] = 1;
  const std::vector<char> isRotor = rotorBodies(robot.system());
  for (int b = 0; b < t.nb; ++b) {
    json body = bodyOf(shown, b);
    body["rotor"] = isRotor[at(b)] != 0;
    addBody(std::move(body), !ghostColor && collides[at(b)] != 0,
            prefix + "contact/" + model.bodies[at(b)].name);
  }
  for (int r = 0; r < static_cast<int>(model.rotors.size()); ++r)
    addBody(rotorOf(shown, r), false, "");
  for (const CoordinateFrame& frame : robot.getFrames())
    if (!frame.isChild && frame.jointType == JointKind::Fixed)
      bodyAt(placeOf(shown, frame.parentId, frame.rotor))["frames"].push_back(
          {{"name", frame.name}, {"pose", poseJson(poseInOwner(model, frame))}});
  addCollisions(shown);
  addVisuals(shown, ghostColor);
  if (!ghostColor) {
    addLoops(shown, prefix);
    addTendons(shown, prefix);
  }

  json independents = json::array();
  for (int b = 0; b < t.nb; ++b) {
    const json& joint = bodyAt(shown.firstBody + b)["joint"];
    if (!joint.is_null() && joint["isIndependent"]) independents.push_back(joint["name"]);
  }
  objects.back()["independents"] = std::move(independents);
  objects.back()["dofs"] = model.publicNv;
  layout.systems.push_back(std::move(shown));
}

void SceneBuilder::addChannels(ShownSystem& shown, const std::string& prefix) {
  const Model& model = *shown.model;
  const Topology& t = model.topology;
  const auto addAll = [&](const char* group, const std::vector<std::string>& names,
                          const std::vector<int>& place, bool isRate) {
    const int first = static_cast<int>(layout.channels.size());
    for (int b = 0; b < t.nb; ++b) {
      const BodyTopology& joint = t.bodies[at(b)];
      for (int i = 0; i < (isRate ? joint.nv : joint.nq); ++i) {
        const int number = (isRate ? joint.u : joint.q) + i;
        layout.addChannel(prefix + group + "/" + names[at(place[at(number)])],
                          unitOf(joint.kind, i, isRate), group);
      }
    }
    for (const RotorInfo& rotor : model.rotors)
      layout.addChannel(prefix + group + "/" + rotor.joint, isRate ? "rad/s" : "rad", group);
    return first;
  };
  const std::vector<std::string> dofs = dofNames(model, Joints::All);
  shown.q = addAll("q", coordinateNames(model, Joints::All), model.spanningCoordinate, false);
  shown.u = addAll("u", dofs, model.spanningDof, true);
  shown.torque = static_cast<int>(layout.channels.size());
  for (int d = t.floating ? 6 : 0; d < t.nv; ++d) {
    const BodyTopology& joint = t.bodies[at(t.dofBody[at(d)])];
    const bool isForce = unitOf(joint.kind, d - joint.u, true) == "m/s";
    layout.addChannel(prefix + "torque/" + dofs[at(model.spanningDof[at(d)])],
                      isForce ? "N" : "N m", "torque");
  }
}

json SceneBuilder::bodyOf(const ShownSystem& shown, int b) {
  const Model& model = *shown.model;
  const BodyTopology& joint = model.topology.bodies[at(b)];
  const BodyInfo& info = model.bodies[at(b)];
  const AuthoredBody& inertial = model.authored.bodies[at(b)];
  json body = bodyJson(info.name, joint.parent < 0 ? -1 : shown.firstBody + joint.parent);
  body["mass"] = inertial.mass;
  body["com"] = vectorJson(inertial.com);
  body["inertiaBox"] = inertiaBoxJson(inertial.mass, inertial.com, inertial.I);
  if (joint.kind == JointKind::Fixed || shown.q < 0) return body;
  json axes = json::array();
  for (int i = 0; i < espalier::info(joint.kind).axes; ++i)
    axes.push_back(vectorJson(info.axes[at(i)]));
  body["joint"] = {{"name", b == 0 ? "base" : info.joint},
                   {"kind", espalier::info(joint.kind).name},
                   {"axes", std::move(axes)},
                   {"isIndependent", model.publicDof[at(joint.u)] >= 0},
                   {"limits", joint.nv == 1 ? limitsOf(shown.robot->system(), joint.q) : json()},
                   {"q", shown.q + joint.q},
                   {"coordinates", joint.nq},
                   {"u", shown.u + joint.u},
                   {"dofs", joint.nv}};
  return body;
}

json SceneBuilder::rotorOf(const ShownSystem& shown, int r) {
  const Model& model = *shown.model;
  const RotorInfo& rotor = model.rotors[at(r)];
  json body = bodyJson(rotor.name, shown.firstBody + rotor.body);
  body["rotor"] = true;
  if (shown.q < 0) return body;
  json axes = json::array();
  axes.push_back(vectorJson(rotor.axis));
  body["joint"] = {{"name", rotor.joint},
                   {"kind", "revolute"},
                   {"axes", std::move(axes)},
                   {"isIndependent", false},
                   {"limits", nullptr},
                   {"q", shown.q + model.nq() + r},
                   {"coordinates", 1},
                   {"u", shown.u + model.nv() + r},
                   {"dofs", 1}};
  return body;
}

void SceneBuilder::addCollisions(const ShownSystem& shown) {
  const System& sys = shown.robot->system();
  const std::vector<VisObject>& drawn = shown.robot->getVisColOb();
  for (std::size_t i = 0; i < shown.model->collisions.size(); ++i) {
    const CollisionInfo& c = shown.model->collisions[i];
    VisualSpec visual;
    visual.name = c.name;
    visual.shape = sys.editing ? sys.editing->collisionBodies[i].getShape() : c.shape;
    visual.X_LG = c.X_LG;
    visual.material = c.material;
    if (i < drawn.size()) std::copy_n(drawn[i].color.data(), 4, visual.rgba.begin());
    bodyAt(shown.firstBody + c.body)["collisions"].push_back(shapeJson(visual, meshes_));
  }
}

void SceneBuilder::addVisuals(const ShownSystem& shown, const Vec<4>* ghostColor) {
  const System& sys = shown.robot->system();
  std::vector<VisObject> before;
  if (sys.spec) before = visualsOf(*sys.spec, *shown.model);
  const bool hasOwn = !shown.robot->getVisOb().empty();
  const std::vector<VisObject>& drawn =
      hasOwn ? shown.robot->getVisOb() : shown.robot->getVisColOb();
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const VisObject& v = drawn[i];
    ESPALIER_REQUIRE(
        v.localIdx < at(shown.model->nb()) && v.link < static_cast<int>(shown.model->links.size()),
        "visual '" + v.name + "' of '" + shown.robot->getName() +
            "' is on a body that does not exist");
    if (v.shape == ShapeType::NotShape) continue;  // a height field on a link
    VisualSpec visual = visualSpec(v, hasOwn && i < before.size() ? &before[i] : nullptr);
    const int rotor = v.link < 0 ? -1 : shown.model->links[at(v.link)].rotor;
    if (ghostColor && (*ghostColor)[3] > 0) std::copy_n(ghostColor->data(), 4, visual.rgba.begin());
    if (rotor >= 0) visual.X_LG = inverse(shown.model->rotors[at(rotor)].X_LJ) * visual.X_LG;
    bodyAt(placeOf(shown, static_cast<int>(v.localIdx), rotor))["visuals"].push_back(
        shapeJson(visual, meshes_));
  }
}

}  // namespace espalier
