#pragma once

// The definitions of dynamics/simd/subtree_packs.h, for the translation units that instantiate
// them.

#include "espalier/dynamics/loops/reduction_impl.h"
#include "espalier/dynamics/simd/subtree_packs.h"
#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "espalier/dynamics/tree/kinematics_impl.h"

namespace espalier {

/// A part at work; its numbers are those of the whole at its places.
template <class T>
struct PartWorkspace {
  explicit PartWorkspace(const Part& part)
      : ws(part.t),
        loops(part.t, part.m),
        q(part.t.nq),
        u(part.t.nv),
        h(part.t.nv),
        H(part.m.reduced.entries()) {
    par.bodies.resize(part.t.nb);
    par.extra.resize(part.t.nb);
    par.armature.resize(part.t.nv);
    par.spin.resize(part.t.nv);
    par.geared.resize(part.t.geared.size());
  }

  Lowered<T> par;
  Workspace<T> ws;
  LoopWorkspace<T> loops;
  AlignedArray<T> q, u, h, H;
};

namespace subtree_mechanism_detail {

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
template <class T>
void gather(const std::vector<int>& places, const double* from, AlignedArray<T>& to) {
  double* x = numbers(to);
  for (std::size_t i = 0; i < places.size(); ++i) x[i] = from[places[i]];
}

/// From index `first` on, for numbers that are a subtree's own.
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

/// To what all subtrees add to, as far as it is shared, four subtrees at a time; the others' is
/// their own.
///   in  places  index * lanes + lane;  shared  so many indices
template <class T>
void add(const Part& part, const std::vector<int>& places, int shared, AlignedArray<T>& from,
         double* to) {
  const double* x = numbers(from);
  for (int i = 0; i < shared; ++i) {
    double& all = to[places[i * part.lanes]];
    for (int first = i * part.lanes, left = part.filled; left > 0;
         first += subtrees_in_a_sum, left -= subtrees_in_a_sum) {
      double sum = x[first];
      for (int l = 1; l < subtrees_in_a_sum && l < left; ++l) sum += x[first + l];
      all += sum;
    }
  }
  scatter(part, places, shared, from, to);
}

template <class T>
void load(const Part& part, int rootBodies, const Lowered<double>& par,
          const LoopWorkspace<double>& loops, PartWorkspace<T>& w) {
  const bool isRoot = part.m.clusters.empty() && part.t.nb == rootBodies;
  for (int l = 0; l < part.lanes; ++l) {
    const auto at = [&](const std::vector<int>& places, int i) {
      return places[i * part.lanes + l];
    };
    for (int b = 0; b < part.t.nb; ++b) {
      LoweredBody<double> body = par.bodies[at(part.places.body, b)];
      if (!isRoot && b < rootBodies) body.I = {};  // the root's own part has it
      putLane(part, l, body, w.par.bodies[b]);
      putLane(part, l, par.extra[at(part.places.body, b)], w.par.extra[b]);
    }
    for (int d = 0; d < part.t.nv; ++d) {
      const bool isOwn = isRoot || part.t.dofBody[d] >= rootBodies;
      putLane(part, l, isOwn ? par.armature[at(part.places.u, d)] : 0.0, w.par.armature[d]);
      putLane(part, l, isOwn ? par.spin[at(part.places.u, d)] : 0.0, w.par.spin[d]);
    }
    for (std::size_t g = 0; g < part.t.geared.size(); ++g)
      putLane(part, l, par.geared[at(part.places.geared, static_cast<int>(g))], w.par.geared[g]);
    for (std::size_t i = 0; i < part.m.closures.size(); ++i)
      putLane(part, l, loops.ends[at(part.places.closure, static_cast<int>(i))], w.loops.ends[i]);
    for (int r = 0; r < part.m.rows; ++r)
      putLane(part, l, loops.axes[at(part.places.row, r)], w.loops.axes[r]);
  }
  w.par.hasArmature = par.hasArmature;
  w.par.hasRotors = par.hasRotors;
}

/// closeLoops(), and G there.
template <class T>
double close(const Part& part, int sharedQ, double* q, double tolerance, int iterations,
             PartWorkspace<T>& w, LoopWorkspace<double>& loops) {
  gather(part.places.q, q, w.q);
  placeBodies(part.t, w.par, w.q.data(), w.ws);
  w.loops.singularity = bc<T>(0.0);
  const T left =
      closePlacedLoops(part.t, w.par, part.m, w.q.data(), tolerance, iterations, w.ws, w.loops);
  settleLoops(part.t, part.m, left, w.q.data(), w.loops);
  scatter(part, part.places.q, sharedQ, w.q, q);
  scatter(part, part.places.G, 0, w.loops.G, loops.G.data());
  double worst = 0;
  for (int l = 0; l < part.lanes; ++l) {
    worst = lane(left, l) <= worst ? worst : lane(left, l);  // NaN counts, too
    const double singularity = lane(w.loops.singularity, l);
    loops.singularity = singularity > loops.singularity ? singularity : loops.singularity;
  }
  return worst;
}

template <class T>
void addBias(const Part& part, const Vec3d& gravity, const double* u, PartWorkspace<T>& w,
             LoopWorkspace<double>& loops, double* h) {
  gather(part.places.u, u, w.u);
  velocities(part.t, w.u.data(), w.ws);
  loopAccelerations(part.t, part.m, w.u.data(), w.ws, w.loops);
  inverseDynamics(part.t, w.par, bc<T>(gravity), w.loops.g.data(), w.ws, w.h.data());
  scatter(part, part.places.u, part.sharedDofs, w.loops.g, loops.g.data());
  add(part, part.places.u, part.sharedDofs, w.h, h);
}

template <class T>
void addMassMatrix(const Part& part, PartWorkspace<T>& w, double* H) {
  placeInertias(part.t, w.par, w.ws);
  computeReducedColumns(part.t, part.m, w.ws, w.loops);
  reducedMassMatrix(part.t, w.par, part.m, w.ws, w.loops, w.H.data());
  add(part, part.places.entry, part.sharedEntries, w.H, H);
}

template <class T, class Wide>
LanePlace placeOf(const AlignedArray<Wide>& of, int index, int lane) {
  constexpr int lanes = lanes_v<T>, size = static_cast<int>(sizeof(Wide) / sizeof(double));
  return {reinterpret_cast<const double*>(of.data()) + index * size + lane, lanes};
}

template <class T>
void find(const Part& part, const PartWorkspace<T>& w, SubtreeNumbers& numbers) {
  for (int l = 0; l < part.filled; ++l) {
    for (int b = 0; b < part.t.nb; ++b)
      numbers.body[part.places.body[b * part.lanes + l]] = {
          placeOf<T>(w.ws.R, b, l), placeOf<T>(w.ws.x, b, l), placeOf<T>(w.ws.V, b, l),
          placeOf<T>(w.ws.A, b, l), placeOf<T>(w.ws.c, b, l)};
    for (int d = 0; d < part.t.nv; ++d)
      numbers.dof[part.places.u[d * part.lanes + l]] = placeOf<T>(w.ws.S, d, l);
    for (int s = 0; s < part.m.firstReduced.back(); ++s)
      numbers.reducedColumn[part.places.reducedColumn[s * part.lanes + l]] =
          placeOf<T>(w.loops.reducedColumn, s, l);
  }
}

}  // namespace subtree_mechanism_detail

/// In lanes of two widths, which may be one.
template <class Wide, class Narrow>
class SubtreePacksOf final : public SubtreePacks {
 public:
  explicit SubtreePacksOf(const SubtreePlan& plan) : plan_(plan) {
    for (std::size_t p = 1; p < plan.parts.size(); ++p)
      if (isWide(plan.parts[p]))
        wide_.emplace_back(plan.parts[p]);
      else
        narrow_.emplace_back(plan.parts[p]);
  }

