// A program of somebody else's: reads a robot from text and asks for the torque that holds it.

#include <cstdio>

#include "espalier/io/urdf/urdf.h"
#include "holding_torque.h"

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
  return printHoldingTorque(*spec);
}
