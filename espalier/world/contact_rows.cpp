#include "espalier/world/contact_rows.h"

#include "espalier/dynamics/jacobian.h"
#include "espalier/dynamics/subtract.h"
#include "espalier/world/pose.h"

namespace espalier {
namespace {

/// Three rows of `count` numbers.
struct Rows {
  double* y;
  int count;
  void put(int k, const Vec3d& c, double sign) const {
    y[k] = sign * c.x;
    y[count + k] = sign * c.y;
    y[2 * count + k] = sign * c.z;
  }
};

/// What six numbers of a rigid motion (v of a centre, w) do to a point at r from it: v + w x r,
/// or to its spin where there is no point; row . (e x r) = e . (r x row).
void putRigid(const Rows& rows, const Mat3d& frame, const Vec3d* r, double sign) {
  const Vec3d none{0, 0, 0};
  const Mat3d turn =
      r ? Mat3d{cross(*r, frame.r0), cross(*r, frame.r1), cross(*r, frame.r2)} : frame;
  rows.put(0, r ? columnX(frame) : none, sign);
  rows.put(1, r ? columnY(frame) : none, sign);
  rows.put(2, r ? columnZ(frame) : none, sign);
  rows.put(3, columnX(turn), sign);
  rows.put(4, columnY(turn), sign);
  rows.put(5, columnZ(turn), sign);
}

}  // namespace

void ContactRows::reserve(int groups, int widest) {
  const auto sides = static_cast<std::size_t>(2 * groups);
  if (side_.size() < sides) {
    side_ = AlignedArray<Side>(sides);
    owner_ = AlignedArray<Owner>(sides);
    firstSide_ = AlignedArray<int>(static_cast<std::size_t>(groups) + 1);
  }
  const std::size_t numbers = sides * 6 * static_cast<std::size_t>(widest);
  if (y_.size() < numbers) y_ = AlignedArray<double>(numbers);
  clear();
}

double* ContactRows::open(const Owner& owner, int mover, const int* dof, int count, bool agree) {
  double* y = &y_[numbers_];
  side_[sides_] = {mover, dof, count, y, agree ? y : y + 3 * count};
  owner_[sides_++] = owner;
  numbers_ += agree ? 3 * count : 6 * count;
  return y;
}

std::span<const ContactRows::Side> ContactRows::close() {
  firstSide_[groups_ + 1] = sides_;
  const int first = firstSide_[groups_++];
  return {&side_[first], static_cast<std::size_t>(sides_ - first)};
}

/// Y = L'^-1 J': every dof hands its share to its ancestors, deepest first; then D^-1.
void ContactRows::finish(const System& sys) {
  const Topology& t = sys.solved();
  const Workspace<double>& solver = sys.solver();
  const Side& side = side_[sides_ - 1];
  const int n = side.count;
  double* y = &y_[numbers_ - 6 * n];
  for (int k = n - 1; k > 0; --k) {
    const double* row = &solver.H[t.row[side.dof[k]]];
    subtractThree(y, n, row, {y[k], y[n + k], y[2 * n + k]}, k);
  }
  for (int k = 0; k < n; ++k) {
    const double d = solver.Dinv[side.dof[k]];
    for (int c = 0; c < 3; ++c) y[(3 + c) * n + k] = d * y[c * n + k];
  }
}

void ContactRows::addEnd(const Endpoint& end, const Mat3d& frame, const Vec3d* point, double sign) {
  if (end.free && end.free->inverseMass > 0) {
    const FreeBody& b = *end.free;
    double* y = open({nullptr, end.free}, b.mover, nullptr, 6, true);
    const Vec3d r = point ? *point - b.c : Vec3d{0, 0, 0};
    for (const Vec3d& row : {frame.r0, frame.r1, frame.r2}) {
      put(point ? row * (sign * b.rootMass) : Vec3d{0, 0, 0}, y);
      put(tmul(b.rootInertia, point ? cross(r, row) : row) * sign, y + 3);
      y += 6;
    }
  }
  if (!end.system) return;
  System& sys = *end.system;
  if (sys.loops) return addLoopEnd(sys, end.body, frame, point, sign);
  const int begin = sys.chainBegin[end.body], n = sys.chainBegin[end.body + 1] - begin;
  if (n == 0) return;  // welded to the world
  const int* chain = sys.chain.data() + begin;
  const Rows rows{open({&sys, nullptr}, sys.mover, chain, n), n};
  int first = 0;
  if (sys.topology().floating) {
    const Vec3d r = point ? *point - sys.ws.origin : Vec3d{0, 0, 0};
    putRigid(rows, frame, point ? &r : nullptr, sign);
    first = 6;
  }
  for (int k = first; k < n; ++k) {
    const Motion<double>& S = sys.ws.S[chain[k]];
    rows.put(k, mul(frame, point ? velocityAt(S, *point - sys.ws.origin) : S.w), sign);
  }
  finish(sys);
}

/// The same by the screws of a system with closed loops.
void ContactRows::addLoopEnd(System& sys, int body, const Mat3d& frame, const Vec3d* point,
                             double sign) {
  const Mechanism& m = sys.loops->m;
  const int begin = m.firstColumn[body], n = m.firstColumn[body + 1] - begin;
  if (n == 0) return;  // welded to the world
  const Rows rows{open({&sys, nullptr}, sys.mover, m.columnY.data() + begin, n), n};
  const Vec3d r = point ? *point - sys.ws.origin : Vec3d{0, 0, 0};
  for (int k = 0; k < n; ++k) {
    const Motion<double>& s = sys.loops->at.screw[m.columnScrew[begin + k]];
    rows.put(k, mul(frame, point ? velocityAt(s, r) : s.w), sign);
  }
  finish(sys);
}

std::span<const ContactRows::Side> ContactRows::addContact(const Endpoint& a, const Endpoint& b,
                                                           const Mat3d& frame, const Vec3d& point) {
  addEnd(a, frame, &point, 1);
  addEnd(b, frame, &point, -1);
  return close();
}

std::span<const ContactRows::Side> ContactRows::addAngular(const Endpoint& a, const Endpoint& b,
                                                           const Mat3d& frame) {
  addEnd(a, frame, nullptr, 1);
  addEnd(b, frame, nullptr, -1);
  return close();
}

std::span<const ContactRows::Side> ContactRows::addJoint(System& sys, int dof, double sign) {
  if (sys.loops) return addLoopJoint(sys, dof, sign);
  const int begin = sys.chainBegin[sys.topology().dofBody[dof]];
  const int* chain = sys.chain.data() + begin;
  int n = 1;
  while (chain[n - 1] != dof) ++n;  // a joint's later dofs do not take part
  double* y = open({&sys, nullptr}, sys.mover, chain, n);
  for (int i = 0; i < 3 * n; ++i) y[i] = 0;
  y[3 * n - 1] = sign;
  finish(sys);
  return close();
}

/// sign u_dof = sign G_dof u_y.
std::span<const ContactRows::Side> ContactRows::addLoopJoint(System& sys, int dof, double sign) {
  const Mechanism& m = sys.loops->m;
  const int body = sys.topology().dofBody[dof], cluster = m.clusterOf[body];
  const int* chain = m.columnY.data() + m.firstColumn[body];
  const int own = cluster < 0 ? 1 : m.clusters[cluster].ny();
  const int last =
      cluster < 0 ? m.firstY[body] + dof - sys.topology().bodies[body].u : m.firstY[body] + own - 1;
  int n = 1;
  while (chain[n - 1] != last) ++n;
  double* y = open({&sys, nullptr}, sys.mover, chain, n);
  for (int i = 0; i < 3 * n; ++i) y[i] = 0;
  if (cluster < 0) {
    y[3 * n - 1] = sign;
  } else {
    const Cluster& c = m.clusters[cluster];
    int place = 0;
    while (c.dofs[place] != dof) ++place;
    for (int i = 0; i < own; ++i)
      y[3 * n - own + i] = sign * sys.loops->at.G[c.firstG + place * own + i];
  }
  finish(sys);
  return close();
}

Vec3d ContactRows::freeVelocity(int group, const Vec3d& Ju) const {
  Vec3d v = Ju;
  for (int s = firstSide_[group]; s < firstSide_[group + 1]; ++s) {
    const Side& side = side_[s];
    const Owner& owner = owner_[s];
    if (owner.free) {
      v = addVelocity(Side{0, nullptr, 6, side.y, side.y}, owner.free->z, v);
    } else {
      v = addVelocity(Side{0, side.dof, side.count, side.yd, side.y}, owner.system->z.data(), v);
    }
  }
  return v;
}

void ContactRows::addImpulses(const Vec3d* lambda) const {
  for (int g = 0; g < groups_; ++g)
    for (int s = firstSide_[g]; s < firstSide_[g + 1]; ++s) {
      const Side& side = side_[s];
      const Owner& owner = owner_[s];
      if (owner.free) {
        push(Side{0, nullptr, 6, side.y, side.y}, lambda[g], owner.free->z);
      } else {
        push(Side{0, side.dof, side.count, side.yd, side.y}, lambda[g], owner.system->z.data());
      }
    }
}

}  // namespace espalier
