#pragma once

// The farthest of a fixed set of points in a direction, by looking at few of them.
//
// Directions are sorted into the cells of a cube map. A cell keeps the points that may be the
// farthest for one of its directions: those that no other point exceeds by more than rounding at
// all four corners of the cell, hence nowhere within it. The answer is that of comparing all
// points, bit for bit, and depends on nothing but the direction.

#include <optional>
#include <vector>

#include "espalier/spatial/vec3.h"

namespace espalier {

class SupportMap {
 public:
  SupportMap() = default;
  ///   in   points   finite, at least one
  ///   cost O(cells n log n), cells <= min(2 n, 384) or 6; at build time only
  explicit SupportMap(const std::vector<Vec3d>& points);

  /// Index of the point with the largest d . p, the first of equal ones. d has any length > 0.
  int farthest(const Vec3d& d) const {
    const std::size_t cell = cellOf(d);
    const Candidate* best = candidates_.data() + begin_[cell];
    const Candidate* const end = candidates_.data() + begin_[cell + 1];
    double most = dot(d, best->p);
    for (const Candidate* c = best + 1; c < end; ++c) {
      const double along = dot(d, c->p);
      if (along > most) most = along, best = c;
    }
    return best->index;
  }

  /// All of it but the points, to be kept on disk.
  struct Parts {
    int perEdge = 0;
    std::vector<int> begin, indices;  ///< of the candidates, by cell
  };
  Parts parts() const;
  /// The map again; none where the parts are not those of a map over so many points.
  static std::optional<SupportMap> fromParts(const Parts& parts, const std::vector<Vec3d>& points);

  /// Mean number of points a look-up compares; for tests.
  double meanCandidates() const {
    return static_cast<double>(candidates_.size()) / static_cast<double>(begin_.size() - 1);
  }

 private:
  struct Candidate {
    Vec3d p;
    int index;
  };

  std::size_t cellOf(const Vec3d& d) const;

  int perEdge_ = 1;                    // cells along an edge of the cube
  std::vector<int> begin_;             // [6 perEdge_^2 + 1], into candidates_
  std::vector<Candidate> candidates_;  // by cell, then by index
};

}  // namespace espalier
