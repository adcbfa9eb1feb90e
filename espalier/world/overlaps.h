#pragma once

// Links of one robot that overlap in a pose. Many robot files have them: shells that reach into each other, meshes
// around a joint. Contacts cannot part what a joint holds together: they only stiffen the robot and cost time.

#include <Eigen/Core>
#include <map>
#include <string>
#include <utility>

#include "espalier/model/model.h"

namespace espalier {

class ArticulatedSystem;

/// Depth in m by pair of bodies a < b; less than 0.1 mm is mere touching, which contacts are for.
using Overlaps = std::map<std::pair<int, int>, double>;

/// Of a robot alone, among the pairs that are tested for collision.
///   in      q  [spanning] m or rad, in joint order, as ArticulatedSystem::getSpanningCoordinate()
///   errors  throws std::invalid_argument where loops do not close there
Overlaps findOverlaps(const Model& model, const Eigen::VectorXd& q);

/// Lets the pairs that overlap at the robot's present pose pass through each other from now on, by
/// ArticulatedSystem::ignoreCollisionBetween().
///   returns  these pairs
///   errors   throws std::logic_error between World::integrate1() and integrate2()
Overlaps ignoreOverlaps(ArticulatedSystem& robot);

/// Adds the pairs that overlap at a robot's neutral pose to its SystemSpec::ignoredPairs, as
/// World::addArticulatedSystem() does with files; nothing where it cannot be compiled.
///   returns  as nameOverlaps(); empty where there are none
std::string excludeOverlaps(SystemSpec& spec);

/// "2 pairs of links: hip and shell, shell and arm", of many the first three.
std::string nameOverlaps(const Overlaps& overlaps, const Model& model);

}  // namespace espalier
