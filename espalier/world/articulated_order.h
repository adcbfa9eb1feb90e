#pragma once

// Between the authored order that users see and the engine's own. Internal.

#include <Eigen/Core>
#include <algorithm>
#include <string>
#include <vector>

#include "espalier/core/check.h"
#include "espalier/world/math.h"

namespace espalier::authored_order {

/// Numbers that users see.
inline Eigen::Index countOf(const std::vector<int>& place) {
  return static_cast<Eigen::Index>(place.size()) - std::count(place.begin(), place.end(), -1);
}

/// in  place  [n] authored place of each internal number; -1: not there
inline void check(const Eigen::VectorXd& v, const std::vector<int>& place, const char* what) {
  ESPALIER_REQUIRE(v.size() == countOf(place), std::string(what) + " has " +
                                                   std::to_string(v.size()) + " numbers, not " +
                                                   std::to_string(countOf(place)));
  ESPALIER_REQUIRE(v.allFinite(), std::string(what) + " must be finite");
}

/// v in the authored order -> to in internal order.
inline void scatter(const Eigen::VectorXd& v, const std::vector<int>& place, const char* what,
                    double* to) {
  check(v, place, what);
  for (std::size_t i = 0; i < place.size(); ++i)
    if (place[i] >= 0) to[i] = v[place[i]];
}

inline void gather(const double* from, const std::vector<int>& place, Eigen::VectorXd& v) {
  v.resize(countOf(place));
  for (std::size_t i = 0; i < place.size(); ++i)
    if (place[i] >= 0) v[place[i]] = from[i];
}
inline VecDyn gather(const double* from, const std::vector<int>& place) {
  VecDyn v;
  gather(from, place, v);
  return v;
}

/// A square matrix by rows, internal order -> authored order.
inline MatDyn gatherSquare(const double* rows, const std::vector<int>& place) {
  const std::size_t n = place.size();
  MatDyn M(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) M(place[i], place[j]) = rows[i * n + j];
  return M;
}

}  // namespace espalier::authored_order
