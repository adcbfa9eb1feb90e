#include "espalier/geometry/hull_cache.h"

#include <libqhull_r/libqhull_r.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <type_traits>

#include "espalier/core/content_hash.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

/// Of the format, and of all that convexHull() and SupportMap do. Raise it when one of them changes.
constexpr std::uint64_t kVersion = 2;

class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, double> ||
                  std::is_same_v<T, Vec3d>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const Hull::Face& face) {
    put(face.normal), put(face.offset), put(face.begin), put(face.end);
  }
  template <class T>
  void put(const std::vector<T>& all) {
    put(static_cast<std::uint64_t>(all.size()));
    for (const T& one : all) put(one);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads the bytes of a Writer; every read past the end returns false, as do all later ones.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  bool get(T& value) {
    if (rest_.size() < sizeof value) return fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return true;
  }
  bool get(Hull::Face& face) {
    return get(face.normal) && get(face.offset) && get(face.begin) && get(face.end);
  }
  template <class T>
  bool get(std::vector<T>& all) {
    std::uint64_t count = 0;
    if (!get(count) || count > rest_.size()) return fail();
    all.resize(static_cast<std::size_t>(count));
    return std::all_of(all.begin(), all.end(), [this](T& one) { return get(one); });
  }
  bool isAtEnd() const { return rest_.empty(); }

 private:
  bool fail() {
    rest_ = {};
    return false;
  }
  std::string_view rest_;
};

void put(Writer& out, const SupportMap::Parts& parts) {
  out.put(parts.perEdge);
  out.put(parts.begin);
  out.put(parts.indices);
}
bool get(Reader& in, SupportMap::Parts& parts) {
  return in.get(parts.perEdge) && in.get(parts.begin) && in.get(parts.indices);
}

std::string toBytes(const Hull& hull) {
  Writer out;
  out.put(hull.vertices);
  out.put(hull.faces);
  out.put(hull.corners);
  out.put(hull.centre);
  out.put(hull.error);
  put(out, hull.vertexMap.parts());
  put(out, hull.normalMap.parts());
  return out.bytes();
}

/// Whether every index stays within its list.
bool isWhole(const Hull& hull) {
  const int corners = static_cast<int>(hull.corners.size());
  const auto isGoodFace = [&](const Hull::Face& f) {
    return f.begin >= 0 && f.end <= corners && f.end - f.begin >= 3;
  };
  const auto isGoodCorner = [&](int c) {
    return c >= 0 && c < static_cast<int>(hull.vertices.size());
  };
  return hull.faces.size() >= 4 && std::all_of(hull.faces.begin(), hull.faces.end(), isGoodFace) &&
         std::all_of(hull.corners.begin(), hull.corners.end(), isGoodCorner);
}

std::shared_ptr<const Hull> fromBytes(std::string_view bytes) {
  Reader in(bytes);
  auto hull = std::make_shared<Hull>();
  SupportMap::Parts vertexMap, normalMap;
  if (!in.get(hull->vertices) || !in.get(hull->faces) || !in.get(hull->corners) ||
      !in.get(hull->centre) || !in.get(hull->error) || !get(in, vertexMap) || !get(in, normalMap) ||
      !in.isAtEnd() || !isWhole(*hull))
    return nullptr;
  std::vector<Vec3d> normals;
  for (const Hull::Face& f : hull->faces) normals.push_back(f.normal);
  auto vertices = SupportMap::fromParts(vertexMap, hull->vertices);
  auto faces = SupportMap::fromParts(normalMap, normals);
  if (!vertices || !faces) return nullptr;
  hull->vertexMap = std::move(*vertices);
  hull->normalMap = std::move(*faces);
  return hull;
}

/// Key of the cache: two hashes of everything that the hull depends on.
struct Key {
  std::uint64_t first, second;

  Key(const TriangleMesh& mesh, int maxVertices) : first(kVersion), second(~kVersion) {
    static_assert(sizeof(Vec3d) == 3 * sizeof(double));
    static_assert(std::endian::native == std::endian::little);
    const auto size = mesh.vertices.size();
    add(qh_version, std::strlen(qh_version));
    const std::uint64_t limit = std::min<std::uint64_t>(size, static_cast<unsigned>(maxVertices));
    add(reinterpret_cast<const char*>(&limit), sizeof limit);
    add(reinterpret_cast<const char*>(mesh.vertices.data()), size * sizeof(Vec3d));
  }
  std::string name() const {
    char text[48];
    std::snprintf(text, sizeof text, "%016llx%016llx.hull", static_cast<unsigned long long>(first),
                  static_cast<unsigned long long>(second));
    return text;
  }

 private:
  void add(const char* bytes, std::size_t size) {
    first = contentHash({bytes, size}, first);
    second = contentHash({bytes, size}, second);
  }
};

struct Header {
  std::uint64_t version, first, second, checksum;
};

std::shared_ptr<const Hull> read(const fs::path& path, const Key& key) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return nullptr;
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  Header header{};
  if (bytes.size() < sizeof header) return nullptr;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string_view body = std::string_view(bytes).substr(sizeof header);
  if (header.version != kVersion || header.first != key.first || header.second != key.second ||
      header.checksum != contentHash(body, kVersion))
    return nullptr;
  return fromBytes(body);
}

/// Nothing where the folder cannot be written.
void write(const fs::path& path, const Key& key, const Hull& hull) {
  static std::atomic<unsigned> count = 0;
  std::error_code code;
  fs::create_directories(path.parent_path(), code);
  const std::string body = toBytes(hull);
  const Header header{kVersion, key.first, key.second, contentHash(body, kVersion)};
  const fs::path beside =
      path.string() + "." + std::to_string(getpid()) + "." + std::to_string(count++);
  {
    std::ofstream file(beside, std::ios::binary);
    if (!file) return;
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(body.data(), static_cast<std::streamsize>(body.size()));
    file.close();
    if (file) fs::rename(beside, path, code);
    if (file && !code) return;
  }
  fs::remove(beside, code);
}

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

std::string hullCacheFolder() {
  if (const char* own = environment("ESPALIER_CACHE"))
    return std::string_view(own) == "off" ? "" : own;
  if (const char* cache = environment("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return (fs::path(cache) / "espalier").string();
  const char* home = environment("HOME");
  return home != nullptr ? (fs::path(home) / ".cache" / "espalier").string() : "";
}

std::shared_ptr<const Hull> cachedHull(const TriangleMesh& mesh, int maxVertices) {
  const std::string folder = mesh.vertices.size() < kLeastCachedVertices ? "" : hullCacheFolder();
  if (folder.empty()) return convexHull(mesh, maxVertices);
  const Key key(mesh, maxVertices);
  const fs::path path = fs::path(folder) / "hulls" / key.name();
  if (auto known = read(path, key)) return known;
  std::shared_ptr<const Hull> hull = convexHull(mesh, maxVertices);
  if (hull) write(path, key, *hull);
  return hull;
}

}  // namespace espalier
