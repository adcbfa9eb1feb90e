// Tendons as users see them: names, lengths, rates and moment arms.

#include "espalier/robot/articulated_system.h"
#include "espalier/robot/dynamics_query.h"
#include "espalier/step/step_data.h"
#include "espalier/step/tendons.h"

namespace espalier {

std::vector<std::string> ArticulatedSystem::getTendonNames() const {
  std::vector<std::string> names;
  for (const TendonInfo& tendon : model().tendons) names.push_back(tendon.spec.name);
  return names;
}

/// Lengths, rates and segments at the state that queries speak of.
std::vector<TendonState> ArticulatedSystem::tendonsNow() const {
  std::vector<TendonState> tendons = system_.tendons;
  for (std::size_t i = 0; i < tendons.size(); ++i)
    measureTendon(model().tendons[i], kinematicsNow(), coordinatesNow(), velocitiesNow(),
                  tendons[i]);
  return tendons;
}

VecDyn ArticulatedSystem::getTendonLength() const {
  const std::vector<TendonState> tendons = tendonsNow();
  VecDyn lengths(static_cast<int>(tendons.size()));
  for (std::size_t i = 0; i < tendons.size(); ++i) lengths[static_cast<int>(i)] = tendons[i].length;
  return lengths;
}
VecDyn ArticulatedSystem::getTendonVelocity() const {
  const std::vector<TendonState> tendons = tendonsNow();
  VecDyn rates(static_cast<int>(tendons.size()));
  for (std::size_t i = 0; i < tendons.size(); ++i) rates[static_cast<int>(i)] = tendons[i].rate;
  return rates;
}

MatDyn ArticulatedSystem::getTendonJacobian() const {
  const std::vector<TendonState> tendons = tendonsNow();
  MatDyn J = MatDyn::Zero(static_cast<int>(tendons.size()), getDOF());
  const Vec3d& origin = kinematicsNow().origin;
  const DynamicsQuery query(system_, coordinatesNow(), velocitiesNow());
  for (std::size_t i = 0; i < tendons.size(); ++i) {
    const TendonInfo& info = model().tendons[i];
    auto row = J.row(static_cast<int>(i));
    const auto add = [&](int body, const Vec3d& r, const Vec3d& pull) {
      if (body < 0) return;
      Eigen::MatrixXd points = Eigen::MatrixXd::Zero(3, getDOF());
      getDenseJacobian(body, Vec<3>(r + origin), points);
      row += Vec<3>(pull).transpose() * points;
    };
    for (std::size_t k = 0; k < info.segments.size(); ++k) {
      const TendonState::Segment& s = tendons[i].segments[k];
      add(info.segments[k].to.body, s.to, s.pull);
      add(info.segments[k].from.body, s.from, -s.pull);
    }
    Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(3, getDOF());
    for (const RotorInfo::Term& term : info.terms)
      query.addRate(term.u, {term.factor, 0, 0}, rates);
    row += rates.row(0);
  }
  return J;
}

}  // namespace espalier
