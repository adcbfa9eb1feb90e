#include "espalier/dynamics/simd/limb_plan.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>

#include "espalier/core/check.h"
#include "espalier/model/loops/mechanism_layout.h"

namespace espalier {
namespace {

struct Limb {
  std::vector<int> bodies;  // ascending
  // What it takes part in; its rows of each cluster.
  std::vector<int> closures, couplings, clusters;
  std::vector<std::vector<int>> rows;
};

bool contains(const std::vector<int>& sorted, int x) {
  return std::binary_search(sorted.begin(), sorted.end(), x);
}
int indexIn(const std::vector<int>& list, int x) {
  const auto found = std::find(list.begin(), list.end(), x);
  ESPALIER_ASSERT(found != list.end());
  return static_cast<int>(found - list.begin());
}

/// Bodies that a coupling joins.
std::vector<int> bodiesOf(const Topology& t, const Coupling& c) {
  std::vector<int> bodies;
  for (const Coupling::Term& term : c.terms) bodies.push_back(t.dofBody[term.u]);
  return bodies;
}

class Planner {
 public:
  Planner(const Topology& t, const Mechanism& m, const std::vector<int>& widths)
      : t_(t), m_(m), widths_(widths) {}

  /// With this trunk; empty where it is none.
  LimbPlan planWith(std::vector<int> trunk) {
    LimbPlan plan;
    trunk_ = std::move(trunk);
    if (!isTrunk() || !findLimbs()) return plan;
    plan.trunk = trunk_;
    plan.parts.push_back(makePart(Limb{}, {Limb{}}, 1));
    std::map<std::vector<std::int64_t>, std::vector<Limb>> makes;
    for (const Limb& limb : limbs_) makes[signatureOf(limb)].push_back(limb);
    int bodies = static_cast<int>(trunk_.size());
    for (const auto& [signature, limbs] : makes) {
      const int count = static_cast<int>(limbs.size());
      for (int i = 0; i < count;) {
        const int lanes = widthFor(count - i), end = std::min(count, i + lanes);
        plan.parts.push_back(makePart(limbs[0], {limbs.begin() + i, limbs.begin() + end}, lanes));
        if (!share(plan.parts.front(), plan.parts.back())) return {};
        i = end;
      }
      // As if all registers were the narrowest, so that wider ones decide nothing.
      bodies += (count + widths_[0] - 1) / widths_[0] * plan.parts.back().t.nb;
    }
    plan.isWorthIt = 2 * t_.nb > 3 * bodies;
    return plan;
  }

 private:
  int widthFor(int limbs) const {
    for (const int width : widths_)
      if (width >= limbs) return width;
    return widths_.back();
  }

  /// What a part adds to, its trunk's bodies being its first. Not so where a cluster of the limb's
  /// is led by bodies of the trunk that do not follow one another: its y are together, the trunk's
  /// are not.
  static bool share(const Part& trunk, Part& part) {
    part.sharedDofs = trunk.t.nv;
    part.sharedEntries = trunk.m.reduced.entries();
    for (int e = 0; e < part.sharedEntries; ++e)
      for (int l = 0; l < part.lanes; ++l)
        if (part.places.entry[e * part.lanes + l] != trunk.places.entry[e]) return false;
    return true;
  }

  bool isOfTrunk(int body) const { return body < 0 || contains(trunk_, body); }

  /// All its dofs lead.
  bool isTrunk() const {
    for (const int b : trunk_)
      for (int d = t_.bodies[b].u; d < t_.bodies[b].u + t_.bodies[b].nv; ++d)
        if (std::find(m_.dofOfY.begin(), m_.dofOfY.end(), d) == m_.dofOfY.end()) return false;
    return true;
  }

  /// False where the trunk alone closes a loop or is tied, or a coupling needs its inputs in one place.
  bool isSplit() const {
    const auto inTrunk = [&](int b) { return isOfTrunk(b); };
    const auto isWithin = [&](const Coupling& c) {
      const std::vector<int> bodies = bodiesOf(t_, c);
      return c.phi || std::all_of(bodies.begin(), bodies.end(), inTrunk);
    };
    return std::none_of(m_.closures.begin(), m_.closures.end(),
                        [&](const Closure& c) { return inTrunk(c.a) && inTrunk(c.b); }) &&
           std::none_of(m_.couplings.begin(), m_.couplings.end(), isWithin);
  }

