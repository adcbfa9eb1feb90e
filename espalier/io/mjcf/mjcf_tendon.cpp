// <tendon>: fixed tendons, whose lengths are sums of joint coordinates, and spatial ones, which run
// from site to site, straight or round geoms.

#include <tinyxml2.h>

#include <cmath>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

/// None, and an Error, where a joint does not exist or has more than one coordinate.
std::optional<std::vector<MjcfTerm>> readTerms(MjcfReading& reading, const MjcfNode& node) {
  const MjcfModel& model = reading.model;
  std::vector<MjcfTerm> terms;
  for (const XMLElement* e : node.children()) {
    const MjcfNode part(reading.files, *e);
    if (part.tag() != "joint") continue;
    part.expect({"joint", "coef"});
    const MjcfTerm* joint =
        lookUp(model.joints, part, "joint", "joint", "name a joint of the model");
    if (joint == nullptr) return std::nullopt;
    if (info(model.joint(*joint).spec.kind).nv != 1) {
      part.error("the joint " + shown(part.text("joint")) + " has more than one coordinate",
                 "name hinges and slides in a fixed tendon");
      return std::nullopt;
    }
    if (!part.has("coef")) part.error("a joint of a tendon has no coef", "add coef=\"...\"");
    terms.push_back({joint->body, joint->joint, part.number("coef", 1)});
  }
  node.xml().expectChildren(node.element(), {"joint", "include"});
  return terms;
}

double lengthAt(const MjcfWay& way, const std::vector<Transformd>& X_WB) {
  const auto poseOf = [&](int body) { return X_WB[body]; };
  const auto placeOf = [&](const MjcfWay::Point& point) {
    return poseOf(point.body) * point.position;
  };
  double length = 0;
  auto wrap = way.wraps.begin();
  for (std::size_t i = 1; i < way.points.size(); ++i) {
    const Vec3d from = placeOf(way.points[i - 1]), to = placeOf(way.points[i]);
    if (wrap == way.wraps.end() || wrap->after + 1 != static_cast<int>(i)) {
      length += norm(to - from);
      continue;
    }
    const Transformd X_SW = inverse(poseOf(wrap->body) * wrap->X_BS);
    std::optional<Vec3d> side;
    if (wrap->side) side = X_SW * placeOf(*wrap->side);
    const Vec3d a = X_SW * from, b = X_SW * to;
    const Wrapping wrapping = espalier::wrap(wrap->surface, a, b, side);
    length += norm(wrapping.first - a) + wrapping.arc + norm(b - wrapping.second);
    ++wrap;
  }
  return length;
}

/// The length where bodies are at X_WB, and each joint at one of its numbers.
double lengthAt(const MjcfModel& model, const MjcfTendon& tendon, double MjcfJoint::*coordinate,
                const std::vector<Transformd>& X_WB) {
  double length = 0;
  for (const MjcfTerm& term : tendon.terms) length += term.factor * model.joint(term).*coordinate;
  for (const MjcfWay& way : tendon.ways) length += lengthAt(way, X_WB) / way.divisor;
  return length;
}

/// The length where all joints are at springref: that of a spring's rest, where it is not given.
double restingLength(const MjcfModel& model, const MjcfTendon& tendon) {
  std::vector<Transformd> X_WB{identityTransform<double>()};
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    const MjcfBody& body = model.bodies[b];
    Transformd X = X_WB[body.parent] * body.X_PB;
    for (const MjcfJoint& joint : body.joints) {
      const Vec3d axis = joint.spec.axes[0];
      const double turn = joint.rest - joint.ref;
      if (joint.spec.kind == JointKind::Prismatic) X.p += mul(X.R, axis * turn);
      if (joint.spec.kind != JointKind::Revolute || norm(axis) == 0) continue;
      const Mat3d R = axisRotation(axis, std::sin(turn), std::cos(turn));
      X = X * Transformd{R, joint.pos - mul(R, joint.pos)};
    }
    X_WB.push_back(X);
  }
  return lengthAt(model, tendon, &MjcfJoint::rest, X_WB);
}

void readForces(const MjcfReading& reading, const MjcfNode& node, MjcfTendon& tendon) {
  TendonSpec& spec = tendon.spec;
  double rest[2] = {-1, -1};
  const int given = node.upTo("springlength", rest);
  if (given == 1) rest[1] = rest[0];
  if (rest[0] == -1 && rest[1] == -1) rest[0] = rest[1] = restingLength(reading.model, tendon);
  spec.stiffness = readMjcfLinear(node, "stiffness", "tendon");
  spec.restLower = rest[0];
  spec.restUpper = rest[1];
  spec.damping = readMjcfLinear(node, "damping", "tendon");
  spec.friction = node.number("frictionloss", 0);
  if (const auto range = readMjcfRange(reading, node, "range", "limited")) {
    spec.lower = (*range)[0];
    spec.upper = (*range)[1];
  }
  if (const auto range = readMjcfRange(reading, node, "actuatorfrcrange", "actuatorfrclimited"))
    tendon.effort = *range;
}

