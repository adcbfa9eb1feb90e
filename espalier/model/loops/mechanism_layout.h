#pragma once

#include "espalier/model/loops/mechanism.h"

namespace espalier {

/// Numbers what the clusters and lone joints of a mechanism hold: the tree of y, each cluster's
/// places, every body's reduced columns and columns.
///   pre  m.clusters with their plans
void layOut(const Topology& t, Mechanism& m);

/// The mechanism of a tree: lone joints, assembled at the neutral q.
Mechanism loneJoints(const Topology& t);

/// plan.outside and the like from its blocks; allocates only where they have grown.
void layOutBlocks(const Cluster& c, LoopPlan& plan);

}  // namespace espalier
