// A ball against a heightfield, in the field's frame.
//
// Contacts are the local minima of the distance from the ball's centre c to the surface:
//   on a triangle  where the foot of the perpendicular is inside it
//   on an edge     where the foot x is inside it and d = c - x leans over neither neighbour:
//                  d . (far corner - x) <= 0 on both sides; only ridges can have one
//   on a sample    where d = c - x leans over none of the six edges that meet there
// So a flat stretch is felt as one plane, whatever its triangles. Contacts are numbered from left
// to right: a ball that rolls from triangle to triangle keeps its contact's feature.

#include "espalier/collision/heightfield.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

class BallOnField {
 public:
  BallOnField(const Field& field, const Vec3d& centre, double radius, double margin)
      : field_(field),
        c_(centre),
        r_(radius),
        reach2_((radius + margin) * (radius + margin)),
        tiny_(1e-12 * radius * (field.dx() + field.dy())) {}

  /// Cell (i, j): both triangles, the diagonal, the edges and the sample at its lower left; the
  /// others belong to the next cells, where there are any.
  void visit(int i, int j) {
    const double dx = field_.dx(), dy = field_.dy();
    const Cell k{i,
                 j,
                 c_.x - fma(i, dx, -field_.halfX()),
                 c_.y - fma(j, dy, -field_.halfY()),
                 field_.height(i, j),
                 field_.height(i + 1, j),
                 field_.height(i, j + 1),
                 field_.height(i + 1, j + 1)};
    const double x = max(0.0, max(-k.x, k.x - dx)), y = max(0.0, max(-k.y, k.y - dy));
    const double z = max(0.0, c_.z - max(max(k.h00, k.h10), max(k.h01, k.h11)));
    if (fma(x, x, fma(y, y, z * z)) >= reach2_) return;
    faces(k);
    if (k.h10 + k.h01 < k.h00 + k.h11) {
      edge(i, j, 1, 1, k.h11, {dx, 0, k.h10}, {0, dy, k.h01}, true);
    }
    edgeAlongX(i, j);
    edgeAlongY(i, j);
    vertex(i, j);
    const bool last = i + 1 == field_.columns(), top = j + 1 == field_.rows();
    if (top) edgeAlongX(i, j + 1), vertex(i, j + 1);
    if (last) edgeAlongY(i + 1, j), vertex(i + 1, j);
    if (top && last) vertex(i + 1, j + 1);
  }

  /// The centre has sunk below the surface: out through its nearest point.
  void sunk(int i0, int i1, int j0, int j1);

  void write(const Transformd& X_WF, Manifold& m);

 private:
  struct Cell {
    int i, j;
    double x, y;  // of the centre from the lower left sample
    double h00, h10, h01, h11;
  };

  /// Lower triangle (0 0, 1 0, 1 1) and upper (0 0, 1 1, 0 1), as z = h00 + gx x + gy y.
  void faces(const Cell& k) {
    const double perX = field_.perX(), perY = field_.perY();
    for (const bool upper : {false, true}) {
      const double gx = (upper ? k.h11 - k.h01 : k.h10 - k.h00) * perX;
      const double gy = (upper ? k.h01 - k.h00 : k.h11 - k.h10) * perY;
      const double above = fnma(gx, k.x, fnma(gy, k.y, c_.z - k.h00));
      const double n2 = fma(gx, gx, fma(gy, gy, 1.0));
      if (above <= 0 || above * above >= reach2_ * n2) continue;
      const double t = above / n2, s = fma(gx, t, k.x) * perX, v = fma(gy, t, k.y) * perY;
      constexpr double e = 1e-9;
      const bool inside =
          upper ? s >= -e && v <= 1 + e && v >= s - e : v >= -e && s <= 1 + e && s >= v - e;
      if (!inside) continue;
      const double length = sqrt(n2);
      const Vec3d n = Vec3d{-gx, -gy, 1} * (1 / length);
      add({nmadd(n, above / length, c_), n, above / length, true});
    }
  }

  void edgeAlongX(int i, int j) {
    const double dx = field_.dx(), dy = field_.dy();
    const double h0 = field_.height(i, j), h1 = field_.height(i + 1, j);
    const bool up = j<field_.rows(), down = j> 0;
    const Vec3d p{dx, dy, up ? field_.height(i + 1, j + 1) : 0};
    const Vec3d q{0, -dy, down ? field_.height(i, j - 1) : 0};
    if (up && down && p.z + q.z >= h0 + h1) return;
    edge(i, j, 1, 0, h1, up ? p : q, down ? q : p, up && down);
  }
  void edgeAlongY(int i, int j) {
    const double dx = field_.dx(), dy = field_.dy();
    const double h0 = field_.height(i, j), h1 = field_.height(i, j + 1);
    const bool right = i<field_.columns(), left = i> 0;
    const Vec3d p{dx, dy, right ? field_.height(i + 1, j + 1) : 0};
    const Vec3d q{-dx, 0, left ? field_.height(i - 1, j) : 0};
    if (right && left && p.z + q.z >= h0 + h1) return;
    edge(i, j, 0, 1, h1, right ? p : q, left ? q : p, right && left);
  }

