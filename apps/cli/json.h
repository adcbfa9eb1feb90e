#pragma once

// JSON as the commands print it: keys in the order they were written, short lists on one line,
// numbers with every digit they need to come back as the same double.

#include <nlohmann/json.hpp>
#include <string>

#include "espalier/core/diagnostic.h"
#include "espalier/spatial/vec3.h"

namespace espalier::cli {

using Json = nlohmann::ordered_json;

/// The value as text ending in a line break. Numbers that are not finite become null, bytes that
/// are not UTF-8 the replacement character.
std::string toText(const Json& value);

/// n numbers; rows x columns numbers, row-major, as a list of lists.
Json toJson(const double* numbers, int n);
Json toJson(const double* numbers, int rows, int columns);
Json toJson(const Vec3d& v);
Json toJson(const Mat3d& m);

Json toJson(const Diagnostic& diagnostic);
Json toJson(const Diagnostics& diagnostics);

/// Prints the value on standard output.
void printJson(const Json& value);

}  // namespace espalier::cli
