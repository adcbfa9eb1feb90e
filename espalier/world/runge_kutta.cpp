#include "espalier/world/runge_kutta.h"

#include <algorithm>

#include "espalier/model/coordinates.h"
#include "espalier/world/pose.h"
#include "espalier/world/stages.h"

namespace espalier {
namespace {

/// First of the three dofs of a rotation vector; -1 where the joint has none.
int rotationDof(const BodyTopology& body) {
  const int at = info(body.kind).quaternion;
  return at < 0 ? -1 : body.u + at;
}

/// theta' of all joints for the step theta that leads to a stage with velocity u.
void tangentRate(const Topology& t, const double* theta, const double* u, double* rate) {
  for (int d = 0; d < t.nv; ++d) rate[d] = u[d];
  for (const BodyTopology& body : t.bodies) {
    const int d = rotationDof(body);
    if (d < 0) continue;
    put(rotationRate(vector3(theta + d), vector3(u + d)), rate + d);
  }
}

}  // namespace

void rungeKutta(WorldData& world, System& sys) {
  const SystemStep<double> s = stepOf(world, sys);
  const int n = s.t.nv, solved = s.solved.nv;
  const double dt = world.dt;
  const auto& [at, share] = stages;
  double *start = sys.stage.data(), *stageU = start + n, *theta = start + 2 * n,
         *rate = start + 3 * n, *sumRate = start + 4 * n, *sumChange = start + 5 * n, *change = s.z;
  for (int d = 0; d < n; ++d) rate[d] = sumRate[d] = stageU[d] = 0;
  for (int i = 0; i < solved; ++i) {
    start[i] = s.rates[s.dofOf(i)] + (s.y[i] - sys.free[s.dofOf(i)]);
    change[i] = sumChange[i] = 0;
  }
  for (int stage = 0; stage < 4; ++stage) {
    for (int d = 0; d < n; ++d) theta[d] = dt * at[stage] * rate[d];
    for (int i = 0; i < solved; ++i) stageU[s.dofOf(i)] = start[i] + dt * at[stage] * change[i];
    advance(s.t, world.qOf(sys), theta, sys.qm.data());
    evaluateAt(world, sys, stageU);
    const double* u = sys.rates(stageU);
    if (stage == 0) std::copy_n(u, n, &sys.stage[6 * n]);
    tangentRate(s.t, theta, u, rate);
    applyForces(world, sys, u);
    factorDamped(world, sys);
    freeImpulse(world, sys, 1);
    solveForward(sys, change);
    for (int d = 0; d < n; ++d) sumRate[d] += dt * share[stage] * rate[d];
    for (int i = 0; i < solved; ++i) sumChange[i] += dt * share[stage] * change[i];
  }
  for (int i = 0; i < solved; ++i) s.y[i] = start[i] + sumChange[i];
  std::copy_n(sumRate, n, s.mean);
}

}  // namespace espalier