  /// Of each body, the first of those outside of the trunk that joints, loops and couplings join it to.
  std::vector<int> firstJoined() const {
    std::vector<int> of(static_cast<std::size_t>(t_.nb));  // union-find
    std::iota(of.begin(), of.end(), 0);
    const auto find = [&](int b) {
      while (of[b] != b) b = of[b] = of[of[b]];
      return b;
    };
    const auto join = [&](int a, int b) {
      if (isOfTrunk(a) || isOfTrunk(b)) return;
      a = find(a);
      b = find(b);
      of[std::max(a, b)] = std::min(a, b);
    };
    for (int b = 1; b < t_.nb; ++b) join(b, t_.bodies[b].parent);
    for (const Closure& c : m_.closures) join(c.a, c.b);
    for (const Coupling& c : m_.couplings) {
      const std::vector<int> bodies = bodiesOf(t_, c);
      for (const int a : bodies)
        for (const int b : bodies) join(a, b);
    }
    for (int b = 0; b < t_.nb; ++b) of[b] = find(b);
    return of;
  }

  bool findLimbs() {
    if (!isSplit()) return false;
    const std::vector<int> first = firstJoined();
    limbs_.clear();
    std::map<int, std::size_t> limbOf;
    for (int b = 0; b < t_.nb; ++b) {
      if (isOfTrunk(b)) continue;
      const auto [at, isNew] = limbOf.try_emplace(first[b], limbs_.size());
      if (isNew) limbs_.emplace_back();
      limbs_[at->second].bodies.push_back(b);
    }
    for (Limb& limb : limbs_) findTies(limb);
    return limbs_.size() > 1;
  }

  void findTies(Limb& limb) const {
    for (std::size_t i = 0; i < m_.closures.size(); ++i)
      if (contains(limb.bodies, m_.closures[i].a) || contains(limb.bodies, m_.closures[i].b))
        limb.closures.push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < m_.couplings.size(); ++i) {
      const std::vector<int> bodies = bodiesOf(t_, m_.couplings[i]);
      if (std::any_of(bodies.begin(), bodies.end(),
                      [&](int b) { return contains(limb.bodies, b); }))
        limb.couplings.push_back(static_cast<int>(i));
    }
    for (std::size_t k = 0; k < m_.clusters.size(); ++k) {
      const Cluster& c = m_.clusters[k];
      if (std::none_of(c.bodies.begin(), c.bodies.end(),
                       [&](int b) { return contains(limb.bodies, b); }))
        continue;
      limb.clusters.push_back(static_cast<int>(k));
      limb.rows.emplace_back();
      for (std::size_t r = 0; r < c.rows.size(); ++r)
        if (contains(c.rows[r].closure >= 0 ? limb.closures : limb.couplings,
                     std::max(c.rows[r].closure, c.rows[r].coupling)))
          limb.rows.back().push_back(static_cast<int>(r));
    }
  }

  std::vector<int> bodiesOn(const Limb& limb) const {
    std::vector<int> bodies = trunk_;
    bodies.insert(bodies.end(), limb.bodies.begin(), limb.bodies.end());
    return bodies;
  }

  // ---- the parts

  /// The dofs of a part in the whole, as the part counts them.
  std::vector<int> dofsOf(const std::vector<int>& bodies) const {
    std::vector<int> dofs;
    for (const int b : bodies)
      for (int k = 0; k < t_.bodies[b].nv; ++k) dofs.push_back(t_.bodies[b].u + k);
    return dofs;
  }
  std::vector<int> coordinatesOf(const std::vector<int>& bodies) const {
    std::vector<int> q;
    for (const int b : bodies)
      for (int k = 0; k < t_.bodies[b].nq; ++k) q.push_back(t_.bodies[b].q + k);
    return q;
  }

  Topology topologyOf(const std::vector<int>& bodies) const {
    std::vector<BodyTopology> own;
    for (const int b : bodies) {
      BodyTopology body;
      body.kind = t_.bodies[b].kind;
      body.parent = b == 0 ? -1 : indexIn(bodies, t_.bodies[b].parent);
      own.push_back(body);
    }
    Topology part = makeTopology(std::move(own));
    std::vector<Topology::Geared> geared;
    const std::vector<int> dofs = dofsOf(bodies);
    for (const int g : gearedIn(bodies))
      geared.push_back({indexIn(dofs, t_.geared[g].dof), indexIn(dofs, t_.geared[g].carrier)});
    tieByRotors(part, std::move(geared));
    return part;
  }

  /// The pairs tied by rotors that are a part's own: a limb's, or the trunk's.
  std::vector<int> gearedIn(const std::vector<int>& bodies) const {
    const bool isTrunk = bodies.size() == trunk_.size();
    std::vector<int> geared;
    for (std::size_t g = 0; g < t_.geared.size(); ++g) {
      const int body = t_.dofBody[t_.geared[g].dof];
      const bool isIn = std::find(bodies.begin(), bodies.end(), body) != bodies.end();
      if (isIn && contains(trunk_, body) == isTrunk) geared.push_back(static_cast<int>(g));
    }
    return geared;
  }

