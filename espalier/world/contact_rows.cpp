#include "espalier/world/contact_rows.h"

#include "espalier/dynamics/jacobian.h"

namespace espalier {
namespace {

/// A += k a b'
void addOuter(Mat3d& A, double k, const Vec3d& a, const Vec3d& b) {
  A.r0 = madd(b, k * a.x, A.r0);
  A.r1 = madd(b, k * a.y, A.r1);
  A.r2 = madd(b, k * a.z, A.r2);
}

/// Columns of a body's dofs at point r, in the frame's rows, times sign.
void addColumns(const System& sys, int body, const Mat3d& frame, const Vec3d& r, double sign,
                Vec3d* y) {
  const Topology& t = sys.topology();
  int dof = t.lastDof(body);
  for (; dof >= (t.floating ? 6 : 0); dof = t.dofParent[dof])
    y[dof] = madd(mul(frame, velocityAt(sys.ws.S[dof], r)), sign, y[dof]);
  if (dof < 0) return;
  // The base moves the point by v + w x r, and row . (e x r) = e . (r x row).
  const Mat3d turn{cross(r, frame.r0), cross(r, frame.r1), cross(r, frame.r2)};
  const Mat3d *parts[2] = {&frame, &turn};
  for (int k = 0; k < 2; ++k) {
    const Mat3d& m = *parts[k];
    y[3 * k] = madd(columnX(m), sign, y[3 * k]);
    y[3 * k + 1] = madd(columnY(m), sign, y[3 * k + 1]);
    y[3 * k + 2] = madd(columnZ(m), sign, y[3 * k + 2]);
  }
}

}  // namespace

ContactRows::ContactRows(int maxGroups, int maxSystems, int maxNv) {
  const auto sides = static_cast<std::size_t>(2 * maxGroups);
  const auto dofs = static_cast<std::size_t>(maxNv);
  side_ = AlignedArray<RowSide>(sides);
  support_ = AlignedArray<int>(sides * dofs);
  y_ = AlignedArray<Vec3d>(sides * dofs);
  firstSide_ = AlignedArray<int>(static_cast<std::size_t>(maxGroups) + 1);
  olderThan_ = AlignedArray<int>(sides);
  newestOf_ = AlignedArray<int>(static_cast<std::size_t>(maxSystems));
}

RowSide& ContactRows::open(int group, int system, const System& sys) {
  const int nv = sys.model->nv();
  RowSide& side = side_[sides_++];
  side = {group, system, supports_, 0, blocks_};
  for (int d = 0; d < nv; ++d) y_[side.y + d] = {0, 0, 0};
  blocks_ += nv;
  return side;
}

void ContactRows::finish(RowSide& side, const System& sys) {
  supports_ += side.supportCount;
  firstSide_[side.group + 1] = sides_;
  // Y = L'^-1 J': every dof hands its block to its ancestors, deepest first.
  const Topology& t = sys.topology();
  const int* support = &support_[side.support];
  Vec3d* y = &y_[side.y];
  for (int s = side.supportCount - 1; s >= 0; --s) {
    const int dof = support[s];
    const double* row = &sys.ws.H[t.row[dof]];
    const Vec3d yk = y[dof];
    int i = t.dofParent[dof];
    for (int d = t.dofDepth[dof] - 1; d >= 0; --d, i = t.dofParent[i]) y[i] = nmadd(yk, row[d], y[i]);
  }
}

void ContactRows::addContact(int group, const std::vector<System*>& systems, const Contact& c) {
  firstSide_[group] = firstSide_[group + 1] = sides_;
  const int system[2] = {c.systemA, c.systemB}, body[2] = {c.bodyA, c.bodyB};
  const bool within = c.systemA >= 0 && c.systemA == c.systemB;
  for (int k = 0; k < 2; ++k) {
    if (system[k] < 0 || (within && k == 1)) continue;
    const System& sys = *systems[static_cast<std::size_t>(system[k])];
    const int* chain = sys.chain.data();
    int first = sys.chainBegin[body[k]], last = sys.chainBegin[body[k] + 1];
    if (first == last && !within) continue;  // welded to the world
    const int nv = sys.model->nv();
    RowSide& side = open(group, system[k], sys);
    const Vec3d r = c.position - sys.ws.origin;
    addColumns(sys, body[k], c.frame, r, k == 0 ? 1 : -1, &y_[side.y]);
    int* support = &support_[side.support];
    if (!within) {
      for (int d = first; d < last; ++d) support[side.supportCount++] = chain[d];
    } else {
      addColumns(sys, body[1], c.frame, r, -1, &y_[side.y]);
      int other = sys.chainBegin[body[1]];
      const int otherEnd = sys.chainBegin[body[1] + 1];
      while (first < last || other < otherEnd) {  // union of two ascending runs
        const int a = first < last ? chain[first] : nv, b = other < otherEnd ? chain[other] : nv;
        support[side.supportCount++] = a < b ? a : b;
        first += a <= b;
        other += b <= a;
      }
    }
    finish(side, sys);
  }
}

void ContactRows::addLimit(int group, int system, const System& sys, int dof, double sign) {
  firstSide_[group] = sides_;
  RowSide& side = open(group, system, sys);
  y_[side.y + dof] = {0, 0, sign};
  const int body = sys.topology().dofBody[dof];
  for (int d = sys.chainBegin[body]; d < sys.chainBegin[body + 1] && sys.chain[d] <= dof; ++d)
    support_[side.support + side.supportCount++] = sys.chain[d];
  finish(side, sys);
}

Vec3d ContactRows::freeVelocity(int group, const Vec3d& Ju,
                                const std::vector<System*>& systems) const {
  Vec3d v = Ju;
  for (int s = firstSide_[group]; s < firstSide_[group + 1]; ++s) {
    const RowSide& side = side_[s];
    const System& sys = *systems[static_cast<std::size_t>(side.system)];
    for (int k = 0; k < side.supportCount; ++k) {
      const int dof = support_[side.support + k];
      v = madd(y_[side.y + dof], sys.ws.Dinv[dof] * sys.z[dof], v);
    }
  }
  return v;
}

Sym3<double> ContactRows::diagonal(int group, const std::vector<System*>& systems) const {
  Sym3<double> G{0, 0, 0, 0, 0, 0};
  for (int s = firstSide_[group]; s < firstSide_[group + 1]; ++s) {
    const RowSide& side = side_[s];
    const System& sys = *systems[static_cast<std::size_t>(side.system)];
    for (int k = 0; k < side.supportCount; ++k) {
      const int dof = support_[side.support + k];
      const Vec3d y = y_[side.y + dof], d = y * sys.ws.Dinv[dof];
      G.xx = fma(d.x, y.x, G.xx);
      G.xy = fma(d.x, y.y, G.xy);
      G.xz = fma(d.x, y.z, G.xz);
      G.yy = fma(d.y, y.y, G.yy);
      G.yz = fma(d.y, y.z, G.yz);
      G.zz = fma(d.z, y.z, G.zz);
    }
  }
  return G;
}

Mat3d ContactRows::couple(const RowSide& a, const RowSide& b, const System& sys) const {
  Mat3d G{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  const int *i = &support_[a.support], *iEnd = i + a.supportCount;
  const int *j = &support_[b.support], *jEnd = j + b.supportCount;
  while (i < iEnd && j < jEnd) {
    if (*i == *j) {
      addOuter(G, sys.ws.Dinv[*i], y_[a.y + *i], y_[b.y + *i]);
      ++i, ++j;
    } else if (*i < *j) {
      ++i;
    } else {
      ++j;
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
    const auto system = static_cast<std::size_t>(side_[a].system);
    for (int b = newestOf_[system]; b >= 0; b = olderThan_[b])
      complete &= problem.addCoupling(side_[a].group, side_[b].group,
                                      couple(side_[a], side_[b], *systems[system]));
    olderThan_[a] = newestOf_[system];
    newestOf_[system] = a;
  }
  return complete;
}

void ContactRows::addImpulses(const Vec3d* lambda, const std::vector<System*>& systems) const {
  for (const RowSide& side : *this) {
    System& sys = *systems[static_cast<std::size_t>(side.system)];
    const Vec3d l = lambda[side.group];
    for (int k = 0; k < side.supportCount; ++k) {
      const int dof = support_[side.support + k];
      sys.z[dof] += dot(y_[side.y + dof], l);
    }
  }
}

}  // namespace espalier
