// The coupler curves of a four-bar linkage. The crank turns once; the loop closes at every angle, and
// points of the coupler draw closed curves. Each is compared with the closed form, the meeting of two
// circles, and all are drawn as an SVG.
//
//   example_four_bar [curves.svg]

#include <cmath>
#include <complex>
#include <cstdio>
#include <fstream>
#include <numbers>

#include "espalier/world/world.h"

using Complex = std::complex<double>;  // x + i z: the linkage lies in the x-z plane

// Where a point of the coupler is, `along` and `across` it from the crank's pin, by geometry alone.
Complex closedForm(double crank, double along, double across) {
  const Complex A = std::polar(0.12, std::numbers::pi / 3 - crank), D = 0.40;  // a turn about y
  const double d = abs(D - A), a = (0.36 * 0.36 - 0.28 * 0.28 + d * d) / (2 * d);
  const Complex C = A + (D - A) / d * Complex(a, std::sqrt(0.36 * 0.36 - a * a));
  return A + (C - A) / 0.36 * Complex(along, across) + Complex(0, 0.5);
}

int main(int count, char** arguments) {
  espalier::World world;
  auto* robot = world.addArticulatedSystem("models/four_bar/four_bar.urdf");
  std::ofstream svg(count > 1 ? arguments[1] : "/dev/null");
  svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-0.2 -0.95 0.7 0.6' width='700'>\n"
         "<g fill='none' stroke-width='0.003' stroke='#d4724f'>\n";
  const Complex along(0.314644 / 0.36, 0.174927 / 0.36);  // the coupler in its own frame

  double difference = 0;
  for (double across : {-0.10, -0.05, 0.0, 0.05, 0.10, 0.15}) {
    double length = 0;
    Complex last;
    svg << "<path d='M";
    for (int i = 0; i <= 360; ++i) {
      const double crank = i * std::numbers::pi / 180;
      robot->setGeneralizedCoordinate({crank});  // the other joints follow
      const Complex local = along * Complex(0.18, across);
      Eigen::Vector3d point;
      robot->getPosition(robot->getBodyIdx("coupler"), {local.real(), 0, local.imag()}, point);
      const Complex p(point.x(), point.z());
      difference = std::max(difference, abs(p - closedForm(crank, 0.18, across)));
      if (i > 0) length += abs(p - last);
      last = p;
      svg << ' ' << p.real() << ',' << -p.imag();
    }
    svg << "'/>\n";
    std::printf("%+.2f m across the coupler: a curve of %.5f m\n", across, length);
  }
  const Eigen::Vector3d A = robot->getFramePosition("coupler");
  Eigen::Vector3d C;
  robot->getPosition(robot->getBodyIdx("coupler"), {0.314644, 0, 0.174927}, C);
  svg << "<path stroke='#26323d' d='M0,-0.5 " << A[0] << ',' << -A[2] << ' ' << C[0] << ',' << -C[2]
      << " 0.4,-0.5'/></g></svg>\n";
  std::printf("largest difference from the closed form: %.1e m\n", difference);
}
