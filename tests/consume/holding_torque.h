#pragma once

// What the programs of somebody else's have in common: the torque that holds a hinged rod.

#include <cstdio>

#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/model.h"

/// Prints the torque that holds a robot of one joint at q = 0; the exit code of its program.
inline int printHoldingTorque(const espalier::SystemSpec& spec) {
  const auto model = espalier::compile(spec);
  if (!model) return std::fputs(model.diagnostics().toString().c_str(), stderr), 1;
  const double q[] = {0}, u[] = {0};
  double torque = 0;
  espalier::Workspace<double> ws(model->topology);
  espalier::kinematics(model->topology, model->lowered, q, u, ws);
  espalier::bias(model->topology, model->lowered, espalier::Vec3<double>{0, 0, -9.81}, ws, &torque);
  std::printf("holds 0.5 m of a %g kg rod: %.2f N m\n", model->mass, torque);
  return 0;
}
