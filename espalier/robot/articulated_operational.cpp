#include "espalier/core/check.h"
#include "espalier/robot/articulated_order.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/operational_query.h"
#include "espalier/step/step_data.h"

namespace espalier {

MatDyn ArticulatedSystem::inverseOperationalSpaceInertiaMatrix(const std::vector<FrameOf>& frames,
                                                               Frame axes) const {
  ESPALIER_REQUIRE(axes != PARENT_FRAME, "rows are in world axes or in those of their frames");
  const OperationalQuery query(model(), system_.parameters, coordinatesNow(), velocitiesNow());
  const Workspace<double>& ws = query.kinematics();
  std::vector<BodyWrench> rows;
  for (const FrameOf& which : frames) {
    const CoordinateFrame& f = frameAt(which);
    ESPALIER_REQUIRE(f.rotor < 0, "frame '" + f.name +
                                      "' turns with a geared rotor, which is no "
                                      "body: ask for its carrier's");
    const Vec3d r = originOf(ws, f);
    const Mat3d R = axes == WORLD_FRAME
                        ? identity3<double>()
                        : mul(bodyPose(ws, f.parentId).R, static_cast<Mat3d>(f.orientation));
    query.addRows(f.parentId, r, R, rows);
  }
  return query.inverseInertia(rows);
}

double ArticulatedSystem::applyTestForce(const FrameOf& which, const Vec<3>& force,
                                         Eigen::VectorXd& udot) const {
  const CoordinateFrame& f = frameAt(which);
  Eigen::Vector3d acceleration;
  return applyTestForce(f.parentId, f.position, force, udot, acceleration);
}

double ArticulatedSystem::applyTestForce(int body, const Vec<3>& point_B, const Vec<3>& force,
                                         Eigen::VectorXd& udot,
                                         Eigen::Vector3d& acceleration) const {
  bodyAt(body);
  ESPALIER_REQUIRE(point_B.allFinite() && force.allFinite(), "point and force must be finite");
  const OperationalQuery query(model(), system_.parameters, coordinatesNow(), velocitiesNow());
  const Vec3d r = pointFromOrigin(query.kinematics(), body, BODY_FRAME, point_B);
  std::vector<double> spanning(static_cast<std::size_t>(model().topology.nv));
  Motion<double> A;
  const double felt = query.respond({body, forceAt(r, static_cast<Vec3d>(force))}, spanning, A);
  authored_order::gather(spanning.data(), model().publicDof, udot);
  acceleration = Vec<3>(A.v + cross(A.w, r));
  return felt;
}

}  // namespace espalier
