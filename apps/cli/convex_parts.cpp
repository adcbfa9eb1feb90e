#include "apps/cli/convex_parts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "apps/cli/failure.h"
#include "espalier/geometry/hull.h"
#include "espalier/io/child_process.h"
#include "espalier/io/decomposition.h"
#include "espalier/io/text_file.h"

namespace espalier::cli {

extern const char* const convex_parts_script;  // convex_parts.py, put into a .cpp by CMake

namespace {

namespace fs = std::filesystem;

constexpr int exit_missing_package = 3;

/// A folder that is gone with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "espalier.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Failure({Severity::Error, name, 0, "a temporary folder cannot be made",
                     "let TMPDIR name a folder that can be written"});
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code code;
    fs::remove_all(path_, code);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

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

std::string pythonOf(const DecompositionOptions& options) {
  std::error_code code;
  if (!options.python.empty()) return options.python;
  return fs::exists(ESPALIER_PYTHON, code) ? ESPALIER_PYTHON : "python3";
}

std::string lastLineOf(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return "it says nothing";
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

void requireSuccess(const io::ChildResult& child, const std::string& python,
                    const std::string& file) {
  if (!child.wasStarted)
    throw Failure({Severity::Error, file, 0, "the Python '" + python + "' cannot be started",
                   "name one with --python"});
  if (child.exitCode == exit_missing_package)
    throw Failure({Severity::Error, file, 0,
                   "the Python '" + python + "' lacks the package " + lastLineOf(child.out) +
                       ", which takes meshes apart",
                   "run '" + python + " -m pip install coacd', or name another one with --python"});
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
  const std::string python = pythonOf(options);
  write(mesh, from);
  io::ChildLimits limits;
  limits.seconds = 3600;
  limits.memory = std::size_t{256} << 30;  // of addresses: threads of its libraries reserve many
  requireSuccess(io::runChild({python, "-c", convex_parts_script, from, to,
                               fmt::format("{}", options.threshold),
                               fmt::format("{}", options.mostHulls > 0 ? options.mostHulls : -1)},
                              limits),
                 python, file);
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
