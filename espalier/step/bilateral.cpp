#include "espalier/step/bilateral.h"

#include <cmath>

#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/loops/loop_rows.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

LoopFrames<double> framesIn(const Workspace<double>& ws, const Closure& c) {
  const auto R = [&](int b) { return b < 0 ? identity3<double>() : ws.R[b]; };
  const auto x = [&](int b) { return b < 0 ? -ws.origin : ws.x[b]; };
  return framesOf(c, R(c.a), x(c.a), R(c.b), x(c.b));
}

}  // namespace

ClosureRows closureRows(const BilateralLoops& loops, const RowGroup& group, const Vec3d& gravity,
                        const Workspace<double>& ws) {
  const Closure& c = loops.closures[group.closure];
  const LoopFrames<double> f = framesIn(ws, c);
  const Motion<double> none = zeroMotion<double>(), still{{0, 0, 0}, -gravity};
  const Motion<double>&Va = c.a < 0 ? none : ws.V[c.a], &Vb = c.b < 0 ? none : ws.V[c.b];
  const Motion<double>&Aa = c.a < 0 ? still : ws.A[c.a], &Ab = c.b < 0 ? still : ws.A[c.b];
  ClosureRows rows;
  double gap[3]{}, rate[3]{}, k[3]{};
  for (int i = 0; i < group.count; ++i) {
    const RowKind& kind = rowTable(c.kind)[group.rows[i]];
    gap[i] = rowOf(c, kind, f, rows.W[i]);
    rate[i] = dot(Vb - Va, rows.W[i]);
    k[i] = dot(Ab - Aa, rows.W[i]) + velocityTerm(kind, f, Va, Vb);
  }
  rows.gap = {gap[0], gap[1], gap[2]};
  rows.rate = {rate[0], rate[1], rate[2]};
  rows.k = {k[0], k[1], k[2]};
  return rows;
}

Vec3d closureBias(const StepData& world, const Vec3d& gap, const Vec3d& rate, const Vec3d& k) {
  const SchemeInfo& scheme = info(world.scheme);
  return gap * (1 / world.dt) + k * (scheme.loopShareOfK * world.dt) + rate * scheme.loopRate;
}

double largestGap(const BilateralLoops& loops, const Workspace<double>& ws) {
  double most = 0;
  for (const Closure& c : loops.closures) {
    const LoopFrames<double> f = framesIn(ws, c);
    for (const RowKind& kind : rowTable(c.kind)) {
      Force<double> W;
      most = std::max(most, std::abs(rowOf(c, kind, f, W)));
    }
  }
  return most;
}

void reportClosures(StepData& world) {
  for (System* sys : world.systems) {
    const BilateralLoops& loops = sys->model->bilateral;
    if (loops.isEmpty()) continue;
    kinematics(sys->topology(), sys->parameters, world.qOf(*sys), world.uOf(*sys), sys->ws);
    const double gap = largestGap(loops, sys->ws);
    world.report.closure = std::max(world.report.closure, gap);
    if (!(gap < open_bilateral)) world.report.raise(StepFlag::LoopOpen);
  }
}

}  // namespace espalier
