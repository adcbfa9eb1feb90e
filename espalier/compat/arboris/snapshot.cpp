#include "espalier/compat/arboris/snapshot.h"

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/kinematics.h"

namespace espalier::sim {

Snapshot::Snapshot(const Simulation& simulation) : simulation_(simulation) {
  for (const auto& actor : simulation.actors()) workspaces_.emplace_back(actor->model().topology);
  take();
  for (const auto& ws : workspaces_)
    for (const RigidInertia<double>& I : ws.Ib) mass_ += I.m;
}

void Snapshot::take() {
  simulation_.requireObjects();
  for (std::size_t i = 0; i < workspaces_.size(); ++i) {
    const Actor& actor = *simulation_.actors()[i];
    kinematics(actor.model().topology, actor.parameters(), actor.tree().q().data(),
               actor.tree().u().data(), workspaces_[i]);
  }
}

double Snapshot::kineticEnergy() const {
  simulation_.requireObjects();
  double sum = 0;
  for (std::size_t i = 0; i < workspaces_.size(); ++i) {
    const Actor& actor = *simulation_.actors()[i];
    sum += espalier::kineticEnergy(actor.model().topology, actor.parameters(),
                                   actor.tree().u().data(), workspaces_[i]);
  }
  return sum;
}

double Snapshot::potentialEnergy(const Vec3d& gravity) const {
  double sum = 0;
  for (std::size_t i = 0; i < workspaces_.size(); ++i)
    sum += espalier::potentialEnergy(simulation_.actors()[i]->model().topology, gravity,
                                     workspaces_[i]);
  return sum;
}

Eigen::Vector3d Snapshot::centreOfMass() const {
  Vec3d sum{0, 0, 0};
  for (const auto& ws : workspaces_)
    for (const RigidInertia<double>& I : ws.Ib) sum += I.h + ws.origin * I.m;
  return Eigen::Vector3d(sum.x, sum.y, sum.z) / mass_;
}

Eigen::Vector3d Snapshot::centreOfMassRate() const {
  Vec3d sum{0, 0, 0};
  for (std::size_t i = 0; i < workspaces_.size(); ++i)
    for (std::size_t b = 0; b < workspaces_[i].Ib.size(); ++b)
      sum += mul(workspaces_[i].Ib[b], workspaces_[i].V[b]).f;
  return Eigen::Vector3d(sum.x, sum.y, sum.z) / mass_;
}

Transformd Snapshot::linkPose(std::size_t actor, std::size_t link) const {
  const FrameInfo& info = simulation_.actors()[actor]->model().links[link];
  const Workspace<double>& ws = workspaces_[actor];
  const auto b = static_cast<std::size_t>(info.body);
  return Transformd{ws.R[b], ws.origin + ws.x[b]} * info.X_CF;
}

}  // namespace espalier::sim
