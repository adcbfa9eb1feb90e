#pragma once

// Bytes compressed by zlib, and back.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace espalier {

enum class DeflateFormat { Zlib, Gzip };

/// The bytes in zlib's format, about as small as they get.
std::vector<std::byte> deflateBytes(std::span<const std::byte> bytes);

/// None where the bytes are not whole, or are not just those of `length` bytes.
///   pre  memory for `length` bytes may be had
std::optional<std::vector<std::byte>> inflateBytes(std::span<const std::byte> stored,
                                                   std::size_t length,
                                                   DeflateFormat format = DeflateFormat::Zlib);

/// Deflate does not make n bytes of fewer than n / 1032.
inline constexpr std::size_t most_inflation = 1032;

/// CRC-32 of the bytes as zlib and PNG count it.
///   in  before  that of the bytes that stand before these
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace espalier
