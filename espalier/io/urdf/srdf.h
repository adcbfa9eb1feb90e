#pragma once

// SRDF, MoveIt's semantic description of a robot: which of its links never collide.
//
//   <disable_collisions link1 link2 reason/>   this pair
//   <disable_default_collisions link/>         the link with all others, but for
//   <enable_collisions link1 link2/>           these pairs
//
// Its groups, states and other contents are not read. Links that the robot does not have
// are counted in a Note: one SRDF often serves several variants of a robot.

#include <optional>
#include <string>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

/// The SRDF of a robot's file: STEM.srdf or ROBOT.srdf, in the file's folder or in ../srdf, where
/// STEM is the file's name and ROBOT the robot's.
///   out  the path of the first that exists
std::optional<std::string> findSrdf(const std::string& robotFile, const std::string& robotName);

/// Adds the pairs of the text to spec.ignoredPairs.
///   in   path   its name in remarks
///   out  remarks; spec is unchanged where there are Errors among them
Diagnostics applySrdf(const std::string& text, const std::string& path, SystemSpec& spec,
                      ReadingBudget& budget);

/// applySrdf() of a file.
Diagnostics applySrdfFile(const std::string& path, SystemSpec& spec, ReadingBudget& budget);

}  // namespace espalier::io
