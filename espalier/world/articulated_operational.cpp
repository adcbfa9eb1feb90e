#include "espalier/core/check.h"
#include "espalier/dynamics/jacobian.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/dynamics/operational.h"
#include "espalier/model/mechanism_layout.h"
#include "espalier/world/articulated_order.h"
#include "espalier/world/articulated_system.h"
#include "espalier/world/world_data.h"

namespace espalier {
namespace {

/// A tree is a mechanism of lone joints.
Mechanism loneJoints(const Topology& t) {
  Mechanism m;
  layOut(t, m);
  return m;
}

/// The factored clusters at one state, by whichever dofs lead best: the answers depend on them only
/// by rounding, and hold at the public dofs' dead points too.
class OperationalQuery {
 public:
  OperationalQuery(const System& sys, const double* q, const double* u)
      : own_(sys.loops ? Mechanism{} : loneJoints(sys.topology())),
        m_(sys.loops ? sys.loops->m : own_),
        ws_(sys.topology()),
        loops_(sys.topology(), m_),
        clusters_(sys.topology(), m_) {
    const Topology& t = sys.topology();
    espalier::kinematics(t, sys.parameters, q, u, ws_);
    loopRates(t, m_, q, ws_, loops_);
    chooseIndependents(m_, loops_);
    bodyScrews(t, m_, ws_, loops_);
    factorClusters(t, sys.parameters, m_, ws_, loops_, clusters_);
  }

  const Workspace<double>& kinematics() const { return ws_; }

  MatDyn inverseInertia(const std::vector<BodyWrench<double>>& rows) const {
    const int n = static_cast<int>(rows.size());
    std::vector<double> z(rows.size() * static_cast<std::size_t>(m_.reduced.nv));
    MatDyn inverse(n, n);
    inverseOperationalInertia(m_, loops_, clusters_, rows.data(), n, z.data(), inverse.data());
    return inverse;
  }

  /// out  udot [nv] spanning;  acceleration of the body, about O
  double respond(const BodyWrench<double>& force, std::vector<double>& udot,
                 Motion<double>& acceleration) {
    std::vector<double> ydot(static_cast<std::size_t>(m_.reduced.nv));
    const double felt = testForce(m_, loops_, force, clusters_, ydot.data(), udot.data());
    acceleration = clusters_.A[static_cast<std::size_t>(force.body)];
    return felt;
  }

 private:
  const Mechanism own_;
  const Mechanism& m_;
  Workspace<double> ws_;
  LoopWorkspace<double> loops_;
  ClusterWorkspace<double> clusters_;
};

}  // namespace

MatDyn ArticulatedSystem::inverseOperationalSpaceInertiaMatrix(const std::vector<FrameOf>& frames,
                                                               Frame axes) const {
  ESPALIER_REQUIRE(axes != PARENT_FRAME, "rows are in world axes or in those of their frames");
  const OperationalQuery query(system_, coordinatesNow(), velocitiesNow());
  const Workspace<double>& ws = query.kinematics();
  std::vector<BodyWrench<double>> rows;
  for (const FrameOf& which : frames) {
    const CoordinateFrame& f = frameAt(which);
    ESPALIER_REQUIRE(f.rotor < 0, "frame '" + f.name +
                                      "' turns with a geared rotor, which is no "
                                      "body: ask for its carrier's");
    const Vec3d r = originOf(ws, f);
    const Mat3d R = axes == WORLD_FRAME
                        ? identity3<double>()
                        : mul(bodyPose(ws, f.parentId).R, static_cast<Mat3d>(f.orientation));
    const Vec3d e[] = {columnX(R), columnY(R), columnZ(R)};
    for (const Vec3d& axis : e) rows.push_back({f.parentId, {axis, {0, 0, 0}}});
    for (const Vec3d& axis : e) rows.push_back({f.parentId, forceAt(r, axis)});
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
  OperationalQuery query(system_, coordinatesNow(), velocitiesNow());
  const Vec3d r = pointFromOrigin(query.kinematics(), body, BODY_FRAME, point_B);
  std::vector<double> spanning(static_cast<std::size_t>(model().topology.nv));
  Motion<double> A;
  const double felt = query.respond({body, forceAt(r, static_cast<Vec3d>(force))}, spanning, A);
  authored_order::gather(spanning.data(), model().publicDof, udot);
  acceleration = Vec<3>(A.v + cross(A.w, r));
  return felt;
}

}  // namespace espalier
