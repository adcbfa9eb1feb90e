#pragma once

// The rows of one step on what moves: contacts, welds, joint rows, as sides of the contact problem
// (contact/side.h). Each mover has numbers a in which the problem speaks:
//
//   system, M~ = L' D L    y = Y' with Y = L'^-1 J' on a body's ancestor dofs, yd = Y' D^-1;
//                          u+ = u + L^-1 D^-1 (z + sum Y lambda), z = L'^-1 dt f: no row is ever
//                          solved twice
//   single body            y = yd = J root, J about its centre of mass; u+ = u + root z

#include <array>
#include <span>

#include "espalier/contact/problem.h"
#include "espalier/core/aligned.h"
#include "espalier/step/endpoint.h"
#include "espalier/step/free_body.h"
#include "espalier/step/system.h"

namespace espalier {

class ContactRows {
 public:
  using Side = contact::Side<double>;
  using Column3 = contact::Column3<double>;

  /// Room for so many groups with so many sides and dofs a side; the only call that allocates.
  void reserve(int groups, int sides, int widest);
  void clear() { groups_ = sides_ = numbers_ = 0; }

  // The next group each; its sides, until clear().
  //   pre  kinematics and factor of the systems

  /// v = frame (v_A - v_B) at a point (m, world).
  std::span<const Side> addContact(const Endpoint& a, const Endpoint& b, const Mat3d& frame,
                                   const Vec3d& point);
  /// w = frame (w_A - w_B).
  std::span<const Side> addAngular(const Endpoint& a, const Endpoint& b, const Mat3d& frame);
  /// sign (sum of factor u), of dofs on one way up, as the third row.
  std::span<const Side> addJoint(System& sys, std::span<const RotorInfo::Term> terms, double sign);
  /// sign x the rate of a tendon, a side for each of its joints and of its points.
  ///   pre  measureTendons()
  std::span<const Side> addTendon(System& sys, int tendon, double sign);

  /// v = W (V_b - V_a) of two bodies of one system, -1: the world.
  ///   in  W  three rows, wrenches about the system's origin
  std::span<const Side> addWrenches(System& sys, int a, int b,
                                    const std::array<Force<double>, 3>& W);

  int size() const { return groups_; }
  /// A group's velocity without impulses: J u (given) and what z adds.
  Vec3d freeVelocity(int group, const Vec3d& Ju) const;
  /// z of every mover gains what the impulses [groups] of the first groups do.
  void addImpulses(const Vec3d* lambda, int groups) const;

 private:
  struct Owner {
    System* system;
    FreeBody* free;
  };
  Column3* open(const Owner& owner, int mover, const int* dof, int count, bool agree = false);
  void addEnd(const Endpoint& end, const Mat3d& frame, const Vec3d* point, double sign);
  void addJointSide(System& sys, std::span<const RotorInfo::Term> terms, double sign);
  void addWrenchEnd(System& sys, int body, const std::array<Force<double>, 3>& W, double sign);
  void finish(const System& sys);
  std::span<const Side> close();

  int groups_ = 0, sides_ = 0, numbers_ = 0;
  AlignedArray<Side> side_;
  AlignedArray<Owner> owner_;    // of a side
  AlignedArray<Column3> y_;      // y and yd of the sides, one after another; once where they agree
  AlignedArray<int> firstSide_;  // [groups + 1]
};

}  // namespace espalier
