#pragma once

// A column of a recording: the integers of one number over the frames of a block, differenced as
// often as makes them shortest (docs/viewer_protocol.md, "Recordings").

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/visual/byte_stream.h"

namespace espalier {

///   in   values  at most 128, |value| <= 2^40
///   out  values  scratch
///   out  bytes   the column stands at its end
void putColumn(std::span<std::int64_t> values, std::vector<std::byte>& bytes);

///   out      values  all of them, at most 128
///   returns  false where they are not a column, or a value is outside of (-2^40, 2^40]
bool readColumn(ByteReader& bytes, std::span<std::int64_t> values);

}  // namespace espalier
