#pragma once

// The formulas of the contact law (contact_law.h): of one world, or of worlds in lanes.

#include "espalier/scalar/scalar.h"
#include "espalier/step/contact.h"
#include "espalier/step/materials.h"
#include "espalier/step/scheme.h"

namespace espalier {

struct GapLaw {
  double dt, erp, slop, mostSpeed;
  double openGap, openSpeed;  ///< of the scheme

  GapLaw(const ContactSettings& settings, Scheme scheme, double step)
      : dt(step),
        erp(settings.erp),
        slop(settings.slop),
        mostSpeed(settings.maxDepenetrationVelocity),
        openGap(info(scheme).openGap),
        openSpeed(info(scheme).openSpeed) {}

  /// m/s, for a gap (m or rad, negative: a penetration) that closes with `speed`.
  template <class T>
  ESPALIER_INLINE T bias(const T& gap, const T& speed) const {
    const T none = bc<T>(0.0);
    const T out = min(bc<T>(erp) * max(-gap - bc<T>(slop), none) / bc<T>(dt), bc<T>(mostSpeed));
    const T open = max(none, bc<T>(openGap) * gap / bc<T>(dt) + bc<T>(openSpeed) * speed);
    return select(gap <= none, -out, open);
  }
  /// The same where the two materials may bounce.
  template <class T>
  ESPALIER_INLINE T bias(const T& gap, const T& speed, const MaterialPair& pair) const {
    const T still = bias(gap, speed);
    if (!(pair.restitution > 0)) return still;
    const T none = bc<T>(0.0);
    const auto bounces =
        (gap <= none) & ((speed < bc<T>(-pair.restitutionThreshold)) | (speed > none));
    return select(bounces, bc<T>(pair.restitution) * speed, still);
  }
};

/// Where a contact across an open gap has no part in the step.
template <class T>
ESPALIER_INLINE mask_t<T> isLetThrough(const T& gap, const T& speed, const MaterialPair& pair) {
  const T none = bc<T>(0.0);
  if (!(pair.restitution > 0)) return none < none;
  return (gap > none) & !(abs(speed) < bc<T>(pair.restitutionThreshold));
}

/// Whether a gap stays open unless the step changes its velocity by much: by more than half of what it has,
/// and than gravity does in four steps. Such contacts are candidates (candidates.h).
///   in  fall  m/s, |gravity| dt
template <class T>
ESPALIER_INLINE mask_t<T> staysOpen(const T& gap, const T& speed, const T& bias, const T& fall) {
  return (gap > bc<T>(0.0)) & (speed + bias > bc<T>(0.5) * abs(speed) + bc<T>(4.0) * fall);
}

/// Rows t1, t2, n; t1 is made from the axis least aligned with n.
template <class T>
ESPALIER_INLINE Mat3<T> contactFrameOf(const Vec3<T>& n) {
  const T x = abs(n.x), y = abs(n.y), z = abs(n.z), one = bc<T>(1.0), none = bc<T>(0.0);
  const auto isZ = (z <= x) & (z <= y);
  const auto isY = (!isZ) & (y <= x);
  const T seedZ = select(isZ, one, none), seedY = select(isY, one, none);
  const Vec3<T> seed{one - seedZ - seedY, seedY, seedZ};
  Vec3<T> t1 = seed - n * dot(seed, n);
  t1 = t1 * (one / norm(t1));
  return {t1, cross(n, t1), n};
}

}  // namespace espalier
