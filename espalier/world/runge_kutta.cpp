#include "espalier/world/runge_kutta.h"

#include "espalier/dynamics/factor.h"
#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/dynamics/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "espalier/world/pose.h"

namespace espalier {
namespace {

/// First of the three dofs of a rotation vector; -1 where the joint has none.
int rotationDof(const BodyTopology& body) {
  if (body.kind == JointKind::Spherical) return body.u;
  if (body.kind == JointKind::Floating) return body.u + 3;
  return -1;
}

}  // namespace

void tangentRate(const Topology& t, const double* theta, const double* u, double* rate) {
  for (int d = 0; d < t.nv; ++d) rate[d] = u[d];
  for (const BodyTopology& body : t.bodies) {
    const int d = rotationDof(body);
    if (d < 0) continue;
    put(rotationRate(vector3(theta + d), vector3(u + d)), rate + d);
  }
}

void rungeKutta(System& sys, const Vec3d& gravity, double dt, double* q, const double* u) {
  const Topology& t = sys.topology();
  const int n = t.nv;
  const auto& [at, share] = stages;
  double *start = sys.stage.data(), *stageU = start + n, *theta = start + 2 * n,
         *rate = start + 3 * n, *sumRate = start + 4 * n, *sumChange = start + 5 * n;
  double* change = sys.z.data();
  for (int d = 0; d < n; ++d) {
    start[d] = u[d] + (sys.uNext[d] - sys.free[d]);
    rate[d] = change[d] = sumRate[d] = sumChange[d] = 0;
    sys.stage[6 * n + d] = start[d];
  }
  for (int i = 0; i < 4; ++i) {
    for (int d = 0; d < n; ++d) {
      theta[d] = dt * at[i] * rate[d];
      stageU[d] = start[d] + dt * at[i] * change[d];
    }
    advance(t, q, theta, sys.qm.data());
    tangentRate(t, theta, stageU, rate);
    kinematics(t, sys.parameters, sys.qm.data(), stageU, sys.ws);
    bias(t, sys.parameters, gravity, sys.ws, sys.h.data());
    massMatrix(t, sys.parameters, sys.ws);
    actuate(sys, stageU, Scheme::RUNGE_KUTTA_4, dt);
    addExternal(sys, gravity);
    factor(t, sys.ws);
    for (int d = 0; d < n; ++d) change[d] = sys.force[d] - sys.h[d];
    solveTransposed(t, sys.ws, change);
    solveForward(t, sys.ws, change);
    for (int d = 0; d < n; ++d) {
      sumRate[d] += dt * share[i] * rate[d];
      sumChange[d] += dt * share[i] * change[d];
    }
  }
  advance(t, q, sumRate, q);
  for (int d = 0; d < n; ++d) sys.uNext[d] = start[d] + sumChange[d];
}

}  // namespace espalier
