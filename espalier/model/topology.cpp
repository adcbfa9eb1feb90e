#include "espalier/model/topology.h"

#include "espalier/core/check.h"

namespace espalier {

int Topology::lastDof(int body) const {
  while (body >= 0 && bodies[body].nv == 0) body = bodies[body].parent;
  return body < 0 ? -1 : bodies[body].u + bodies[body].nv - 1;
}

namespace {

void addDof(Topology& t, int parent) {
  const int depth = parent < 0 ? 0 : t.dofDepth[parent] + 1;
  t.dofParent.push_back(parent);
  t.dofDepth.push_back(depth);
  t.row.push_back(t.row.back() + depth + 1);
}

void layOutDofs(Topology& t) {
  t.row.push_back(0);
  for (int i = 0; i < t.nb; ++i) {
    const BodyTopology& b = t.bodies[i];
    int parent = b.parent < 0 ? -1 : t.lastDof(b.parent);  // hangs on the parent's last dof
    for (int k = 0; k < b.nv; ++k) {
      addDof(t, parent);
      t.dofBody.push_back(i);
      parent = static_cast<int>(t.dofParent.size()) - 1;
    }
  }
}

void findRuns(Topology& t) {
  std::vector<int> ancestors;
  for (int k = 0; k < t.nv; ++k) {
    t.firstRun.push_back(static_cast<int>(t.runs.size()));
    ancestors.clear();
    for (int j = t.dofParent[k]; j >= 0; j = t.dofParent[j]) ancestors.push_back(j);
    for (std::size_t d = 0; d < ancestors.size(); ++d) {
      const int dof = ancestors[ancestors.size() - 1 - d];
      const bool goesOn = d > 0 && t.runs.back().dof + t.runs.back().count == dof;
      if (goesOn)
        ++t.runs.back().count;
      else
        t.runs.push_back({static_cast<int>(d), dof, 1});
    }
  }
  t.firstRun.push_back(static_cast<int>(t.runs.size()));
}

void assignSlots(Topology& t) {
  std::vector<int> children(t.nb, 0), last(t.nb, 0);
  for (int i = 1; i < t.nb; ++i) {
    ++children[t.bodies[i].parent];
    last[t.bodies[i].parent] = i;
  }
  t.carrySlot.assign(t.nb, -1);
  t.firstInSlot.assign(t.nb, 0);
  for (int i = 0; i < t.nb; ++i) {
    if (children[i] == 0) continue;
    t.carrySlot[i] = children[i] == 1 && last[i] == i + 1 ? 0 : t.carrySlots++;
  }
  for (int i = 1; i < t.nb; ++i) t.firstInSlot[i] = last[t.bodies[i].parent] == i;
}

}  // namespace

Topology makeTopology(std::vector<BodyTopology> bodies) {
  Topology t;
  t.bodies = std::move(bodies);
  t.nb = static_cast<int>(t.bodies.size());
  ESPALIER_ASSERT(t.nb > 0);
  for (int i = 0; i < t.nb; ++i) {
    BodyTopology& b = t.bodies[i];
    ESPALIER_ASSERT(i == 0 ? b.parent == -1 : b.parent >= 0 && b.parent < i);
    ESPALIER_ASSERT(i == 0 || b.kind != JointKind::Fixed);
    b.nq = info(b.kind).nq;
    b.nv = info(b.kind).nv;
    if (b.nq != b.nv) t.balls.push_back(i);
    b.q = t.nq;
    b.u = t.nv;
    t.nq += b.nq;
    t.nv += b.nv;
  }
  t.floating = t.bodies[0].kind == JointKind::Floating;
  layOutDofs(t);
  findRuns(t);
  assignSlots(t);
  tieByRotors(t, {});
  return t;
}

void tieByRotors(Topology& t, std::vector<Topology::Geared> geared) {
  t.geared = std::move(geared);
  t.gearOf.assign(t.nv, -1);
  t.carriesGear.assign(t.nb, 0);
  for (std::size_t i = 0; i < t.geared.size(); ++i) {
    const auto [dof, carrier] = t.geared[i];
    ESPALIER_ASSERT(t.dofParent[dof] == carrier && t.gearOf[dof] < 0);
    t.gearOf[dof] = static_cast<int>(i);
    t.carriesGear[t.dofBody[carrier]] = 1;
  }
}

Topology makeDofTree(const std::vector<int>& parents) {
  Topology t;
  t.nv = static_cast<int>(parents.size());
  t.row.push_back(0);
  for (const int parent : parents) addDof(t, parent);
  findRuns(t);
  return t;
}

}  // namespace espalier
