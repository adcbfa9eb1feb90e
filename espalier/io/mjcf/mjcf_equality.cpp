#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/text/rotation_text.h"
#include "espalier/model/spec/trace.h"

namespace espalier::io {
namespace {

/// Both frames where the equality names sites; false, and an Error, where one does not exist.
bool readSites(const MjcfModel& model, const MjcfNode& node, MjcfLoop& loop) {
  for (const auto& [attribute, frame] :
       {std::pair{"site1", &loop.first}, std::pair{"site2", &loop.second}}) {
    const MjcfFrame* site = lookUp(model.sites, node, attribute, "site",
                                   std::string("name a site of the model in ") + attribute);
    if (site == nullptr) return false;
    *frame = *site;
  }
  return true;
}

/// The bodies of both frames, the second the world where it is not named; false, and an Error, where one
/// does not exist.
bool readBodies(const MjcfModel& model, const MjcfNode& node, MjcfLoop& loop) {
  for (const auto& [attribute, frame] :
       {std::pair{"body1", &loop.first}, std::pair{"body2", &loop.second}}) {
    const bool isNamed = !node.text(attribute).empty();
    if (!isNamed && frame == &loop.second) continue;
    const std::string remedy = std::string("name a body of the model in ") + attribute;
    if (!isNamed) node.error("<" + node.tag() + "> names no " + attribute, remedy);
    const int* body = isNamed ? lookUp(model.bodyOf, node, attribute, "body", remedy) : nullptr;
    if (body == nullptr) return false;
    frame->body = *body;
  }
  return true;
}

/// The other frame is where the given one lies when the bodies are as drawn.
void coincideAsDrawn(const MjcfModel& model, const MjcfFrame& given, MjcfFrame& other) {
  other.X_BF = inverse(model.bodies[other.body].X_WB) * model.bodies[given.body].X_WB * given.X_BF;
}

void add(MjcfReading& reading, const MjcfNode& node, MjcfLoop loop) {
  loop.name = node.text("name");
  if (loop.name.empty()) loop.name = node.tag() + std::to_string(reading.model.loops.size() + 1);
  loop.element = &node.element();
  if (loop.first.body == loop.second.body) {
    node.error("<" + node.tag() + "> ties a body to itself", "name two bodies");
    return;
  }
  reading.model.loops.push_back(std::move(loop));
}

/// The anchor of body1 stays where body2 has it when all are as drawn.
void readConnect(MjcfReading& reading, const MjcfNode& node) {
  node.expect({"name", "class", "active", "body1", "body2", "anchor", "site1", "site2"},
              {"solref", "solimp", "torquescale"});
  MjcfLoop loop{LoopKind::POINT, {}, {}, {}, nullptr};
  if (node.has("site1") || node.has("site2")) {
    if (readSites(reading.model, node, loop)) add(reading, node, loop);
    return;
  }
  if (!readBodies(reading.model, node, loop)) return;
  if (!node.has("anchor"))
    node.error("<connect> has no anchor", "add anchor=\"x y z\", in the frame of body1");
  loop.first.X_BF.p = node.vector("anchor", {0, 0, 0});
  coincideAsDrawn(reading.model, loop.first, loop.second);
  add(reading, node, loop);
}

/// The anchor of body2 stays at relpose in body1, x1 + R1 p = x2 + R2 anchor, R1 R = R2; where relpose has no
/// quaternion, or is absent, they are as drawn. Without torque only the points are held.
void readWeld(MjcfReading& reading, const MjcfNode& node) {
  node.expect({"name", "class", "active", "body1", "body2", "relpose", "anchor", "site1", "site2",
               "torquescale"},
              {"solref", "solimp"});
  const bool hasTorque = node.number("torquescale", 1) != 0;
  MjcfLoop loop{hasTorque ? LoopKind::FIXED : LoopKind::POINT, {}, {}, {}, nullptr};
  if (node.has("site1") || node.has("site2")) {
    if (readSites(reading.model, node, loop)) add(reading, node, loop);
    return;
  }
  if (!readBodies(reading.model, node, loop)) return;
  loop.second.X_BF.p = node.vector("anchor", {0, 0, 0});
  double pose[7] = {0, 0, 0, 0, 0, 0, 0};
  node.numbers("relpose", pose);
  const bool isGiven = pose[3] != 0 || pose[4] != 0 || pose[5] != 0 || pose[6] != 0;
  if (isGiven) {
    Transformd& X = loop.first.X_BF;
    X.p = {pose[0], pose[1], pose[2]};
    const double q[4] = {pose[3], pose[4], pose[5], pose[6]};
    if (!rotationFromQuat(q, X.R))
      node.error("<weld relpose> has no rotation", "give it a quaternion such as 1 0 0 0");
  } else {
    coincideAsDrawn(reading.model, loop.second, loop.first);
  }
  add(reading, node, loop);
}

bool isScalar(JointKind kind) {
  return kind == JointKind::Revolute || kind == JointKind::Prismatic;
}

/// The joint an attribute names; null and an Error where there is none of one coordinate.
const MjcfTerm* jointOf(const MjcfModel& model, const MjcfNode& node, const char* attribute) {
  const std::string remedy = std::string("name a hinge or slide joint in ") + attribute;
  const MjcfTerm* term = lookUp(model.joints, node, attribute, "joint", remedy);
  if (term == nullptr || isScalar(model.joint(*term).spec.kind)) return term;
  node.error("the joint " + shown(node.text(attribute)) + " has more than one coordinate", remedy);
  return nullptr;
}

/// phi(q) = l1 - l1_0 - (a0 + a1 d + ... + a4 d^4), d = l2 - l2_0 of all joints of both tendons, one
/// input each.
Tape tieOf(const std::vector<double>& first, double drawn1, const std::vector<double>& second,
           double drawn2, const double (&a)[5]) {
  return trace(static_cast<int>(first.size()), [&](const auto& q) {
    auto length = q[0] * first[0], d = q[0] * second[0] - drawn2;
    for (std::size_t i = 1; i < first.size(); ++i) {
      length = length + q[i] * first[i];
      d = d + q[i] * second[i];
    }
    auto sum = d * 0.0 + a[4];
    for (int k = 3; k >= 0; --k) sum = sum * d + a[k];
    return length - drawn1 - sum;
  });
}

void addConstraint(MjcfModel& model, const MjcfNode& node, const std::vector<MjcfTerm>& joints,
                   Tape phi) {
  ConstraintSpec constraint;
  constraint.name = node.text("name");
  if (constraint.name.empty())
    constraint.name = node.tag() + "s" + std::to_string(model.constraints.size() + 1);
  constraint.line = node.line();
  for (const MjcfTerm& term : joints) constraint.joints.push_back(model.joint(term).spec.name);
  constraint.phi = std::move(phi);
  for (const MjcfTerm& term : joints) model.coupled.emplace_back(joints[0].body, term.body);
  model.constraints.emplace_back(joints[0].body, std::move(constraint));
}

/// q1 - ref1 = a0 + a1 (q2 - ref2), hence q1 = a1 q2 + (a0 + ref1 - a1 ref2): a mimic. A constraint where
/// there are terms of higher order, or the joint follows another one already.
void readJointEquality(MjcfReading& reading, const MjcfNode& node) {
  node.expect({"name", "class", "active", "joint1", "joint2", "polycoef"},
              {"solref", "solimp", "torquescale"});
  MjcfModel& model = reading.model;
  const MjcfTerm* one = jointOf(model, node, "joint1");
  if (one == nullptr) return;
  double a[5] = {0, 1, 0, 0, 0};
  node.upTo("polycoef", a);
  if (!node.has("joint2")) {
    node.omit("joint constant", "an equality that holds one joint is left out",
              "take the joint out of the model; said once for all of them");
    return;
  }
  const MjcfTerm* other = jointOf(model, node, "joint2");
  if (other == nullptr) return;
  if (one == other) {
    node.error("a joint follows itself", "name two joints");
    return;
  }
  MjcfJoint &first = model.joint(*one), &second = model.joint(*other);
  if (a[2] != 0 || a[3] != 0 || a[4] != 0 || first.spec.mimic) {
    addConstraint(model, node, {*one, *other}, tieOf({1, 0}, first.ref, {0, 1}, second.ref, a));
    return;
  }
  first.spec.mimic = MimicSpec{second.spec.name, a[1], a[0] + first.ref - a[1] * second.ref};
  model.coupled.emplace_back(one->body, other->body);
}

/// Null, and an Error, where there is no fixed tendon of that name.
const MjcfTendon* tendonOf(const MjcfModel& model, const MjcfNode& node, const char* attribute) {
  const int* index = lookUp(model.tendonOf, node, attribute, "tendon",
                            std::string("name a fixed tendon in ") + attribute);
  return index == nullptr ? nullptr : &model.tendons[*index];
}

/// The joints of up to two tendons, and the factors that each of these has of every joint.
struct TendonTerms {
  std::vector<MjcfTerm> joints;
  std::vector<double> factors[2];

