// A program of somebody else's that has Espalier as a folder: describes a robot in C++ and asks for the
// torque that holds it. Of the library it links what that needs.

#include <cstdio>

#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/model.h"

int main() {
  espalier::LinkSpec rod;
  rod.name = "rod";
  rod.inertial.emplace();
  rod.inertial->mass = 2;
  rod.inertial->X_LC.p = {0.5, 0, 0};
  rod.inertial->I = {0.01, 0, 0, 0.1, 0, 0.1};
  espalier::JointSpec hinge;
  hinge.name = "hinge";
  hinge.kind = espalier::JointKind::Revolute;
  hinge.parent = "base";
  hinge.child = "rod";
  hinge.axes[0] = {0, -1, 0};
  espalier::SystemSpec spec;
  spec.name = "rod";
  spec.fixedBase = true;
  spec.links.resize(1);
  spec.links[0].name = "base";
  spec.links.push_back(rod);
  spec.joints.push_back(hinge);
  const auto model = espalier::compile(spec);
  if (!model) return std::fputs(model.diagnostics().toString().c_str(), stderr), 1;

  const double q[] = {0}, u[] = {0};
  double torque = 0;
  espalier::Workspace<double> ws(model->topology);
  espalier::kinematics(model->topology, model->lowered, q, u, ws);
  espalier::bias(model->topology, model->lowered, espalier::Vec3<double>{0, 0, -9.81}, ws, &torque);
  std::printf("holds 0.5 m of a %g kg rod: %.2f N m\n", model->mass, torque);
}
