// A ball against a heightfield, in the field's frame.
//
// Contacts are the local minima of the distance from the ball's centre c to the surface:
//   on a triangle  where the foot of the perpendicular is inside it
//   on an edge     where the foot x is inside it and d = c - x leans over neither neighbour:
//                  d . (far corner - x) <= 0 on both sides; only ridges can have one
//   on a sample    where d = c - x leans over none of the six edges that meet there
// So a flat stretch is felt as one plane, whatever its triangles. Contacts are numbered from left
// to right: a ball that rolls from triangle to triangle keeps its contact's feature.

#include <cstddef>

#include "espalier/collision/heightfield.h"
#include "espalier/collision/nearest_feature.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

class BallOnField {
 public:
  BallOnField(const Field& field, const Vec3d& centre, double radius, double margin)
      : field_(field),
        heights_(field.data().heights.data()),
        stride_(field.data().xSamples),
        c_(centre),
        r_(radius),
        reach_(radius + margin),
        reach2_(reach_ * reach_),
        tiny_(1e-12 * radius * (field.dx() + field.dy())) {}

  void meet() {
    if (abs(c_.x) > field_.halfX() + reach_ || abs(c_.y) > field_.halfY() + reach_) return;
    int i0 = field_.column(c_.x - reach_), i1 = field_.column(c_.x + reach_);
    int j0 = field_.row(c_.y - reach_), j1 = field_.row(c_.y + reach_);
    if (field_.covers(c_.x, c_.y)) {
      const FieldTriangle t = field_.at(c_.x, c_.y);
      if (dot(t.normal(), c_ - t.a) <= 0) return sunk(i0, i1, j0, j1);
    }
    // The ball's cap below the highest sample is narrower than the ball.
    double top = height(i0, j0);
    for (int j = j0; j <= j1 + 1; ++j)
      for (int i = i0; i <= i1 + 1; ++i) top = max(top, height(i, j));
    const double above = c_.z - top;
    if (above >= reach_) return;
    if (above > 0) {
      const double cap = sqrt(fnma(above, above, reach2_));
      i0 = field_.column(c_.x - cap), i1 = field_.column(c_.x + cap);
      j0 = field_.row(c_.y - cap), j1 = field_.row(c_.y + cap);
    }
    for (int j = j0; j <= j1; ++j)
      for (int i = i0; i <= i1; ++i) visit(i, j);
  }

  void write(const Transformd& X_WF, Manifold& m);
  void writeFaces(const Transformd& X_WF, int feature, Manifold& m);

 private:
  double height(int i, int j) const {
    return heights_[static_cast<std::ptrdiff_t>(j) * stride_ + i];
  }

  /// Cell (i, j): both triangles, the diagonal, the edges and the sample at its lower left; the
  /// others belong to the next cells, where there are any.
  void visit(int i, int j) {
    const double dx = field_.dx(), dy = field_.dy();
    const double* h = heights_ + static_cast<std::ptrdiff_t>(j) * stride_ + i;
    const double h00 = h[0], h10 = h[1], h01 = h[stride_], h11 = h[stride_ + 1];
    const Vec3d w{c_.x - fma(i, dx, -field_.halfX()), c_.y - fma(j, dy, -field_.halfY()),
                  c_.z - h00};
    face(w, (h10 - h00) * field_.perX(), (h11 - h10) * field_.perY(), false);
    face(w, (h11 - h01) * field_.perX(), (h01 - h00) * field_.perY(), true);

    const bool last = i + 1 == field_.columns(), top = j + 1 == field_.rows();
    if (h10 + h01 < h00 + h11)
      edge(w, {dx, dy, h11 - h00}, {dx, 0, h10 - h00}, {0, dy, h01 - h00}, true);
    if (j == 0)
      edge(w, {dx, 0, h10 - h00}, {dx, dy, h11 - h00}, {dx, dy, h11 - h00}, false);
    else if (h11 + h[-stride_] < h00 + h10)
      edge(w, {dx, 0, h10 - h00}, {dx, dy, h11 - h00}, {0, -dy, h[-stride_] - h00}, true);
    if (i == 0)
      edge(w, {0, dy, h01 - h00}, {dx, dy, h11 - h00}, {dx, dy, h11 - h00}, false);
    else if (h11 + h[-1] < h00 + h01)
      edge(w, {0, dy, h01 - h00}, {dx, dy, h11 - h00}, {-dx, 0, h[-1] - h00}, true);
    sample(w, i, j);
    if (!last && !top) return;
    const Vec3d wx{w.x - dx, w.y, c_.z - h10}, wy{w.x, w.y - dy, c_.z - h01};
    if (last) {
      edge(wx, {0, dy, h11 - h10}, {-dx, 0, h00 - h10}, {-dx, 0, h00 - h10}, false);
      sample(wx, i + 1, j);
    }
    if (top) {
      edge(wy, {dx, 0, h11 - h01}, {0, -dy, h00 - h01}, {0, -dy, h00 - h01}, false);
      sample(wy, i, j + 1);
    }
    if (last && top) sample({w.x - dx, w.y - dy, c_.z - h11}, i + 1, j + 1);
  }

