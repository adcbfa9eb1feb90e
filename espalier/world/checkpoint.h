#pragma once

// All that a run needs to go on as if nothing had been, as bytes: a header, numbers, a checksum.
// Users' settings (gains, targets, materials, shapes) are not in them.

#include <cstddef>
#include <span>
#include <vector>

#include "espalier/world/world_data.h"

namespace espalier {

std::vector<std::byte> writeCheckpoint(WorldData& world);

/// All or nothing: every size, count and number is checked before the first is taken.
///   errors  throws std::invalid_argument where the bytes are damaged or another world's, or hold a
///           number that is not finite
void readCheckpoint(WorldData& world, std::span<const std::byte> bytes);

}  // namespace espalier
