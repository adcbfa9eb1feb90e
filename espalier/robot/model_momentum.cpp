// Energy and momentum of a model by itself, and the equations of its loops.

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/coordinates.h"
#include "espalier/robot/articulated_order.h"
#include "espalier/robot/model_dynamics.h"
#include "espalier/scalar/dual.h"

namespace espalier {
namespace {

/// Momentum about the centre of mass from that about the common origin.
template <class T>
Force<T> aboutCentre(const Topology& t, const Workspace<T>& ws, const Force<T>& F) {
  return {F.n + cross(ws.origin - centreOfMass(t, ws), F.f), F.f};
}

}  // namespace

double ModelDynamics::kineticEnergy() const {
  return espalier::kineticEnergy(model_->topology, parameters(), state_.u.data(),
                                 query_.kinematics());
}
double ModelDynamics::potentialEnergy(const Vec3d& gravity) const {
  return espalier::potentialEnergy(model_->topology, gravity, query_.kinematics());
}
Vec3d ModelDynamics::centreOfMass() const {
  return espalier::centreOfMass(model_->topology, query_.kinematics());
}

Force<double> ModelDynamics::momentum() const {
  const Topology& t = model_->topology;
  const Workspace<double>& ws = query_.kinematics();
  return aboutCentre(t, ws, espalier::momentum(t, parameters(), state_.u.data(), ws));
}

MatDyn ModelDynamics::momentumMatrix() const {
  const Topology& t = model_->topology;
  Workspace<double> ws = query_.kinematics();
  const Eigen::MatrixXd G = query_.spanningRates();
  MatDyn A(6, model_->publicNv);
  for (int j = 0; j < model_->publicNv; ++j) {
    const double* u = G.col(j).data();
    velocities(t, u, ws);
    const Force<double> F = aboutCentre(t, ws, espalier::momentum(t, parameters(), u, ws));
    A.col(j) << F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z;
  }
  return A;
}

Force<double> ModelDynamics::momentumRate(const Eigen::VectorXd& udot) const {
  // The momentum once more along the motion: its rate is exact.
  using D = Dual<double>;
  const Topology& t = model_->topology;
  const std::vector<double> all = query_.spanningAcceleration(udot);
  AlignedArray<D> q(static_cast<std::size_t>(t.nq)), u(static_cast<std::size_t>(t.nv)),
      step(static_cast<std::size_t>(t.nv));
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = D(state_.q[i], 0);
  for (std::size_t d = 0; d < u.size(); ++d) {
    u[d] = D(state_.u[d], all[d]);
    step[d] = D(0, state_.u[d]);
  }
  advance(t, q.data(), step.data(), q.data());
  Workspace<D> ws(t);
  kinematics(t, parameters(), q.data(), u.data(), ws);
  const Force<D> F = aboutCentre(t, ws, espalier::momentum(t, parameters(), u.data(), ws));
  return {{F.n.x.d, F.n.y.d, F.n.z.d}, {F.f.x.d, F.f.y.d, F.f.z.d}};
}

MatDyn ModelDynamics::centreOfMassJacobian() const {
  return MatDyn(momentumMatrix().bottomRows(3) / model_->mass);
}

LoopEquationsAt ModelDynamics::loops() const {
  const Model& model = *model_;
  const auto& place = model.spanningDof;
  const LoopWorkspace<double>& at = query_.loops();
  LoopEquationsAt out;
  const Eigen::MatrixXd G = query_.spanningRates();
  out.G = MatDyn(model.nv(), model.publicNv);
  out.g = VecDyn(model.nv());
  for (int d = 0; d < model.nv(); ++d) {
    out.G.row(place[d]) = G.row(d);
    out.g[place[d]] = at.g[d];
  }
  const int rows = model.mechanism.rows;
  out.phi = VecDyn(rows);
  out.k = VecDyn(rows);
  out.K = MatDyn(rows, model.nv());
  for (const Cluster& c : model.mechanism.clusters)
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      const int row = c.firstRow + static_cast<int>(r);
      out.phi[row] = at.phi[row];
      out.k[row] = at.k[row];
      for (std::size_t j = 0; j < c.dofs.size(); ++j)
        out.K(row, place[c.dofs[j]]) =
            at.K[static_cast<std::size_t>(c.firstK) + r * c.dofs.size() + j];
    }
  return out;
}

}  // namespace espalier