  /// The lower (0 0, 1 0, 1 1) or upper (0 0, 1 1, 0 1) triangle of a cell, z = gx x + gy y from
  /// its first sample on; w is the centre from there. The foot is at w + (gx, gy) k.
  void face(const Vec3d& w, double gx, double gy, bool isUpper) {
    const double above = fnma(gx, w.x, fnma(gy, w.y, w.z));
    const double n2 = fma(gx, gx, fma(gy, gy, 1.0));
    if (above <= 0 || above * above >= reach2_ * n2) return;
    // In cells, times n2.
    const double s = fma(gx, above, w.x * n2) * field_.perX();
    const double t = fma(gy, above, w.y * n2) * field_.perY();
    const double low = isUpper ? s : t, high = isUpper ? t : s, band = 1e-9 * n2;
    if (low < -band || high > n2 + band || high < low - band) return;
    const double length = sqrt(n2), inverse = 1 / length;
    const Vec3d n{-gx * inverse, -gy * inverse, inverse};
    add({nmadd(n, above * inverse, c_), n, above * inverse, true});
  }

  /// An edge from a sample along e, p and q from there to the far corners of its triangles, w to
  /// the centre. On the border there is one triangle, given twice.
  void edge(const Vec3d& w, const Vec3d& e, const Vec3d& p, const Vec3d& q, bool isInner) {
    const double along = dot(w, e), e2 = dot(e, e);
    if (along <= 0 || along >= e2) return;
    const Vec3d d = nmadd(e, along / e2, w);
    const double d2 = dot(d, d);
    if (d2 >= reach2_ || d2 == 0) return;
    if (dot(d, p) > tiny_ || dot(d, q) > tiny_) return;
    if (!isInner) {
      const Vec3d n = cross(e, p);
      if (n.z * dot(n, d) <= 0) return;  // beside the border and below
    }
    addRound(d, d2);
  }

  void sample(const Vec3d& d, int i, int j) {
    const double d2 = dot(d, d);
    if (d.z <= 0 || d2 >= reach2_) return;
    static constexpr int star[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}};
    const double h = height(i, j);
    for (const auto& s : star) {
      if (!field_.hasSample(i + s[0], j + s[1])) continue;
      const Vec3d e{s[0] * field_.dx(), s[1] * field_.dy(), height(i + s[0], j + s[1]) - h};
      if (dot(d, e) > tiny_) return;
    }
    addRound(d, d2);
  }

  void addRound(const Vec3d& d, double d2) {
    const double distance = sqrt(d2);
    add({c_ - d, d * (1 / distance), distance, false});
  }

  /// The centre has sunk below the surface: out through its nearest point.
  void sunk(int i0, int i1, int j0, int j1);

  /// From left to right; points one above the other from below.
  void sort();

  struct Found {
    Vec3d q, n;
    double distance;
    bool isFace;
  };
  /// A point found twice, from both sides of an edge, counts once; a face gives the best normal.
  void add(const Found& found) {
    for (int i = 0; i < count_; ++i) {
      const Vec3d e = found_[i].q - found.q;
      if (dot(e, e) > 1e-12 * r_ * r_) continue;
      if (found.isFace && !found_[i].isFace) found_[i] = found;
      return;
    }
    if (count_ < kMost) found_[count_++] = found;
  }

  static constexpr int kMost = Manifold::capacity;
  const Field& field_;
  const double* heights_;
  const std::ptrdiff_t stride_;
  const Vec3d c_;
  const double r_, reach_, reach2_, tiny_;
  int count_ = 0;
  Found found_[kMost];
};

