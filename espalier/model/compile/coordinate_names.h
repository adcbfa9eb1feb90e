#pragma once

// Names of the numbers in q and u, by joint: "base.x", "knee", "hip.wx".

#include <string>
#include <vector>

#include "espalier/model/model.h"

namespace espalier {

/// Of a model with closed loops: the independent joints only, of which states speak, or all.
enum class Joints { Public, All };

/// A name for each coordinate and each dof in the authored order.
std::vector<std::string> coordinateNames(const Model& model, Joints which = Joints::Public);
std::vector<std::string> dofNames(const Model& model, Joints which = Joints::Public);

}  // namespace espalier
