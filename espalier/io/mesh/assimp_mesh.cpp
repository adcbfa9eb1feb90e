#include "espalier/io/mesh/mesh_formats.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "espalier/io/text/child_process.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/text_file.h"

namespace espalier::io {
namespace {

constexpr double patience = 60;                                // s
constexpr std::size_t least_memory = std::size_t{1024} << 20;  // bytes
constexpr std::size_t memory_per_byte = 16;                    // of the file

/// Header of the child's output; then come the mesh's vertices, triangles and colours, or the
/// problem's two texts.
struct Header {
  std::uint64_t vertices = 0, triangles = 0, colors = 0;  ///< counts
  std::uint64_t what = 0, remedy = 0;                     ///< bytes
};

void writeMesh(int fd, const Expected<TriangleMesh>& mesh) {
  if (mesh) {
    const Header header{mesh->vertices.size(), mesh->triangles.size(), mesh->colors.size(), 0, 0};
    writeAll(fd, &header, sizeof header);
    writeAll(fd, mesh->vertices.data(), mesh->vertices.size() * sizeof(Vec3d));
    writeAll(fd, mesh->triangles.data(), mesh->triangles.size() * sizeof(std::array<int, 3>));
    writeAll(fd, mesh->colors.data(), mesh->colors.size() * sizeof(Rgba8));
    return;
  }
  const Diagnostic& d = mesh.diagnostics().all().front();
  const Header header{0, 0, 0, d.what.size(), d.remedy.size()};
  writeAll(fd, &header, sizeof header);
  writeAll(fd, d.what.data(), d.what.size());
  writeAll(fd, d.remedy.data(), d.remedy.size());
}

/// Whether every triangle is of vertices that are there, and all or none have colours.
bool isSound(const TriangleMesh& mesh) {
  if (!mesh.colors.empty() && mesh.colors.size() != mesh.triangles.size()) return false;
  const auto count = static_cast<int>(mesh.vertices.size());
  for (const std::array<int, 3>& t : mesh.triangles) {
    for (const int v : t)
      if (v < 0 || v >= count) return false;
  }
  return true;
}

/// The child's output; none where it is incomplete.
std::optional<Expected<TriangleMesh>> parsed(const std::string& bytes, const std::string& path) {
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const char* body = bytes.data() + sizeof header;
  const std::size_t size = bytes.size() - sizeof header;
  if (header.what > 0) {
    if (header.what > size || header.remedy != size - header.what) return std::nullopt;
    return problem(path, {body, header.what}, {body + header.what, header.remedy});
  }
  if (header.vertices > size / sizeof(Vec3d) ||
      header.triangles > size / sizeof(std::array<int, 3>) || header.colors > size / sizeof(Rgba8))
    return std::nullopt;
  TriangleMesh mesh;
  mesh.vertices.resize(header.vertices);
  mesh.triangles.resize(header.triangles);
  mesh.colors.resize(header.colors);
  const std::size_t places = header.vertices * sizeof(Vec3d);
  const std::size_t corners = header.triangles * sizeof(std::array<int, 3>);
  const std::size_t colors = header.colors * sizeof(Rgba8);
  if (places + corners + colors != size) return std::nullopt;
  if (places > 0) std::memcpy(mesh.vertices.data(), body, places);
  if (corners > 0) std::memcpy(mesh.triangles.data(), body + places, corners);
  if (colors > 0) std::memcpy(mesh.colors.data(), body + places + corners, colors);
  if (!isSound(mesh)) return std::nullopt;
  return mesh;
}

Diagnostics failure(const std::string& path, const ChildResult& run, const ChildLimits& limits) {
  const std::string again = "write the mesh again as binary STL or OBJ";
  if (!run.wasStarted) {
    return problem(path, "the mesh cannot be read: no process can be started for it",
                   "free memory or processes, or convert the mesh to STL or OBJ, which need none");
  }
  if (run.hasTimedOut) {
    return problem(
        path,
        "the mesh was not read within " + std::to_string(static_cast<int>(limits.seconds)) + " s",
        again);
  }
  if (run.exitCode == child_out_of_memory) {
    return problem(
        path,
        "the mesh cannot be read within " + std::to_string(limits.memory >> 20) + " MiB of memory",
        again);
  }
  return problem(path,
                 "the mesh is broken: its reader crashed" +
                     (run.signal != 0 ? " with signal " + std::to_string(run.signal) : ""),
                 again);
}

}  // namespace

Expected<TriangleMesh> readByAssimp(const std::string& path, const Vec3d& scale) {
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  ChildLimits limits;
  limits.seconds = patience;
  limits.memory = least_memory + memory_per_byte * (code ? 0 : static_cast<std::size_t>(size));
  limits.output = default_limits.triangles * (sizeof(std::array<int, 3>) + 3 * sizeof(Vec3d));
  const ChildResult run =
      runInChild([&](int fd) { writeMesh(fd, readByAssimpHere(path, scale)); }, limits);
  if (run.wasStarted && !run.hasTimedOut && !run.hasOverflown) {
    if (auto mesh = parsed(run.out, path)) return *std::move(mesh);
  }
  return failure(path, run, limits);
}

}  // namespace espalier::io
