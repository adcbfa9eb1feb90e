#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

/// "there is no <kind> 'name'; <the nearest few of the known names>", by the number of letters that differ
/// (Levenshtein 1966).
///   in  known  all names that there are
std::string unknownName(std::string_view kind, std::string_view name,
                        const std::vector<std::string>& known);

}  // namespace espalier
