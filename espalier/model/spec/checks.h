#pragma once

// The parts of checkSpec() (model/spec/check_spec.h): what each of them reports.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/model/loops/loop_gap.h"
#include "espalier/model/spec/check_report.h"

namespace espalier {

// ---- the tree (check_tree.cpp)

/// The links and joints of a Spec as a tree, if they are one; valid while the Spec is.
struct SpecTree {
  bool isTree = false;           ///< one root, and every link hangs from it
  std::vector<int> parentJoint;  ///< [links] index of the joint above, -1 for the root
  std::vector<int> parentLink;   ///< [links] -1 for the root
  std::vector<int> order;        ///< [links] parents before children; only if isTree
  std::map<std::string_view, int> links{}, joints{};  ///< indices; the first of a doubled name

  /// Index by name; -1 where there is none.
  int link(const std::string& name) const { return find(links, name); }
  int joint(const std::string& name) const { return find(joints, name); }

 private:
  static int find(const std::map<std::string_view, int>& all, const std::string& name) {
    const auto place = all.find(name);
    return place == all.end() ? -1 : place->second;
  }
};

/// Finds missing links, links with two parents, several roots and cycles; an Error for each.
///   cost O(n log n)
SpecTree checkTree(const CheckReport& report);

/// The same of a Spec that checkSpec() has accepted.
SpecTree treeOf(const SystemSpec& spec);

// ---- joints (check_joint.cpp)

/// Axes, limits, dynamics, mimic and pitch of every joint; joints of transmissions.
void checkJoints(const CheckReport& report);

/// jointOrder, if there is one: known joints, each once. A link may stand first, as the base does
/// in a list of movable joints.
void checkJointOrder(const CheckReport& report);

// ---- loops, couplings and mimics (check_loops.cpp)

/// Ends that exist, axes with a direction, finite numbers, ratios other than zero; mimics that
/// follow a joint of one coordinate and not, in the end, themselves.
/// Whether a loop can close at all, only compile() can say.
void checkLoops(const CheckReport& report, const SpecTree& tree);

/// Of a loop whose ends are one body: it holds nothing that is not held. A Warning with the gap where
/// that is rounding (isRounding() with the distance of its frames from the body's), else an Error. Once for
/// each loop.
///   in  ends  in that body
void checkWelded(const CheckReport& report, const LoopSpec& loop, const LoopEnds& ends);

// ---- inertias (check_inertia.cpp): whether they can belong to bodies made of mass
//
// Principal moments I1 <= I2 <= I3 of a body are sums over its mass of squared distances, hence
// I1 >= 0 and I1 + I2 >= I3, with equality for a flat body. The excess (I3 - I1 - I2) / I3 of
// real robots' files was looked at (2026): rounded figures reach 1e-3, CAD figures of quadrupeds
// and humanoids 0.042, dummy figures and planar models 1. Therefore
//   excess below 1e-3    nothing
//   more                 a Warning: M stays positive semidefinite, and compile() refuses the joints
//                        that make it singular (model/compile/singular.h)
//   negative moments     an Error if the body the link is welded into has one, too, because that
//                        body is what moves; else a Warning
// Moments far below those of the densest ball of the same mass stand for a point, whatever they
// are: their excess is not judged.

/// Whether an inertia about the centre of mass has a principal moment below zero by more than
/// rounded figures have it, 1e-3 of the largest.
///   pre  finite, mass >= 0
bool hasNegativeMoment(const Sym3<double>& inertia, double mass);

/// Masses and inertias of all links.
///   in   tree   welded links are judged together only where it is one
void checkInertias(const CheckReport& report, const SpecTree& tree);

// ---- tendons, actuators and weight compensation (check_tendons.cpp)

/// Joints, numbers and actuators of every tendon; actuators of joints; gravityCompensation.
void checkTendons(const CheckReport& report);

}  // namespace espalier
