#include "espalier/compat/arboris/mechanism.h"

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/jacobian.h"

namespace espalier::sim {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// arboris' own threshold, kg: lighter bodies have their centre at their origin.
constexpr double kMassless = 1e-10;

/// A body's inertia about its centre of mass, world axes.
struct CentralInertia {
  double m;
  Vec3d c;  ///< from O
  Sym3<double> I;
};

CentralInertia central(const RigidInertia<double>& about_C, const Mat3d& R_WC, const Vec3d& x) {
  const bool hasCentre = about_C.m > kMassless;
  const Vec3d c = hasCentre ? centreOf(about_C) : Vec3d{0, 0, 0};
  const Sym3<double> I = hasCentre ? inertiaAboutCentre(about_C) : about_C.I;
  return {about_C.m, x + mul(R_WC, c), congruence(transpose(R_WC), I)};
}

}  // namespace

void addInertia(const Tree& tree, const Lowered<double>& parameters, Eigen::MatrixXd& M,
                Eigen::MatrixXd& N) {
  const Topology& t = tree.model().topology;
  const Workspace<double>& ws = tree.workspace();
  Tree::Column* columns = tree.scratch().data();
  for (int b = 0; b < t.nb; ++b) {
    const CentralInertia body = central(parameters.bodies[at(b)].I, ws.R[at(b)], ws.x[at(b)]);
    const Motion<double>& V = ws.V[at(b)];
    const Vec3d velocity = velocityAt(V, body.c);
    const int count = tree.columns(b, columns);
    for (int j = 0; j < count; ++j) {
      const auto& [dof, S, dS] = columns[j];
      const Vec3d A = velocityAt(S, body.c), IW = mul(body.I, S.w);
      const Vec3d dA = velocityAt(dS, body.c) + cross(S.w, velocity);
      const Vec3d moment = mul(body.I, dS.w) + cross(V.w, IW) - mul(body.I, cross(V.w, S.w));
      for (int i = 0; i < count; ++i) {
        const Vec3d Ai = velocityAt(columns[i].S, body.c), Wi = columns[i].S.w;
        M(columns[i].dof, dof) += dot(Wi, IW) + body.m * dot(Ai, A);
        N(columns[i].dof, dof) += dot(Wi, moment) + body.m * dot(Ai, dA);
      }
    }
  }
  for (int d = 0; d < t.nv; ++d) {
    if (t.floating && d < 6) continue;
    const int place = tree.firstDof() + tree.model().spanningDof[at(d)];
    M(place, place) += parameters.armature[at(d)];
  }
}

void addWeight(const Tree& tree, const Vec3d& gravity, Eigen::VectorXd& gforce) {
  const Topology& t = tree.model().topology;
  const Workspace<double>& ws = tree.workspace();
  Tree::Column* columns = tree.scratch().data();
  for (int b = 0; b < t.nb; ++b) {
    // ws.Ib is about O: its h is m c.
    const Force<double> weight{cross(ws.Ib[at(b)].h, gravity), gravity * ws.Ib[at(b)].m};
    const int count = tree.columns(b, columns);
    for (int j = 0; j < count; ++j) gforce[columns[j].dof] += dot(columns[j].S, weight);
  }
}

}  // namespace espalier::sim