/// The point of a triangle nearest to p.
Vec3d nearest(const FieldTriangle& t, const Vec3d& p) {
  const Vec3d ab = t.b - t.a, ac = t.c - t.a;
  const NearestFeature n = nearestFeature(ab, ac, p - t.a, p - t.b, p - t.c);
  switch (n.feature) {
    case Feature::A: return t.a;
    case Feature::B: return t.b;
    case Feature::C: return t.c;
    case Feature::AB: return madd(ab, n.d1 / (n.d1 - n.d3), t.a);
    case Feature::AC: return madd(ac, n.d2 / (n.d2 - n.d6), t.a);
    case Feature::BC: return madd(t.c - t.b, (n.d4 - n.d3) / ((n.d4 - n.d3) + (n.d5 - n.d6)), t.b);
    case Feature::INSIDE: break;
  }
  const double sum = n.va + n.vb + n.vc;
  return madd(ab, n.vb / sum, madd(ac, n.vc / sum, t.a));
}

void BallOnField::sunk(int i0, int i1, int j0, int j1) {
  const FieldTriangle above = field_.at(c_.x, c_.y);
  Vec3d n = above.normal();
  n = n * (1 / norm(n));
  double least = -dot(n, c_ - above.a);
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) {
      for (const FieldTriangle& t : {field_.lower(i, j), field_.upper(i, j)}) {
        const Vec3d d = nearest(t, c_) - c_;
        const double distance = norm(d);
        if (distance < least * (1 - 1e-9)) least = distance, n = d * (1 / distance);
      }
    }
  }
  found_[count_++] = {madd(n, least, c_), n, -least, true};
}

void BallOnField::sort() {
  for (int i = 1; i < count_; ++i) {
    const Found f = found_[i];
    const auto isLeft = [&](const Found& g) {
      const double x = f.q.x - g.q.x;
      return abs(x) > 1e-6 * r_ ? x < 0 : f.q.y < g.q.y;
    };
    int k = i;
    for (; k > 0 && isLeft(found_[k - 1]); --k) found_[k] = found_[k - 1];
    found_[k] = f;
  }
}

void BallOnField::write(const Transformd& X_WF, Manifold& m) {
  sort();
  for (int i = 0; i < count_; ++i) {
    const Found& f = found_[i];
    m.add(X_WF * nmadd(f.n, r_, c_), mul(X_WF.R, f.n), r_ - f.distance, i);
  }
  if (count_ > kMaxPairPoints) reduce(m);
  for (int i = 0; i < m.count; ++i) m.points[i].feature = i;
}

void BallOnField::writeFaces(const Transformd& X_WF, int feature, Manifold& m) {
  sort();
  for (int i = 0; i < count_; ++i) {
    const Found& f = found_[i];
    if (f.isFace) m.add(X_WF * nmadd(f.n, r_, c_), mul(X_WF.R, f.n), r_ - f.distance, feature++);
  }
}

}  // namespace

void addBallOnFaces(const Field& field, const Vec3d& centre, double radius, double margin,
                    const Transformd& X_WF, int feature, Manifold& m) {
  BallOnField ball(field, centre, radius, margin);
  ball.meet();
  ball.writeFaces(X_WF, feature, m);
}

void sphereHeightfield(const Geom& sphere, const Geom& ground, double margin, Manifold& m) {
  const Field& field = *ground.field;
  const Transformd& X = ground.X_WG;
  const Vec3d c = tmul(X.R, sphere.X_WG.p - X.p);
  BallOnField ball(field, c, sphere.size.x, margin);
  ball.meet();
  ball.write(X, m);
}

}  // namespace espalier::collision
