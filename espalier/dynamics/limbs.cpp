#include "espalier/dynamics/limbs.h"

#include <algorithm>

#include "espalier/core/check.h"
#include "espalier/dynamics/branch_lanes.h"
#include "espalier/dynamics/inverse_dynamics_impl.h"
#include "espalier/dynamics/kinematics_impl.h"
#include "espalier/dynamics/reduction_impl.h"

namespace espalier {
namespace {

// Lanes lie side by side, so numbers of a part are doubles at [index * lanes + lane].
template <class T>
double* numbers(AlignedArray<T>& of) {
  return reinterpret_cast<double*>(of.data());
}

/// One lane of a struct of T.
template <class Plain, class Wide>
void putLane(const Part& part, int lane, const Plain& from, Wide& to) {
  const auto* f = reinterpret_cast<const double*>(&from);
  auto* t = reinterpret_cast<double*>(&to);
  for (std::size_t i = 0; i < sizeof(Plain) / sizeof(double); ++i)
    t[static_cast<int>(i) * part.lanes + lane] = f[i];
}
template <class Plain, class Wide>
void takeLane(const Part& part, int lane, const Wide& from, Plain& to) {
  const auto* f = reinterpret_cast<const double*>(&from);
  auto* t = reinterpret_cast<double*>(&to);
  for (std::size_t i = 0; i < sizeof(Plain) / sizeof(double); ++i)
    t[i] = f[static_cast<int>(i) * part.lanes + lane];
}

template <class T>
void gather(const std::vector<int>& places, const double* from, AlignedArray<T>& to) {
  double* x = numbers(to);
  for (std::size_t i = 0; i < places.size(); ++i) x[i] = from[places[i]];
}

/// From index `first` on, for numbers that are a limb's own.
template <class T>
void scatter(const Part& part, const std::vector<int>& places, int first, AlignedArray<T>& from,
             double* to) {
  const double* x = numbers(from);
  const int size = static_cast<int>(places.size());
  if (part.filled == part.lanes) {
    for (int i = first * part.lanes; i < size; ++i) to[places[i]] = x[i];
    return;
  }
  for (int i = first * part.lanes; i < size; i += part.lanes)
    for (int k = i; k < i + part.filled; ++k) to[places[k]] = x[k];
}

/// For what all limbs add to; what is the trunk's has one place for all lanes.
template <class T>
void add(const Part& part, const std::vector<int>& places, AlignedArray<T>& from, double* to) {
  const double* x = numbers(from);
  const int size = static_cast<int>(places.size()), last = part.filled - 1;
  for (int i = 0; i < size; i += part.lanes) {
    if (places[i] == places[i + last]) {
      double sum = x[i];
      for (int k = i + 1; k <= i + last; ++k) sum += x[k];
      to[places[i]] += sum;
    } else {
      for (int k = i; k <= i + last; ++k) to[places[k]] += x[k];
    }
  }
}

/// Screws from `first` on.
template <class T>
void takeScrews(const Part& part, int first, const LoopWorkspace<T>& from,
                LoopWorkspace<double>& to) {
  Motion<double> idle;
  double* rows[limb_lanes];
  for (int s = first; s < part.m.firstScrew.back(); ++s) {
    if constexpr (lanes_v<T> == 1) {
      to.screw[part.places.screw[s]] = from.screw[s];
    } else {
      for (int l = 0; l < part.lanes; ++l)
        rows[l] = reinterpret_cast<double*>(
            l < part.filled ? &to.screw[part.places.screw[s * part.lanes + l]] : &idle);
      branches_detail::toRows(reinterpret_cast<const T*>(&from.screw[s]), 6, rows);
    }
  }
}

template <class T>
void load(const Part& part, int trunkBodies, const Lowered<double>& par,
          const LoopWorkspace<double>& loops, PartWorkspace<T>& w) {
  const bool isTrunk = part.m.clusters.empty() && part.t.nb == trunkBodies;
  for (int l = 0; l < part.lanes; ++l) {
    const auto at = [&](const std::vector<int>& places, int i) {
      return places[i * part.lanes + l];
    };
    for (int b = 0; b < part.t.nb; ++b) {
      LoweredBody<double> body = par.bodies[at(part.places.body, b)];
      if (!isTrunk && b < trunkBodies) body.I = {};  // the trunk's own part has it
      putLane(part, l, body, w.par.bodies[b]);
      putLane(part, l, par.extra[at(part.places.body, b)], w.par.extra[b]);
    }
    for (int d = 0; d < part.t.nv; ++d) {
      const bool isOwn = isTrunk || part.t.dofBody[d] >= trunkBodies;
      putLane(part, l, isOwn ? par.armature[at(part.places.u, d)] : 0.0, w.par.armature[d]);
    }
    for (std::size_t i = 0; i < part.m.closures.size(); ++i)
      putLane(part, l, loops.ends[at(part.places.closure, static_cast<int>(i))], w.loops.ends[i]);
    for (int r = 0; r < part.m.rows; ++r)
      putLane(part, l, loops.axes[at(part.places.row, r)], w.loops.axes[r]);
  }
  w.par.hasArmature = par.hasArmature;
}

template <class T>
double close(const Part& part, const Topology& trunk, double* q, double tolerance, int iterations,
             PartWorkspace<T>& w, LoopWorkspace<double>& loops) {
  gather(part.places.q, q, w.q);
  placeBodies(part.t, w.par, w.q.data(), w.ws);
  w.loops.nearness = bc<T>(0.0);
  const T left =
      closePlacedLoops(part.t, w.par, part.m, w.q.data(), tolerance, iterations, w.ws, w.loops);
  solveRates(part.m, w.loops);
  scatter(part, part.places.q, trunk.nq, w.q, q);
  scatter(part, part.places.G, 0, w.loops.G, loops.G.data());
  double worst = 0;
  for (int l = 0; l < part.lanes; ++l) {
    worst = lane(left, l) <= worst ? worst : lane(left, l);  // no number counts, too
    loops.nearness = std::max(loops.nearness, lane(w.loops.nearness, l));
  }
  return worst;
}

template <class T>
void addBias(const Part& part, const Topology& trunk, const Vec3d& gravity, const double* u,
             PartWorkspace<T>& w, LoopWorkspace<double>& loops, double* h) {
  gather(part.places.u, u, w.u);
  velocities(part.t, w.u.data(), w.ws);
  loopAccelerations(part.t, part.m, w.u.data(), w.ws, w.loops);
  inverseDynamics(part.t, w.par, bc<T>(gravity), w.loops.g.data(), w.ws, w.h.data());
  scatter(part, part.places.u, trunk.nv, w.loops.g, loops.g.data());
  add(part, part.places.u, w.h, h);
}

template <class T>
void addMassMatrix(const Part& part, int firstScrew, PartWorkspace<T>& w,
                   LoopWorkspace<double>& loops, double* H) {
  placeInertias(part.t, w.par, w.ws);
  bodyScrews(part.t, part.m, w.ws, w.loops);
  reducedMassMatrix(part.t, w.par, part.m, w.ws, w.loops, w.H.data());
  add(part, part.places.entry, w.H, H);
  takeScrews(part, firstScrew, w.loops, loops);
}

}  // namespace

template <class T>
PartWorkspace<T>::PartWorkspace(const Part& part)
    : ws(part.t),
      loops(part.t, part.m),
      q(part.t.nq),
      u(part.t.nv),
      h(part.t.nv),
      H(part.m.reduced.entries()) {
  par.bodies.resize(part.t.nb);
  par.extra.resize(part.t.nb);
  par.armature.resize(part.t.nv);
}

Limbs::Limbs(const Topology& topology, const Mechanism& mechanism)
    : t_(topology), plan_(planLimbs(topology, mechanism)) {
  if (!plan_.isWorthIt) return;
  placeOf_.resize(static_cast<std::size_t>(t_.nb));
  for (int p = static_cast<int>(plan_.parts.size()) - 1; p >= 0;
       --p) {  // the trunk's place is last
    const Part& part = plan_.parts[p];
    for (int b = 0; b < part.t.nb; ++b)
      for (int l = 0; l < part.filled; ++l)
        placeOf_[part.places.body[b * part.lanes + l]] = {p, b, l};
  }
  trunk_.emplace_back(plan_.parts[0]);
  for (std::size_t p = 1; p < plan_.parts.size(); ++p) packs_.emplace_back(plan_.parts[p]);
}

void Limbs::load(const Lowered<double>& parameters, const LoopWorkspace<double>& loops) {
  const int bodies = static_cast<int>(plan_.trunk.size());
  ESPALIER_ASSERT(!parameters.hasRotors);  // a mechanism's rotors are bodies
  espalier::load(plan_.parts[0], bodies, parameters, loops, trunk_[0]);
  for (std::size_t p = 0; p < packs_.size(); ++p)
    espalier::load(plan_.parts[p + 1], bodies, parameters, loops, packs_[p]);
}

double Limbs::close(double* q, double tolerance, int iterations, LoopWorkspace<double>& loops) {
  const Topology& trunk = plan_.parts[0].t;
  double worst = 0;
  for (std::size_t p = 0; p < packs_.size(); ++p) {
    const double left =
        espalier::close(plan_.parts[p + 1], trunk, q, tolerance, iterations, packs_[p], loops);
    worst = left <= worst ? worst : left;
  }
  espalier::close(plan_.parts[0], trunk, q, tolerance, iterations, trunk_[0], loops);
  return worst;
}

void Limbs::bias(const Vec3d& gravity, const double* u, LoopWorkspace<double>& loops, double* h) {
  const Topology& trunk = plan_.parts[0].t;
  std::fill_n(h, t_.nv, 0.0);
  addBias(plan_.parts[0], trunk, gravity, u, trunk_[0], loops, h);
  for (std::size_t p = 0; p < packs_.size(); ++p)
    addBias(plan_.parts[p + 1], trunk, gravity, u, packs_[p], loops, h);
}

void Limbs::massMatrix(const Topology& reduced, LoopWorkspace<double>& loops, double* H) {
  std::fill_n(H, reduced.entries(), 0.0);
  addMassMatrix(plan_.parts[0], 0, trunk_[0], loops, H);
  for (std::size_t p = 0; p < packs_.size(); ++p)
    addMassMatrix(plan_.parts[p + 1], plan_.parts[p + 1].m.firstScrew[plan_.trunk.size()],
                  packs_[p], loops, H);
}

void Limbs::exportBody(int body, Workspace<double>& ws) const {
  const auto take = [&](const Part& part, const auto& w, const Place& at) {
    takeLane(part, at.lane, w.ws.R[at.body], ws.R[body]);
    takeLane(part, at.lane, w.ws.x[at.body], ws.x[body]);
    takeLane(part, at.lane, w.ws.V[at.body], ws.V[body]);
    takeLane(part, at.lane, w.ws.A[at.body], ws.A[body]);
  };
  const Place& at = placeOf_[body];
  ws.origin = trunk_[0].ws.origin;
  if (at.part == 0)
    take(plan_.parts[0], trunk_[0], at);
  else
    take(plan_.parts[at.part], packs_[at.part - 1], at);
}

void Limbs::exportAll(Workspace<double>& ws) const {
  for (int b = 0; b < t_.nb; ++b) {
    exportBody(b, ws);
    const auto take = [&](const Part& part, const auto& w, const Place& at) {
      takeLane(part, at.lane, w.ws.c[at.body], ws.c[b]);
      for (int k = 0; k < t_.bodies[b].nv; ++k)
        takeLane(part, at.lane, w.ws.S[part.t.bodies[at.body].u + k], ws.S[t_.bodies[b].u + k]);
    };
    const Place& at = placeOf_[b];
    if (at.part == 0)
      take(plan_.parts[0], trunk_[0], at);
    else
      take(plan_.parts[at.part], packs_[at.part - 1], at);
  }
}

}  // namespace espalier
