#include "espalier/dynamics/simd/branches.h"

#include <algorithm>

#include "espalier/dynamics/simd/branch_lanes.h"
#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "espalier/dynamics/tree/kinematics_impl.h"
#include "espalier/dynamics/tree/mass_matrix_impl.h"

namespace espalier {

using namespace branches_detail;

BranchParameters::BranchParameters(const BranchPlan& plan)
    : body(plan.nodes.size()),
      armature(plan.nodes.size()),
      spin(plan.nodes.size()),
      geared(plan.nodes.size()) {}

void BranchParameters::load(const Topology& t, const BranchPlan& plan, const Lowered<double>& par) {
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const BranchNode& node = plan.nodes[n];
    int stand_in = 0;
    for (int b : node.body) stand_in = b >= 0 ? b : stand_in;
    for (int l = 0; l < W; ++l) {
      const int b = node.body[l] >= 0 ? node.body[l] : stand_in;
      putLane(body[n], l, par.bodies[static_cast<std::size_t>(b)]);
    }
    armature[n] = gather(par.armature.data(), node.u);
    spin[n] = par.hasRotors ? gather(par.spin.data(), node.u) : T(0.0);
    geared[n] = T(0.0);
    for (int l = 0; l < W; ++l)
      if (const int g = t.gearOf[node.u[l]]; node.body[l] >= 0 && g >= 0)
        setLane(geared[n], l, par.geared[static_cast<std::size_t>(g)]);
  }
}

namespace {
std::size_t longestRow(const Topology& t) {
  return 1 + static_cast<std::size_t>(
                 t.nv > 0 ? *std::max_element(t.dofDepth.begin(), t.dofDepth.end()) : 0);
}
}  // namespace

BranchWorkspace::BranchWorkspace(const Topology& t, const BranchPlan& plan)
    : R(plan.nodes.size()),
      x(plan.nodes.size()),
      V(plan.nodes.size()),
      c(plan.nodes.size()),
      S(plan.nodes.size()),
      A(plan.nodes.size()),
      Ib(plan.nodes.size()),
      Ic(plan.nodes.size()),
      F(plan.nodes.size()),
      row(longestRow(t)),
      idleRow(longestRow(t)),
      motion(plan.nodes.size()),
      joint(plan.nodes.size()),
      IA(plan.nodes.size()),
      pA(plan.nodes.size()),
      gear(plan.nodes.size()) {}

Branches::Branches(const Topology& topology, const Lowered<double>& parameters)
    : t_(topology),
      par_(&parameters),
      plan_(planBranches(topology)),
      lanes_(plan_.isProfitable ? plan_ : BranchPlan{}),
      w_(topology, plan_.isProfitable ? plan_ : BranchPlan{}),
      factor_(topology, plan_) {
  load(parameters);
}

void Branches::load(const Lowered<double>& parameters) {
  par_ = &parameters;
  if (plan_.isProfitable) lanes_.load(t_, plan_, parameters);
}

void Branches::kinematics(const double* q, const double* u, Workspace<double>& ws) {
  using namespace kinematics_detail;
  placeBase(t_, *par_, q, u, ws);
  ws.Ib[0] = inertiaAt(ws.R[0], ws.x[0], par_->bodies[0].I);
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    const BranchNode& node = plan_.nodes[n];
    const T qn = gather(q, node.q), un = gather(u, node.u);
    Mat3<T> Rp0;
    Vec3<T> xp0;
    Motion<T> Vp0;
    const Mat3<T>& Rp = ofParents<Mat3d>(t_, plan_, node, w_.R, ws.R[0], Rp0);
    const Vec3<T>& xp = ofParents<Vec3d>(t_, plan_, node, w_.x, ws.x[0], xp0);
    const Motion<T>& Vp = ofParents<Motion<double>>(t_, plan_, node, w_.V, ws.V[0], Vp0);
    withNode(
        node.kind, [&]<class J>() __attribute__((always_inline)) {
          place<J>(lanes_.body[n], no_extra, &qn, &un, CarrierMotion<T>{Rp, xp, Vp},
                   BodyMotion<T>{w_.R[n], w_.x[n], &w_.S[n], w_.V[n], w_.c[n]});
        });
    w_.Ib[n] = inertiaAt(w_.R[n], w_.x[n], lanes_.body[n].I);
  }
}

