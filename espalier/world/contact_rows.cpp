#include "espalier/world/contact_rows.h"

#include "espalier/dynamics/jacobian.h"
#include "espalier/dynamics/subtract.h"

namespace espalier {
namespace {

/// Columns of a chain at point r, in the frame's rows, times sign, as three runs.
void putColumns(const System& sys, const RowSide& side, const Mat3d& frame, const Vec3d& r,
                double sign, double* y) {
  const int n = side.count;
  const auto put = [&](int k, const Vec3d& c) {
    y[k] = sign * c.x;
    y[n + k] = sign * c.y;
    y[2 * n + k] = sign * c.z;
  };
  int first = 0;
  if (sys.topology().floating) {
    // The base moves the point by v + w x r, and row . (e x r) = e . (r x row).
    const Mat3d turn{cross(r, frame.r0), cross(r, frame.r1), cross(r, frame.r2)};
    put(0, columnX(frame));
    put(1, columnY(frame));
    put(2, columnZ(frame));
    put(3, columnX(turn));
    put(4, columnY(turn));
    put(5, columnZ(turn));
    first = 6;
  }
  for (int k = first; k < n; ++k) put(k, mul(frame, velocityAt(sys.ws.S[side.chain[k]], r)));
}

}  // namespace

ContactRows::ContactRows(int maxGroups, int maxSystems, int maxNv) {
  const auto sides = static_cast<std::size_t>(2 * maxGroups);
  side_ = AlignedArray<RowSide>(sides);
  y_ = AlignedArray<double>(sides * 6 * static_cast<std::size_t>(maxNv));
  firstSide_ = AlignedArray<int>(static_cast<std::size_t>(maxGroups) + 1);
  olderThan_ = AlignedArray<int>(sides);
  newestOf_ = AlignedArray<int>(static_cast<std::size_t>(maxSystems));
}

RowSide& ContactRows::open(int group, int system, const System& sys, int body) {
  RowSide& side = side_[sides_++];
  const int begin = sys.chainBegin[body];
  side = {group, system, sys.chain.data() + begin, sys.chainBegin[body + 1] - begin, numbers_};
  numbers_ += 6 * side.count;
  firstSide_[group + 1] = sides_;
  return side;
}

void ContactRows::finish(const RowSide& side, const System& sys) {
  // Y = L'^-1 J': every dof hands its share to its ancestors, deepest first.
  const Topology& t = sys.topology();
  const int n = side.count;
  double* y = &y_[side.y];
  for (int k = n - 1; k > 0; --k) {
    const double* row = &sys.ws.H[t.row[side.chain[k]]];
    for (int c = 0; c < 3; ++c) subtract(y + c * n, row, y[c * n + k], k);
  }
  for (int k = 0; k < n; ++k) {
    const double d = sys.ws.Dinv[side.chain[k]];
    for (int c = 0; c < 3; ++c) y[(3 + c) * n + k] = d * y[c * n + k];
  }
}

void ContactRows::addContact(int group, const std::vector<System*>& systems, const Contact& c) {
  firstSide_[group] = firstSide_[group + 1] = sides_;
  const int system[2] = {c.systemA, c.systemB}, body[2] = {c.bodyA, c.bodyB};
  for (int k = 0; k < 2; ++k) {
    if (system[k] < 0) continue;
    const System& sys = *systems[static_cast<std::size_t>(system[k])];
    if (sys.chainBegin[body[k]] == sys.chainBegin[body[k] + 1]) continue;  // welded to the world
    const RowSide& side = open(group, system[k], sys, body[k]);
    putColumns(sys, side, c.frame, c.position - sys.ws.origin, k == 0 ? 1 : -1, &y_[side.y]);
    finish(side, sys);
  }
}

void ContactRows::addLimit(int group, int system, const System& sys, int dof, double sign) {
  firstSide_[group] = sides_;
  RowSide& side = open(group, system, sys, sys.topology().dofBody[dof]);
  while (side.chain[side.count - 1] > dof) --side.count;  // a joint's later dofs do not take part
  double* y = &y_[side.y];
  for (int i = 0; i < 3 * side.count; ++i) y[i] = 0;
  y[3 * side.count - 1] = sign;
  finish(side, sys);
}

Vec3d ContactRows::freeVelocity(int group, const Vec3d& Ju,
                                const std::vector<System*>& systems) const {
  Vec3d v = Ju;
  for (int s = firstSide_[group]; s < firstSide_[group + 1]; ++s) {
    const RowSide& side = side_[s];
    const System& sys = *systems[static_cast<std::size_t>(side.system)];
    const int n = side.count;
    const double* d = &y_[side.y + 3 * n];
    for (int k = 0; k < n; ++k) {
      const double z = sys.z[side.chain[k]];
      v.x = fma(d[k], z, v.x);
      v.y = fma(d[n + k], z, v.y);
      v.z = fma(d[2 * n + k], z, v.z);
    }
  }
  return v;
}

Mat3d ContactRows::couple(const RowSide& a, const RowSide& b) const {
  Mat3d G{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  const double *d = &y_[a.y + 3 * a.count], *y = &y_[b.y];
  const int na = a.count, nb = b.count, most = na < nb ? na : nb;
  for (int k = 0; k < most && a.chain[k] == b.chain[k]; ++k) {  // chains of a tree share a prefix
    const Vec3d yb{y[k], y[nb + k], y[2 * nb + k]};
    G.r0 = madd(yb, d[k], G.r0);
    G.r1 = madd(yb, d[na + k], G.r1);
    G.r2 = madd(yb, d[2 * na + k], G.r2);
  }
  return G;
}

Sym3<double> ContactRows::diagonal(int group) const {
  Sym3<double> G{0, 0, 0, 0, 0, 0};
  for (int s = firstSide_[group]; s < firstSide_[group + 1]; ++s) {
    const RowSide& side = side_[s];
    const int n = side.count;
    const double *y = &y_[side.y], *d = y + 3 * n;
    for (int k = 0; k < n; ++k) {
      G.xx = fma(d[k], y[k], G.xx);
      G.xy = fma(d[k], y[n + k], G.xy);
      G.xz = fma(d[k], y[2 * n + k], G.xz);
      G.yy = fma(d[n + k], y[n + k], G.yy);
      G.yz = fma(d[n + k], y[2 * n + k], G.yz);
      G.zz = fma(d[2 * n + k], y[2 * n + k], G.zz);
    }
    for (int other = firstSide_[group]; other < s; ++other) {  // two bodies of one system
      if (side_[other].system != side.system) continue;
      const Mat3d X = couple(side_[other], side);
      G += Sym3<double>{2 * X.r0.x, X.r0.y + X.r1.x, X.r0.z + X.r2.x,
                        2 * X.r1.y, X.r1.z + X.r2.y, 2 * X.r2.z};
    }
  }
  return G;
}

bool ContactRows::addCouplings(const std::vector<System*>& systems,
                               contact::Problem<double>& problem) {
  // Sides of one system, in order of their groups, linked newest first.
  for (std::size_t s = 0; s < systems.size(); ++s) newestOf_[s] = -1;
  bool complete = true;
  for (int a = 0; a < sides_; ++a) {
    const int system = side_[a].system;
    for (int b = newestOf_[system]; b >= 0; b = olderThan_[b])
      if (side_[a].group != side_[b].group)
        complete &= problem.addCoupling(side_[a].group, side_[b].group, couple(side_[a], side_[b]));
    olderThan_[a] = newestOf_[system];
    newestOf_[system] = a;
  }
  return complete;
}

void ContactRows::addImpulses(const Vec3d* lambda, const std::vector<System*>& systems) const {
  for (int s = 0; s < sides_; ++s) {
    const RowSide& side = side_[s];
    System& sys = *systems[static_cast<std::size_t>(side.system)];
    const Vec3d l = lambda[side.group];
    const int n = side.count;
    const double* y = &y_[side.y];
    for (int k = 0; k < n; ++k) sys.z[side.chain[k]] += dot(Vec3d{y[k], y[n + k], y[2 * n + k]}, l);
  }
}

}  // namespace espalier
