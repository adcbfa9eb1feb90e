#pragma once

#include "espalier/compat/arboris/constraint.h"
#include "espalier/compat/arboris/frame.h"

namespace espalier::sim {

/// The origin of frame 1 stays on that of frame 0. In frame 0's axes; force() acts on body 1 and,
/// reversed, on body 0, and is kept from step to step to start from.
///   v = velocity of body 1's point at frame 0's origin, over frame 0
///   df = -pinv(Y) (v + p_01 / dt): the whole gap is closed within the step
/// The pseudo-inverse ignores directions that the mechanism cannot move in, as in a planar loop.
class BallAndSocket : public Constraint {
 public:
  /// pre  the frames outlive this; they are on different bodies
  BallAndSocket(const Frame& frame0, const Frame& frame1, std::string name = {});

  void init(Simulation& simulation) override;
  int ndol() const override { return 3; }
  void update(double dt) override;
  bool isActive() const override { return true; }
  void rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) const override;
  void solve(const Eigen::Ref<const Eigen::VectorXd>& vel,
             const Eigen::Ref<const Eigen::MatrixXd>& admittance, double dt,
             Eigen::Ref<Eigen::VectorXd> dforce) override;

  /// p_01 (m), of the last update.
  const Eigen::Vector3d& gap() const { return gap_; }

 private:
  const Frame &frame0_, &frame1_;
  Eigen::Vector3d gap_ = Eigen::Vector3d::Zero();
};

}  // namespace espalier::sim
