// A mesh asset as its geoms use it: its pose, its collision shape, and its mass.

#include <tinyxml2.h>

#include <cmath>
#include <limits>

#include "espalier/geometry/hull.h"
#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

/// The surface of the points' hull; null where the points are flat.
std::shared_ptr<const TriangleMesh> hullMesh(const TriangleMesh& points, int maxVertices) {
  const auto hull = convexHull(points, maxVertices);
  return hull == nullptr ? nullptr : std::make_shared<TriangleMesh>(hullSurface(*hull));
}

/// Of a mesh's hull: maxhullvert, or all.
int mostHullVertices(const MjcfNode& mesh) {
  const int most = mesh.integer("maxhullvert", -1);
  return most < 4 ? std::numeric_limits<int>::max() : most;
}

/// The mesh that stands in the file itself, without its scale; null and an Error where it is none.
std::shared_ptr<const TriangleMesh> readVertices(const MjcfNode& mesh) {
  const std::vector<double> v = mesh.list("vertex"), f = mesh.list("face");
  auto read = std::make_shared<TriangleMesh>();
  for (std::size_t i = 0; i + 2 < v.size(); i += 3)
    read->vertices.push_back({v[i], v[i + 1], v[i + 2]});
  bool good = v.size() % 3 == 0 && f.size() % 3 == 0 && v.size() >= 12;
  const auto count = static_cast<double>(read->vertices.size());
  for (const double index : f)
    good = good && index >= 0 && index < count && index == std::floor(index);
  if (!good) {
    mesh.error("the mesh has no good vertices and faces",
               "give four points or more, and faces by the vertices' numbers 0, 1, ...");
    return nullptr;
  }
  for (std::size_t i = 0; i < f.size(); i += 3) {
    read->triangles.push_back(
        {static_cast<int>(f[i]), static_cast<int>(f[i + 1]), static_cast<int>(f[i + 2])});
  }
  if (!f.empty()) return read;
  auto hull = hullMesh(*read, mostHullVertices(mesh));
  if (hull == nullptr) mesh.error("the mesh's points are flat", "give points that span a volume");
  return hull;
}

/// refpos and refquat: the frame of the mesh in that of its file, before the scale.
Transformd referenceFrame(const MjcfNode& mesh) {
  Transformd X = identityTransform<double>();
  X.p = mesh.vector("refpos", {0, 0, 0});
  double q[4];
  if (!mesh.numbers("refquat", q)) return X;
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 1e-6) || !std::isfinite(length)) {
    mesh.error("<mesh refquat> is no rotation", "give a quaternion such as 1 0 0 0");
    return X;
  }
  X.R = rotation(Quat<double>{q[0] / length, q[1] / length, q[2] / length, q[3] / length});
  return X;
}

bool isMirrored(const Vec3d& scale) { return scale.x * scale.y * scale.z < 0; }

/// Every vertex v as scale * X^-1 v, faces still seen from outside.
TriangleMesh placed(const TriangleMesh& mesh, const Transformd& X, const Vec3d& scale) {
  TriangleMesh out = mesh;
  for (Vec3d& v : out.vertices) {
    v = tmul(X.R, v - X.p);
    v = {v.x * scale.x, v.y * scale.y, v.z * scale.z};
  }
  if (isMirrored(scale))
    for (auto& t : out.triangles) std::swap(t[1], t[2]);
  return out;
}

MjcfMeshMass readMassRule(const MjcfReading& reading, const MjcfNode& mesh) {
  const std::string how = mesh.text("inertia");
  if (how == "convex") return MjcfMeshMass::CONVEX;
  if (how == "exact") return MjcfMeshMass::EXACT;
  if (how == "shell") return MjcfMeshMass::SHELL;
  if (!how.empty() && how != "legacy")
    mesh.error("<mesh inertia> is " + shown(how), "write convex, exact, legacy or shell");
  const bool isExact = how.empty() && reading.compiler.exactMeshInertia;
  return isExact ? MjcfMeshMass::EXACT : MjcfMeshMass::LEGACY;
}

/// The solid over which mass is spread, in the mesh's frame. MuJoCo keeps vertices in single
/// precision; so do these, for the same mass.
///   in   unscaled  as in the file
std::optional<MjcfSolid> solidOf(const MjcfReading& reading, const MjcfNode& mesh,
                                 const TriangleMesh& unscaled, const Vec3d& scale) {
  TriangleMesh rounded = unscaled;
  const auto toFloat = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  for (Vec3d& v : rounded.vertices) v = {toFloat(v.x), toFloat(v.y), toFloat(v.z)};
  const MjcfMeshMass rule = readMassRule(reading, mesh);
  const Transformd X = referenceFrame(mesh);
  if (rule != MjcfMeshMass::CONVEX) {
    const auto solid = mjcfMeshSolid(placed(rounded, X, scale), rule);
    if (solid) return solid;
    mesh.warn("the mesh encloses no volume: its mass fills its convex hull",
              "close the mesh, write inertia=\"shell\", or give the body an <inertial>");
  }
  const auto hull = hullMesh(rounded, mostHullVertices(mesh));
  if (hull == nullptr) return std::nullopt;
  return mjcfMeshSolid(placed(*hull, X, scale), MjcfMeshMass::EXACT);
}