  Mechanism mechanismOf(const Limb& limb) const {
    const std::vector<int> bodies = bodiesOn(limb), dofs = dofsOf(bodies),
                           q = coordinatesOf(bodies);
    const auto bodyOf = [&](int b) { return b < 0 ? -1 : indexIn(bodies, b); };
    Mechanism m;
    for (const int i : limb.closures) {
      Closure& c = m.closures.emplace_back(m_.closures[i]);
      c.a = bodyOf(c.a);
      c.b = bodyOf(c.b);
    }
    for (const int i : limb.couplings)
      for (Coupling::Term& term : m.couplings.emplace_back(m_.couplings[i]).terms)
        term = {indexIn(q, term.q), indexIn(dofs, term.u), term.factor};
    for (std::size_t k = 0; k < limb.clusters.size(); ++k) {
      const Cluster& whole = m_.clusters[limb.clusters[k]];
      Cluster& c = m.clusters.emplace_back();
      c.carrier = bodyOf(whole.carrier);
      std::vector<int> places(whole.dofs.size(), -1);  // in c of those in the whole
      for (std::size_t b = 0; b < bodies.size(); ++b)
        if (contains(whole.bodies, bodies[b])) c.bodies.push_back(static_cast<int>(b));
      for (std::size_t d = 0; d < dofs.size(); ++d)
        if (m_.clusterOf[t_.dofBody[dofs[d]]] == limb.clusters[k]) {
          places[m_.placeOf[dofs[d]]] = static_cast<int>(c.dofs.size());
          c.dofs.push_back(static_cast<int>(d));
        }
      for (const int r : limb.rows[k]) c.rows.push_back(rowOf(whole.rows[r], limb, places));
      c.plan = planOf(whole.plan, limb.rows[k], places);
      c.gain = whole.gain;
    }
    return m;
  }

  LoopRow rowOf(const LoopRow& whole, const Limb& limb, const std::vector<int>& places) const {
    LoopRow row;
    row.closure = whole.closure < 0 ? -1 : indexIn(limb.closures, whole.closure);
    row.coupling = whole.coupling < 0 ? -1 : indexIn(limb.couplings, whole.coupling);
    row.index = whole.index;
    std::vector<std::pair<int, double>> columns;
    for (std::size_t j = 0; j < whole.columns.size(); ++j)
      columns.emplace_back(places[whole.columns[j]], whole.sign[j]);
    std::sort(columns.begin(), columns.end());
    ESPALIER_ASSERT(columns.empty() || columns[0].first >= 0);
    for (const auto& [place, sign] : columns) {
      row.columns.push_back(place);
      row.sign.push_back(sign);
    }
    return row;
  }

  /// The blocks of some of the rows.
  static LoopPlan planOf(const LoopPlan& whole, const std::vector<int>& rows,
                         const std::vector<int>& places) {
    LoopPlan plan;
    for (const int j : whole.independent)
      if (places[j] >= 0) plan.independent.push_back(places[j]);
    std::sort(plan.independent.begin(), plan.independent.end());
    for (const LoopBlock& block : whole.blocks) {
      if (!contains(rows, whole.rows[block.first])) continue;
      plan.blocks.push_back({static_cast<int>(plan.rows.size()), block.size});
      for (int i = block.first; i < block.first + block.size; ++i) {
        plan.rows.push_back(indexIn(rows, whole.rows[i]));
        plan.dependent.push_back(places[whole.dependent[i]]);
        plan.leastPivots.push_back(whole.leastPivots[i]);
      }
    }
    return plan;
  }

  /// Limbs of one make have the same; the order of elimination does not count.
  std::vector<std::int64_t> signatureOf(const Limb& limb) const {
    const Mechanism m = mechanismOf(limb);
    const Topology t = topologyOf(bodiesOn(limb));
    std::vector<std::int64_t> out;
    const auto put = [&](double x) { out.push_back(std::bit_cast<std::int64_t>(x)); };
    const auto putAll = [&](const std::vector<int>& list) {
      out.push_back(static_cast<std::int64_t>(list.size()));
      out.insert(out.end(), list.begin(), list.end());
    };
    for (const BodyTopology& b : t.bodies) {
      out.push_back(b.parent);
      out.push_back(static_cast<int>(b.kind));
    }
    for (const Topology::Geared& g : t.geared) out.insert(out.end(), {g.dof, g.carrier});
    for (const Closure& c : m.closures) {
      if (c.kind == LoopKind::SCREW) out.push_back(limb.bodies[0]);  // always alone
      out.insert(out.end(), {static_cast<int>(c.kind), c.a, c.b});
    }
    for (const Coupling& c : m.couplings) {
      put(c.offset);
      for (const Coupling::Term& term : c.terms) {
        out.insert(out.end(), {term.q, term.u});
        put(term.factor);
      }
    }
    for (const Cluster& c : m.clusters) {
      out.push_back(c.carrier);
      putAll(c.bodies);
      putAll(c.plan.independent);
      for (const LoopRow& row : c.rows) {
        out.insert(out.end(), {row.closure, row.coupling, row.index});
        putAll(row.columns);
        for (const double sign : row.sign) put(sign);
      }
    }
    return out;
  }

