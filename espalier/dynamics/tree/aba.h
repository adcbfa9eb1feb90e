#pragma once

#include "espalier/core/aligned.h"
#include "espalier/model/lowered.h"
#include "espalier/model/topology.h"

namespace espalier {

/// Scratch of the articulated-body algorithm. It is small because memory traffic limits lanes:
/// poses are rebuilt from sine and cosine, rigid inertias enter as constants, and unbranched chains
/// share one slot (docs/architecture.md, "Scalars and lanes").
template <class T>
struct AbaWorkspace {
  explicit AbaWorkspace(const Topology& t)
      : motion(t.nb),
        joint(t.nv),
        A(t.nb),
        carry(t.carrySlots),
        general(generalBodies(t)),
        S(t.nv),
        gear(t.geared.empty() ? 0 : static_cast<std::size_t>(t.nb)) {}

  struct BodyMotion {
    T s, c;       ///< sine and cosine of a hinge, or the slide in s
    Motion<T> V;  ///< twist, body axes
  };
  struct DofFactor {
    Force<T> U;  ///< IA S
    T inverse;   ///< 1 / (S' IA S)
    T rest;      ///< tau - S' pA
  };
  struct Carry {
    ArticulatedInertia<T> I;
    Force<T> p;
  };
  /// Terms that eliminating a joint with a geared rotor adds to the joint of its carrier, in the
  /// carrier's axes: with a, udot of the carrier, 1/2 inertia udot^2 + udot (couple . a) + udot
  /// rest.
  struct Gear {
    Force<T> couple;
    T inertia, rest;
    Gear& operator+=(const Gear& o) {
      couple += o.couple;
      inertia += o.inertia;
      rest += o.rest;
      return *this;
    }
  };
  struct GeneralPose {  ///< joints other than revolute and prismatic
    Mat3<T> e;
    Vec3<T> p;
    Motion<T> c;
  };

  AlignedArray<BodyMotion> motion;    ///< [nb]
  AlignedArray<DofFactor> joint;      ///< [nv]
  AlignedArray<Motion<T>> A;          ///< [nb] acceleration, minus gravity, body axes
  AlignedArray<Carry> carry;          ///< [carrySlots]
  AlignedArray<GeneralPose> general;  ///< [nb] if there is any such joint, else empty
  AlignedArray<Motion<T>> S;          ///< [nv] columns of such joints, body axes
  AlignedArray<Gear> gear;            ///< [nb] where rotors tie joints, else empty

 private:
  static std::size_t generalBodies(const Topology& t) {
    for (int i = 1; i < t.nb; ++i)
      if (t.bodies[i].kind != JointKind::Revolute && t.bodies[i].kind != JointKind::Prismatic)
        return static_cast<std::size_t>(t.nb);
    return 0;
  }
};

/// Acceleration of a tree: udot = M^-1 (tau - h), M never formed.
///   in   q [nq], u [nv], tau [nv]  N m or N, internal order
///   in   gravity  m/s^2, world
///   out  udot [nv]
///   uses ws   overwritten; no allocation
///   pre  every joint's S' IA S is positive, else udot is not finite
///   cost O(nb)
///   from Featherstone 2008, ch. 7, in body frames; a joint of k dofs is k eliminations; geared
///        rotors are derived in aba_impl.h
template <class T, class P = value_t<T>>
void aba(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, const T* q, const T* u,
         const T* tau, AbaWorkspace<T>& ws, T* udot);

}  // namespace espalier
