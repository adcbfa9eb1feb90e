#pragma once

// Pairs of a robot's bodies that collide or not, and why: `info --collisions`. Bodies are links
// with all that is welded to them; only those with collision shapes count.

#include <string>
#include <vector>

#include "apps/cli/json.h"
#include "apps/cli/overlaps.h"
#include "apps/cli/terminal.h"

namespace espalier::cli {

struct CollisionPair {
  std::string first, second;
  std::string excluded;  ///< the reason; empty: the pair is tested
  double overlap = 0;    ///< m, at the start; `sim` excludes such a pair unless --keep-overlaps
};

/// Every pair of bodies, in the order of the file.
///   in   overlaps   at the start, of the pairs that are tested
std::vector<CollisionPair> collisionPairs(const Model& model, const Overlaps& overlaps);

/// The convex hull that a mesh collides as.
struct HullInfo {
  std::string file;
  int part = 0;  ///< as of MeshShape
  int meshVertices = 0, vertices = 0;
  double error = 0;  ///< m, by which the mesh sticks out of the hull at most
};

/// One for each mesh, in the order of the file; flat meshes, which have no hull, with 0 vertices.
std::vector<HullInfo> hullsOf(const Model& model);

/// "at most 64 vertices; 1.2 mm of a mesh left out at most".
std::string summary(const std::vector<HullInfo>& hulls);

Json toJson(const std::vector<CollisionPair>& pairs);
Json toJson(const std::vector<HullInfo>& hulls);
/// Pairs by reason, then the hulls.
std::string drawCollisions(const Terminal& terminal, const std::vector<CollisionPair>& pairs,
                           const std::vector<HullInfo>& hulls);

}  // namespace espalier::cli
