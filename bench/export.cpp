// Any robot file as URDF+, for peers whose readers know less.
//
//   bench_export FILE > ROBOT.urdf
#include <cstdio>

#include "espalier/io/export.h"
#include "espalier/io/urdf.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_export FILE\n");
    return 2;
  }
  espalier::io::UrdfOptions options;
  options.loadMeshes = false;
  const auto spec = espalier::io::loadRobot(argv[1], options);
  if (!spec) {
    std::fprintf(stderr, "%s\n", spec.diagnostics().toString().c_str());
    return 1;
  }
  std::fputs(espalier::io::exportUrdf(*spec).c_str(), stdout);
  return 0;
}
