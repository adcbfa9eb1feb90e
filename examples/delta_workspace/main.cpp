// The workspace of a delta robot: where its tool can be while each of its motors keeps its limits. The
// motors' angles are scanned; the loops close at each. The volume is the sum of |det J| over the cells
// of the scan, J = d(tool) / d(motors). The picture shows the points from the side.
//
//   example_delta_workspace [models/delta/delta.urdf [workspace.svg]]

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "espalier/world/world.h"

int main(int count, char** arguments) {
  espalier::World world;
  auto* robot = world.addArticulatedSystem(count > 1 ? arguments[1] : "models/delta/delta.urdf");
  const espalier::Vec<2> limits = robot->getJointLimits()[1];  // those of all three motors
  std::ofstream svg(count > 2 ? arguments[2] : "/dev/null");
  svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-0.4 -0.9 0.8 0.7' width='800'>\n";

  const int cells = 16;
  const double step = (limits[1] - limits[0]) / cells;
  Eigen::Vector3d lowest, highest;
  lowest.setConstant(1), highest.setConstant(-1);
  double volume = 0;
  int reached = 0;
  for (int i = 0; i < cells * cells * cells; ++i) {
    const Eigen::Vector3d cell(i / (cells * cells), i / cells % cells, i % cells);
    const Eigen::VectorXd angles = (limits[0] + (cell.array() + 0.5) * step).matrix();
    try {
      robot->setGeneralizedCoordinate(angles);
    } catch (const std::invalid_argument&) {
      continue;  // the rods are too short
    }
    const Eigen::Vector3d tool = robot->getFramePosition("tool_mount");
    volume +=
        std::abs(robot->getDenseFrameJacobian("tool_mount").determinant()) * std::pow(step, 3);
    lowest = lowest.cwiseMin(tool);
    highest = highest.cwiseMax(tool);
    ++reached;
    svg << "<circle cx='" << tool[0] << "' cy='" << -tool[2] << "' r='0.002' fill='hsl("
        << int(200 + 400 * tool[1]) << ",50%,45%)'/>\n";
  }
  svg << "</svg>\n";
  std::printf("%d of %d postures can be assembled\n", reached, cells * cells * cells);
  std::printf("x from %.4f to %.4f m, z from %.4f to %.4f m\n", lowest[0], highest[0], lowest[2],
              highest[2]);
  std::printf("volume %.6f m^3\n", volume);
}
