#include "espalier/dynamics/simd/subtree_plan.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>

#include "espalier/core/check.h"
#include "espalier/model/loops/mechanism_layout.h"

namespace espalier {
namespace {

struct Subtree {
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

  /// With this root; empty where it is none.
  SubtreePlan planWith(std::vector<int> root) {
    SubtreePlan plan;
    root_ = std::move(root);
    if (!isRoot() || !findSubtrees()) return plan;
    plan.root = root_;
    plan.parts.push_back(makePart(Subtree{}, {Subtree{}}, 1));
    std::map<std::vector<std::int64_t>, std::vector<Subtree>> makes;
    for (const Subtree& subtree : subtrees_) makes[signatureOf(subtree)].push_back(subtree);
    int bodies = static_cast<int>(root_.size());
    for (const auto& [signature, subtrees] : makes) {
      const int count = static_cast<int>(subtrees.size());
      for (int i = 0; i < count;) {
        const int lanes = widthFor(count - i), end = std::min(count, i + lanes);
        plan.parts.push_back(
            makePart(subtrees[0], {subtrees.begin() + i, subtrees.begin() + end}, lanes));
        if (!share(plan.parts.front(), plan.parts.back())) return {};
        i = end;
      }
      // As if all registers were the narrowest, so that wider ones decide nothing.
      bodies += (count + widths_[0] - 1) / widths_[0] * plan.parts.back().t.nb;
    }
    plan.isProfitable = 2 * t_.nb > 3 * bodies;
    return plan;
  }

 private:
  int widthFor(int subtrees) const {
    for (const int width : widths_)
      if (width >= subtrees) return width;
    return widths_.back();
  }

  /// What a part adds to, its root's bodies being its first. Not so where a cluster of the
  /// subtree's is led by bodies of the root that do not follow one another: its y are together, the
  /// root's are not.
  static bool share(const Part& root, Part& part) {
    part.sharedDofs = root.t.nv;
    part.sharedEntries = root.m.reduced.entries();
    for (int e = 0; e < part.sharedEntries; ++e)
      for (int l = 0; l < part.lanes; ++l)
        if (part.places.entry[e * part.lanes + l] != root.places.entry[e]) return false;
    return true;
  }

  bool isOfRoot(int body) const { return body < 0 || contains(root_, body); }

  /// All its dofs lead.
  bool isRoot() const {
    for (const int b : root_)
      for (int d = t_.bodies[b].u; d < t_.bodies[b].u + t_.bodies[b].nv; ++d)
        if (std::find(m_.dofOfY.begin(), m_.dofOfY.end(), d) == m_.dofOfY.end()) return false;
    return true;
  }

  /// False where the root alone closes a loop or is tied, or a coupling needs its inputs in one
  /// place.
  bool isSplit() const {
    const auto inTrunk = [&](int b) { return isOfRoot(b); };
    const auto isWithin = [&](const Coupling& c) {
      const std::vector<int> bodies = bodiesOf(t_, c);
      return c.phi || std::all_of(bodies.begin(), bodies.end(), inTrunk);
    };
    return std::none_of(m_.closures.begin(), m_.closures.end(),
                        [&](const Closure& c) { return inTrunk(c.a) && inTrunk(c.b); }) &&
           std::none_of(m_.couplings.begin(), m_.couplings.end(), isWithin);
  }