void Branches::velocities(const double* u, Workspace<double>& ws) {
  using namespace kinematics_detail;
  if (t_.floating) baseTwist(u, ws);
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    const BranchNode& node = plan_.nodes[n];
    const T un = gather(u, node.u);
    Motion<T> Vp0;
    const Motion<T>& Vp = ofParents<Motion<double>>(t_, plan_, node, w_.V, ws.V[0], Vp0);
    twist<RevoluteJoint>(Vp, &w_.S[n], &un, w_.V[n], w_.c[n]);  // the same for a slider
  }
}

void Branches::bias(const Vec3d& gravity, Workspace<double>& ws, double* h) {
  using namespace inverse_dynamics_detail;
  ws.A[0] = ws.c[0];
  ws.A[0].v -= gravity;
  if (t_.floating) ws.F[0] = wrench(ws.Ib[0], ws.V[0], ws.A[0]);
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    Motion<T> Ap0;
    const Motion<T>& Ap = ofParents<Motion<double>>(t_, plan_, plan_.nodes[n], w_.A, ws.A[0], Ap0);
    const Motion<T> A = Ap + w_.c[n];
    w_.A[n] = A;
    w_.F[n] = wrench(w_.Ib[n], w_.V[n], A);
  }
  for (std::size_t n = plan_.nodes.size(); n-- > 0;) {
    const BranchNode& node = plan_.nodes[n];
    addChildren<Force<double>>(plan_, node, w_.F, w_.F[n]);
    T own = dot(w_.S[n], w_.F[n]);
    if (par_->hasRotors)
      spinRotorInWorld(node.kind, w_.S[n], lanes_.spin[n], w_.A[n], w_.c[n], w_.F[n].n, own);
    scatter(node, own, h);
  }
  if (!t_.floating) return;
  Force<double> f = ws.F[0];
  addToBase(plan_, w_.F, f);
  ws.F[0] = f;
  put(h, f.f.x, f.f.y, f.f.z, f.n.x, f.n.y, f.n.z);
}

void Branches::massMatrix(Workspace<double>& ws) {
  for (std::size_t n = plan_.nodes.size(); n-- > 0;) {
    const BranchNode& node = plan_.nodes[n];
    RigidInertia<T> Ic = w_.Ib[n];
    addChildren<RigidInertia<double>>(plan_, node, w_.Ic, Ic);
    w_.Ic[n] = Ic;
    Force<T> F = mul(Ic, w_.S[n]);
    double* rows[W];
    for (int l = 0; l < W; ++l)
      rows[l] = node.body[l] >= 0 ? &ws.H[t_.row[node.u[l]]] : w_.idleRow.data();
    // Up the lanes as long as they stay together: to the base, or each on its own from there.
    const int last = t_.dofDepth[node.u[0]];
    T* row = w_.row.data();
    row[last] = dot(w_.S[n], F) + lanes_.armature[n];
    if (par_->hasRotors) F.n = madd(rotors::alongAxis(node.kind, w_.S[n]), lanes_.spin[n], F.n);
    const BranchNode* top = &node;
    int up = 0;
    for (; top->parentNode >= 0; top = &plan_.nodes[top->parentNode])
      row[last - ++up] = dot(w_.S[top->parentNode], F);
    if (top->onBase) {
      if (t_.floating) put(row, F.f.x, F.f.y, F.f.z, F.n.x, F.n.y, F.n.z);
      toRows(row, last + 1, rows);
      continue;
    }
    for (int l = 0; l < W; ++l) {
      if (node.body[l] < 0) continue;
      int depth = t_.dofDepth[node.u[l]];
      for (int k = 0; k <= up; ++k) rows[l][depth - k] = lane(row[last - k], l);
      depth -= up;
      const Force<double> own = takeLane<Force<double>>(F, l);
      for (int b = t_.bodies[top->body[l]].parent; b > 0; b = t_.bodies[b].parent)
        rows[l][--depth] =
            dot(takeLane<Motion<double>>(w_.S[plan_.nodeOf[b]], plan_.laneOf[b]), own);
      if (!t_.floating) continue;
      put(rows[l], own.f.x, own.f.y, own.f.z, own.n.x, own.n.y, own.n.z);
    }
  }
  rotors::addGeared(t_, *par_, ws.H.data());
  ws.Ic[0] = ws.Ib[0];
  if (!t_.floating) return;
  addToBase(plan_, w_.Ic, ws.Ic[0]);
  mass_matrix_detail::baseRows(ws.Ic[0], ws.H.data());
}

