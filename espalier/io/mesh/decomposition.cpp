#include "espalier/io/mesh/decomposition.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "espalier/core/content_hash.h"
#include "espalier/io/mesh/mesh_formats.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".hulls.obj";
constexpr std::string_view content_tag = "# content ";
constexpr std::string_view object_tag = "o ";

std::string hashOf(std::string_view bytes) {
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx",
                static_cast<unsigned long long>(contentHash(bytes, 1)),
                static_cast<unsigned long long>(contentHash(bytes, 2)));
  return text;
}

/// Places where lines begin with `tag`.
std::vector<std::size_t> linesWith(std::string_view text, std::string_view tag) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    if (text.substr(at, tag.size()) == tag) places.push_back(at);
    if (text.find('\n', at) == std::string_view::npos) break;
  }
  return places;
}

/// The hash that the head of a decomposition holds; empty where it holds none.
std::string_view contentIn(std::string_view text) {
  const std::string_view head = text.substr(0, text.find("\no "));
  const auto places = linesWith(head, content_tag);
  if (places.empty()) return {};
  std::string_view line = head.substr(places.front() + content_tag.size());
  return trimmed(line.substr(0, line.find('\n')));
}

std::string nameOf(const std::string& path) { return fs::path(path).filename().string(); }

std::string toText(const TriangleMesh& hull, std::size_t index) {
  std::string text = std::string(object_tag) + "hull" + std::to_string(index) + "\n";
  char line[128];
  for (const Vec3d& v : hull.vertices) {
    std::snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", v.x, v.y, v.z);
    text += line;
  }
  const int n = static_cast<int>(hull.vertices.size());
  for (const auto& t : hull.triangles) {
    std::snprintf(line, sizeof line, "f %d %d %d\n", t[0] - n, t[1] - n, t[2] - n);
    text += line;
  }
  return text;
}

}  // namespace

std::string decompositionPath(const std::string& mesh) { return mesh + std::string(suffix); }

std::string decomposedMesh(const std::string& decomposition) {
  return decomposition.substr(0, decomposition.size() - suffix.size());
}

Expected<std::vector<TriangleMesh>> readHulls(std::string_view text, const std::string& path,
                                              const Vec3d& scale) {
  std::vector<std::size_t> places = linesWith(text, object_tag);
  if (places.empty())
    return problem(path, "there is no object in it", "begin each hull with a line 'o NAME'");
  places.push_back(text.size());
  std::vector<TriangleMesh> hulls;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    Expected<TriangleMesh> hull =
        readObj(text.substr(places[i], places[i + 1] - places[i]), path, scale);
    if (!hull) {
      const Diagnostic& first = hull.diagnostics().all().front();
      return problem(path, "hull " + std::to_string(i + 1) + ": " + first.what, first.remedy);
    }
    hulls.push_back(std::move(hull).value());
  }
  return hulls;
}

Diagnostics writeDecomposition(const std::string& mesh, const std::vector<TriangleMesh>& hulls,
                               const std::string& note) {
  const std::string path = decompositionPath(mesh);
  const Expected<std::string> bytes = readFileBytes(mesh, default_limits.meshFileBytes);
  if (!bytes) return bytes.diagnostics();
  std::string text = "# Convex hulls that " + nameOf(mesh) + " collides as; without this file it " +
                     "collides as one.\n# " + note + "\n" + std::string(content_tag) +
                     hashOf(*bytes) + "\n";
  for (std::size_t i = 0; i < hulls.size(); ++i) text += toText(hulls[i], i + 1);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return {};
  return problem(path, "it cannot be written",
                 "copy the mesh to a folder that can be written, and convert it there");
}

void Decompositions::apply(SystemSpec& system) {
  for (LinkSpec& link : system.links) apply(link.collisions);
}

