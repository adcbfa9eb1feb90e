#include <tinyxml2.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "espalier/geometry/hull.h"
#include "espalier/io/mjcf_parts.h"

namespace espalier::io {
namespace {

namespace fs = std::filesystem;

void readMeshAsset(MjcfReading& reading, const MjcfNode& mesh) {
  mesh.expect(
      {"name", "class", "file", "scale", "vertex", "face", "refpos", "refquat", "inertia",
       "maxhullvert"},
      {"normal", "texcoord", "smoothnormal", "content_type", "material", "octree_maxdepth"});
  std::string name = mesh.text("name");
  if (name.empty()) name = fs::path(mesh.text("file")).stem().string();
  if (name.empty()) {
    mesh.error("a <mesh> has neither name nor file", "add name=\"...\"");
  } else if (!reading.meshAssets.try_emplace(name, MjcfMesh{&mesh.element(), nullptr}).second) {
    mesh.error("there are two meshes " + shown(name), "give each mesh a name of its own");
  }
}

void readColour(MjcfReading& reading, const MjcfNode& material) {
  std::array<double, 4> rgba{1, 1, 1, 1};
  material.colour("rgba", rgba);
  reading.colours.emplace(material.text("name"), rgba);
}

std::string pathOf(const MjcfCompiler& compiler, const std::string& file) {
  fs::path path(file);
  if (compiler.stripPath) path = path.filename();
  if (compiler.meshFolder.empty() || path.is_absolute()) return path.string();
  return (fs::path(compiler.meshFolder) / path).lexically_normal().string();
}

/// The faces of the hull, each a fan of triangles; null where the points are flat.
std::shared_ptr<const TriangleMesh> hullMesh(const TriangleMesh& points) {
  const auto hull = convexHull(points);
  if (hull == nullptr) return nullptr;
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->vertices = hull->vertices;
  for (const Hull::Face& face : hull->faces) {
    const auto corner = [&](int i) { return hull->corners[static_cast<std::size_t>(i)]; };
    for (int i = face.begin + 2; i < face.end; ++i) {
      mesh->triangles.push_back({corner(face.begin), corner(i - 1), corner(i)});
    }
  }
  return mesh;
}

/// The mesh that stands in the file itself; null and an Error where it is none.
std::shared_ptr<const TriangleMesh> readVertices(const MjcfNode& mesh, const Vec3d& scale) {
  const std::vector<double> v = mesh.list("vertex"), f = mesh.list("face");
  auto read = std::make_shared<TriangleMesh>();
  for (std::size_t i = 0; i + 2 < v.size(); i += 3) {
    read->vertices.push_back({v[i] * scale.x, v[i + 1] * scale.y, v[i + 2] * scale.z});
  }
  bool good = v.size() % 3 == 0 && f.size() % 3 == 0 && v.size() >= 12;
  const auto count = static_cast<double>(read->vertices.size());
  for (const double index : f) {
    good = good && index >= 0 && index < count && index == std::floor(index);
  }
  if (!good) {
    mesh.error("the mesh has no good vertices and faces",
               "give four points or more, and faces by the vertices' numbers 0, 1, ...");
    return nullptr;
  }
  const bool isMirrored = scale.x * scale.y * scale.z < 0;
  for (std::size_t i = 0; i < f.size(); i += 3) {
    std::array<int, 3> t{static_cast<int>(f[i]), static_cast<int>(f[i + 1]),
                         static_cast<int>(f[i + 2])};
    if (isMirrored) std::swap(t[1], t[2]);
    read->triangles.push_back(t);
  }
  if (!f.empty()) return read;
  auto hull = hullMesh(*read);
  if (hull == nullptr) mesh.error("the mesh's points are flat", "give points that span a volume");
  return hull;
}

/// refpos and refquat: where the mesh's frame lies in the file's.
Transformd meshFrame(const MjcfReading& reading, const MjcfNode& mesh, const Vec3d& scale) {
  Transformd X = identityTransform<double>();
  double p[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0};
  mesh.numbers("refpos", p);
  X.p = {p[0] * scale.x, p[1] * scale.y, p[2] * scale.z};
  if (!mesh.numbers("refquat", q)) return X;
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 1e-6) || !std::isfinite(length)) {
    mesh.error("<mesh refquat> is no rotation", "give a quaternion such as 1 0 0 0");
    return X;
  }
  X.R = rotation(Quat<double>{q[0] / length, q[1] / length, q[2] / length, q[3] / length});
  const bool isUniform = scale.x == scale.y && scale.y == scale.z;
  if (!isUniform) {
    mesh.once(Severity::Warning, "refquat", "a mesh is turned first and then stretched unevenly",
              "write the mesh again in the frame it shall have; here it is stretched first");
  }
  (void)reading;
  return X;
}

