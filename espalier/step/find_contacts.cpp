// Contacts at the evaluation point, open ones that may close included: those of the scene, filtered
// by the law.

#include <algorithm>
#include <cmath>
#include <string>

#include "espalier/core/check.h"
#include "espalier/step/contact_law.h"
#include "espalier/step/motion.h"
#include "espalier/step/room.h"
#include "espalier/step/stages.h"
#include "espalier/step/tunnelling.h"

namespace espalier {
namespace {

/// With how far its surface may move in two half steps.
void place(StepData& world, GeomId id, const GeomMotion<double>& motion) {
  world.scene.setPose(id, motion.X_WG);
  const double turning =
      motion.spin > 0 ? motion.spin * world.scene.radius(id) : 0;  // of a plane 0
  world.scene.setMotion(id, motion.velocity * (2 * world.dt),
                        std::min(2 * world.dt * turning, 1.0));
}

bool isSame(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

double frictionOf(const StepData& world, const MaterialPair& pair, const Vec3d& rate) {
  const double scale = world.settings.frictionScale;
  if (!pair.dependsOnSlip()) return scale * pair.friction;
  return scale * pair.frictionAt(std::sqrt(fma(rate.x, rate.x, rate.y * rate.y)));
}

/// Asks the user's callback about a contact; false where it leaves the contact out.
///   errors  throws std::invalid_argument where it asks for a material that cannot be, and whatever
///           the callback throws
bool askCallback(StepData& world, const Contact& contact, MaterialPair& pair) {
  struct Calling {
    bool& flag;
    explicit Calling(bool& f) : flag(f) { flag = true; }
    ~Calling() { flag = false; }
  } calling(world.isInCallback);
  if (!world.onContact(contact, pair)) return false;
  const char* fault = faultOf(pair);
  ESPALIER_REQUIRE(!fault, "the contact callback, on objects " + std::to_string(contact.objectA) +
                               " and " + std::to_string(contact.objectB) + ": " + fault);
  return true;
}

/// Fills one contact; false where the law has nothing to say about it.
bool makeContact(StepData& world, const ContactPoint& p, int i) {
  const PlacedGeom &a = world.geom(p.a), &b = world.geom(p.b);
  const auto motionOf = [&](const PlacedGeom& end, double inwards) {
    if (end.bodyType() == BodyType::STATIC) return PointMotion{};
    return pointMotion(world, end, p.position, p.normal * (inwards * end.rounding));
  };
  const PointMotion ma = motionOf(a, 1), mb = motionOf(b, -1);
  const Vec3d velocity = ma.velocity - mb.velocity;
  const double speed = dot(velocity, p.normal);
  if (-p.depth > world.settings.margin + 2 * world.dt * std::abs(speed)) return false;
  MaterialPair& pair = world.law[i];
  pair = world.materials.pair(a.material, b.material);
  Contact& c = world.contacts[i];  // every field is set: clearing it first would cost as much
  c.geomA = p.a;
  c.geomB = p.b;
  c.objectA = a.object;
  c.objectB = b.object;
  c.bodyA = a.body;
  c.bodyB = b.body;
  c.typeA = a.bodyType();
  c.typeB = b.bodyType();
  c.position = byNumbers(p.position);
  c.normal = byNumbers(p.normal);
  c.depth = p.depth;
  c.feature = p.feature;
  const Contact* before = i > 0 ? &world.contacts[i - 1] : nullptr;
  c.frame = before && isSame(before->normal, p.normal) ? before->frame : contactFrameOf(p.normal);
  c.impulse = {0, 0, 0};
  c.torque = {0, 0, 0};
  world.rate[i] = mul(c.frame, velocity);
  c.friction = frictionOf(world, pair, world.rate[i]);
  if (world.onContact) {
    if (!askCallback(world, c, pair)) return false;
    c.friction = frictionOf(world, pair, world.rate[i]);
  }
  if (isLetThrough<double>(-p.depth, speed, pair)) return false;
  world.drift[i] = mul(c.frame, ma.acceleration - mb.acceleration);
  world.report.penetration = std::max(world.report.penetration, p.depth);
  return true;
}

}  // namespace

void placeGeoms(StepData& world, const System& sys, const GeomMotion<double>* motions) {
  for (std::size_t i = 0; i < sys.geoms.size(); ++i) {
    const GeomId id = sys.geoms[i];
    if (!id.isValid()) continue;
    if (motions) {
      place(world, id, motions[i]);
    } else {
      const PlacedGeom& g = world.geom(id);
      place(world, id, geomMotion(sys.ws, g.body, g.X_CG));
    }
  }
}

int findPoints(StepData& world) {
  for (const FreeBody* body : world.bodies)
    for (const GeomId id : body->geoms) {
      const PlacedGeom& g = world.geom(id);
      const Transformd X_WG = poseOf(g) * g.X_CG;
      place(world, id, {X_WG, pointVelocity(g, X_WG.p), norm(body->w)});
    }
  bool overflow = false;
  const int found = world.scene.collide(world.settings.margin, world.points.data(),
                                        static_cast<int>(world.points.size()), overflow);
  if (overflow) world.report.raise(StepFlag::ContactsOverflow);
  return found;
}

void makeContacts(StepData& world, int found) {
  world.clearContacts();
  makeRoomForContacts(world, found);
  for (int k = 0; k < found; ++k)
    world.contactCount += makeContact(world, world.points[k], world.contactCount);
  world.report.contacts = world.contactCount;
  tellTunnelling(world);
}

void findContacts(StepData& world) {
  for (const System* sys : world.systems) placeGeoms(world, *sys);
  makeContacts(world, findPoints(world));
}

void dropContacts(StepData& world, int object) {
  const auto begin = world.contacts.begin();
  const auto end = std::remove_if(begin, begin + world.reportedContacts(), [&](const Contact& c) {
    return c.objectA == object || c.objectB == object;
  });
  world.contactCount = static_cast<int>(end - begin);
  world.candidateCount = 0;
}

}  // namespace espalier
