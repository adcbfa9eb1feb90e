#pragma once

// Feature numbers of the corners of clipped faces, and when two corners are the same.

namespace espalier::collision {

/// A face gives its own normal to the contact when the two are the same but for rounding.
inline constexpr double kSame = 1 - 1e-8;
/// Of what lies flat on a face, a corner nearer to a side than this part of the smaller solid's
/// size is on that side, so that noise does not rename the corners of faces that are flush.
inline constexpr double kFlush = 1e-5;
/// The same part for solids that do not lie flat, where it costs depth.
inline constexpr double kFlushTilted = 1e-9;

inline constexpr int kFromB = 1 << 26, kCut = 1 << 27, kNearest = 1 << 28;

/// Feature number hashed from two others; the bits above it mark its origin.
inline int mixed(int x, int y) {
  const unsigned hash = static_cast<unsigned>(x) * 1021u + static_cast<unsigned>(y);
  return static_cast<int>(hash & (kFromB - 1));
}
inline int cutId(int corner, int side) { return kCut | mixed(corner, side); }

}  // namespace espalier::collision
