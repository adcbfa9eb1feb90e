// Any robot file as URDF+, for peers whose readers know less.
//
//   bench_export FILE [SEARCH_FOLDER...] > ROBOT.urdf
//
// With folders to search, shapes that collide stand in it as triangles and visuals are left out;
// without, meshes keep their names.
#include <cstdio>

#include "espalier/io/export/export.h"
#include "espalier/io/urdf/urdf.h"

namespace {

void keepCollisionsAlone(espalier::SystemSpec& system) {
  for (espalier::LinkSpec& link : system.links) {
    link.visuals.clear();
    for (espalier::CollisionSpec& collision : link.collisions)
      if (auto* mesh = std::get_if<espalier::MeshShape>(&collision.shape)) mesh->file.clear();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_export FILE [SEARCH_FOLDER...]\n");
    return 2;
  }
  espalier::io::UrdfOptions options;
  options.searchPaths.assign(argv + 2, argv + argc);
  options.loadMeshes = argc > 2;
  options.keepsHinges = true;  // bench/mjcf.py makes them joints of one body
  auto spec = espalier::io::loadRobot(argv[1], options);
  if (!spec) {
    std::fprintf(stderr, "%s\n", spec.diagnostics().toString().c_str());
    return 1;
  }
  if (options.loadMeshes) keepCollisionsAlone(*spec);
  std::fputs(espalier::io::exportUrdf(*spec).c_str(), stdout);
  return 0;
}
