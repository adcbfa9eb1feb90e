#pragma once

// The dispatch on a joint's kind: one visible table. Branches on topology, never on a Scalar.

#include "espalier/model/joints/cylindrical.h"
#include "espalier/model/joints/euler.h"
#include "espalier/model/joints/floating.h"
#include "espalier/model/joints/helical.h"
#include "espalier/model/joints/planar.h"
#include "espalier/model/joints/prismatic.h"
#include "espalier/model/joints/revolute.h"
#include "espalier/model/joints/spherical.h"
#include "espalier/model/joints/translation.h"

namespace espalier {

/// Calls f.template operator()<Joint>() for the kind; nothing for Fixed.
template <class F>
ESPALIER_INLINE void withJoint(JointKind kind, F&& f) {
  switch (kind) {
    case JointKind::Fixed: return;
    case JointKind::Revolute: return f.template operator()<RevoluteJoint>();
    case JointKind::Prismatic: return f.template operator()<PrismaticJoint>();
    case JointKind::Helical: return f.template operator()<HelicalJoint>();
    case JointKind::Universal: return f.template operator()<UniversalJoint>();
    case JointKind::Euler: return f.template operator()<EulerJoint>();
    case JointKind::Planar: return f.template operator()<PlanarJoint>();
    case JointKind::Translation: return f.template operator()<TranslationJoint>();
    case JointKind::Spherical: return f.template operator()<SphericalJoint>();
    case JointKind::Floating: return f.template operator()<FloatingJoint>();
    case JointKind::Cylindrical: return f.template operator()<CylindricalJoint>();
  }
}

}  // namespace espalier
