#include "tests/support/cluster_tree.h"

#include "espalier/core/check.h"

namespace espalier::testing {

ClusterTree::ClusterTree(const Topology& t, const Mechanism& m) : nodeOf(t.nb), gearedDof(t.nb) {
  for (int b = 0; b < t.nb; ++b) gearedDof[b] = t.carriesGear[b] ? t.bodies[b].u : -1;
  for (int b = 0; b < t.nb; ++b) {
    const int cluster = m.clusterOf[b];
    // A cluster stands where its first body does, which is after its carrier.
    if (cluster >= 0 && b != m.clusters[cluster].bodies.front()) continue;
    Node node;
    node.cluster = cluster;
    node.y = m.firstY[b];
    node.begin = static_cast<int>(bodies.size());
    node.factor = entries;
    if (cluster < 0) {
      bodies.push_back(b);
      node.carrier = t.bodies[b].parent;
      node.ny = t.bodies[b].nv;
    } else {
      const Cluster& c = m.clusters[cluster];
      bodies.insert(bodies.end(), c.bodies.begin(), c.bodies.end());
      node.carrier = c.carrier;
      node.ny = c.ny();
    }
    node.end = static_cast<int>(bodies.size());
    const int index = static_cast<int>(nodes.size());
    for (int i = node.begin; i < node.end; ++i) {
      const int parent = t.bodies[bodies[i]].parent;
      nodeOf[bodies[i]] = index;
      ESPALIER_ASSERT(parent == node.carrier || nodeOf[parent] == index);
    }
    if (node.carrier >= 0) {
      node.parent = nodeOf[node.carrier];
      node.isCarried = nodes[node.parent].ny > 0 || nodes[node.parent].isCarried;
    }
    entries += node.ny * (node.ny + 1) / 2;
    nodes.push_back(node);
  }
}

ClusterTree::ClusterTree(const ClusterTree& other) = default;
ClusterTree& ClusterTree::operator=(const ClusterTree& other) = default;
ClusterTree::~ClusterTree() = default;

}  // namespace espalier::testing
