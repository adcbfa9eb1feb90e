#pragma once

#include <string>
#include <string_view>

#include "espalier/io/urdf/urdf.h"

namespace espalier::io {

/// parseUrdf for a text that has a folder of its own, where its meshes are looked for first;
/// empty: it has none.
Expected<SystemSpec> parseUrdfText(std::string_view text, const std::string& name,
                                   const std::string& folder, const UrdfOptions& options);

}  // namespace espalier::io