  /// Of each body, the first of those outside of the root that joints, loops and couplings join it
  /// to.
  std::vector<int> firstJoined() const {
    std::vector<int> of(static_cast<std::size_t>(t_.nb));  // union-find
    std::iota(of.begin(), of.end(), 0);
    const auto find = [&](int b) {
      while (of[b] != b) b = of[b] = of[of[b]];
      return b;
    };
    const auto join = [&](int a, int b) {
      if (isOfRoot(a) || isOfRoot(b)) return;
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

  bool findSubtrees() {
    if (!isSplit()) return false;
    const std::vector<int> first = firstJoined();
    subtrees_.clear();
    std::map<int, std::size_t> subtreeOf;
    for (int b = 0; b < t_.nb; ++b) {
      if (isOfRoot(b)) continue;
      const auto [at, isNew] = subtreeOf.try_emplace(first[b], subtrees_.size());
      if (isNew) subtrees_.emplace_back();
      subtrees_[at->second].bodies.push_back(b);
    }
    for (Subtree& subtree : subtrees_) findTies(subtree);
    return subtrees_.size() > 1;
  }

  void findTies(Subtree& subtree) const {
    for (std::size_t i = 0; i < m_.closures.size(); ++i)
      if (contains(subtree.bodies, m_.closures[i].a) || contains(subtree.bodies, m_.closures[i].b))
        subtree.closures.push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < m_.couplings.size(); ++i) {
      const std::vector<int> bodies = bodiesOf(t_, m_.couplings[i]);
      if (std::any_of(bodies.begin(), bodies.end(),
                      [&](int b) { return contains(subtree.bodies, b); }))
        subtree.couplings.push_back(static_cast<int>(i));
    }
    for (std::size_t k = 0; k < m_.clusters.size(); ++k) {
      const Cluster& c = m_.clusters[k];
      if (std::none_of(c.bodies.begin(), c.bodies.end(),
                       [&](int b) { return contains(subtree.bodies, b); }))
        continue;
      subtree.clusters.push_back(static_cast<int>(k));
      subtree.rows.emplace_back();
      for (std::size_t r = 0; r < c.rows.size(); ++r)
        if (contains(c.rows[r].closure >= 0 ? subtree.closures : subtree.couplings,
                     std::max(c.rows[r].closure, c.rows[r].coupling)))
          subtree.rows.back().push_back(static_cast<int>(r));
    }
  }

  std::vector<int> bodiesOn(const Subtree& subtree) const {
    std::vector<int> bodies = root_;
    bodies.insert(bodies.end(), subtree.bodies.begin(), subtree.bodies.end());
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

  /// The pairs tied by rotors that are a part's own: a subtree's, or the root's.
  std::vector<int> gearedIn(const std::vector<int>& bodies) const {
    const bool isRoot = bodies.size() == root_.size();
    std::vector<int> geared;
    for (std::size_t g = 0; g < t_.geared.size(); ++g) {
      const int body = t_.dofBody[t_.geared[g].dof];
      const bool isIn = std::find(bodies.begin(), bodies.end(), body) != bodies.end();
      if (isIn && contains(root_, body) == isRoot) geared.push_back(static_cast<int>(g));
    }
    return geared;
  }

  Mechanism mechanismOf(const Subtree& subtree) const {
    const std::vector<int> bodies = bodiesOn(subtree), dofs = dofsOf(bodies),
                           q = coordinatesOf(bodies);
    const auto bodyOf = [&](int b) { return b < 0 ? -1 : indexIn(bodies, b); };
    Mechanism m;
    for (const int i : subtree.closures) {
      Closure& c = m.closures.emplace_back(m_.closures[i]);
      c.a = bodyOf(c.a);
      c.b = bodyOf(c.b);
    }
    for (const int i : subtree.couplings)
      for (Coupling::Term& term : m.couplings.emplace_back(m_.couplings[i]).terms)
        term = {indexIn(q, term.q), indexIn(dofs, term.u), term.factor};
    for (std::size_t k = 0; k < subtree.clusters.size(); ++k) {
      const Cluster& whole = m_.clusters[subtree.clusters[k]];
      Cluster& c = m.clusters.emplace_back();
      c.carrier = bodyOf(whole.carrier);
      std::vector<int> places(whole.dofs.size(), -1);  // in c of those in the whole
      for (std::size_t b = 0; b < bodies.size(); ++b)
        if (contains(whole.bodies, bodies[b])) c.bodies.push_back(static_cast<int>(b));
      for (std::size_t d = 0; d < dofs.size(); ++d)
        if (m_.clusterOf[t_.dofBody[dofs[d]]] == subtree.clusters[k]) {
          places[m_.placeOf[dofs[d]]] = static_cast<int>(c.dofs.size());
          c.dofs.push_back(static_cast<int>(d));
        }
      for (const int r : subtree.rows[k]) c.rows.push_back(rowOf(whole.rows[r], subtree, places));
      c.plan = planOf(whole.plan, subtree.rows[k], places);
      c.gain = whole.gain;
    }
    return m;
  }

  LoopRow rowOf(const LoopRow& whole, const Subtree& subtree,
                const std::vector<int>& places) const {
    LoopRow row;
    row.closure = whole.closure < 0 ? -1 : indexIn(subtree.closures, whole.closure);
    row.coupling = whole.coupling < 0 ? -1 : indexIn(subtree.couplings, whole.coupling);
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

  /// Subtrees of one make have the same; the order of elimination does not count.
  std::vector<std::int64_t> signatureOf(const Subtree& subtree) const {
    const Mechanism m = mechanismOf(subtree);
    const Topology t = topologyOf(bodiesOn(subtree));
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
      if (c.kind == LoopKind::SCREW) out.push_back(subtree.bodies[0]);  // always alone
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
  Part makePart(const Subtree& first, const std::vector<Subtree>& subtrees, int lanes) const {
    Part part;
    part.lanes = lanes;
    part.filled = static_cast<int>(subtrees.size());
    part.t = topologyOf(bodiesOn(first));
    part.m = mechanismOf(first);
    layOut(part.t, part.m);
    for (int l = 0; l < lanes; ++l) findPlaces(part, subtrees[l < part.filled ? l : 0], l);
    return part;
  }

  void findPlaces(Part& part, const Subtree& subtree, int lane) const {
    const Mechanism& m = part.m;
    const std::vector<int> bodies = bodiesOn(subtree), dofs = dofsOf(bodies);
    const auto put = [&](std::vector<int>& to, int index, int place) {
      const auto size = static_cast<std::size_t>((index + 1) * part.lanes);
      if (to.size() < size) to.resize(size);
      to[index * part.lanes + lane] = place;
    };
    const auto putAll = [&](std::vector<int>& to, const std::vector<int>& list) {
      for (std::size_t i = 0; i < list.size(); ++i) put(to, static_cast<int>(i), list[i]);
    };
    putAll(part.places.body, bodies);
    putAll(part.places.q, coordinatesOf(bodies));
    putAll(part.places.u, dofs);
    putAll(part.places.closure, subtree.closures);
    putAll(part.places.geared, gearedIn(bodies));

    std::vector<int> y;  // in the whole
    for (const int d : m.dofOfY) y.push_back(indexIn(m_.dofOfY, dofs[d]));
    for (std::size_t k = 0; k < m.clusters.size(); ++k) {
      const Cluster &c = m.clusters[k], &whole = m_.clusters[subtree.clusters[k]];
      for (std::size_t r = 0; r < c.rows.size(); ++r)
        put(part.places.row, c.firstRow + static_cast<int>(r), whole.firstRow + subtree.rows[k][r]);
      for (std::size_t j = 0; j < c.dofs.size(); ++j)
        for (int i = 0; i < c.ny(); ++i)
          put(part.places.G, c.firstG + static_cast<int>(j) * c.ny() + i,
              whole.firstG + m_.placeOf[dofs[c.dofs[j]]] * whole.ny() + y[c.y + i] - whole.y);
    }
    for (int b = 0; b < part.t.nb; ++b)
      for (int i = 0; i < m.firstReduced[b + 1] - m.firstReduced[b]; ++i)
        put(part.places.reducedColumn, m.firstReduced[b] + i,
            m_.firstReduced[bodies[b]] + y[m.firstY[b] + i] - m_.firstY[bodies[b]]);
    for (int i = 0; i < m.reduced.nv; ++i)
      for (int j = i; j >= 0; j = m.reduced.dofParent[j])
        put(part.places.entry, m.reduced.row[i] + m.reduced.dofDepth[j],
            m_.reduced.row[y[i]] + m_.reduced.dofDepth[y[j]]);
  }

  const Topology& t_;
  const Mechanism& m_;
  const std::vector<int>& widths_;
  std::vector<int> root_;
  std::vector<Subtree> subtrees_;
};

/// The base, and what leads a cluster together with all that carries it.
std::vector<int> independentsOf(const Topology& t, const Mechanism& m) {
  std::vector<int> bodies{0};
  for (const Cluster& c : m.clusters)
    for (const int j : c.plan.independent)
      for (int b = t.dofBody[c.dofs[j]]; b > 0; b = t.bodies[b].parent) bodies.push_back(b);
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

}  // namespace

SubtreePlan planSubtrees(const Topology& t, const Mechanism& m, const std::vector<int>& widths) {
  if (m.isTree()) return {};  // chain_lanes.h does more for those
  Planner planner(t, m, widths);
  SubtreePlan plan = planner.planWith({0});
  if (plan.isProfitable) return plan;
  return planner.planWith(independentsOf(t, m));
}

}  // namespace espalier