  /// From sample (i, j) to that (di, dj) further on, of height h1; p and q the far corners of its
  /// triangles, x and y from (i, j) on; on the border they are the same.
  void edge(int i, int j, int di, int dj, double h1, const Vec3d& p, const Vec3d& q, bool isInner) {
    const Vec3d a = field_.sample(i, j), w = c_ - a;
    const Vec3d e{di * field_.dx(), dj * field_.dy(), h1 - a.z};
    const double along = dot(w, e), e2 = dot(e, e);
    if (along <= 0 || along >= e2) return;
    const Vec3d d = nmadd(e, along / e2, w);
    const double d2 = dot(d, d);
    if (d2 >= reach2_ || d2 == 0) return;
    const Vec3d toP{p.x, p.y, p.z - a.z}, toQ{q.x, q.y, q.z - a.z};
    if (dot(d, toP) > tiny_ || dot(d, toQ) > tiny_) return;
    if (!isInner) {
      const Vec3d n = cross(e, toP);
      if ((n.z > 0 ? dot(n, d) : -dot(n, d)) <= 0) return;  // beside and below the border
    }
    addRound(d, d2);
  }

  void vertex(int i, int j) {
    const Vec3d a = field_.sample(i, j), d = c_ - a;
    const double d2 = dot(d, d);
    if (d.z <= 0 || d2 >= reach2_) return;
    static constexpr int star[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
    for (const auto& s : star) {
      if (!field_.hasSample(i + s[0], j + s[1])) continue;
      if (dot(d, field_.sample(i + s[0], j + s[1]) - a) > tiny_) return;
    }
    addRound(d, d2);
  }

  void addRound(const Vec3d& d, double d2) {
    const double distance = sqrt(d2);
    add({c_ - d, d * (1 / distance), distance, false});
  }

  struct Found {
    Vec3d q, n;
    double distance;
    bool isFace;
  };
  /// What is met twice, from both sides of an edge, counts once; a face tells its normal best.
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
  const Vec3d c_;
  const double r_, reach2_, tiny_;
  int count_ = 0;
  Found found_[kMost];
};

/// The point of a triangle nearest to p (Ericson 2005, 5.1.5).
Vec3d nearest(const FieldTriangle& t, const Vec3d& p) {
  const Vec3d ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return t.a;
  const Vec3d bp = p - t.b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return t.b;
  const double vc = fnma(d3, d2, d1 * d4);
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return madd(ab, d1 / (d1 - d3), t.a);
  const Vec3d cp = p - t.c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return t.c;
  const double vb = fnma(d1, d6, d5 * d2);
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return madd(ac, d2 / (d2 - d6), t.a);
  const double va = fnma(d5, d4, d3 * d6);
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    return madd(t.c - t.b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), t.b);
  }
  const double sum = va + vb + vc;
  return madd(ab, vb / sum, madd(ac, vc / sum, t.a));
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

void BallOnField::write(const Transformd& X_WF, Manifold& m) {
  // From left to right, and what is one above the other from below.
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
  for (int i = 0; i < count_; ++i) {
    const Found& f = found_[i];
    m.add(X_WF * nmadd(f.n, r_, c_), mul(X_WF.R, f.n), r_ - f.distance, i);
  }
  if (count_ > kMaxPairPoints) reduce(m);
  for (int i = 0; i < m.count; ++i) m.points[i].feature = i;
}

}  // namespace

void sphereHeightfield(const Geom& sphere, const Geom& ground, double margin, Manifold& m) {
  const Field field(*ground.field);
  const Transformd& X = ground.X_WG;
  const Vec3d c = tmul(X.R, sphere.X_WG.p - X.p);
  const double reach = sphere.size.x + margin;
  if (abs(c.x) > field.halfX() + reach || abs(c.y) > field.halfY() + reach) return;
  const int i0 = field.column(c.x - reach), i1 = field.column(c.x + reach);
  const int j0 = field.row(c.y - reach), j1 = field.row(c.y + reach);
  BallOnField ball(field, c, sphere.size.x, margin);
  if (field.covers(c.x, c.y)) {
    const FieldTriangle t = field.at(c.x, c.y);
    if (dot(t.normal(), c - t.a) <= 0) {
      ball.sunk(i0, i1, j0, j1);
      return ball.write(X, m);
    }
  }
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) ball.visit(i, j);
  }
  ball.write(X, m);
}

}  // namespace espalier::collision
