#pragma once

// A heightfield made ready for collision. Every cell (i, j) is split along the diagonal from its
// sample (i, j) to (i + 1, j + 1); triangles are counter-clockwise seen from above.

#include <algorithm>
#include <cmath>
#include <vector>

#include "espalier/geometry/shape.h"

namespace espalier::collision {

struct Manifold;

struct FieldTriangle {
  Vec3d a, b, c;
  int id;

  /// Not normalised; z > 0.
  Vec3d normal() const { return cross(b - a, c - a); }
};

class Field {
 public:
  /// The data must outlive this.
  explicit Field(const HeightfieldData& data);

  const HeightfieldData& data() const { return d_; }
  int columns() const { return d_.xSamples - 1; }
  int rows() const { return d_.ySamples - 1; }
  double dx() const { return dx_; }
  double dy() const { return dy_; }
  /// 1 / dx and 1 / dy.
  double perX() const { return perX_; }
  double perY() const { return perY_; }
  /// Half the extent.
  double halfX() const { return d_.xSize / 2; }
  double halfY() const { return d_.ySize / 2; }
  bool hasSample(int i, int j) const {
    return i >= 0 && j >= 0 && i < d_.xSamples && j < d_.ySamples;
  }
  bool covers(double x, double y) const { return abs(x) <= halfX() && abs(y) <= halfY(); }
  double height(int i, int j) const {
    return d_.heights[static_cast<std::size_t>(j) * d_.xSamples + i];
  }
  Vec3d sample(int i, int j) const {
    return {fma(i, dx_, -halfX()), fma(j, dy_, -halfY()), height(i, j)};
  }
  /// The cell over x, or the border's.
  int column(double x) const { return cell((x + halfX()) * perX_, columns()); }
  int row(double y) const { return cell((y + halfY()) * perY_, rows()); }

  /// A height that no sample of these cells, first to last, exceeds.
  ///   cost O(1) per 8 x 8 cells
  double top(int i0, int i1, int j0, int j1) const;
  /// Whether these cells lie in one plane, but for rounding.
  bool isFlat(int i0, int i1, int j0, int j1) const;

  FieldTriangle lower(int i, int j) const {
    return {sample(i, j), sample(i + 1, j), sample(i + 1, j + 1), 2 * (j * columns() + i)};
  }
  FieldTriangle upper(int i, int j) const {
    return {sample(i, j), sample(i + 1, j + 1), sample(i, j + 1), 2 * (j * columns() + i) + 1};
  }
  /// The triangle above or below (x, y).
  FieldTriangle at(double x, double y) const {
    const int i = column(x), j = row(y);
    const double u = (x + halfX()) * perX_ - i, v = (y + halfY()) * perY_ - j;
    return u >= v ? lower(i, j) : upper(i, j);
  }

 private:
  static int cell(double x, int n) {
    return static_cast<int>(max(0.0, min(std::floor(x), static_cast<double>(n - 1))));
  }
  const HeightfieldData& d_;
  double dx_, dy_, perX_, perY_;
  int tilesAlongX_;
  std::vector<double> tops_;  // of tiles of 8 x 8 cells
};

/// A height that the ground under a square of half side `reach` about (x, y) does not exceed; x, y and the
/// height in the field's frame.
double topAround(const Field& field, double x, double y, double reach);

/// Where a ball touches triangles within their borders, one contact a plane; numbered from
/// `feature` on.
void addBallOnFaces(const Field& field, const Vec3d& centre, double radius, double margin,
                    const Transformd& X_WF, int feature, Manifold& m);

}  // namespace espalier::collision
