#pragma once

// A contact as one of its two objects sees it, in RaiSim's names.
//
// The contact frame has the normal of object A as its third axis; the impulse acts on A, its
// opposite on B. isObjectA() says which of the two this view belongs to.

#include "espalier/robot/math.h"
#include "espalier/step/contact.h"

namespace espalier {

/// Which contacts Object::getContacts() lists.
enum class ContactFilter {
  TOUCHING,  ///< those that carry an impulse or are closed: ContactView::isActive()
  ALL        ///< near misses too, as World::contacts()
};

/// An impulse, N s. RaiSim hands out a pointer in some versions and a vector in others: both
/// getImpulse()->e() and getImpulse().e() are the three numbers.
class ContactImpulse : public Vec<3> {
 public:
  using Vec<3>::Vec;
  const Vec<3>* operator->() const { return this; }
};

/// Where a view stands: in World::contacts(), in its object's list, and where the list of the other
/// object has the same contact. The last two are places in lists of one ContactFilter.
struct ContactPlace {
  int inWorld = -1, inObject = -1, inPair = -1;
};

class ContactView {
 public:
  ContactView(const Contact& contact, const ContactPlace& place, bool isA)
      : contact_(contact), impulse_(contact.impulse), place_(place), isA_(isA) {}

  Vec<3> getPosition() const { return contact_.position; }  ///< m, world
  Vec<3> getNormal() const { return contact_.normal; }      ///< unit, world, the push on A
  /// Rows t1, t2, normal: turns world axes into the contact frame, R_CW.
  Mat<3, 3> getContactFrame() const { return contact_.frame; }
  /// N s on A over the last step, in the contact frame (t1, t2, normal). Divide by the time step
  /// for the mean force.
  const ContactImpulse& getImpulse() const { return impulse_; }
  /// N s on this object, world axes.
  Vec<3> getImpulseOnThis() const {
    const Vec3d onA = tmul(contact_.frame, contact_.impulse);
    return isA_ ? onA : -onA;
  }
  double getDepth() const { return contact_.depth; }  ///< m, negative: a gap
  /// Whether it carries an impulse or is closed. A near miss, across a gap and without an impulse,
  /// is not. Impulses are known after integrate2(): before, between the halves of a step, every
  /// closed contact is active.
  bool isActive() const { return contact_.touches(); }
  double getFriction() const { return contact_.friction; }
  bool isObjectA() const { return isA_; }
  bool isSelfCollision() const { return contact_.objectA == contact_.objectB; }
  /// The second view of a self-collision, so that sums over contacts count it once.
  bool skip() const { return isSelfCollision() && !isA_; }
  /// Body of this object that touches; 0 for single bodies.
  int getlocalBodyIndex() const { return isA_ ? contact_.bodyA : contact_.bodyB; }
  /// The other object's place in the world's list, its body there, and that body's type.
  int getPairObjectIndex() const { return isA_ ? contact_.objectB : contact_.objectA; }
  int getPairBodyIndex() const { return isA_ ? contact_.bodyB : contact_.bodyA; }
  BodyType getPairObjectBodyType() const { return isA_ ? contact_.typeB : contact_.typeA; }
  /// Place in World::contacts().
  int getIndexInWorld() const { return place_.inWorld; }
  /// Place in this object's getContacts(), and the same contact's place in the other object's, both
  /// for the filter that this view was asked with.
  int getIndexInObjectContactList() const { return place_.inObject; }
  int getPairContactIndexInPairObject() const { return place_.inPair; }
  const Contact& contact() const { return contact_; }

 private:
  Contact contact_;
  ContactImpulse impulse_;
  ContactPlace place_;
  bool isA_;
};

}  // namespace espalier
