#include "espalier/dynamics/loops/cluster_motion.h"

#include <cmath>

#include "espalier/core/check.h"
#include "espalier/dynamics/loops/closure.h"
#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"

namespace espalier {
namespace {

constexpr double kClosed = 1e-8;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void requireSize(const std::vector<double>& x, int size, const char* what) {
  ESPALIER_REQUIRE(static_cast<int>(x.size()) == size, std::string(what) + " has " +
                                                           std::to_string(x.size()) +
                                                           " numbers, not " + std::to_string(size));
}

/// |phi|, |K u| and G of one cluster.
void requireClosed(const Cluster& c, const LoopWorkspace<double>& loops, const double* u) {
  const int width = static_cast<int>(c.dofs.size());
  double open = 0, torn = 0;
  const auto take = [](double& worst, double x) {
    if (std::isnan(x) || std::abs(x) > worst) worst = std::abs(x);  // NaN stays
  };
  for (int r = 0; r < static_cast<int>(c.rows.size()); ++r) {
    double rate = 0;
    for (int j = 0; j < width; ++j)
      rate += loops.K[at(c.firstK + r * width + j)] * u[c.dofs[at(j)]];
    take(open, loops.phi[at(c.firstRow + r)]);
    take(torn, rate);
  }
  ESPALIER_REQUIRE(open <= kClosed, "the coordinates do not close the cluster's loops: " +
                                        std::to_string(open) + " is left");
  ESPALIER_REQUIRE(torn <= kClosed,
                   "the velocities do not keep the cluster's loops closed: they "
                   "part at " +
                       std::to_string(torn));
  for (int i = 0; i < width * c.ny(); ++i)
    ESPALIER_REQUIRE(std::abs(loops.G[at(c.firstG + i)]) < 1e6,
                     "the cluster's independent joints are at a dead point and do not determine "
                     "how the others move");
}

/// A motion in world axes about O as [w; v] in a link's axes at its origin x.
struct InLink {
  Mat3d R_WL;
  Vec3d x;
  template <class To>
  void put(const Motion<double>& m, To&& to) const {
    const Vec3d w = tmul(R_WL, m.w), v = tmul(R_WL, velocityAt(m, x));
    const double numbers[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    for (int i = 0; i < 6; ++i) to(i) = numbers[i];
  }
};

}  // namespace

ClusterMotion clusterMotion(const Model& model, const Lowered<double>& parameters, int cluster,
                            const std::vector<double>& q, const std::vector<double>& u) {
  const Topology& t = model.topology;
  const int count = static_cast<int>(model.mechanism.clusters.size());
  ESPALIER_REQUIRE(cluster >= 0 && cluster < count,
                   "robot '" + model.name + "' has " + std::to_string(count) +
                       " clusters; there is no cluster " + std::to_string(cluster));
  requireSize(q, t.nq, "q");
  requireSize(u, t.nv, "u");
  const Mechanism& m = model.mechanism;
  const Cluster& c = m.clusters[at(cluster)];
  std::vector<double> ownQ(q.size()), ownU(u.size());  // in the engine's order
  for (int i = 0; i < t.nq; ++i) ownQ[at(i)] = q[at(model.spanningCoordinate[at(i)])];
  for (int d = 0; d < t.nv; ++d) ownU[at(d)] = u[at(model.spanningDof[at(d)])];

  Workspace<double> ws(t);
  LoopWorkspace<double> loops(t, m);
  kinematics(t, parameters, ownQ.data(), ownU.data(), ws);
  loopRates(t, m, ownQ.data(), ws, loops);
  requireClosed(c, loops, ownU.data());
  loopAccelerations(t, m, ownU.data(), ws, loops);
  computeReducedColumns(t, m, ws, loops);

  const int ny = c.ny(), n = static_cast<int>(c.bodies.size());
  ClusterMotion out;
  out.bodies = c.bodies;
  for (const int place : c.plan.independent)
    out.independent.push_back(model.spanningDof[at(c.dofs[at(place)])]);
  out.S = DenseMatrix<double>(6 * n, ny);
  out.vJ.resize(at(6 * n));
  out.cJ.resize(at(6 * n));
  const Motion<double> carrier = c.carrier < 0 ? zeroMotion<double>() : ws.V[at(c.carrier)];
  for (int k = 0; k < n; ++k) {
    const int b = c.bodies[at(k)];
    // Its acceleration relative to the carrier at yddot = 0, differentiated in world axes.
    Motion<double> bias = loops.a0[at(b)];
    for (int walk = b; walk >= 0 && m.clusterOf[at(walk)] == cluster;
         walk = t.bodies[at(walk)].parent)
      for (int d = t.bodies[at(walk)].u; d < t.bodies[at(walk)].u + t.bodies[at(walk)].nv; ++d)
        bias = madd(column(t, ws, d), loops.g[at(d)], bias);
    const Motion<double> relative = ws.V[at(b)] - carrier;
    // Differentiated in the carrier's axes; the same in the body's, because relative x relative =
    // 0.
    bias = bias - crossMotion(carrier, relative);
    const InLink link{mul(ws.R[at(b)], transpose(model.bodies[at(b)].R_LC)), ws.x[at(b)]};
    for (int y = 0; y < ny; ++y)
      link.put(loops.reducedColumn[at(m.firstReduced[at(b)] + y)],
               [&](int i) -> double& { return out.S(6 * k + i, y); });
    link.put(relative, [&](int i) -> double& { return out.vJ[at(6 * k + i)]; });
    link.put(bias, [&](int i) -> double& { return out.cJ[at(6 * k + i)]; });
  }
  return out;
}

}  // namespace espalier
