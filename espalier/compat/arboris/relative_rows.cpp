#include "espalier/compat/arboris/relative_rows.h"

namespace espalier::sim {

void addLinearRows(const Frame& frame0, const Frame& frame1, const Transformd& X_g,
                   Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) {
  for (const auto& [frame, sign] : {std::pair(&frame0, -1.0), std::pair(&frame1, 1.0)}) {
    for (const Tree::Column& c : frame->columnsAt(X_g.p)) {
      const Vec3d v = tmul(X_g.R, c.S.v) * sign;
      J(0, c.dof) += v.x;
      J(1, c.dof) += v.y;
      J(2, c.dof) += v.z;
    }
    const Vec3d v = tmul(X_g.R, frame->driftAt(X_g.p).v) * sign;
    drift[0] += v.x;
    drift[1] += v.y;
    drift[2] += v.z;
  }
}

void addSpinRow(const Frame& frame0, const Frame& frame1, const Vec3d& axis,
                Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) {
  for (const auto& [frame, sign] : {std::pair(&frame0, -1.0), std::pair(&frame1, 1.0)}) {
    const Transformd X_gf = frame->pose();
    for (const Tree::Column& c : frame->columnsAt(X_gf.p)) J(0, c.dof) += sign * dot(axis, c.S.w);
    drift[0] += sign * dot(axis, frame->driftAt(X_gf.p).w);
  }
}

}  // namespace espalier::sim
