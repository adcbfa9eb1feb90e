#pragma once

// Between the authored order that users see and the engine's own. Internal.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "espalier/core/check.h"
#include "espalier/model/model.h"
#include "espalier/robot/math.h"

namespace espalier::authored_order {

/// Numbers that users see.
inline Eigen::Index countOf(const std::vector<int>& place) {
  return static_cast<Eigen::Index>(place.size()) - std::count(place.begin(), place.end(), -1);
}

/// Dofs and coordinates of a floating base, which come first in the internal order; 0 of a fixed one.
inline int baseDofs(const Model& model) { return model.topology.floating ? 6 : 0; }
inline int baseCoordinates(const Model& model) { return model.topology.floating ? 7 : 0; }

/// in  place  [n] authored place of each internal number; -1: not there
/// in  first  internal number before which v is not read, whatever it holds there
inline void check(const Eigen::VectorXd& v, const std::vector<int>& place, const char* what,
                  int first = 0) {
  ESPALIER_REQUIRE(v.size() == countOf(place), std::string(what) + " has " +
                                                   std::to_string(v.size()) + " numbers, not " +
                                                   std::to_string(countOf(place)));
  bool isFinite = true;
  for (auto i = static_cast<std::size_t>(first); i < place.size(); ++i)
    isFinite &= place[i] < 0 || std::isfinite(v[place[i]]);
  ESPALIER_REQUIRE(isFinite, std::string(what) + " must be finite");
}

/// The same, and none of them negative.
inline void checkNotNegative(const Eigen::VectorXd& v, const std::vector<int>& place,
                             const char* what, int first = 0) {
  check(v, place, what, first);
  for (auto i = static_cast<std::size_t>(first); i < place.size(); ++i)
    ESPALIER_REQUIRE(place[i] < 0 || v[place[i]] >= 0, std::string(what) + " must not be negative");
}

/// v in the authored order -> to in internal order, from internal number `first` on.
inline void scatter(const Eigen::VectorXd& v, const std::vector<int>& place, const char* what,
                    double* to, int first = 0) {
  check(v, place, what, first);
  for (auto i = static_cast<std::size_t>(first); i < place.size(); ++i)
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