  void add(const MjcfTendon& tendon, int side) {
    for (const MjcfTerm& term : tendon.terms) factors[side][placeOf(term)] += term.factor;
  }

 private:
  std::size_t placeOf(const MjcfTerm& term) {
    const auto found = std::find_if(joints.begin(), joints.end(), [&](const MjcfTerm& other) {
      return other.body == term.body && other.joint == term.joint;
    });
    const auto place = static_cast<std::size_t>(found - joints.begin());
    if (found == joints.end()) {
      joints.push_back(term);
      for (auto& all : factors) all.push_back(0);
    }
    return place;
  }
};

void readTendonEquality(MjcfReading& reading, const MjcfNode& node) {
  node.expect({"name", "class", "active", "tendon1", "tendon2", "polycoef"},
              {"solref", "solimp", "torquescale"});
  MjcfModel& model = reading.model;
  const MjcfTendon* first = tendonOf(model, node, "tendon1");
  const MjcfTendon* second = node.has("tendon2") ? tendonOf(model, node, "tendon2") : nullptr;
  if (first == nullptr || (second == nullptr && node.has("tendon2"))) return;
  double a[5] = {0, 1, 0, 0, 0};
  node.upTo("polycoef", a);
  TendonTerms terms;
  terms.add(*first, 0);
  if (second != nullptr) terms.add(*second, 1);
  const bool isSpatial = !first->ways.empty() || (second != nullptr && !second->ways.empty());
  if (terms.joints.size() < 2 || isSpatial) {
    node.omit("equality tendon",
              "an equality of tendons that holds one joint, or "
              "spatial ones, is left out",
              "expect other motion than with it; said once for all");
    return;
  }
  const double drawn2 = second == nullptr ? 0 : drawnMjcfLength(model, *second);
  if (second == nullptr) a[1] = a[2] = a[3] = a[4] = 0;
  addConstraint(
      model, node, terms.joints,
      tieOf(terms.factors[0], drawnMjcfLength(model, *first), terms.factors[1], drawn2, a));
}

}  // namespace

void readMjcfEqualities(MjcfReading& reading, const MjcfNode& equality) {
  for (const XMLElement* e : equality.children()) {
    const std::string tag = e->Name();
    const MjcfNode node = reading.node(*e, reading.mainClass());
    if (!node.flag("active", true)) {
      node.once(Severity::Note, "inactive " + tag, "an equality that is not active is left out",
                "nothing to do; said once for all of its kind");
      continue;
    }
    if (tag == "connect") {
      readConnect(reading, node);
    } else if (tag == "weld") {
      readWeld(reading, node);
    } else if (tag == "joint") {
      readJointEquality(reading, node);
    } else if (tag == "tendon") {
      readTendonEquality(reading, node);
    } else {
      node.omit("equality " + tag, "the equality <" + tag + "> is left out",
                "expect other motion than with it; said once for all of its kind");
    }
  }
}

}  // namespace espalier::io
