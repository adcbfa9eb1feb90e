// <keyframe>: states of the whole model.

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/text/rotation_text.h"

namespace espalier::io {
namespace {

/// The key's numbers; where it has fewer, those of `fallback` follow, with a Warning. `fallback`, and an
/// Error, where it has more.
std::vector<double> completed(const MjcfNode& node, const char* attribute,
                              const std::vector<double>& numbers, std::vector<double> fallback) {
  const auto counts = [&] {
    return "<key " + std::string(attribute) + "> has " + std::to_string(numbers.size()) +
           " numbers, the model " + std::to_string(fallback.size());
  };
  if (numbers.size() > fallback.size()) {
    node.error(counts(), "count those of its joints, actuators and mocap bodies");
    return fallback;
  }
  if (!numbers.empty() && numbers.size() < fallback.size()) {
    node.warn(counts() + ": the last ones are those of the model as drawn, at rest",
              "write all of them");
  }
  std::copy(numbers.begin(), numbers.end(), fallback.begin());
  return fallback;
}

void append(std::vector<double>& to, const Transformd& X) {
  const Quat<double> o = quaternion(X.R);
  to.insert(to.end(), {X.p.x, X.p.y, X.p.z, o.w, o.x, o.y, o.z});
}

/// qpos of all joints as drawn.
std::vector<double> drawnCoordinates(const MjcfModel& model) {
  std::vector<double> q;
  for (const MjcfBody& body : model.bodies) {
    for (const MjcfJoint& joint : body.joints) {
      const int nq = info(joint.spec.kind).nq;
      if (joint.spec.kind == JointKind::Floating)
        append(q, body.X_WB);
      else if (nq == 1)
        q.push_back(joint.ref);
      else
        q.insert(q.end(), {1, 0, 0, 0});
    }
  }
  return q;
}

void takeState(MjcfModel& model, const MjcfKey& key, const MjcfNode& node) {
  if (key.qpos.empty() && key.qvel.empty()) return;
  std::size_t nv = 0;
  for (const MjcfBody& body : model.bodies)
    for (const MjcfJoint& joint : body.joints)
      nv += static_cast<std::size_t>(info(joint.spec.kind).nv);
  const std::vector<double> qpos = completed(node, "qpos", key.qpos, drawnCoordinates(model));
  const std::vector<double> qvel = completed(node, "qvel", key.qvel, std::vector<double>(nv, 0.0));
  auto q = qpos.begin();
  auto u = qvel.begin();
  for (MjcfBody& body : model.bodies) {
    for (MjcfJoint& joint : body.joints) {
      const int ownQ = info(joint.spec.kind).nq, ownV = info(joint.spec.kind).nv;
      joint.q.assign(q, q + ownQ);
      joint.u.assign(u, u + ownV);
      q += ownQ;
      u += ownV;
    }
  }
}

void takeControls(MjcfModel& model, const MjcfKey& key, const MjcfNode& node) {
  std::size_t controls = 0, states = 0;
  for (const MjcfActuator& a : model.actuators) {
    controls += a.controls;
    states += a.hasState ? 1 : 0;
  }
  const std::vector<double> ctrl =
      completed(node, "ctrl", key.ctrl, std::vector<double>(controls, 0.0));
  const std::vector<double> act = completed(node, "act", key.act, std::vector<double>(states, 0.0));
  auto control = ctrl.begin();
  auto state = act.begin();
  for (MjcfActuator& actuator : model.actuators) {
    if (actuator.controls > 0) actuator.input = *control;
    control += static_cast<std::ptrdiff_t>(actuator.controls);
    if (actuator.hasState) actuator.activation = *state++;
  }
}

void takeMocap(MjcfModel& model, const MjcfKey& key, const MjcfNode& node) {
  if (key.mpos.empty() && key.mquat.empty()) return;
  std::vector<double> places, turns;
  for (const MjcfBody& body : model.bodies) {
    if (!body.isMocap) continue;
    const Quat<double> o = quaternion(body.X_WB.R);
    places.insert(places.end(), {body.X_WB.p.x, body.X_WB.p.y, body.X_WB.p.z});
    turns.insert(turns.end(), {o.w, o.x, o.y, o.z});
  }
  const std::vector<double> mpos = completed(node, "mpos", key.mpos, std::move(places));
  const std::vector<double> mquat = completed(node, "mquat", key.mquat, std::move(turns));
  std::size_t i = 0;
  for (MjcfBody& body : model.bodies) {
    if (!body.isMocap) continue;
    body.X_WK = body.X_WB;
    body.X_WK->p = {mpos[3 * i], mpos[3 * i + 1], mpos[3 * i + 2]};
    const double q[4] = {mquat[4 * i], mquat[4 * i + 1], mquat[4 * i + 2], mquat[4 * i + 3]};
    rotationFromQuat(q, body.X_WK->R);
    ++i;
  }
}

/// An omission where the actuator's state would move from the start, else a Warning.
void remarkOnState(const MjcfNode& node, bool moves, const std::string& what, const char* remedy) {
  if (moves)
    node.omit(what, what, remedy);
  else
    node.once(Severity::Warning, what + " (at rest)", what, remedy);
}

/// Input of an actuator at the start. One that has a state acts at once here, and holds it.
void startActuator(MjcfReading& reading, MjcfActuator& a) {
  const MjcfNode node(reading.files, *a.element);
  a.input = std::min(std::max(a.input, a.control[0]), a.control[1]);
  if (!a.hasState || !a.acts()) return;
  if (a.integrates) {
    remarkOnState(node, a.input != 0,
                  "an actuator that integrates its control holds what it has at the start",
                  "move its target by setPdTarget(); said once for all of them");
    a.input = a.activation;
  } else {
    remarkOnState(node, a.input != a.activation,
                  "an actuator with a filter acts at once: its time constant is left out",
                  "filter its target before setPdTarget(); said once for all of them");
  }
}

/// None, and an Error, where there is no such keyframe.
const MjcfKey* find(const MjcfModel& model, const std::string& wanted, XmlReader& xml) {
  if (wanted.empty()) return model.keys.empty() ? nullptr : &model.keys.front();
  std::string all;
  for (const MjcfKey& key : model.keys) {
    if (!key.name.empty() && key.name == wanted) return &key;
    all += (all.empty() ? "" : ", ") + (key.name.empty() ? "one without a name" : shown(key.name));
  }
  if (wanted == "none") return nullptr;
  const std::optional<double> number = parseNumber(wanted);
  const auto count = static_cast<double>(model.keys.size());
  if (number && *number == std::floor(*number) && *number >= 0 && *number < count)
    return &model.keys[*number];
  xml.error(1, "there is no keyframe " + shown(wanted),
            all.empty() ? "the file has none" : "name one, or count from 0: " + all);
  return nullptr;
}

}  // namespace

void readMjcfKeys(MjcfReading& reading, const MjcfNode& keyframe) {
  for (const XMLElement* e : keyframe.children()) {
    const MjcfNode node(reading.files, *e);
    if (node.tag() != "key") continue;
    node.expect({"name", "time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat"});
    MjcfKey& key = reading.model.keys.emplace_back();
    key.name = node.text("name");
    key.qpos = node.list("qpos");
    key.qvel = node.list("qvel");
    key.act = node.list("act");
    key.ctrl = node.list("ctrl");
    key.mpos = node.list("mpos");
    key.mquat = node.list("mquat");
    key.element = e;
    if (node.number("time", 0) != 0) {
      node.once(Severity::Note, "keyframe time", "the time of a keyframe is left out",
                "a world starts at 0 s");
    }
  }
  keyframe.xml().expectChildren(keyframe.element(), {"key", "include"});
}

void startAtMjcfKey(MjcfReading& reading, const std::string& wanted, XmlReader& xml) {
  MjcfModel& model = reading.model;
  if (const MjcfKey* key = find(model, wanted, xml)) {
    const MjcfNode node(reading.files, *key->element);
    takeState(model, *key, node);
    takeControls(model, *key, node);
    takeMocap(model, *key, node);
  }
  for (MjcfActuator& a : model.actuators) startActuator(reading, a);
}

}  // namespace espalier::io