  /// The first of a make says for all in which order they eliminate.
  Part makePart(const Limb& first, const std::vector<Limb>& limbs, int lanes) const {
    Part part;
    part.lanes = lanes;
    part.filled = static_cast<int>(limbs.size());
    part.t = topologyOf(bodiesOn(first));
    part.m = mechanismOf(first);
    layOut(part.t, part.m);
    for (int l = 0; l < lanes; ++l) findPlaces(part, limbs[l < part.filled ? l : 0], l);
    return part;
  }

  void findPlaces(Part& part, const Limb& limb, int lane) const {
    const Mechanism& m = part.m;
    const std::vector<int> bodies = bodiesOn(limb), dofs = dofsOf(bodies);
    const auto put = [&](std::vector<int>& to, int index, int place) {
      const auto size = static_cast<std::size_t>((index + 1) * part.lanes);
      if (to.size() < size) to.resize(size);
      to[static_cast<std::size_t>(index * part.lanes + lane)] = place;
    };
    const auto putAll = [&](std::vector<int>& to, const std::vector<int>& list) {
      for (std::size_t i = 0; i < list.size(); ++i) put(to, static_cast<int>(i), list[i]);
    };
    putAll(part.places.body, bodies);
    putAll(part.places.q, coordinatesOf(bodies));
    putAll(part.places.u, dofs);
    putAll(part.places.closure, limb.closures);
    putAll(part.places.geared, gearedIn(bodies));

    std::vector<int> y;  // in the whole
    for (const int d : m.dofOfY) y.push_back(indexIn(m_.dofOfY, dofs[d]));
    for (std::size_t k = 0; k < m.clusters.size(); ++k) {
      const Cluster &c = m.clusters[k], &whole = m_.clusters[limb.clusters[k]];
      for (std::size_t r = 0; r < c.rows.size(); ++r)
        put(part.places.row, c.firstRow + static_cast<int>(r), whole.firstRow + limb.rows[k][r]);
      for (std::size_t j = 0; j < c.dofs.size(); ++j)
        for (int i = 0; i < c.ny(); ++i)
          put(part.places.G, c.firstG + static_cast<int>(j) * c.ny() + i,
              whole.firstG + m_.placeOf[dofs[c.dofs[j]]] * whole.ny() + y[c.y + i] - whole.y);
    }
    for (int b = 0; b < part.t.nb; ++b)
      for (int i = 0; i < m.firstScrew[b + 1] - m.firstScrew[b]; ++i)
        put(part.places.screw, m.firstScrew[b] + i,
            m_.firstScrew[bodies[b]] + y[m.firstY[b] + i] - m_.firstY[bodies[b]]);
    for (int i = 0; i < m.reduced.nv; ++i)
      for (int j = i; j >= 0; j = m.reduced.dofParent[j])
        put(part.places.entry, m.reduced.row[i] + m.reduced.dofDepth[j],
            m_.reduced.row[y[i]] + m_.reduced.dofDepth[y[j]]);
  }

  const Topology& t_;
  const Mechanism& m_;
  const std::vector<int>& widths_;
  std::vector<int> trunk_;
  std::vector<Limb> limbs_;
};

/// The base, and what leads a cluster together with all that carries it.
std::vector<int> leadersOf(const Topology& t, const Mechanism& m) {
  std::vector<int> bodies{0};
  for (const Cluster& c : m.clusters)
    for (const int j : c.plan.independent)
      for (int b = t.dofBody[c.dofs[j]]; b > 0; b = t.bodies[b].parent) bodies.push_back(b);
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

}  // namespace

LimbPlan planLimbs(const Topology& t, const Mechanism& m, const std::vector<int>& widths) {
  Planner planner(t, m, widths);
  LimbPlan plan = planner.planWith({0});
  if (plan.isWorthIt) return plan;
  return planner.planWith(leadersOf(t, m));
}

}  // namespace espalier
