#include "espalier/visual/mesh_blob.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "espalier/collision/heightfield.h"
#include "espalier/core/content_hash.h"

namespace espalier {
namespace {

std::string hexadecimal(std::uint64_t number) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; number >>= 4) text[i] = "0123456789abcdef"[number & 15];
  return text;
}

template <class T>
std::byte* put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
  return at + sizeof value;
}

/// A mesh whose vertices have colours: one vertex for each colour that meets there.
struct Painted {
  TriangleMesh mesh;
  std::vector<Rgba8> colors;  ///< of its vertices
};

Painted paintVertices(const TriangleMesh& mesh) {
  std::map<std::pair<int, Rgba8>, int> places;
  Painted out;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<int, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const int v = mesh.triangles[t][k];
      const auto [place, isNew] =
          places.try_emplace({v, mesh.colors[t]}, static_cast<int>(out.colors.size()));
      if (isNew) {
        out.mesh.vertices.push_back(mesh.vertices[v]);
        out.colors.push_back(mesh.colors[t]);
      }
      triangle[k] = place->second;
    }
    out.mesh.triangles.push_back(triangle);
  }
  return out;
}

std::shared_ptr<const MeshBlob> meshBlob(const TriangleMesh& mesh,
                                         const std::vector<Rgba8>& colors) {
  auto blob = std::make_shared<MeshBlob>();
  blob->bytes.resize(16 + 12 * (mesh.vertices.size() + mesh.triangles.size()) + 4 * colors.size());
  std::byte* at = blob->bytes.data();
  at = put(at, static_cast<std::uint32_t>(mesh.vertices.size()));
  at = put(at, static_cast<std::uint32_t>(mesh.triangles.size()));
  at = put(at, std::uint32_t{colors.empty() ? 0u : 1u});
  at = put(at, std::uint32_t{0});
  for (const Vec3d& v : mesh.vertices)
    for (double x : {v.x, v.y, v.z}) at = put(at, static_cast<float>(x));
  for (const std::array<int, 3>& corners : mesh.triangles)
    for (int corner : corners) at = put(at, static_cast<std::uint32_t>(corner));
  for (const Rgba8& color : colors) at = put(at, color);
  blob->hash = hexadecimal(contentHash(
      {reinterpret_cast<const char*>(blob->bytes.data()), blob->bytes.size()}, 0x4D455348));
  return blob;
}

}  // namespace

std::shared_ptr<const MeshBlob> meshBlob(const TriangleMesh& mesh) {
  if (mesh.colors.empty()) return meshBlob(mesh, {});
  const Painted painted = paintVertices(mesh);
  return meshBlob(painted.mesh, painted.colors);
}

TriangleMesh surfaceOf(const HeightfieldData& data) {
  const collision::Field field(data);
  TriangleMesh mesh;
  for (int j = 0; j < data.ySamples; ++j)
    for (int i = 0; i < data.xSamples; ++i) mesh.vertices.push_back(field.sample(i, j));
  const auto place = [&data](int i, int j) { return j * data.xSamples + i; };
  for (int j = 0; j < field.rows(); ++j)
    for (int i = 0; i < field.columns(); ++i) {
      mesh.triangles.push_back({place(i, j), place(i + 1, j), place(i + 1, j + 1)});
      mesh.triangles.push_back({place(i, j), place(i + 1, j + 1), place(i, j + 1)});
    }
  return mesh;
}

const MeshBlob& MeshStore::blobOf(const std::shared_ptr<const TriangleMesh>& mesh) {
  Entry& entry = entries_[mesh.get()];
  if (!entry.blob) entry = {mesh, meshBlob(*mesh)};
  entry.isShown = true;
  return *entry.blob;
}
const MeshBlob& MeshStore::blobOf(const std::shared_ptr<const HeightfieldData>& field) {
  Entry& entry = entries_[field.get()];
  if (!entry.blob) entry = {field, meshBlob(surfaceOf(*field))};
  entry.isShown = true;
  return *entry.blob;
}

void MeshStore::beginScene() {
  for (auto& [address, entry] : entries_) entry.isShown = false;
}
std::vector<std::shared_ptr<const MeshBlob>> MeshStore::endScene() {
  std::erase_if(entries_, [](const auto& entry) { return !entry.second.isShown; });
  std::map<std::string, std::shared_ptr<const MeshBlob>> byHash;
  for (const auto& [address, entry] : entries_) byHash.emplace(entry.blob->hash, entry.blob);
  std::vector<std::shared_ptr<const MeshBlob>> blobs;
  for (const auto& [hash, blob] : byHash) blobs.push_back(blob);
  return blobs;
}

}  // namespace espalier
