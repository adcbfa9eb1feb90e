#pragma once

// A cluster joint in a system: an object of compat/grbda/cluster_joints.h, which stands by itself, becomes
// links, joints and a constraint of a SystemSpec, for compile() and worlds.

#include <string>
#include <vector>

#include "espalier/compat/grbda/cluster_joints.h"
#include "espalier/model/spec/spec.h"

namespace espalier {

/// Adds a cluster: its bodies as links, a joint LINK_joint for each, and, where something is tied, a
/// constraint.
///   in   name    of the constraint
///   in   output  link that carries the cluster
///   in   links   one for each body, with its name and inertia
///   pre  it is not ClusterJoint::Free: a system's root floats by itself; what it ties are plain
///        coordinates: bodies on spherical joints may move freely in it. Else std::invalid_argument
void appendCluster(SystemSpec& system, const std::string& name, const std::string& output,
                   const ClusterJoint::Base& cluster, std::vector<LinkSpec> links);

}  // namespace espalier
