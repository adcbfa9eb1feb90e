#include "espalier/dynamics/simd/branch_lanes.h"
#include "espalier/dynamics/tree/aba_impl.h"

namespace espalier {

using namespace branches_detail;

/// Sum of what the geared children of every lane leave, the last child first.
void Branches::gearsOfChildren(const BranchNode& node,
                               typename AbaWorkspace<T>::Gear& below) const {
  if (node.gearNode >= 0) {  // nothing moves: lanes without one hold zeros
    below = w_.gear[node.gearNode];
    return;
  }
  using Gear = typename AbaWorkspace<double>::Gear;
  for (int l = 0; l < W; ++l) {
    Gear sum{};
    if (node.body[l] >= 0)
      for (int child : plan_.children[node.body[l]])
        if (t_.gearOf[t_.bodies[child].u] >= 0)
          sum += takeLane<Gear>(w_.gear[plan_.nodeOf[child]], plan_.laneOf[child]);
    putLane(below, l, sum);
  }
}

void Branches::aba(const Vec3d& gravity, const double* q, const double* u, const double* tau,
                   AbaWorkspace<double>& ws, double* udot) {
  using namespace aba_detail;
  const Mat3d e0 = openBase(t_, *par_, q, u, ws.motion[0].V);

  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    const BranchNode& node = plan_.nodes[n];
    const T qn = gather(q, node.q), un = gather(u, node.u);
    Motion<T> Vp0;
    const Motion<T>& Vp = ofParents<Motion<double>>(t_, plan_, node, w_.V, ws.motion[0].V, Vp0);
    withNode(
        node.kind, [&]<class J>() __attribute__((always_inline)) {
          twistOut<J>(lanes_.body[n], qn, un, Vp, w_.motion[n]);
        });
    w_.V[n] = w_.motion[n].V;
  }

  for (std::size_t n = plan_.nodes.size(); n-- > 0;) {
    const BranchNode& node = plan_.nodes[n];
    const T un = gather(u, node.u), taun = gather(tau, node.u);
    const RigidInertia<T> I = lanes_.body[n].I;
    const Motion<T> V = w_.V[n];
    ArticulatedInertia<T> A;
    Force<T> pA = crossForce(V, mul(I, V));
    if (node.isLeaf) {
      A = articulated(I);
    } else {
      A = sumOfChildren<ArticulatedInertia<double>>(plan_, node, w_.IA);
      A += I;
      pA += sumOfChildren<Force<double>>(plan_, node, w_.pA);
    }
    typename AbaWorkspace<T>::Gear below;
    if (node.carriesGear) gearsOfChildren(node, below);
    withNode(
        node.kind, [&]<class J>() __attribute__((always_inline)) {
          typename AbaWorkspace<T>::DofFactor dof;
          const DofInertia<T> own{lanes_.armature[n], lanes_.spin[n],
                                  node.carriesGear ? &below : nullptr, par_->hasArmature};
          factorDof<J>(A, pA, taun, own, dof);
          w_.joint[n] = dof;
          if (node.isGeared)
            w_.gear[n] = gearUp<J>(lanes_.body[n], w_.motion[n], dof, un, lanes_.geared[n]);
          if (node.onBase && !t_.floating) return;
          w_.pA[n] = handUp<J>(lanes_.body[n], A, pA, w_.motion[n], dof, un, own, w_.IA[n]);
        });
  }

  ArticulatedInertia<double> A{};
  Force<double> pA{};
  if (t_.floating) {
    const RigidInertia<double> I = par_->bodies[0].I;
    const Motion<double> V = ws.motion[0].V;
    A = sumOnBase<ArticulatedInertia<double>>(plan_, w_.IA);
    A += I;
    pA = crossForce(V, mul(I, V));
    pA += sumOnBase<Force<double>>(plan_, w_.pA);
  }
  ws.A[0] = closeBase(t_, e0, gravity, u, tau, A, pA, udot);

  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    const BranchNode& node = plan_.nodes[n];
    const T un = gather(u, node.u);
    Motion<T> Ap0;
    const Motion<T>& Ap = ofParents<Motion<double>>(t_, plan_, node, w_.A, ws.A[0], Ap0);
    T tied = T(0.0);
    if (node.isGeared && node.parentNode >= 0) {
      tied = w_.joint[node.parentNode].rest * lanes_.geared[n];
    } else if (node.isGeared) {
      for (int l = 0; l < W; ++l)
        if (t_.gearOf[node.u[l]] >= 0) setLane(tied, l, udot[t_.dofParent[node.u[l]]]);
      tied = tied * lanes_.geared[n];
    }
    withNode(
        node.kind, [&]<class J>() __attribute__((always_inline)) {
          const T own =
              accelerate<J>(lanes_.body[n], w_.motion[n], w_.joint[n], un, tied, Ap, w_.A[n]);
          w_.joint[n].rest = own;  // for what is tied to it
          scatter(node, own, udot);
        });
  }
}

}  // namespace espalier
