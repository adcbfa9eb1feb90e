// Meshes as bytes, read back by what docs/viewer_protocol.md says of them.

#include "espalier/visual/mesh_blob.h"

#include <gtest/gtest.h>

#include <cstring>

namespace espalier {
namespace {

template <class T>
std::vector<T> take(const MeshBlob& blob, std::size_t& at, std::size_t count) {
  std::vector<T> values(count);
  std::memcpy(values.data(), blob.bytes.data() + at, count * sizeof(T));
  at += count * sizeof(T);
  return values;
}

const TriangleMesh square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};

TEST(MeshBlob, Plain) {
  const auto blob = meshBlob(square);
  std::size_t at = 0;
  EXPECT_EQ(take<std::uint32_t>(*blob, at, 4), (std::vector<std::uint32_t>{4, 2, 0, 0}));
  EXPECT_EQ(take<float>(*blob, at, 12), (std::vector<float>{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}));
  EXPECT_EQ(take<std::uint32_t>(*blob, at, 6), (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(at, blob->bytes.size());
}

TEST(MeshBlob, ColorsSplitTheVerticesWhereTheyMeet) {
  TriangleMesh mesh = square;
  const Rgba8 red{255, 0, 0, 255}, green{0, 255, 0, 255};
  mesh.colors = {red, green};
  const auto blob = meshBlob(mesh);
  std::size_t at = 0;
  EXPECT_EQ(take<std::uint32_t>(*blob, at, 4), (std::vector<std::uint32_t>{6, 2, 1, 0}));
  const auto places = take<float>(*blob, at, 18);
  const auto corners = take<std::uint32_t>(*blob, at, 6);
  const auto colors = take<Rgba8>(*blob, at, 6);
  EXPECT_EQ(at, blob->bytes.size());
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3d& v = square.vertices[square.triangles[i / 3][i % 3]];
    EXPECT_EQ(places[3 * corners[i]], static_cast<float>(v.x));
    EXPECT_EQ(places[3 * corners[i] + 1], static_cast<float>(v.y));
    EXPECT_EQ(colors[corners[i]], i < 3 ? red : green);
  }
  mesh.colors = {red, red};
  EXPECT_EQ(meshBlob(mesh)->bytes.size(), 16u + 12 * 4 + 12 * 2 + 4 * 4);
  EXPECT_NE(meshBlob(mesh)->hash, blob->hash);
}

}  // namespace
}  // namespace espalier
