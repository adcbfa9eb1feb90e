#pragma once

// A robot as text: its bodies as a tree, one a line, each with the joint that carries it, and what
// closes its loops. For __repr__.

#include <string>

#include "espalier/model/model.h"

namespace espalier::python {

/// Bodies, joints, kinds, axes and places among the public dofs of a compiled robot; then loops,
/// couplings and tendons.
///   in  indent  before every line
std::string treeText(const Model& model, const std::string& indent = "");

/// Links and joints of a Spec, fixed joints too; what is no tree is listed as far as it is one.
std::string treeText(const SystemSpec& spec, const std::string& indent = "");

}  // namespace espalier::python