  void load(const Lowered<double>& parameters, const LoopWorkspace<double>& loops) override {
    const int bodies = static_cast<int>(plan_.root.size());
    forAll([&](const Part& part, auto& w) {
      subtree_mechanism_detail::load(part, bodies, parameters, loops, w);
    });
  }
  double close(double* q, double tolerance, int iterations, LoopWorkspace<double>& loops) override {
    double worst = 0;
    forAll([&](const Part& part, auto& w) {
      const double left = subtree_mechanism_detail::close(part, plan_.parts[0].t.nq, q, tolerance,
                                                          iterations, w, loops);
      worst = left <= worst ? worst : left;
    });
    return worst;
  }
  void addBias(const Vec3d& gravity, const double* u, LoopWorkspace<double>& loops,
               double* h) override {
    forAll([&](const Part& part, auto& w) {
      subtree_mechanism_detail::addBias(part, gravity, u, w, loops, h);
    });
  }
  void addMassMatrix(double* H) override {
    forAll([&](const Part& part, auto& w) { subtree_mechanism_detail::addMassMatrix(part, w, H); });
  }
  void find(SubtreeNumbers& numbers) override {
    forAll(
        [&](const Part& part, const auto& w) { subtree_mechanism_detail::find(part, w, numbers); });
  }

 private:
  static bool isWide(const Part& part) { return part.lanes == lanes_v<Wide>; }

  template <class F>
  ESPALIER_INLINE void forAll(F&& f) {
    auto wide = wide_.begin();
    auto narrow = narrow_.begin();
    for (std::size_t p = 1; p < plan_.parts.size(); ++p)
      if (isWide(plan_.parts[p]))
        f(plan_.parts[p], *wide++);
      else
        f(plan_.parts[p], *narrow++);
  }

  const SubtreePlan& plan_;
  std::vector<PartWorkspace<Wide>> wide_;
  std::vector<PartWorkspace<Narrow>> narrow_;
};

}  // namespace espalier
