#pragma once

// Meshes as a viewer gets them: bytes that are known by their content.

#include <map>
#include <memory>
#include <vector>

#include "espalier/geometry/shape.h"
#include "espalier/visual/world_capture.h"

namespace espalier {

/// Vertices as float, triangles as they are, colours of vertices (docs/viewer_protocol.md, "A mesh
/// as bytes"). A vertex where colours meet is there once for each.
///   pre  indices within the vertices
std::shared_ptr<const MeshBlob> meshBlob(const TriangleMesh& mesh);

/// The surface of a height field, split as collision splits it: every cell along the diagonal from
/// its sample (i, j) to (i + 1, j + 1).
TriangleMesh surfaceOf(const HeightfieldData& field);

/// The meshes of a scene, each made once as long as some scene shows it.
class MeshStore {
 public:
  const MeshBlob& blobOf(const std::shared_ptr<const TriangleMesh>& mesh);
  const MeshBlob& blobOf(const std::shared_ptr<const HeightfieldData>& field);

  void beginScene();
  /// Those that were asked for since beginScene(), by hash, each once; the others are forgotten.
  std::vector<std::shared_ptr<const MeshBlob>> endScene();

 private:
  struct Entry {
    std::shared_ptr<const void> source;  // keeps the address from being given anew
    std::shared_ptr<const MeshBlob> blob;
    bool isShown = false;
  };
  std::map<const void*, Entry> entries_;
};

}  // namespace espalier
