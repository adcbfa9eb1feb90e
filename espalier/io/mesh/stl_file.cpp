#include "espalier/io/mesh/mesh_formats.h"

#include <cstring>

#include "espalier/io/mesh/mesh_builder.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {
namespace {

constexpr std::size_t stl_header_bytes = 84, triangle_bytes = 50;

/// The number of triangles stated in the file, read as binary.
std::size_t triangleCount(std::string_view bytes) {
  return bytes.size() < stl_header_bytes ? 0 : wordAt(bytes, stl_header_bytes - 4);
}
bool isBinary(std::string_view bytes) {
  return bytes.size() >= stl_header_bytes &&
         bytes.size() == stl_header_bytes + triangle_bytes * triangleCount(bytes);
}

Expected<TriangleMesh> readBinary(std::string_view bytes, const std::string& path,
                                  const Vec3d& scale) {
  const std::size_t count = triangleCount(bytes);
  if (count > default_limits.triangles) return tooManyTriangles(path);
  MeshBuilder builder(scale);
  builder.reserve(count / 2 + 64, count);  // a closed mesh has half as many vertices as triangles
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t corners = stl_header_bytes + triangle_bytes * i + 12;  // behind the normal
    std::array<int, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = corners + 12 * k;
      const auto vertex =
          builder.vertex({floatAt(bytes, at), floatAt(bytes, at + 4), floatAt(bytes, at + 8)});
      if (!vertex) return notFinite(path, at);
      triangle[k] = *vertex;
    }
    builder.add(triangle);
  }
  return builder.take();
}

/// ASCII: facet normal x y z / outer loop / vertex x y z, three times / endloop / endfacet.
class AsciiReader {
 public:
  AsciiReader(std::string_view text, const std::string& path, const Vec3d& scale)
      : rest_(text), path_(path), builder_(scale) {}

  Expected<TriangleMesh> read() {
    for (std::string_view word = next(); !word.empty(); word = next()) {
      if (word == "facet") {
        if (!readFacet()) return diagnostics_;
        if (builder_.triangleCount() > default_limits.triangles) return tooManyTriangles(path_);
      } else {
        skipLine();  // solid NAME, endsolid NAME, and other programs' lines between facets
      }
    }
    return builder_.take();
  }

 private:
  bool fail(std::string what) {
    diagnostics_ = problem(path_, std::move(what),
                           "write it again as binary STL; in ASCII a facet is: facet normal x y z, "
                           "outer loop, three times vertex x y z, endloop, endfacet",
                           line_);
    return false;
  }

  bool readFacet() {
    std::array<int, 3> triangle;
    int corners = 0;
    for (std::string_view word = next(); word != "endfacet"; word = next()) {
      if (word.empty()) return fail("the mesh ends within a facet");
      if (word == "vertex") {
        const auto vertex = readVertex();
        if (!vertex) return false;
        if (corners == 3) return fail("the mesh has a facet of more than three vertices");
        triangle[corners++] = *vertex;
      } else if (word == "facet" || word == "endsolid") {
        return fail("the mesh has a facet without endfacet");
      }
    }
    if (corners != 3) return fail("the mesh has a facet of fewer than three vertices");
    builder_.add(triangle);
    return true;
  }

  std::optional<int> readVertex() {
    double p[3];
    for (double& x : p) {
      const std::string_view word = next();
      const std::optional<double> number = parseNumber(word);
      if (!number) {
        fail("the mesh has a vertex with " + shown(word) + " in place of a finite number");
        return std::nullopt;
      }
      x = static_cast<double>(static_cast<float>(*number));
    }
    const auto vertex = builder_.vertex({p[0], p[1], p[2]});
    if (!vertex) fail("the mesh has a vertex that is not finite");
    return vertex;
  }

  /// The next word; empty at the end.
  std::string_view next() {
    std::size_t begin = 0;
    while (begin < rest_.size() && static_cast<unsigned char>(rest_[begin]) <= ' ')
      line_ += rest_[begin++] == '\n';
    std::size_t end = begin;
    while (end < rest_.size() && static_cast<unsigned char>(rest_[end]) > ' ') ++end;
    const std::string_view word = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return word;
  }
  void skipLine() { rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size())); }

  std::string_view rest_;
  int line_ = 1;
  const std::string& path_;
  MeshBuilder builder_;
  Diagnostics diagnostics_;
};

}  // namespace

Expected<TriangleMesh> readStl(std::string_view bytes, const std::string& path,
                               const Vec3d& scale) {
  if (isBinary(bytes)) return readBinary(bytes, path, scale);
  std::string_view text = withoutByteOrderMark(bytes);
  if (nextWord(text) == "solid") return AsciiReader(bytes, path, scale).read();
  return problem(path,
                 "the mesh is no STL: it does not begin with 'solid', and has " +
                     std::to_string(bytes.size()) + " bytes instead of the " +
                     std::to_string(stl_header_bytes + triangle_bytes * triangleCount(bytes)) +
                     " of its " + std::to_string(triangleCount(bytes)) + " triangles",
                 "write it again as binary STL");
}

}  // namespace espalier::io
