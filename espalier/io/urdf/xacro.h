#pragma once

// .xacro files, expanded by Python's xacro, which runs as a program of its own.

#include <map>
#include <string>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/resource_path.h"

namespace espalier::io {

/// The URDF text a xacro file stands for. Tried in this order: the Python named by
/// $ESPALIER_PYTHON, python3, the command xacro.
///   in   arguments   handed on as name:=value
///   in   packages    where $(find NAME) looks for packages that ROS does not know: folders called NAME
///                    in these folders, or among them; not in the command's own Python
///   out  none where xacro is not installed, fails, or needs more than a minute, 2 GiB of memory
///        or the rest of the budget for text
Expected<std::string> expandXacro(const std::string& path,
                                  const std::map<std::string, std::string>& arguments,
                                  const ResourcePaths& packages, ReadingBudget& budget);

}  // namespace espalier::io
