#include "apps/cli/convex_parts.h"

#include <fmt/format.h>

#include <fstream>

#include "apps/cli/failure.h"
#include "apps/cli/python.h"
#include "apps/cli/temporary_folder.h"
#include "espalier/geometry/hull.h"
#include "espalier/io/mesh/decomposition.h"
#include "espalier/io/text/text_file.h"

namespace espalier::cli {

extern const char* const convex_parts_script;  // convex_parts.py, put into a .cpp by CMake

namespace {

void write(const TriangleMesh& mesh, const std::string& path) {
  std::ofstream file(path);
  for (const Vec3d& v : mesh.vertices) file << fmt::format("v {} {} {}\n", v.x, v.y, v.z);
  for (const auto& t : mesh.triangles)
    file << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  file.close();
  if (!file)
    throw Failure({Severity::Error, path, 0, "it cannot be written",
                   "free some space, or let TMPDIR name another folder"});
}

void requireSuccess(const io::ChildResult& child, const std::string& file) {
  if (child.exitCode != 0)
    throw Failure({Severity::Error, file, 0,
                   child.hasTimedOut ? "the mesh was not taken apart in an hour"
                                     : "CoACD failed: " + lastLineOf(child.err),
                   "repair the mesh, make it coarser, or give a larger --threshold"});
}

}  // namespace

std::vector<TriangleMesh> convexParts(const TriangleMesh& mesh, const std::string& file,
                                      const DecompositionOptions& options) {
  const TemporaryFolder folder;
  const std::string from = folder.file("mesh.obj"), to = folder.file("hulls.obj");
  write(mesh, from);
  const PythonScript script{convex_parts_script, "takes meshes apart", 3600};
  requireSuccess(runPython(options.python, script,
                           {from, to, fmt::format("{}", options.threshold),
                            fmt::format("{}", options.mostHulls > 0 ? options.mostHulls : -1)},
                           file),
                 file);
  const Expected<std::string> text = io::readFileBytes(to, io::default_limits.meshFileBytes);
  Expected<std::vector<TriangleMesh>> hulls =
      text ? io::readHulls(*text, to) : Expected<std::vector<TriangleMesh>>(text.diagnostics());
  if (!hulls)
    throw Failure({Severity::Error, file, 0,
                   "CoACD's hulls cannot be read: " + hulls.diagnostics().all().front().what,
                   "repair the mesh"});
  std::erase_if(*hulls, [](const TriangleMesh& hull) { return convexHull(hull) == nullptr; });
  return std::move(hulls).value();
}

}  // namespace espalier::cli
