#include "espalier/io/export/export_parts.h"
#include "espalier/io/spec_difference.h"

namespace espalier::io {
namespace {

constexpr std::uint64_t ground_group = std::uint64_t{1} << 63;

void writePose(XmlWriter& xml, const Transformd& pose) {
  xml.attribute("pos", pose.p);
  if (!isIdentity(pose.R)) xml.attribute("quat", quatText(pose.R));
}

void writeState(XmlWriter& xml, const BodySpec& body) {
  xml.open("state");
  writePose(xml, body.X_WB);
  xml.optional("lin_vel", body.velocity).optional("ang_vel", body.angularVelocity).close();
}

void writeContact(XmlWriter& xml, const CollisionSpec& collision, std::uint64_t usualGroup) {
  const CollisionSpec plain;
  xml.optional("material", collision.material, plain.material);
  xml.optional("collision_group", collision.group, usualGroup);
  xml.optional("collision_mask", collision.mask, plain.mask);
}

/// Whether the visuals are the collisions, in colour.
bool mirrorsCollisions(const BodySpec& body) {
  if (body.visuals.size() != body.collisions.size()) return false;
  for (std::size_t i = 0; i < body.visuals.size(); ++i) {
    const VisualSpec& v = body.visuals[i];
    const CollisionSpec& c = body.collisions[i];
    const bool isSamePose = isZero(v.X_LG.p - c.X_LG.p) && isSame(v.X_LG.R, c.X_LG.R);
    const bool isSameScale = isZero(v.meshScale - c.meshScale);
    const bool isPlain = v.name.empty() && v.material.empty();
    if (!isSamePose || !isSameScale || !isPlain || !isSameShape(v.shape, c.shape)) return false;
  }
  return true;
}

/// One shape in the body's own frame, without a name of its own.
bool isSingle(const BodySpec& body, bool mirrors) {
  return body.collisions.size() == 1 && body.collisions[0].name.empty() &&
         !isPlaced(body.collisions[0].X_LG) && (mirrors || body.visuals.empty());
}

void writeInertia(XmlWriter& xml, const InertialSpec& inertial) {
  const Sym3<double>& I = inertial.I;
  const bool isEmpty = inertial.mass == 0 && isZero({I.xx, I.yy, I.zz}) &&
                       isZero({I.xy, I.xz, I.yz}) && !isPlaced(inertial.X_LC);
  if (isEmpty) return;
  xml.open("inertia").attribute("xx", I.xx).attribute("xy", I.xy).attribute("xz", I.xz);
  xml.attribute("yy", I.yy).attribute("yz", I.yz).attribute("zz", I.zz);
  if (!isIdentity(inertial.X_LC.R)) xml.attribute("quat", quatText(inertial.X_LC.R));
  xml.close();
}

/// The rest of a part: a collision or a visual.
template <class Part>
void finishPart(XmlWriter& xml, const Part& part, const std::string& folder) {
  writeShapeAttributes(xml, part.shape, part.meshScale, folder);
  writeShapeChildren(xml, part.shape);
  xml.open("state");
  writePose(xml, part.X_LG);
  xml.close().close();
}

void writePart(XmlWriter& xml, const CollisionSpec& part, const VisualSpec* colour,
               const std::string& folder) {
  xml.open(shapeTag(part.shape)).optional("name", part.name);
  writeContact(xml, part, CollisionSpec().group);
  if (colour != nullptr) xml.attribute("appearance", colour->rgba);
  finishPart(xml, part, folder);
}

void writeVisuals(XmlWriter& xml, const BodySpec& body, const std::string& folder) {
  xml.open("visuals");
  for (const VisualSpec& visual : body.visuals) {
    xml.open(shapeTag(visual.shape)).optional("name", visual.name);
    xml.optional("material", visual.material).attribute("appearance", visual.rgba);
    finishPart(xml, visual, folder);
  }
  xml.close();
}

void writeHead(XmlWriter& xml, const BodySpec& body, const std::string& tag) {
  xml.open(tag).optional("name", body.name);
  const InertialSpec& inertial = body.inertial;
  if (body.type == BodyType::DYNAMIC || inertial.mass != 0) xml.attribute("mass", inertial.mass);
  xml.optional("com", inertial.X_LC.p);
  const bool isTerrain = tag == "ground" || tag == "heightmap";
  if (body.type == BodyType::STATIC && !isTerrain) xml.attribute("body_type", "static");
  if (body.type == BodyType::KINEMATIC) xml.attribute("body_type", "kinematic");
}

void writeSingle(XmlWriter& xml, const BodySpec& body, const std::string& folder) {
  const CollisionSpec& collision = body.collisions[0];
  const std::string tag = shapeTag(collision.shape);
  writeHead(xml, body, tag);
  writeContact(xml, collision, tag == "ground" ? ground_group : CollisionSpec().group);
  if (!body.visuals.empty()) xml.attribute("appearance", body.visuals[0].rgba);
  writeShapeAttributes(xml, collision.shape, collision.meshScale, folder);
  writeShapeChildren(xml, collision.shape);
  writeInertia(xml, body.inertial);
  writeState(xml, body);
  xml.close();
}

void writeCompound(XmlWriter& xml, const BodySpec& body, bool mirrors, const std::string& folder) {
  writeHead(xml, body, "compound");
  xml.open("children");
  for (std::size_t i = 0; i < body.collisions.size(); ++i)
    writePart(xml, body.collisions[i], mirrors ? &body.visuals[i] : nullptr, folder);
  xml.close();
  if (!mirrors && !body.visuals.empty()) writeVisuals(xml, body, folder);
  writeInertia(xml, body.inertial);
  writeState(xml, body);
  xml.close();
}

}  // namespace

void writeBody(XmlWriter& xml, const BodySpec& body, const std::string& folder) {
  const bool mirrors = mirrorsCollisions(body);
  // Terrain that moves is not said by <ground> and <heightmap>.
  const bool isTerrain =
      !body.collisions.empty() && (std::holds_alternative<Plane>(body.collisions[0].shape) ||
                                   std::holds_alternative<Heightfield>(body.collisions[0].shape));
  if (isSingle(body, mirrors) && (!isTerrain || body.type == BodyType::STATIC))
    writeSingle(xml, body, folder);
  else
    writeCompound(xml, body, mirrors, folder);
}

}  // namespace espalier::io