void Branches::exportColumns(Workspace<double>& ws) const {
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n)
    for (int l = 0; l < W; ++l)
      if (plan_.nodes[n].body[l] >= 0) takeLane(w_.S[n], l, ws.S[plan_.nodes[n].u[l]]);
}

void Branches::exportBody(int b, Workspace<double>& ws) const {
  if (b == 0) return;
  const int n = plan_.nodeOf[b], l = plan_.laneOf[b];
  takeLane(w_.R[n], l, ws.R[b]);
  takeLane(w_.x[n], l, ws.x[b]);
  takeLane(w_.V[n], l, ws.V[b]);
  takeLane(w_.A[n], l, ws.A[b]);
}

void Branches::exportAll(Workspace<double>& ws) const {
  exportColumns(ws);
  for (int b = 1; b < t_.nb; ++b) {
    exportBody(b, ws);
    const int n = plan_.nodeOf[b], l = plan_.laneOf[b];
    takeLane(w_.c[n], l, ws.c[b]);
    takeLane(w_.Ib[n], l, ws.Ib[b]);
  }
}

Force<double> Branches::momentum(const double* u, const Workspace<double>& ws) {
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) w_.F[n] = mul(w_.Ib[n], w_.V[n]);
  Force<double> sum = mul(ws.Ib[0], ws.V[0]);
  for (int b = 1; b < t_.nb; ++b)
    sum += takeLane<Force<double>>(w_.F[plan_.nodeOf[b]], plan_.laneOf[b]);
  if (!par_->hasRotors) return sum;
  for (int b = 1; b < t_.nb; ++b) {
    const int dof = t_.bodies[b].u;
    const Motion<double> S = takeLane<Motion<double>>(w_.S[plan_.nodeOf[b]], plan_.laneOf[b]);
    sum.n = madd(rotors::alongAxis(t_.bodies[b].kind, S), par_->spin[dof] * u[dof], sum.n);
  }
  return sum;
}

RigidInertia<double> Branches::totalInertia(const Workspace<double>& ws) const {
  RigidInertia<double> sum = ws.Ib[0];
  for (int b = 1; b < t_.nb; ++b)
    sum += takeLane<RigidInertia<double>>(w_.Ib[plan_.nodeOf[b]], plan_.laneOf[b]);
  return sum;
}

void Branches::rnea(const Vec3d& gravity, const double* q, const double* u, const double* udot,
                    Workspace<double>& ws, double* tau) {
  using namespace inverse_dynamics_detail;
  const Mat3d e0 = driveBase(t_, *par_, gravity, q, u, udot, ws);
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    const BranchNode& node = plan_.nodes[n];
    const T qn = gather(q, node.q), un = gather(u, node.u), an = gather(udot, node.u);
    Motion<T> Vp0;
    const Motion<T>& Vp = ofParents<Motion<double>>(t_, plan_, node, w_.V, ws.V[0], Vp0);
    Motion<T> Ap0;
    const Motion<T>& Ap = ofParents<Motion<double>>(t_, plan_, node, w_.A, ws.A[0], Ap0);
    withNode(
        node.kind, [&]<class J>() __attribute__((always_inline)) {
          Mat3<T> e;
          Vec3<T> p;
          J::pose(lanes_.body[n], no_extra, &qn, e, p);
          w_.R[n] = e;
          w_.x[n] = p;
          Motion<T> V, A;
          drive<J>(e, p, Vp, Ap, un, an, V, A);
          w_.V[n] = V;
          w_.A[n] = A;
          w_.F[n] = wrench(lanes_.body[n].I, V, A);
        });
  }
  for (std::size_t n = plan_.nodes.size(); n-- > 0;) {
    const BranchNode& node = plan_.nodes[n];
    Force<T> F = w_.F[n];
    addChildren<Force<double>>(plan_, node, w_.pA, F);
    T own = node.kind == JointKind::Revolute ? F.n.z : F.f.z;
    if (par_->hasRotors)
      withNode(
          node.kind, [&]<class J>() __attribute__((always_inline)) {
            spinRotorInBody<J>(lanes_.spin[n], gather(u, node.u), gather(udot, node.u), w_.V[n],
                               w_.A[n], F.n, own);
          });
    scatter(node, own, tau);
    w_.pA[n] = toParent(w_.R[n], w_.x[n], F);
  }
  if (t_.floating) addToBase(plan_, w_.pA, ws.F[0]);
  closeTau(t_, *par_, e0, udot, ws, tau);
}

}  // namespace espalier
