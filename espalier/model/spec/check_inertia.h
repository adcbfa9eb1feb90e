#pragma once

// Whether the inertias of a Spec can belong to bodies made of mass.
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

#include "espalier/model/spec/check_tree.h"

namespace espalier {

/// Whether an inertia about the centre of mass has a principal moment below zero by more than
/// rounded figures have it, 1e-3 of the largest.
///   pre  finite, mass >= 0
bool hasNegativeMoment(const Sym3<double>& inertia, double mass);

/// Masses and inertias of all links.
///   in   tree   welded links are judged together only where it is one
void checkInertias(const CheckReport& report, const SpecTree& tree);

}  // namespace espalier
