// A program of somebody else's that has Espalier as a folder: describes a robot in C++ and asks for the
// torque that holds it. Of the library it links what that needs.

#include "../holding_torque.h"

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
  return printHoldingTorque(spec);
}
