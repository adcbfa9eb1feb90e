#include "espalier/compat/arboris/ball_and_socket.h"

#include "espalier/compat/arboris/rank_deficient.h"
#include "espalier/compat/arboris/relative_rows.h"
#include "espalier/core/check.h"

namespace espalier::sim {

BallAndSocket::BallAndSocket(const Frame& frame0, const Frame& frame1, std::string name)
    : Constraint(std::move(name)), frame0_(frame0), frame1_(frame1) {
  ESPALIER_REQUIRE(!frame0.isOnBodyOf(frame1), "a ball and socket joins two different bodies");
}

void BallAndSocket::init(Simulation& simulation) {
  for (const Frame* frame : {&frame0_, &frame1_}) frame->requireIn(simulation);
  force_.setZero(3);
}

void BallAndSocket::update(double) {
  const Transformd X_g0 = frame0_.pose();
  const Vec3d p = tmul(X_g0.R, frame1_.pose().p - X_g0.p);
  gap_ << p.x, p.y, p.z;
}

void BallAndSocket::rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) const {
  const Transformd X_g0 = frame0_.pose();
  addLinearRows(frame0_, frame1_, X_g0, J, drift);
}

void BallAndSocket::solve(const Eigen::Ref<const Eigen::VectorXd>& vel,
                          const Eigen::Ref<const Eigen::MatrixXd>& admittance, double dt,
                          Eigen::Ref<Eigen::VectorXd> dforce) {
  const Eigen::Matrix3d Y = admittance;
  const Eigen::Vector3d wrong = vel + gap_ / dt;
  dforce = -pseudoSolve(Y, wrong);
  force_ += dforce;
}

}  // namespace espalier::sim
