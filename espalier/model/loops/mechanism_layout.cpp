#include "espalier/model/loops/mechanism_layout.h"

#include <algorithm>

#include "espalier/model/coordinates.h"

namespace espalier {
namespace {

/// The dofs y: those of a cluster where its first body stands, those of lone joints where they do.
void layOutTree(const Topology& t, Mechanism& m) {
  m.clusterOf.assign(t.nb, -1);
  for (std::size_t c = 0; c < m.clusters.size(); ++c)
    for (const int b : m.clusters[c].bodies) m.clusterOf[b] = static_cast<int>(c);

  std::vector<int> parents, lastY(t.nb, -1);  // lastY: what hangs on a body hangs on
  for (int b = 0; b < t.nb; ++b) {
    const BodyTopology& body = t.bodies[b];
    Cluster* c = m.clusterOf[b] < 0 ? nullptr : &m.clusters[m.clusterOf[b]];
    if (c && b != c->bodies.front()) {
      m.firstY.push_back(c->y);
      lastY[b] = lastY[c->bodies.front()];
      continue;
    }
    int hangsOn = body.parent < 0 ? -1 : lastY[body.parent];
    const int first = static_cast<int>(parents.size());
    const auto put = [&](int dof) {
      if (!c) m.lone.push_back({static_cast<int>(parents.size()), dof});
      parents.push_back(hangsOn);
      hangsOn = static_cast<int>(parents.size()) - 1;
      m.dofOfY.push_back(dof);
    };
    if (c) {
      c->y = first;
      for (const int j : c->plan.independent) put(c->dofs[j]);
    } else {
      for (int d = 0; d < body.nv; ++d) put(body.u + d);
    }
    m.firstY.push_back(first);
    lastY[b] = hangsOn;
  }
  m.reduced = makeDofTree(parents);
  m.reduced.floating = t.floating && m.clusterOf[0] < 0;
  for (LoneDof& d : m.lone) d.diagonal = m.reduced.row[d.y] + m.reduced.dofDepth[d.y];
}

void layOutClusters(const Topology& t, Mechanism& m) {
  m.placeOf.assign(static_cast<std::size_t>(t.nv), -1);
  for (Cluster& c : m.clusters) {
    for (std::size_t j = 0; j < c.dofs.size(); ++j) m.placeOf[c.dofs[j]] = static_cast<int>(j);
    c.firstColumn.push_back(0);
    for (const LoopRow& row : c.rows) {
      for (std::size_t j = 0; j < row.columns.size(); ++j)
        c.columns.push_back({c.dofs[row.columns[j]], row.columns[j], row.sign[j]});
      c.firstColumn.push_back(static_cast<int>(c.columns.size()));
    }
    layOutBlocks(c, c.plan);
    const int rows = static_cast<int>(c.rows.size()), dofs = static_cast<int>(c.dofs.size());
    c.firstK = m.sizeK;
    c.firstG = m.sizeG;
    c.firstRow = m.rows;
    m.sizeK += rows * dofs;
    m.sizeG += dofs * c.ny();
    m.rows += rows;
    m.mostDofs = std::max(m.mostDofs, dofs);
  }
}

/// What row i of a block needs of other blocks' dofs, and its pattern in L U.
///   pre  those of the rows before
void layOutRow(const Cluster& c, const LoopBlock& block, int i, LoopPlan& plan) {
  char* isFilled = plan.isFilled.data();
  std::fill_n(isFilled, block.size, 0);
  const auto own = plan.dependent.begin() + block.first;
  for (const int j : c.rows[plan.rows[block.first + i]].columns) {
    const auto place = std::find(own, own + block.size, j);
    if (place == own + block.size)
      plan.outside.push_back(j);
    else
      isFilled[place - own] = 1;
  }
  plan.firstOutside.push_back(static_cast<int>(plan.outside.size()));
  for (int k = 0; k < block.size && !block.isInverted; ++k) {
    if (!isFilled[k] || k == i) continue;
    (k < i ? plan.lower : plan.upper).push_back(k);
    if (k > i) continue;
    const int before = block.first + k;
    for (int e = plan.firstUpper[before]; e < plan.firstUpper[before + 1]; ++e)
      isFilled[plan.upper[e]] = 1;
  }
  plan.firstLower.push_back(static_cast<int>(plan.lower.size()));
  plan.firstUpper.push_back(static_cast<int>(plan.upper.size()));
}

void layOutColumns(const Topology& t, Mechanism& m) {
  const auto countOf = [&](int b) {
    return m.clusterOf[b] < 0 ? t.bodies[b].nv : m.clusters[m.clusterOf[b]].ny();
  };
  m.firstReduced.push_back(0);
  for (int b = 0; b < t.nb; ++b) m.firstReduced.push_back(m.firstReduced.back() + countOf(b));
  m.firstColumn.push_back(0);
  for (int b = 0; b < t.nb; ++b) {
    // Those of what carries its cluster come first.
    const int k = m.clusterOf[b];
    const int carrier = k < 0 ? t.bodies[b].parent : m.clusters[k].carrier;
    for (int i = carrier < 0 ? 0 : m.firstColumn[carrier];
         i < (carrier < 0 ? 0 : m.firstColumn[carrier + 1]); ++i) {
      m.columnY.push_back(m.columnY[i]);
      m.columnReduced.push_back(m.columnReduced[i]);
    }
    for (int i = 0; i < countOf(b); ++i) {
      m.columnY.push_back(m.firstY[b] + i);
      m.columnReduced.push_back(m.firstReduced[b] + i);
    }
    m.firstColumn.push_back(static_cast<int>(m.columnY.size()));
  }
}

}  // namespace

void layOutBlocks(const Cluster& c, LoopPlan& plan) {
  plan.outside.clear();
  plan.lower.clear();
  plan.upper.clear();
  for (std::vector<int>* first : {&plan.firstOutside, &plan.firstLower, &plan.firstUpper})
    first->assign(1, 0);
  plan.isFilled.resize(plan.rows.size());
  plan.solved = 0;
  for (const LoopBlock& block : plan.blocks) {
    plan.solved = block.first + block.size;
    for (int i = 0; i < block.size; ++i) layOutRow(c, block, i, plan);
  }
}

void layOut(const Topology& t, Mechanism& m) {
  layOutTree(t, m);
  layOutClusters(t, m);
  layOutColumns(t, m);
}

Mechanism loneJoints(const Topology& t) {
  Mechanism m;
  m.assembled.resize(static_cast<std::size_t>(t.nq));
  neutral(t, m.assembled.data());
  layOut(t, m);
  return m;
}

}  // namespace espalier
