#pragma once

// Where the project's sources are: its robots and fixtures are read from there.

#include <string>

namespace espalier {

// The checkout's folder, absolute, without a slash at the end. A function, so that the path stands in one
// object and all others are the same in every clone.
std::string sourceFolder();

}  // namespace espalier
