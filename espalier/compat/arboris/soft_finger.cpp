#include "espalier/compat/arboris/soft_finger.h"

#include "espalier/compat/arboris/rank_deficient.h"
#include "espalier/compat/arboris/relative_rows.h"
#include "espalier/compat/arboris/slip_force.h"
#include "espalier/core/check.h"

namespace espalier::sim {

SoftFinger::SoftFinger(const Frame& frame0, const Shape& shape0, const Frame& frame1,
                       const Shape& shape1, double mu, const Eigen::Vector3d& radii,
                       double proximity, std::string name)
    : PointContact(frame0, shape0, frame1, shape1, proximity, std::move(name)),
      mu_(mu),
      radii_(radii) {
  ESPALIER_REQUIRE(mu >= 0 && std::isfinite(mu), "friction is not negative");
  ESPALIER_REQUIRE(radii.allFinite() && (radii.array() > 0).all(),
                   "the radii of the friction ellipsoid are positive");
}

void SoftFinger::init(Simulation& simulation) {
  for (const Frame* frame : {&frame0(), &frame1()}) frame->requireIn(simulation);
  force_.setZero(4);
}

void SoftFinger::rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) const {
  const Transformd& X = contactPose();
  addSpinRow(frame0(), frame1(), columnZ(X.R), J.topRows(1), drift.head(1));
  addLinearRows(frame0(), frame1(), X, J.bottomRows(3), drift.tail(3));
}

Eigen::Vector4d softFingerForce(const Eigen::Vector4d& force, const Eigen::Vector4d& vel,
                                const Eigen::Matrix4d& Y, double sdist, double dt, double mu,
                                const Eigen::Vector3d& radii) {
  Eigen::Vector4d alpha = vel - Y * force;
  alpha[3] += sdist / dt;
  if (alpha[3] > 0) return Eigen::Vector4d::Zero();  // opens by itself
  const Eigen::Vector4d stuck = -pseudoSolve(Y, alpha);
  const double limit = mu * stuck[3];
  if (stuck[3] >= 0 && stuck.head<3>().cwiseQuotient(radii).squaredNorm() <= limit * limit)
    return stuck;
  return slipForce(Y, alpha, mu, radii);
}

void SoftFinger::solve(const Eigen::Ref<const Eigen::VectorXd>& vel,
                       const Eigen::Ref<const Eigen::MatrixXd>& admittance, double dt,
                       Eigen::Ref<Eigen::VectorXd> dforce) {
  const Eigen::Vector4d before = force_;
  const Eigen::Vector4d next = softFingerForce(before, vel, admittance, sdist(), dt, mu_, radii_);
  dforce = next - before;
  force_ = next;
}

}  // namespace espalier::sim
