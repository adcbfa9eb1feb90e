#pragma once

#include <string>

#include "apps/cli/terminal.h"
#include "espalier/model/spec/spec.h"

namespace espalier::cli {

/// The links as a tree, one a line, each with the joint that carries it: its kind, axis, limits,
/// and the link's mass.
///   in   floats  whether the base does: not where loops weld it to the world
///   pre  the links are a tree (compile() has said so)
std::string drawLinks(const Terminal& terminal, const SystemSpec& spec, bool floats);

}  // namespace espalier::cli
