#include "espalier/io/mesh/mesh_formats.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

#include "espalier/geometry/hull.h"
#include "espalier/io/mesh/mesh_builder.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& path, const Vec3d& scale)
      : rest_(text), path_(path), builder_(scale) {}

  Expected<TriangleMesh> read() {
    while (!rest_.empty()) {
      std::string_view statement = nextStatement();
      const std::string_view keyword = nextWord(statement);
      if (keyword == "v" && !readVertex(statement)) return diagnostics_;
      if (keyword == "f" && !readFace(statement)) return diagnostics_;
      if (keyword == "mtllib") readMaterials(statement);
      if (keyword == "usemtl") chooseMaterial(statement);
    }
    if (faces_.empty() && vertices_.size() >= 4) return hullOfVertices();
    // Faces may name vertices that come behind them.
    idOf_.assign(vertices_.size(), -1);
    builder_.reserve(vertices_.size(), faces_.size());
    for (std::size_t f = 0; f < faces_.size(); ++f)
      if (!addFace(f)) return diagnostics_;
    return builder_.take();
  }

 private:
  struct Face {
    std::size_t begin;  ///< in corners_
    int line;
    std::optional<Rgba8> color;
  };

  bool fail(int line, std::string what, std::string remedy) {
    diagnostics_ = problem(path_, std::move(what), std::move(remedy), line);
    return false;
  }

  /// Up to the end of the line, and of those it goes on in.
  std::string_view nextStatement() {
    line_ = nextLine_;
    const std::string_view first = takeLine();
    if (first.empty() || first.back() != '\\') return first;
    joined_.assign(first.substr(0, first.size() - 1));
    while (!rest_.empty()) {
      std::string_view more = takeLine();
      const bool goesOn = !more.empty() && more.back() == '\\';
      if (goesOn) more.remove_suffix(1);
      joined_ += ' ';
      joined_ += more;
      if (!goesOn) break;
    }
    return joined_;
  }
  std::string_view takeLine() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++nextLine_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  bool readVertex(std::string_view rest) {
    constexpr std::size_t most = 8;
    double x[most];
    std::size_t count = 0;
    for (auto word = nextWord(rest); !word.empty() && count < most; word = nextWord(rest)) {
      if (word.front() == '#') break;
      const std::optional<double> number = parseNumber(word);
      if (!number) {
        return fail(line_,
                    "the mesh has a vertex with " + shown(word) + " in place of a finite number",
                    "write v with three finite numbers");
      }
      x[count++] = static_cast<double>(static_cast<float>(*number));
    }
    if (count < 3) {
      return fail(line_, "the mesh has a vertex of fewer than three numbers",
                  "write v with three finite numbers");
    }
    if (count == 4)  // homogeneous; quotients in single precision, as the numbers themselves
      for (int i = 0; i < 3; ++i)
        x[i] = static_cast<double>(static_cast<float>(x[i]) / static_cast<float>(x[3]));
    vertices_.push_back({x[0], x[1], x[2]});
    return true;
  }

  /// The name may hold spaces.
  void readMaterials(std::string_view name) {
    for (auto& [material, color] : readMtl(path_, std::string(trimmed(name))))
      materials_.insert_or_assign(material, color);
  }
  void chooseMaterial(std::string_view name) {
    const auto found = materials_.find(std::string(trimmed(name)));
    color_ = found != materials_.end() ? std::optional(found->second) : std::nullopt;
  }

  bool readFace(std::string_view rest) {
    const std::size_t begin = corners_.size();
    for (auto word = nextWord(rest); !word.empty(); word = nextWord(rest)) {
      if (word.front() == '#') break;
      const std::string_view index = word.substr(0, word.find('/'));
      std::int64_t i = 0;
      const auto [end, problem] = std::from_chars(index.data(), index.data() + index.size(), i);
      if (problem != std::errc() || end != index.data() + index.size() || i == 0) {
        return fail(line_, "the mesh has a face with " + shown(word) + " in place of a vertex",
                    "name vertices by 1, 2, ..., or -1, -2, ... backwards");
      }
      corners_.push_back(i > 0 ? i - 1 : static_cast<std::int64_t>(vertices_.size()) + i);
    }
    if (corners_.size() - begin < 3)
      corners_.resize(begin);  // a point or a line, as some programs write them
    else
      faces_.push_back({begin, line_, color_});
    return true;
  }

  /// The mesh of a file without faces, which MuJoCo reads as points of a convex body.
  Expected<TriangleMesh> hullOfVertices() {
    for (const Vec3d& v : vertices_) builder_.vertex(v);
    const std::unique_ptr<const Hull> hull = convexHull(builder_.take());
    if (hull != nullptr) return hullSurface(*hull);
    fail(0, "the mesh has no faces, and its vertices are flat",
         "write it again as a triangulated surface");
    return diagnostics_;
  }

  bool addFace(std::size_t f) {
    const std::size_t begin = faces_[f].begin;
    const std::size_t end = f + 1 < faces_.size() ? faces_[f + 1].begin : corners_.size();
    const int line = faces_[f].line;
    places_.clear();
    ids_.clear();
    for (std::size_t i = begin; i < end; ++i) {
      if (corners_[i] < 0 || corners_[i] >= static_cast<std::int64_t>(vertices_.size())) {
        return fail(line,
                    "the mesh has a face with a vertex that is not there: the file has " +
                        std::to_string(vertices_.size()),
                    "name vertices by 1, 2, ..., or -1, -2, ... backwards");
      }
      const auto v = static_cast<std::size_t>(corners_[i]);
      if (idOf_[v] < 0) {
        const auto id = builder_.vertex(vertices_[v]);
        if (!id) {
          return fail(line, "the mesh has a vertex that is not finite",
                      "write it again with finite numbers; check its scale, too");
        }
        idOf_[v] = *id;
      }
      places_.push_back(vertices_[v]);
      ids_.push_back(idOf_[v]);
    }
    builder_.setColor(faces_[f].color);
    triangles_.clear();
    if (!triangulate(places_, triangles_)) {
      return fail(line,
                  "the mesh has a face that is not convex and has " +
                      std::to_string(places_.size()) + " corners",
                  "write such faces as triangles; up to " + std::to_string(most_concave_corners) +
                      " corners are taken apart");
    }
    for (const std::array<int, 3>& t : triangles_)
      builder_.add({ids_[t[0]], ids_[t[1]], ids_[t[2]]});
    if (builder_.triangleCount() <= default_limits.triangles) return true;
    return fail(0,
                "the mesh has more than " + std::to_string(default_limits.triangles) + " triangles",
                "make it coarser");
  }

  std::string_view rest_;
  int line_ = 0, nextLine_ = 1;
  const std::string& path_;
  MeshBuilder builder_;
  std::vector<Vec3d> vertices_;
  std::vector<std::int64_t> corners_;  // indices from 0 of all faces, one after another
  std::vector<Face> faces_;
  std::map<std::string, Rgba8> materials_;
  std::optional<Rgba8> color_;  // of the faces that follow
  std::vector<int> idOf_;       // of vertices_ in the mesh; -1: in no face so far
  // of one face
  std::vector<Vec3d> places_;
  std::vector<int> ids_;
  std::vector<std::array<int, 3>> triangles_;
  std::string joined_;
  Diagnostics diagnostics_;
};

}  // namespace

Expected<TriangleMesh> readObj(std::string_view text, const std::string& path, const Vec3d& scale) {
  return ObjReader(text, path, scale).read();
}

}  // namespace espalier::io
