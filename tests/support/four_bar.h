#pragma once

// A crank-rocker of four links, written by hand: crank 0.4, coupler 1.0, rocker 0.8 on a ground of
// 1.0, axes along z; by default one public dof, the crank.

#include <string>

#include "espalier/model/spec/spec.h"

namespace espalier::testing {

struct FourBarOptions {
  bool floats = false;
  bool publicRocker = false;
  LoopKind kind = LoopKind::REVOLUTE;
  bool isBilateral = false;
  double crank = 0.4, coupler = 1.0, rocker = 0.8, ground = 1.0;
};

SystemSpec fourBar(const FourBarOptions& options);

}  // namespace espalier::testing
