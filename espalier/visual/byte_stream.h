#pragma once

// Numbers as little-endian bytes and as varints (docs/viewer_protocol.md, "Recordings"), written one
// behind the other and read back from bytes that need not be good.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace espalier {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

template <class T>
void putNumber(std::vector<std::byte>& out, const T& value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof(T));
  std::memcpy(out.data() + at, &value, sizeof(T));
}

/// 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
inline std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

/// Of the value as a varint.
inline int varintBytes(std::int64_t value) { return (std::bit_width(zigzag(value) | 1) + 6) / 7; }

///   pre  |value| < 2^55
inline void putVarint(std::vector<std::byte>& out, std::int64_t value) {
  std::uint64_t rest = zigzag(value);
  for (; rest > 0x7f; rest >>= 7) out.push_back(static_cast<std::byte>(rest | 0x80));
  out.push_back(static_cast<std::byte>(rest));
}

/// Reads from the front. Beyond the end, and of a varint of more than eight bytes, everything reads
/// as zero, and isGood() says so.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    T value{};
    if (rest_.size() < sizeof(T)) {
      fail();
    } else {
      std::memcpy(&value, rest_.data(), sizeof(T));
      rest_ = rest_.subspan(sizeof(T));
    }
    return value;
  }

  std::int64_t varint() {
    std::uint64_t zigzagged = 0;
    for (std::size_t i = 0; i < 8 && i < rest_.size(); ++i) {
      const auto byte = std::to_integer<std::uint64_t>(rest_[i]);
      zigzagged |= (byte & 0x7f) << (7 * i);
      if (byte > 0x7f) continue;
      rest_ = rest_.subspan(i + 1);
      return static_cast<std::int64_t>(zigzagged >> 1) ^ -static_cast<std::int64_t>(zigzagged & 1);
    }
    fail();
    return 0;
  }

  bool isGood() const { return isGood_; }
  /// Bytes that are not read yet; none after a failure.
  std::size_t left() const { return rest_.size(); }

 private:
  void fail() {
    isGood_ = false;
    rest_ = {};
  }

  std::span<const std::byte> rest_;
  bool isGood_ = true;
};

}  // namespace espalier
