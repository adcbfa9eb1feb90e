#include "espalier/visual/deflate.h"

#include <zlib.h>

#include <limits>
#include <new>

namespace espalier {
namespace {

const Bytef* toZlib(std::span<const std::byte> bytes) {
  return reinterpret_cast<const Bytef*>(bytes.data());
}

}  // namespace

std::vector<std::byte> deflateBytes(std::span<const std::byte> bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::vector<std::byte> stored(size);
  const int code = compress2(reinterpret_cast<Bytef*>(stored.data()), &size, toZlib(bytes),
                             static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  if (code != Z_OK) throw std::bad_alloc();  // all that can go wrong
  stored.resize(size);
  return stored;
}

std::optional<std::vector<std::byte>> inflateBytes(std::span<const std::byte> stored,
                                                   std::size_t length, DeflateFormat format) {
  constexpr std::size_t most = std::numeric_limits<uInt>::max();
  if (stored.size() > most || length > most) return std::nullopt;
  std::vector<std::byte> bytes(length);
  std::byte none{};
  z_stream stream{};
  if (inflateInit2(&stream, format == DeflateFormat::Gzip ? 16 + MAX_WBITS : MAX_WBITS) != Z_OK)
    return std::nullopt;
  stream.next_in = const_cast<Bytef*>(toZlib(stored));
  stream.avail_in = static_cast<uInt>(stored.size());
  stream.next_out = reinterpret_cast<Bytef*>(length > 0 ? bytes.data() : &none);
  stream.avail_out = static_cast<uInt>(length);
  const int code = inflate(&stream, Z_FINISH);
  const bool isWhole = code == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!isWhole) return std::nullopt;
  return bytes;
}

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  if (bytes.empty()) return before;  // zlib takes no bytes for a wish for the initial value
  return static_cast<std::uint32_t>(crc32_z(before, toZlib(bytes), bytes.size()));
}

}  // namespace espalier
