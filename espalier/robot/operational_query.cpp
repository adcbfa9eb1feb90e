#include "espalier/robot/operational_query.h"

#include "espalier/dynamics/tree/kinematics.h"

namespace espalier {
OperationalQuery::OperationalQuery(const Model& model, const Lowered<double>& parameters,
                                   const double* q, const double* u)
    : m_(model.mechanism),
      ws_(model.topology),
      loops_(model.topology, m_),
      clusters_(model.topology, m_) {
  const Topology& t = model.topology;
  espalier::kinematics(t, parameters, q, u, ws_);
  loopRates(t, m_, q, ws_, loops_);
  chooseIndependents(m_, loops_);
  computeReducedColumns(t, m_, ws_, loops_);
  factorClusters(t, parameters, m_, ws_, loops_, clusters_);
}

void OperationalQuery::addRows(int body, const Vec3d& r, const Mat3d& R,
                               std::vector<BodyWrench<double>>& rows) {
  const Vec3d e[] = {columnX(R), columnY(R), columnZ(R)};
  for (const Vec3d& axis : e) rows.push_back({body, {axis, {0, 0, 0}}});
  for (const Vec3d& axis : e) rows.push_back({body, forceAt(r, axis)});
}

MatDyn OperationalQuery::inverseInertia(const std::vector<BodyWrench<double>>& rows) const {
  const int n = static_cast<int>(rows.size());
  std::vector<double> z(rows.size() * static_cast<std::size_t>(m_.reduced.nv));
  MatDyn inverse(n, n);
  inverseOperationalInertia(m_, loops_, clusters_, rows.data(), n, z.data(), inverse.data());
  return inverse;
}

double OperationalQuery::respond(const BodyWrench<double>& force, std::vector<double>& udot,
                                 Motion<double>& acceleration) {
  std::vector<double> ydot(static_cast<std::size_t>(m_.reduced.nv));
  const double felt = testForce(m_, loops_, force, clusters_, ydot.data(), udot.data());
  acceleration = clusters_.A[force.body];
  return felt;
}

}  // namespace espalier
