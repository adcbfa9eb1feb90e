#pragma once

// A contact as one of its two objects sees it, in RaiSim's names.
//
// The contact frame has the normal of object A as its third axis; the impulse acts on A, its
// opposite on B. isObjectA() says which of the two this view belongs to.

#include "espalier/world/contact.h"
#include "espalier/world/math.h"

namespace espalier {

class ContactView {
 public:
  ContactView(const Contact& contact, int index, bool isA, bool isSelf)
      : contact_(contact), index_(index), isA_(isA), isSelf_(isSelf) {}

  Vec<3> getPosition() const { return contact_.position; }  ///< m, world
  Vec<3> getNormal() const { return contact_.normal; }      ///< unit, world, the push on A
  /// Rows t1, t2, normal: turns world axes into the contact frame, R_CW.
  Mat<3, 3> getContactFrame() const { return contact_.frame; }
  /// N s on A over the last step, in the contact frame (t1, t2, normal). Divide by the time step
  /// for the mean force.
  Vec<3> getImpulse() const { return contact_.impulse; }
  /// N s on this object, world axes.
  Vec<3> getImpulseOnThis() const {
    const Vec3d onA = tmul(contact_.frame, contact_.impulse);
    return isA_ ? onA : -onA;
  }
  double getDepth() const { return contact_.depth; }  ///< m, negative: a gap
  double getFriction() const { return contact_.friction; }
  bool isObjectA() const { return isA_; }
  bool isSelfCollision() const { return isSelf_; }
  /// The second view of a self-collision, so that sums over contacts count it once.
  bool skip() const { return isSelf_ && !isA_; }
  /// Body of this object that touches; 0 for single bodies.
  int getlocalBodyIndex() const { return isA_ ? contact_.bodyA : contact_.bodyB; }
  /// The other object's place in the world's list, its body there, and what that does.
  int getPairObjectIndex() const { return isA_ ? contact_.objectB : contact_.objectA; }
  int getPairBodyIndex() const { return isA_ ? contact_.bodyB : contact_.bodyA; }
  BodyType getPairObjectBodyType() const { return isA_ ? contact_.typeB : contact_.typeA; }
  /// Place in World::contacts().
  int getIndexInWorld() const { return index_; }
  const Contact& contact() const { return contact_; }

 private:
  Contact contact_;
  int index_;
  bool isA_, isSelf_;
};

}  // namespace espalier
