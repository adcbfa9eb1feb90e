#include "espalier/robot/operational_query.h"

#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/kinematics.h"

namespace espalier {

OperationalQuery::OperationalQuery(const Model& model, const Lowered<double>& parameters,
                                   const double* q, const double* u)
    : m_(model.mechanism), ws_(model.topology), loops_(model.topology, m_), factored_(m_.reduced) {
  const Topology& t = model.topology;
  espalier::kinematics(t, parameters, q, u, ws_);
  loopRates(t, m_, q, ws_, loops_);
  chooseIndependents(m_, loops_);
  computeReducedColumns(t, m_, ws_, loops_);
  reducedMassMatrix(t, parameters, m_, ws_, loops_, factored_.H.data());
  factor(m_.reduced, factored_);
}

void OperationalQuery::addRows(int body, const Vec3d& r, const Mat3d& R,
                               std::vector<BodyWrench>& rows) {
  const Vec3d e[] = {columnX(R), columnY(R), columnZ(R)};
  for (const Vec3d& axis : e) rows.push_back({body, {axis, {0, 0, 0}}});
  for (const Vec3d& axis : e) rows.push_back({body, forceAt(r, axis)});
}

Eigen::VectorXd OperationalQuery::generalizedForce(const BodyWrench& force) const {
  Eigen::VectorXd y = Eigen::VectorXd::Zero(m_.reduced.nv);
  for (int k = m_.firstColumn[force.body]; k < m_.firstColumn[force.body + 1]; ++k)
    y[m_.columnY[k]] = dot(loops_.reducedColumn[m_.columnReduced[k]], force.f);
  return y;
}

MatDyn OperationalQuery::inverseInertia(const std::vector<BodyWrench>& rows) const {
  const int n = static_cast<int>(rows.size());
  Eigen::MatrixXd Z(m_.reduced.nv, n);
  for (int k = 0; k < n; ++k) {
    Z.col(k) = generalizedForce(rows[k]);
    solveTransposed(m_.reduced, factored_, Z.col(k).data());
  }
  const auto inverseD = Eigen::VectorXd::Map(factored_.Dinv.data(), m_.reduced.nv);
  return MatDyn(Z.transpose() * inverseD.asDiagonal() * Z);
}

double OperationalQuery::respond(const BodyWrench& force, std::vector<double>& udot,
                                 Motion<double>& acceleration) const {
  Eigen::VectorXd ydot = generalizedForce(force);
  solve(m_.reduced, factored_, ydot.data());
  expand(m_, loops_, ydot.data(), udot.data());
  acceleration = zeroMotion<double>();
  for (int k = m_.firstColumn[force.body]; k < m_.firstColumn[force.body + 1]; ++k)
    acceleration =
        madd(loops_.reducedColumn[m_.columnReduced[k]], ydot[m_.columnY[k]], acceleration);
  return dot(acceleration, force.f);
}

}  // namespace espalier
