// The workspace of a delta robot: where its tool can be while each of its motors keeps its limits. The
// motors' angles are scanned to and fro, since loops close from the posture before: a jump may end on
// another branch, with a platform askew. The volume is the sum of |det J| over the cells of the scan,
// J = d(tool) / d(motors). The picture shows the points from the side.
//
//   example_delta_workspace [workspace.svg]

#include <Eigen/LU>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "espalier/world/world.h"

int main(int count, char** arguments) {
  espalier::World world;
  auto* robot = world.addArticulatedSystem("models/delta/delta.urdf");
  const espalier::Vec<2> limits = robot->getJointLimits()[1];  // those of all three motors
  std::ofstream svg(count > 1 ? arguments[1] : "/dev/null");
  svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-0.3 -0.7 0.6 0.45' width='800'>\n";
  svg.precision(4);

  const int cells = 16;
  const double step = (limits[1] - limits[0]) / cells;
  Eigen::Vector3d lowest, highest;
  lowest.setConstant(1), highest.setConstant(-1);
  double volume = 0;
  for (int i = 0; i < cells * cells * cells; ++i) {
    const int first = i / (cells * cells), second = i / cells % cells, third = i % cells;
    const Eigen::Vector3d cell(first, first % 2 == 0 ? second : cells - 1 - second,
                               second % 2 == 0 ? third : cells - 1 - third);
    robot->setGeneralizedCoordinate(limits[0] + (cell.array() + 0.5) * step);
    const Eigen::Vector3d tool = robot->getFramePosition("tool_mount");
    const Eigen::Matrix3d J = robot->getDenseFrameJacobian("tool_mount");
    volume += std::abs(J.determinant()) * std::pow(step, 3);
    lowest = lowest.cwiseMin(tool);
    highest = highest.cwiseMax(tool);
    svg << "<circle cx='" << tool[0] << "' cy='" << -tool[2] << "' r='0.002' fill='hsl("
        << int(200 + 400 * tool[1]) << ",50%,45%)'/>\n";
  }
  svg << "</svg>\n";
  std::printf("x from %.4f to %.4f m, z from %.4f to %.4f m\n", lowest[0], highest[0], lowest[2],
              highest[2]);
  std::printf("volume %.6f m^3\n", volume);
}