bool enclosesVolume(const MeshShape& mesh) {
  const double v = volume(mesh);
  return std::isfinite(v) && v > 0;
}

/// What mass is spread over: the mesh, or its hull where it says so or is not closed.
MeshShape solidOf(const MjcfNode& mesh, MeshShape shape) {
  const std::string how = mesh.text("inertia");
  if (how == "shell") {
    mesh.once(Severity::Warning, "shell", "a mesh is not read as a shell: its mass fills it",
              "give the body an <inertial>");
  }
  if (!shape.data || (how != "convex" && enclosesVolume(shape))) return shape;
  if (how != "convex") {
    mesh.warn("the mesh encloses no volume: its mass fills its convex hull",
              "close the mesh, or give the body an <inertial>");
  }
  return {shape.file, hullMesh(*shape.data)};
}

}  // namespace

void readMjcfAsset(MjcfReading& reading, const MjcfNode& asset) {
  for (const XMLElement* e : asset.children()) {
    const std::string_view tag = e->Name();
    const MjcfNode node = reading.node(*e, reading.mainClass());
    if (tag == "mesh") readMeshAsset(reading, node);
    if (tag == "material") readColour(reading, node);
    if (tag == "hfield" || tag == "model" || tag == "skin" || tag == "flex" || tag == "plugin") {
      node.once(Severity::Warning, "asset " + std::string(tag),
                "<" + std::string(tag) + "> is not read",
                "what uses it is left out; said once for all of its kind");
    }
  }
  asset.xml().expectChildren(
      asset.element(), {"mesh", "material", "hfield", "model", "skin", "flex", "plugin", "include"},
      {"texture"});
}

namespace {

/// A mesh collides as its hull, also on bodies that stand still. maxhullvert is -1 for all of its
/// vertices, or above 3.
void readHullOptions(const MjcfNode& mesh, MeshShape& shape) {
  shape.isConvex = true;
  if (!mesh.has("maxhullvert")) return;
  const int most = mesh.integer("maxhullvert", -1);
  if (most == -1) {
    shape.maxHullVertices = std::numeric_limits<int>::max();
  } else if (most < 4) {
    mesh.error("maxhullvert is " + std::to_string(most), "give -1 or a number above 3");
  } else {
    shape.maxHullVertices = most;
  }
}

}  // namespace

std::optional<MjcfMeshUse> useMjcfMesh(MjcfReading& reading, const MjcfNode& geom, bool collides,
                                       bool hasMass) {
  const std::string name = geom.text("mesh");
  const auto asset = reading.meshAssets.find(name);
  if (asset == reading.meshAssets.end()) {
    geom.error("there is no mesh " + shown(name), "add a <mesh> of that name to <asset>");
    return std::nullopt;
  }
  const MjcfNode mesh = reading.node(*asset->second.element, reading.mainClass());
  double s[3] = {1, 1, 1};
  mesh.numbers("scale", s);
  MjcfMeshUse use;
  use.scale = {s[0], s[1], s[2]};
  if (s[0] == 0 || s[1] == 0 || s[2] == 0) {
    mesh.error("<mesh scale> has a zero", "give a scale such as 1 1 1");
    return std::nullopt;
  }
  readHullOptions(mesh, use.shape);
  use.X_GM = inverse(meshFrame(reading, mesh, use.scale));
  if (mesh.has("vertex")) {
    use.shape.data = readVertices(mesh, use.scale);
    if (!use.shape.data) return std::nullopt;
    use.scale = {1, 1, 1};
    if (hasMass) use.solid = solidOf(mesh, use.shape);
    return use;
  }
  if (mesh.text("file").empty()) {
    mesh.error("the mesh has neither file nor vertices", "add file=\"...\"");
    return std::nullopt;
  }
  const std::string path = pathOf(reading.compiler, mesh.text("file"));
  const int line = mesh.element().GetLineNum();
  const MeshShape read = reading.meshes.get(mesh.xml(), line, path, use.scale, collides || hasMass);
  use.shape.file = read.file;
  use.shape.data = read.data;
  if (!hasMass) return use;
  MeshShape solid = use.shape;
  if (!solid.data) solid = reading.massMeshes.get(mesh.xml(), line, path, use.scale, true);
  if (!solid.data) {
    geom.error("the mass of a geom is that of the mesh " + shown(name) + ", which is not there",
               "give the body an <inertial>, or add the mesh's folder to the search paths");
    return use;
  }
  use.solid = solidOf(mesh, solid);
  return use;
}

}  // namespace espalier::io
