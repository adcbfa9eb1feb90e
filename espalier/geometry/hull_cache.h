#pragma once

// Convex hulls of large meshes kept on disk, by content, so that a robot that has been loaded once
// loads at once.
//
// The folder is $ESPALIER_CACHE, else $XDG_CACHE_HOME/espalier, else $HOME/.cache/espalier;
// ESPALIER_CACHE=off keeps nothing. A file is named by a hash of the vertices, maxVertices, the
// versions of Qhull and of the format, and holds a checksum: one that is damaged is computed anew.
// Files are written beside their place and renamed, so that processes may share the folder. Where it
// cannot be written nothing is kept. The folder may be deleted at any time.

#include <memory>
#include <string>

#include "espalier/geometry/hull.h"

namespace espalier {

/// Meshes of fewer vertices are not kept: their hulls are computed as fast as read.
inline constexpr int kLeastCachedVertices = 200;

/// convexHull(), bit for bit, from the cache where it is there, and kept there where it is not.
std::shared_ptr<const Hull> cachedHull(const TriangleMesh& mesh, int maxVertices);

/// Where hulls are kept; empty where they are not.
std::string hullCacheFolder();

}  // namespace espalier
