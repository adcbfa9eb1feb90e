// <keyframe>: states of the whole model.

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/mjcf_parts.h"
#include "espalier/io/rotation_text.h"

namespace espalier::io {
namespace {

/// The key's numbers, `wanted` of them or none; none and an Error where their number is another.
const std::vector<double>& sized(const MjcfNode& node, const char* attribute,
                                 const std::vector<double>& numbers, std::size_t wanted) {
  static const std::vector<double> none;
  if (numbers.empty() || numbers.size() == wanted) return numbers;
  node.error("<key " + std::string(attribute) + "> has " + std::to_string(numbers.size()) +
                 " numbers, the model needs " + std::to_string(wanted),
             "count those of its joints, actuators and mocap bodies");
  return none;
}

void takeState(MjcfModel& model, const MjcfKey& key, const MjcfNode& node) {
  std::size_t nq = 0, nv = 0;
  for (const MjcfBody& body : model.bodies) {
    for (const MjcfJoint& joint : body.joints) {
      nq += static_cast<std::size_t>(info(joint.spec.kind).nq);
      nv += static_cast<std::size_t>(info(joint.spec.kind).nv);
    }
  }
  const std::vector<double>& qpos = sized(node, "qpos", key.qpos, nq);
  const std::vector<double>& qvel = sized(node, "qvel", key.qvel, nv);
  if (qpos.empty() && qvel.empty()) return;
  auto q = qpos.begin();
  auto u = qvel.begin();
  for (MjcfBody& body : model.bodies) {
    for (MjcfJoint& joint : body.joints) {
      const int ownQ = info(joint.spec.kind).nq, ownV = info(joint.spec.kind).nv;
      if (!qpos.empty()) {
        joint.q.assign(q, q + ownQ);
        q += ownQ;
      } else if (joint.spec.kind == JointKind::Floating) {
        const Quat<double> o = quaternion(body.X_WB.R);
        joint.q = {body.X_WB.p.x, body.X_WB.p.y, body.X_WB.p.z, o.w, o.x, o.y, o.z};
      } else {
        joint.q.assign(static_cast<std::size_t>(ownQ), 0.0);
        joint.q[0] = ownQ == 1 ? joint.ref : 1;
      }
      joint.u.assign(static_cast<std::size_t>(ownV), 0.0);
      if (qvel.empty()) continue;
      joint.u.assign(u, u + ownV);
      u += ownV;
    }
  }
}

void takeControls(MjcfModel& model, const MjcfKey& key, const MjcfNode& node) {
  const auto states =
      static_cast<std::size_t>(std::count_if(model.actuators.begin(), model.actuators.end(),
                                             [](const MjcfActuator& a) { return a.hasState; }));
  const std::vector<double>& ctrl = sized(node, "ctrl", key.ctrl, model.actuators.size());
  const std::vector<double>& act = sized(node, "act", key.act, states);
  std::size_t state = 0;
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    MjcfActuator& actuator = model.actuators[i];
    if (!ctrl.empty()) actuator.input = ctrl[i];
    if (!actuator.hasState) continue;
    if (actuator.integrates) actuator.input = act.empty() ? 0 : act[state];
    ++state;
  }
}

void takeMocap(MjcfModel& model, const MjcfKey& key, const MjcfNode& node) {
  const auto count = static_cast<std::size_t>(std::count_if(
      model.bodies.begin(), model.bodies.end(), [](const MjcfBody& b) { return b.isMocap; }));
  const std::vector<double>& mpos = sized(node, "mpos", key.mpos, 3 * count);
  const std::vector<double>& mquat = sized(node, "mquat", key.mquat, 4 * count);
  if (mpos.empty() && mquat.empty()) return;
  std::size_t i = 0;
  for (MjcfBody& body : model.bodies) {
    if (!body.isMocap) continue;
    body.X_WK = body.X_WB;
    if (!mpos.empty()) body.X_WK->p = {mpos[3 * i], mpos[3 * i + 1], mpos[3 * i + 2]};
    if (!mquat.empty()) {
      const double q[4] = {mquat[4 * i], mquat[4 * i + 1], mquat[4 * i + 2], mquat[4 * i + 3]};
      rotationFromQuat(q, body.X_WK->R);
    }
    ++i;
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
    return &model.keys[static_cast<std::size_t>(*number)];
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
  for (MjcfActuator& a : model.actuators) {
    if (!a.integrates) a.input = std::min(std::max(a.input, a.control[0]), a.control[1]);
  }
}

}  // namespace espalier::io
