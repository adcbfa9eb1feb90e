#include "espalier/dynamics/tree/energy.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

/// Inertia of every body and all it carries, about O; of(I) of each.
template <class Of>
auto eachComposite(const Topology& t, const Workspace<double>& ws, Of&& of) {
  AlignedArray<RigidInertia<double>> composite(static_cast<std::size_t>(t.nb));
  compositeInertias(t, ws, composite.data());
  std::vector<decltype(of(composite[0]))> all;
  for (const RigidInertia<double>& I : composite) all.push_back(of(I));
  return all;
}

/// Centre of mass from O; O itself where there is no mass.
Vec3d centreOrOrigin(const RigidInertia<double>& I) {
  return I.m > 0 ? centreOf(I) : Vec3d{0, 0, 0};
}

}  // namespace

double ArticulatedSystem::getTotalMass() const { return model().mass; }

Vec<3> ArticulatedSystem::getCOM() const { return centreOfMass(model().topology, kinematicsNow()); }
/// Of a body without mass its origin.
std::vector<Vec<3>> ArticulatedSystem::getBodyCOM_W() const {
  const Workspace<double>& ws = kinematicsNow();
  std::vector<Vec<3>> centres;
  for (int b = 0; b < model().nb(); ++b) {
    const RigidInertia<double>& I = ws.Ib[b];
    centres.push_back(ws.origin + (I.m > 0 ? centreOf(I) : ws.x[b]));
  }
  return centres;
}

std::vector<double> ArticulatedSystem::getCompositeMass() const {
  return eachComposite(model().topology, kinematicsNow(),
                       [](const RigidInertia<double>& I) { return I.m; });
}
std::vector<Vec<3>> ArticulatedSystem::getCompositeCOM() const {
  const Workspace<double>& ws = kinematicsNow();
  return eachComposite(model().topology, ws, [&](const RigidInertia<double>& I) {
    return Vec<3>(ws.origin + centreOrOrigin(I));
  });
}
std::vector<Mat<3, 3>> ArticulatedSystem::getCompositeInertia() const {
  return eachComposite(model().topology, kinematicsNow(), [](const RigidInertia<double>& I) {
    const Sym3<double> s = I.m > 0 ? inertiaAboutCentre(I) : I.I;
    return Mat<3, 3>(Mat3d{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}});
  });
}

Vec<3> ArticulatedSystem::getLinearMomentum() const {
  return momentum(model().topology, system_.parameters, velocitiesNow(), kinematicsNow()).f;
}
/// L_P = L_O + (O - P) x p
void ArticulatedSystem::getAngularMomentum(const Vec<3>& point_W, Eigen::Vector3d& L) const {
  const Workspace<double>& ws = kinematicsNow();
  const Force<double> aboutO = momentum(model().topology, system_.parameters, velocitiesNow(), ws);
  L = Vec<3>(aboutO.n + cross(ws.origin - static_cast<Vec3d>(point_W), aboutO.f));
}
Vec<3> ArticulatedSystem::getAngularMomentum(const Vec<3>& point_W) const {
  Vec<3> L;
  getAngularMomentum(point_W, L);
  return L;
}
Vec<3> ArticulatedSystem::getAngularMomentum() const { return getAngularMomentum(getCOM()); }

}  // namespace espalier
