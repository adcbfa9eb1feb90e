#pragma once

// Between the authored order that users see and the engine's own. Internal.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "espalier/core/check.h"
#include "espalier/world/math.h"

namespace espalier::authored_order {

/// in  place  [n] authored place of each internal number
inline void check(const Eigen::VectorXd& v, const std::vector<int>& place, const char* what) {
  ESPALIER_REQUIRE(v.size() == static_cast<Eigen::Index>(place.size()),
                   std::string(what) + " has " + std::to_string(v.size()) + " numbers, not " +
                       std::to_string(place.size()));
  ESPALIER_REQUIRE(v.allFinite(), std::string(what) + " must be finite");
}

/// v in the authored order -> to in internal order.
inline void scatter(const Eigen::VectorXd& v, const std::vector<int>& place, const char* what,
                    double* to) {
  check(v, place, what);
  for (std::size_t i = 0; i < place.size(); ++i) to[i] = v[place[i]];
}

inline void gather(const double* from, const std::vector<int>& place, Eigen::VectorXd& v) {
  v.resize(static_cast<Eigen::Index>(place.size()));
  for (std::size_t i = 0; i < place.size(); ++i) v[place[i]] = from[i];
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
