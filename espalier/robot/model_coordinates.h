#pragma once

// The coordinates of a model as users order them: where each joint's are, neutral and random ones,
// steps and differences. q [nq] and u [nv] are those of the independent joints in the authored order.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "espalier/model/model.h"
#include "espalier/robot/math.h"

namespace espalier {

/// Where a joint's numbers are.
struct JointPlace {
  std::string joint;  ///< name; of a floating base its link's
  JointKind kind = JointKind::Fixed;
  int q = -1, u = -1;                ///< first among the independent ones; -1: dependent
  int spanningQ = 0, spanningU = 0;  ///< first among those of all joints
  int nq = 0, nv = 0;
  double lower = -unlimited,
         upper = unlimited;  ///< of each coordinate, rad or m; not of quaternions
  /// jointInWorld(), or the identity.
  Transformd X_WJ = identityTransform<double>();
};
/// Of a floating joint on a fixed base: the frame from which its q counts, in the world, the base as
/// compiled.
std::optional<Transformd> jointInWorld(const Model& model, int body);
/// Of all joints that move, in the authored order; a floating base is the first.
std::vector<JointPlace> jointPlaces(const Model& model);

/// q with every joint at 0 or the identity; with loops as compile() has assembled them.
VecDyn neutralCoordinate(const Model& model);
/// Angles and metres in [-1, 1] spread, any orientation; the same for the same seed. Loops may not
/// close there.
VecDyn randomCoordinate(const Model& model, std::uint64_t seed, double spread = 1);

/// q (+) step, step = dt u: quaternions turn by a rotation vector from the left.
///   errors  these throw std::invalid_argument for other sizes and numbers that are not finite
VecDyn advanced(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& step);
/// The step from one q to another: from (+) step = to; rotation vectors of at most pi.
VecDyn stepBetween(const Model& model, const Eigen::VectorXd& from, const Eigen::VectorXd& to);

}  // namespace espalier
