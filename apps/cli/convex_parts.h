#pragma once

// A concave mesh as convex hulls, by CoACD in a Python process: apps/cli/convex_parts.py, which is
// part of the command.

#include <string>
#include <vector>

#include "espalier/geometry/shape.h"

namespace espalier::cli {

struct DecompositionOptions {
  double threshold =
      0.05;            ///< concavity that may stay, of the mesh's size; smaller gives more hulls
  int mostHulls = 0;   ///< 0: as many as the threshold asks for
  std::string python;  ///< that has CoACD; empty: the project's own, else python3
};

/// The hulls of a mesh; those that are flat are left out.
///   errors  throws Failure where Python or CoACD is missing or fails
std::vector<TriangleMesh> convexParts(const TriangleMesh& mesh, const std::string& file,
                                      const DecompositionOptions& options);

}  // namespace espalier::cli