void Decompositions::apply(BodySpec& body) {
  const auto isTerrain = [&](const CollisionSpec& c) {
    const auto* mesh = std::get_if<MeshShape>(&c.shape);
    return mesh != nullptr && body.type == BodyType::STATIC && !mesh->isConvex;
  };
  if (std::any_of(body.collisions.begin(), body.collisions.end(), isTerrain)) return;
  std::vector<CollisionSpec> whole = body.collisions;
  apply(body.collisions);
  if (body.collisions.size() == whole.size() || !body.visuals.empty()) return;
  for (CollisionSpec& c : whole) {  // the meshes are drawn, not their hulls
    VisualSpec& visual = body.visuals.emplace_back();
    visual.name = std::move(c.name);
    visual.shape = std::move(c.shape);
    visual.meshScale = c.meshScale;
    visual.X_LG = c.X_LG;
    visual.line = c.line;
  }
}

void Decompositions::apply(std::vector<CollisionSpec>& collisions) {
  std::vector<CollisionSpec> apart;
  for (CollisionSpec& c : collisions) {
    const auto* mesh = std::get_if<MeshShape>(&c.shape);
    const bool isWhole =
        mesh != nullptr && mesh->data != nullptr && !mesh->file.empty() && mesh->part == 0;
    const Hulls* hulls = isWhole ? &hullsOf(mesh->file, c.meshScale) : nullptr;
    if (hulls == nullptr || hulls->empty()) {
      apart.push_back(std::move(c));
      continue;
    }
    for (std::size_t i = 0; i < hulls->size(); ++i) {
      CollisionSpec& part = apart.emplace_back(c);
      auto& shape = std::get<MeshShape>(part.shape);
      shape.file = decompositionPath(mesh->file);
      shape.data = (*hulls)[i];
      shape.part = static_cast<int>(i) + 1;
      if (!c.name.empty()) part.name += "#" + std::to_string(shape.part);
    }
  }
  collisions = std::move(apart);
}

const Decompositions::Hulls& Decompositions::hullsOf(const std::string& mesh, const Vec3d& scale) {
  const Key key{mesh, {scale.x, scale.y, scale.z}};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  Hulls& hulls = known_[key];
  std::error_code code;
  const std::string path = decompositionPath(mesh);
  if (!fs::is_regular_file(path, code)) return hulls;
  Expected<Hulls> read = this->read(mesh, scale);
  if (read) {
    hulls = std::move(read).value();
    remark({Severity::Note, mesh, 0,
            "the mesh collides as " + std::to_string(hulls.size()) + " convex hulls, those of " +
                nameOf(path),
            "delete that file to let the mesh collide as one hull"});
  } else {
    const Diagnostic& first = read.diagnostics().all().front();
    remark({Severity::Warning, path, first.line, first.what + "; the mesh collides as one hull",
            first.remedy});
  }
  return hulls;
}

Expected<Decompositions::Hulls> Decompositions::read(const std::string& mesh,
                                                     const Vec3d& scale) const {
  const std::string path = decompositionPath(mesh);
  const std::string remedy = "run espalier convert " + mesh + ", or delete the file";
  const Expected<std::string> text = readFileBytes(path, default_limits.meshFileBytes);
  if (!text) return text.diagnostics();
  const Expected<std::string> bytes = readFileBytes(mesh, default_limits.meshFileBytes);
  if (!bytes) return bytes.diagnostics();
  if (contentIn(*text) != hashOf(*bytes))
    return problem(path, "its hulls are not those of " + nameOf(mesh) + " as it is now", remedy);
  Expected<std::vector<TriangleMesh>> read = readHulls(*text, path, scale);
  if (!read) return problem(path, read.diagnostics().all().front().what, remedy);
  Hulls hulls;
  for (TriangleMesh& hull : *read) {
    const std::size_t numbers = 3 * (hull.vertices.size() + hull.triangles.size());
    if (const auto excess = budget_.takeNumbers(numbers))
      return problem(path, "with this mesh " + excess->what, excess->remedy);
    hulls.push_back(std::make_shared<const TriangleMesh>(std::move(hull)));
  }
  return hulls;
}

/// Robots of a world file are looked at with it once more.
void Decompositions::remark(Diagnostic diagnostic) {
  const auto isSame = [&](const Diagnostic& d) {
    return d.file == diagnostic.file && d.what == diagnostic.what;
  };
  const auto& all = diagnostics_.all();
  if (std::none_of(all.begin(), all.end(), isSame)) diagnostics_.add(std::move(diagnostic));
}

}  // namespace espalier::io
