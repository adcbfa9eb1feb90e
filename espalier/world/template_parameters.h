#pragma once

#include <map>
#include <string>
#include <unordered_map>

namespace espalier {

/// NAME and @@NAME as NAME, which is how io's options have it.
///   errors  throws std::invalid_argument where a name is given in both ways
std::map<std::string, std::string> plainNames(
    const std::unordered_map<std::string, std::string>& parameters);

}  // namespace espalier
