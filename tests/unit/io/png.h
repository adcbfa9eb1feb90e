#pragma once

// A PNG writer for tests: grey, not compressed. Made from the format's description (RFC 2083,
// RFC 1950, RFC 1951), it is a second opinion on the reader.

#include <cstdint>
#include <string>
#include <vector>

namespace espalier {

inline void appendBig(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255);
}

inline std::string pngChunk(const std::string& type, const std::string& data) {
  std::uint32_t crc = ~0u;
  for (const char c : type + data) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  std::string chunk;
  appendBig(chunk, static_cast<std::uint32_t>(data.size()));
  chunk += type + data;
  appendBig(chunk, ~crc);
  return chunk;
}

/// Pixels in rows from the top; depth is 8 or 16 bits. At most 65535 bytes of them.
inline std::string greyPng(int width, int height, int depth, const std::vector<int>& pixels) {
  std::string rows;
  for (int j = 0; j < height; ++j) {
    rows += '\0';  // no filter
    for (int i = 0; i < width; ++i) {
      const int pixel = pixels[j * width + i];
      if (depth == 16) rows += static_cast<char>(pixel >> 8);
      rows += static_cast<char>(pixel & 255);
    }
  }
  std::uint32_t a = 1, b = 0;
  for (const char c : rows) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  const auto size = static_cast<unsigned>(rows.size());
  std::string zlib = "\x78\x01\x01";  // one stored block, the last
  for (const unsigned n : {size, ~size}) {
    zlib += static_cast<char>(n & 255);
    zlib += static_cast<char>(n >> 8 & 255);
  }
  zlib += rows;
  appendBig(zlib, b << 16 | a);

  std::string header;
  appendBig(header, static_cast<std::uint32_t>(width));
  appendBig(header, static_cast<std::uint32_t>(height));
  header += std::string{static_cast<char>(depth), 0, 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", header) + pngChunk("IDAT", zlib) +
         pngChunk("IEND", "");
}

}  // namespace espalier