void add(MjcfReading& reading, const MjcfNode& node, MjcfTendon tendon) {
  MjcfModel& model = reading.model;
  const int index = static_cast<int>(model.tendons.size());
  const std::string name = node.text("name");
  tendon.spec.name = name.empty() ? "tendon:" + std::to_string(index + 1) : name;
  tendon.spec.line = node.line();
  if (!name.empty()) addNamed(model.tendonOf, name, index, node, "tendon", "tendons");
  model.tendons.push_back(std::move(tendon));
}

/// None, and an Error, where a site does not exist.
std::optional<MjcfWay::Point> readSite(const MjcfReading& reading, const MjcfNode& part,
                                       const char* attribute) {
  const MjcfFrame* site =
      lookUp(reading.model.sites, part, attribute, "site", "name a site of the model");
  if (site == nullptr) return std::nullopt;
  return MjcfWay::Point{site->body, site->X_BF.p};
}

/// <geom geom sidesite>; none, and an Error, where it cannot be led round.
std::optional<MjcfWay::Wrap> readWrap(const MjcfReading& reading, const MjcfNode& part) {
  part.expect({"geom", "sidesite"});
  const MjcfModel& model = reading.model;
  const MjcfGeomId* id = lookUp(model.geoms, part, "geom", "geom", "name a geom of the model");
  if (id == nullptr) return std::nullopt;
  const MjcfGeom& geom = model.geom(*id);
  MjcfWay::Wrap wrap;
  wrap.body = id->first;
  wrap.X_BS = geom.X_BG;
  if (const auto* sphere = geom.shape ? std::get_if<SphereShape>(&*geom.shape) : nullptr) {
    wrap.surface = {sphere->radius, false};
  } else if (const auto* c = geom.shape ? std::get_if<CylinderShape>(&*geom.shape) : nullptr) {
    wrap.surface = {c->radius, true};
  } else {
    part.error("the geom " + shown(geom.name) + " is neither a sphere nor a cylinder",
               "lead tendons round spheres and cylinders");
    return std::nullopt;
  }
  if (part.has("sidesite")) {
    wrap.side = readSite(reading, part, "sidesite");
    if (!wrap.side) return std::nullopt;
  }
  return wrap;
}

/// None, and an Error, where something does not exist or stands in the wrong order.
std::optional<std::vector<MjcfWay>> readWays(MjcfReading& reading, const MjcfNode& node) {
  std::vector<MjcfWay> ways(1);
  const auto isOpen = [&] {  // a geom with no site behind it yet
    const MjcfWay& way = ways.back();
    return !way.wraps.empty() && way.wraps.back().after + 1 == static_cast<int>(way.points.size());
  };
  const auto failOrder = [](const MjcfNode& part) {
    part.error("a tendon's geom does not stand between two sites",
               "write a site before and behind it");
    return std::nullopt;
  };
  for (const XMLElement* e : node.children()) {
    const MjcfNode part(reading.files, *e);
    if (part.tag() == "site") {
      part.expect({"site"});
      const auto point = readSite(reading, part, "site");
      if (!point) return std::nullopt;
      ways.back().points.push_back(*point);
    } else if (part.tag() == "pulley") {
      part.expect({"divisor"});
      if (isOpen()) return failOrder(part);
      MjcfWay way;
      way.divisor = part.number("divisor", 1);
      if (!(way.divisor > 0)) part.error("a pulley's divisor is not above zero", "write 2, say");
      ways.push_back(way);
    } else if (part.tag() == "geom") {
      if (isOpen() || ways.back().points.empty()) return failOrder(part);
      auto wrap = readWrap(reading, part);
      if (!wrap) return std::nullopt;
      wrap->after = static_cast<int>(ways.back().points.size()) - 1;
      ways.back().wraps.push_back(*wrap);
    }
  }
  if (isOpen()) return failOrder(node);
  node.xml().expectChildren(node.element(), {"site", "geom", "pulley", "include"});
  std::erase_if(ways, [](const MjcfWay& way) { return way.points.size() < 2; });
  return ways;
}

/// in  read  terms or ways of its length; none after an Error
template <class Part>
void readTendon(MjcfReading& reading, const MjcfNode& node, std::vector<Part> MjcfTendon::*parts,
                std::optional<std::vector<Part>> read) {
  expectMjcfAttributes(node);
  node.omitAttributes({"armature", "springyield"});
  if (!read) return;
  MjcfTendon tendon;
  tendon.*parts = std::move(*read);
  readForces(reading, node, tendon);
  applyMjcfFlags(reading.model, tendon.spec);
  add(reading, node, std::move(tendon));
}

}  // namespace

double drawnMjcfLength(const MjcfModel& model, const MjcfTendon& tendon) {
  std::vector<Transformd> X_WB;
  for (const MjcfBody& body : model.bodies) X_WB.push_back(body.X_WB);
  return lengthAt(model, tendon, &MjcfJoint::ref, X_WB);
}

void readMjcfTendons(MjcfReading& reading, const MjcfNode& tendon) {
  for (const XMLElement* e : tendon.children()) {
    const MjcfNode node = reading.node(*e, reading.mainClass());
    if (node.tag() == "fixed")
      readTendon(reading, node, &MjcfTendon::terms, readTerms(reading, node));
    else if (node.tag() == "spatial")
      readTendon(reading, node, &MjcfTendon::ways, readWays(reading, node));
  }
  tendon.xml().expectChildren(tendon.element(), {"fixed", "spatial", "include"});
}

}  // namespace espalier::io
