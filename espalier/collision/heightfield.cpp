#include "espalier/collision/heightfield.h"

namespace espalier::collision {
namespace {

constexpr int kTile = 8;  // cells

}  // namespace

Field::Field(const HeightfieldData& data)
    : d_(data),
      dx_(data.xSize / (data.xSamples - 1)),
      dy_(data.ySize / (data.ySamples - 1)),
      perX_((data.xSamples - 1) / data.xSize),
      perY_((data.ySamples - 1) / data.ySize),
      tilesAlongX_((columns() + kTile - 1) / kTile) {
  const int tilesAlongY = (rows() + kTile - 1) / kTile;
  tops_.reserve(static_cast<std::size_t>(tilesAlongX_) * static_cast<std::size_t>(tilesAlongY));
  for (int v = 0; v < tilesAlongY; ++v) {
    for (int u = 0; u < tilesAlongX_; ++u) {
      double top = height(u * kTile, v * kTile);
      for (int j = v * kTile; j <= std::min((v + 1) * kTile, rows()); ++j)
        for (int i = u * kTile; i <= std::min((u + 1) * kTile, columns()); ++i)
          top = max(top, height(i, j));
      tops_.push_back(top);
    }
  }
}

double topAround(const Field& field, double x, double y, double reach) {
  return field.top(field.column(x - reach), field.column(x + reach), field.row(y - reach),
                   field.row(y + reach));
}

double Field::top(int i0, int i1, int j0, int j1) const {
  double top = height(i0, j0);
  for (int v = j0 / kTile; v <= j1 / kTile; ++v)
    for (int u = i0 / kTile; u <= i1 / kTile; ++u) top = max(top, tops_[v * tilesAlongX_ + u]);
  return top;
}

bool Field::isFlat(int i0, int i1, int j0, int j1) const {
  const double alongX = height(i0 + 1, j0) - height(i0, j0);
  const double alongY = height(i0, j0 + 1) - height(i0, j0);
  const double rounding = 1e-12 * (dx_ + dy_);
  for (int j = j0; j <= j1 + 1; ++j) {
    if (j > j0 && abs(height(i0, j) - height(i0, j - 1) - alongY) > rounding) return false;
    for (int i = i0; i <= i1; ++i)
      if (abs(height(i + 1, j) - height(i, j) - alongX) > rounding) return false;
  }
  return true;
}

}  // namespace espalier::collision
