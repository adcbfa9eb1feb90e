// A program of somebody else's: reads a robot from text and asks for the torque that holds it.

#include <cstdio>

#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/model/model.h"

constexpr char kRod[] = R"(
<robot name="rod">
  <link name="world"/>
  <joint name="hinge" type="continuous">
    <parent link="world"/> <child link="rod"/> <axis xyz="0 -1 0"/>
  </joint>
  <link name="rod">
    <inertial>
      <origin xyz="0.5 0 0"/> <mass value="2"/>
      <inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
</robot>)";

int main() {
  const auto spec = espalier::io::parseUrdf(kRod);
  if (!spec) return std::fputs(spec.diagnostics().toString().c_str(), stderr), 1;
  const auto model = espalier::compile(*spec);
  if (!model) return std::fputs(model.diagnostics().toString().c_str(), stderr), 1;

  const double q[] = {0}, u[] = {0};
  double torque = 0;
  espalier::Workspace<double> ws(model->topology);
  espalier::kinematics(model->topology, model->lowered, q, u, ws);
  espalier::bias(model->topology, model->lowered, espalier::Vec3<double>{0, 0, -9.81}, ws, &torque);
  std::printf("holds 0.5 m of a %g kg rod: %.2f N m\n", model->mass, torque);
}