/// A mesh collides as its hull, also on bodies that stand still. maxhullvert is -1 for all of its
/// vertices, or above 3.
void readHullOptions(const MjcfNode& mesh, MeshShape& shape) {
  shape.isConvex = true;
  if (!mesh.has("maxhullvert")) return;
  const int most = mesh.integer("maxhullvert", -1);
  if (most == -1)
    shape.maxHullVertices = std::numeric_limits<int>::max();
  else if (most < 4)
    mesh.error("maxhullvert is " + std::to_string(most), "give -1 or a number above 3");
  else
    shape.maxHullVertices = most;
}

/// The frame of the file's mesh, scaled first, in the geom's.
Transformd shapeFrame(const MjcfNode& mesh, const Vec3d& scale) {
  Transformd X = referenceFrame(mesh);
  X.p = {X.p.x * scale.x, X.p.y * scale.y, X.p.z * scale.z};
  return inverse(X);
}

/// Whether scaling before the rotation of refquat is not the same as after it.
bool isSheared(const MjcfNode& mesh, const Vec3d& scale) {
  return mesh.has("refquat") && !(scale.x == scale.y && scale.y == scale.z);
}

std::optional<Vec3d> readScale(const MjcfNode& mesh) {
  const Vec3d scale = mesh.vector("scale", {1, 1, 1});
  if (scale.x != 0 && scale.y != 0 && scale.z != 0) return scale;
  mesh.error("<mesh scale> has a zero", "give a scale such as 1 1 1");
  return std::nullopt;
}

/// The geometry of a <mesh>, at one scale or another.
class MjcfMeshSource {
 public:
  MjcfMeshSource(MjcfReading& reading, const MjcfNode& mesh, bool isNeeded)
      : reading_(reading), mesh_(mesh), isNeeded_(isNeeded), hasVertices_(mesh.has("vertex")) {}

  /// False, and an Error, where it has none.
  bool open() {
    if (hasVertices_) {
      unscaled_ = readVertices(mesh_);
      return unscaled_ != nullptr;
    }
    const bool hasFile = !mesh_.text("file").empty();
    if (hasFile)
      path_ = mjcfAssetPath(reading_, mesh_);
    else
      mesh_.error("the mesh has neither file nor vertices", "add file=\"...\"");
    return hasFile;
  }
  void readUnscaled(bool hasMass) {
    if (hasVertices_) return;
    unscaled_ = load(reading_.meshes, {1, 1, 1}).data;
    if (!unscaled_ && hasMass) unscaled_ = load(reading_.massMeshes, {1, 1, 1}).data;
  }
  const std::shared_ptr<const TriangleMesh>& unscaled() const { return unscaled_; }

  void setShape(MjcfMeshUse& use) {
    if (isSheared(mesh_, use.scale) && unscaled_) {
      setData(use, referenceFrame(mesh_));
      use.X_GM = identityTransform<double>();
    } else if (hasVertices_) {
      setData(use, identityTransform<double>());
    } else {
      const MeshShape read = load(reading_.meshes, use.scale);
      use.shape.file = read.file;
      use.shape.data = read.data;
    }
  }

 private:
  MeshShape load(MeshLibrary& library, const Vec3d& scale) const {
    return library.get(mesh_.xml(), mesh_.element().GetLineNum(), path_, scale, isNeeded_);
  }
  void setData(MjcfMeshUse& use, const Transformd& X) const {
    use.shape.data = std::make_shared<TriangleMesh>(placed(*unscaled_, X, use.scale));
    use.scale = {1, 1, 1};
  }

  MjcfReading& reading_;
  const MjcfNode& mesh_;
  const bool isNeeded_, hasVertices_;
  std::string path_;
  std::shared_ptr<const TriangleMesh> unscaled_;
};

}  // namespace

std::optional<MjcfMeshUse> useMjcfMesh(MjcfReading& reading, const MjcfNode& geom, bool collides,
                                       bool hasMass) {
  const std::string name = geom.text("mesh");
  const auto* asset =
      lookUp(reading.meshAssets, geom, "mesh", "mesh", "add a <mesh> of that name to <asset>");
  if (asset == nullptr) return std::nullopt;
  const MjcfNode mesh = reading.node(**asset, reading.mainClass());
  const std::optional<Vec3d> scale = readScale(mesh);
  if (!scale) return std::nullopt;
  MjcfMeshUse use;
  use.scale = *scale;
  readHullOptions(mesh, use.shape);
  use.X_GM = shapeFrame(mesh, *scale);
  MjcfMeshSource source(reading, mesh, collides || hasMass);
  if (!source.open()) return std::nullopt;
  if (hasMass || isSheared(mesh, *scale)) source.readUnscaled(hasMass);
  source.setShape(use);
  if (!hasMass) return use;
  if (!source.unscaled()) {
    geom.error("the mass of a geom is that of the mesh " + shown(name) + ", which is not there",
               "give the body an <inertial>, or add the mesh's folder to the search paths");
    return use;
  }
  use.solid = solidOf(reading, mesh, *source.unscaled(), *scale);
  return use;
}

}  // namespace espalier::io
