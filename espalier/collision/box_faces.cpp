// Sutherland, Hodgman 1974 for a parallelogram and a rectangle, in coordinates x, y along the
// rectangle's sides and z out of it.

#include "espalier/collision/box_faces.h"

#include <utility>

#include "espalier/collision/corners.h"

namespace espalier::collision {
namespace {

struct Corner {
  double x, y, z;
  int id;
};

struct Polygon {
  int count = 0;
  Corner corners[8];  // a quadrangle cut four times
};

/// Clips a polygon to way * coordinate <= limit; a corner within the band about the limit is on it.
template <double Corner::*coordinate>
void cut(const Polygon& in, double way, double limit, double band, int side, Polygon& out) {
  double height[8];
  for (int i = 0; i < in.count; ++i) {
    const double h = way * in.corners[i].*coordinate - limit;
    height[i] = abs(h) <= band ? 0 : h;
  }
  out.count = 0;
  for (int i = 0; i < in.count; ++i) {
    const int j = i + 1 == in.count ? 0 : i + 1;
    const double h = height[i], k = height[j];
    const Corner &c = in.corners[i], &d = in.corners[j];
    if (h <= 0) out.corners[out.count++] = c;
    if (!(h < 0 && k > 0) && !(h > 0 && k < 0)) continue;
    const double t = h / (h - k);
    out.corners[out.count++] = {fma(d.x - c.x, t, c.x), fma(d.y - c.y, t, c.y),
                                fma(d.z - c.z, t, c.z), cutId(c.id, side)};
  }
}

/// Is there anything to cut?
template <double Corner::*coordinate>
bool reaches(const Polygon& p, double way, double limit, double band) {
  for (int i = 0; i < p.count; ++i)
    if (way * p.corners[i].*coordinate - limit > band) return true;
  return false;
}

/// Cut by one side of this box's face; the result stands in `p`.
template <double Corner::*coordinate>
void cutSide(Polygon*& p, Polygon*& spare, double way, double limit, double band, int side) {
  if (!reaches<coordinate>(*p, way, limit, band)) return;
  cut<coordinate>(*p, way, limit, band, side, *spare);
  std::swap(p, spare);
}

/// The axis of the other box that is nearest to this box's face normal; the first of equals.
int nearestAxis(const double* across) {
  constexpr double tie = 1e-6;
  int j = 0;
  for (int i = 1; i < 3; ++i)
    if (abs(across[i]) > abs(across[j]) + tie) j = i;
  return j;
}

/// The other's face across its axis j that looks at this box's face; z is out of that one.
void putFace(const BoxInBox& b, int axis, double way, int j, Polygon& p) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3, k = (j + 1) % 3, l = (j + 2) % 3;
  const double near = way * b.R[axis][j] > 0 ? -b.other[j] : b.other[j];
  for (int i = 0; i < 4; ++i) {
    const bool kHigh = i == 1 || i == 2, lHigh = i >= 2;
    const double along = kHigh ? b.other[k] : -b.other[k], up = lHigh ? b.other[l] : -b.other[l];
    const auto coordinate = [&](int r) {
      return fma(b.R[r][j], near, fma(b.R[r][k], along, fma(b.R[r][l], up, b.p[r])));
    };
    p.corners[i] = {coordinate(u), coordinate(v), way * coordinate(axis) - b.half[axis],
                    (near > 0 ? 1 << j : 0) | (kHigh ? 1 << k : 0) | (lHigh ? 1 << l : 0)};
  }
  p.count = 4;
}

}  // namespace

void addBoxFaces(const BoxInBox& b, int axis, bool isFirst, const Transformd& X_WB, double margin,
                 Manifold& m) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double way = b.p[axis] < 0 ? -1 : 1;  // the side of this box that counts
  const int j = nearestAxis(b.R[axis]);
  Polygon stores[2], *left = &stores[0], *spare = &stores[1];
  putFace(b, axis, way, j, *left);

  const auto size = [](const double(&h)[3]) {
    return sqrt(fma(h[0], h[0], fma(h[1], h[1], h[2] * h[2])));
  };
  const double part = abs(b.R[axis][j]) > kSame ? kFlush : kFlushTilted;
  const double band = part * min(size(b.half), size(b.other));
  cutSide<&Corner::x>(left, spare, 1, b.half[u], band, 0);
  cutSide<&Corner::y>(left, spare, 1, b.half[v], band, 1);
  cutSide<&Corner::x>(left, spare, -1, b.half[u], band, 2);
  cutSide<&Corner::y>(left, spare, -1, b.half[v], band, 3);

  const Mat3d& R = X_WB.R;
  const Vec3d axes[3] = {
      {R.r0.x, R.r1.x, R.r2.x}, {R.r0.y, R.r1.y, R.r2.y}, {R.r0.z, R.r1.z, R.r2.z}};
  const Vec3d out = axes[axis] * way, normal = isFirst ? -out : out;
  for (int i = 0; i < left->count; ++i) {
    const Corner& c = left->corners[i];
    if (c.z >= margin) continue;
    const double height = fma(0.5, c.z, b.half[axis]);  // midway
    m.add(madd(axes[u], c.x, madd(axes[v], c.y, madd(out, height, X_WB.p))), normal, -c.z,
          isFirst ? c.id | kFromB : c.id);
  }
  reduce(m);
}

}  // namespace espalier::collision
