#include "espalier/model/loops/loop_gap.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "espalier/model/compile/placement.h"
#include "espalier/model/loops/clusters.h"
#include "espalier/model/loops/loop_rows.h"
#include "espalier/model/spec/check_report.h"

namespace espalier {
namespace {

constexpr double rounding = 1e-11;  // of double, in the residual of assembly

LoopFrames<double> framesOf(const Closure& loop, const LoopEnds& ends) {
  return {ends.A.R, ends.B.R, ends.B.p, ends.B.p - ends.A.p, mul(ends.B.R, loop.axis2)};
}

/// A rotation whose z is along the axis.
Mat3d axisToZ(const Vec3d& axis) {
  const Vec3d z = axis * (1 / norm(axis));
  const double x = std::abs(z.x), y = std::abs(z.y);
  const Vec3d seed = x <= y && x <= std::abs(z.z)
                         ? Vec3d{1, 0, 0}
                         : (y <= std::abs(z.z) ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1});
  Vec3d a = cross(seed, z);
  a = a * (1 / norm(a));
  return transpose(Mat3d{a, cross(z, a), z});
}

/// The smallest rotation that takes one unit vector to another.
Mat3d turnBetween(const Vec3d& from, const Vec3d& to) {
  const Vec3d n = cross(from, to);
  const double sine = norm(n);
  if (sine == 0) return identity3<double>();
  return axisRotation(n * (1 / sine), sine, dot(from, to));
}

}  // namespace

LoopEnds endsOf(const Topology& t, const Lowered<double>& par, const Closure& loop,
                const double* q) {
  const Placement at(t, par, q);
  const auto pose = [&](int body) {
    if (body < 0) return identityTransform<double>();
    return Transformd{at.R[body], at.x[body]};
  };
  return {pose(loop.a) * loop.X_CA, pose(loop.b) * loop.X_CB};
}

LoopGap gapOf(const Closure& loop, const LoopEnds& ends) {
  const LoopFrames<double> f = framesOf(loop, ends);
  if (hasFlipped(loop, f)) return {norm(f.d), std::numbers::pi};
  double square = 0, turns = 0;
  for (const RowKind& row : rowTable(loop.kind)) {
    Force<double> W;
    const double phi = rowOf(loop, row, f, W);
    (row.form == RowKind::Form::TURN ? turns : square) += phi * phi;
  }
  return {std::sqrt(square), std::asin(std::min(1.0, std::sqrt(turns)))};
}

std::string printed(const LoopGap& gap) {
  std::string text;
  if (gap.distance > rounding || gap.angle <= rounding) text = printed(gap.distance) + " m";
  if (gap.angle > rounding) text += (text.empty() ? "" : " and ") + printed(gap.angle) + " rad";
  return text;
}

Transformd closedEnd(Closure& loop, const LoopEnds& ends) {
  Transformd B = ends.B;
  const Vec3d z = columnZ(ends.A.R);
  switch (loop.kind) {
    case LoopKind::POINT: break;
    case LoopKind::FIXED:
    case LoopKind::PRISMATIC: B.R = ends.A.R; break;
    case LoopKind::UNIVERSAL: {
      const Vec3d axis = mul(B.R, loop.axis2), across = axis - z * dot(axis, z);
      loop.axis2 = tmul(B.R, across * (1 / norm(across)));
      break;
    }
    default: B.R = mul(turnBetween(columnZ(B.R), z), B.R);
  }
  for (const RowKind& row : rowTable(loop.kind)) {
    if (row.form != RowKind::Form::POINT) continue;
    const Vec3d e = axisOf(ends.A.R, row.a);
    B.p = B.p - e * dot(e, ends.B.p - ends.A.p);
  }
  if (loop.kind == LoopKind::SCREW) {
    double s, c;
    screwAngle(loop, framesOf(loop, {ends.A, B}), s, c);
    B.R = mul(axisRotation(z, s, c), B.R);
  }
  return B;
}

double sizeOf(const Topology& t, const Lowered<double>& par, const Closure& loop, const double* q) {
  const Placement at(t, par, q);
  const Vec3d anchor = endsOf(t, par, loop, q).A.p;
  const LoopPath path = pathBetween(t, loop.a, loop.b);
  double size = 0;
  for (const auto* way : {&path.first, &path.second})
    for (const int b : *way) size = std::max(size, norm(at.x[b] - anchor));
  return size;
}

Closure closureOf(const LoopSpec& loop) {
  Closure c;
  c.kind = loop.kind;
  c.pitch = loop.pitch;
  const Mat3d Q = axisToZ(loop.axis);
  const Transformd turn{Q, {0, 0, 0}};
  c.X_LA = loop.X_PA * turn;
  c.X_LB = loop.X_SB * turn;
  const Vec3d axis2 = tmul(Q, loop.axis2);
  c.axis2 = axis2 * (1 / norm(axis2));
  return c;
}

}  // namespace espalier
