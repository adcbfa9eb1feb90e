#pragma once

// Closed loops where a state begins: files and poses speak of independent joints, the engine of
// all of them.

#include <Eigen/Core>
#include <vector>

#include "espalier/model/loops/all_loops.h"

namespace espalier::cli {

/// Closes the loops by the dependent joints, bilateral ones by those that are not independent; the
/// others keep their coordinates.
///   io   q  internal order; as it was where the loops do not close
///   returns the residual; closed in a tree
AssemblyResult closeByDependents(const Model& model, std::vector<double>& q);

/// "the loops do not close there: 0.12 is left".
std::string whyOpen(const AssemblyResult& result);

/// Internal order -> the order in which users see the numbers; -1: not there.
std::vector<double> inOrder(const std::vector<double>& internal, const std::vector<int>& place);
Eigen::VectorXd vectorInOrder(const std::vector<double>& internal, const std::vector<int>& place);

}  // namespace espalier::cli
