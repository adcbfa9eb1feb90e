#include "espalier/world/contact_rows.h"

#include <algorithm>

#include "espalier/dynamics/jacobian.h"
#include "espalier/world/pose.h"

namespace espalier {
namespace {

using Triple = contact::Triple<double>;

/// What six numbers of a rigid motion (v of a centre, w) do to a point at r from it: v + w x r,
/// or to its spin where there is no point; row . (e x r) = e . (r x row).
void putRigid(Triple* y, const Mat3d& frame, const Vec3d* r, double sign) {
  const Vec3d none{0, 0, 0};
  const Mat3d turn =
      r ? Mat3d{cross(*r, frame.r0), cross(*r, frame.r1), cross(*r, frame.r2)} : frame;
  y[0] = Triple(r ? columnX(frame) : none) * sign;
  y[1] = Triple(r ? columnY(frame) : none) * sign;
  y[2] = Triple(r ? columnZ(frame) : none) * sign;
  y[3] = Triple(columnX(turn)) * sign;
  y[4] = Triple(columnY(turn)) * sign;
  y[5] = Triple(columnZ(turn)) * sign;
}

}  // namespace

void ContactRows::reserve(int groups, int widest) {
  const auto sides = static_cast<std::size_t>(2 * groups);
  if (side_.size() < sides) {
    side_ = AlignedArray<Side>(sides);
    owner_ = AlignedArray<Owner>(sides);
    firstSide_ = AlignedArray<int>(static_cast<std::size_t>(groups) + 1);
  }
  const std::size_t numbers = sides * 2 * static_cast<std::size_t>(widest);
  if (y_.size() < numbers) y_ = AlignedArray<Triple>(numbers);
  clear();
}

ContactRows::Triple* ContactRows::open(const Owner& owner, int mover, const int* dof, int count,
                                       bool agree) {
  Triple* y = &y_[numbers_];
  Side& side = side_[sides_];
  side.mover = mover;
  side.dof = dof;
  side.count = count;
  side.y = y;
  side.yd = agree ? y : y + count;
  owner_[sides_].system = owner.system;
  owner_[sides_++].free = owner.free;
  numbers_ += agree ? count : 2 * count;
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
  Triple* y = &y_[numbers_ - 2 * n];
  for (int k = n - 1; k >= 0; --k) {
    const Triple own = y[k];
    const double* row = &solver.H[t.row[side.dof[k]]];
    for (int j = 0; j < k; ++j) y[j] = nmadd(own, row[j], y[j]);
    y[n + k] = own * solver.Dinv[side.dof[k]];
  }
}

void ContactRows::addEnd(const Endpoint& end, const Mat3d& frame, const Vec3d* point, double sign) {
  if (end.free && end.free->inverseMass > 0) {
    const FreeBody& b = *end.free;
    Triple* y = open({nullptr, end.free}, b.mover, nullptr, 6, true);
    const Vec3d r = point ? *point - b.c : Vec3d{0, 0, 0};
    const auto spin = [&](const Vec3d& row) {
      return tmul(b.rootInertia, point ? cross(r, row) : row) * sign;
    };
    const double push = point ? sign * b.rootMass : 0;
    const Mat3d turn = {spin(frame.r0), spin(frame.r1), spin(frame.r2)};
    y[0] = columnX(frame) * push;
    y[1] = columnY(frame) * push;
    y[2] = columnZ(frame) * push;
    y[3] = columnX(turn);
    y[4] = columnY(turn);
    y[5] = columnZ(turn);
  }
  if (!end.system) return;
  System& sys = *end.system;
  if (sys.loops) return addLoopEnd(sys, end.body, frame, point, sign);
  const int begin = sys.chainBegin[end.body], n = sys.chainBegin[end.body + 1] - begin;
  if (n == 0) return;  // welded to the world
  const int* chain = sys.chain.data() + begin;
  Triple* y = open({&sys, nullptr}, sys.mover, chain, n);
  const contact::Block<double> columns = transpose(frame);
  int first = 0;
  if (sys.topology().floating) {
    const Vec3d r = point ? *point - sys.ws.origin : Vec3d{0, 0, 0};
    putRigid(y, frame, point ? &r : nullptr, sign);
    first = 6;
  }
  for (int k = first; k < n; ++k) {
    const Motion<double>& S = sys.ws.S[chain[k]];
    const Vec3d motion = point ? velocityAt(S, *point - sys.ws.origin) : S.w;
    y[k] = tmul(columns, motion) * sign;
  }
  finish(sys);
}

/// The same by the screws of a system with closed loops.
void ContactRows::addLoopEnd(System& sys, int body, const Mat3d& frame, const Vec3d* point,
                             double sign) {
  const Mechanism& m = sys.loops->m;
  const int begin = m.firstColumn[body], n = m.firstColumn[body + 1] - begin;
  if (n == 0) return;  // welded to the world
  Triple* y = open({&sys, nullptr}, sys.mover, m.columnY.data() + begin, n);
  const contact::Block<double> columns = transpose(frame);
  const Vec3d r = point ? *point - sys.ws.origin : Vec3d{0, 0, 0};
  int first = 0;
  if (m.reduced.floating) {
    putRigid(y, frame, point ? &r : nullptr, sign);
    first = 6;
  }
  for (int k = first; k < n; ++k) {
    const Motion<double> s = sys.loops->screw(m.columnScrew[begin + k]);
    y[k] = tmul(columns, point ? velocityAt(s, r) : s.w) * sign;
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

/// sign (sum of factor u), u = G u_y with loops. All terms lie on one way up; what moves a dof stands
/// side by side in the chain of its body.
std::span<const ContactRows::Side> ContactRows::addJoint(System& sys, int dof, double sign) {
  const Topology& t = sys.topology();
  const RotorInfo::Term own{0, dof, 1};
  std::span<const RotorInfo::Term> terms{&own, 1};
  if (dof >= t.nv) terms = sys.model->rotors[dof - t.nv].terms;
  const auto moversOfTerm = [&](const RotorInfo::Term& term) {
    return sys.loops ? moversOf(t, sys.loops->m, sys.loops->at, term.u) : Movers<double>{term.u};
  };
  int deepest = 0, last = 0;
  for (const RotorInfo::Term& term : terms) {
    const Movers<double> by = moversOfTerm(term);
    deepest = std::max(deepest, t.dofBody[term.u]);
    last = std::max(last, by.y + by.count - 1);
  }
  const int* chain = sys.loops ? sys.loops->m.columnY.data() + sys.loops->m.firstColumn[deepest]
                               : sys.chain.data() + sys.chainBegin[deepest];
  int n = 1;
  while (chain[n - 1] != last) ++n;  // a joint's later dofs do not take part
  Triple* y = open({&sys, nullptr}, sys.mover, chain, n);
  for (int i = 0; i < n; ++i) y[i] = Triple();
  for (const RotorInfo::Term& term : terms) {
    const Movers<double> by = moversOfTerm(term);
    int at = 0;
    while (chain[at] != by.y) ++at;
    for (int i = 0; i < by.count; ++i)
      y[at + i] = Triple(Vec3d{0, 0, sign * term.factor * by.at(i)}) + y[at + i];
  }
  finish(sys);
  return close();
}

void ContactRows::addWrenchEnd(System& sys, int body, const std::array<Force<double>, 3>& W,
                               double sign) {
  const Mechanism* m = sys.loops ? &sys.loops->m : nullptr;
  const std::vector<int>& begins = m ? m->firstColumn : sys.chainBegin;
  const std::vector<int>& dofs = m ? m->columnY : sys.chain;
  const int begin = begins[body], n = begins[body + 1] - begin;
  if (n == 0) return;  // welded to the world
  Triple* y = open({&sys, nullptr}, sys.mover, dofs.data() + begin, n);
  int first = 0;
  if (!m && sys.topology().floating) {
    const Mat3d f{W[0].f, W[1].f, W[2].f}, moment{W[0].n, W[1].n, W[2].n};
    for (const Mat3d& part : {f, moment}) {
      y[first++] = Triple(columnX(part)) * sign;
      y[first++] = Triple(columnY(part)) * sign;
      y[first++] = Triple(columnZ(part)) * sign;
    }
  }
  for (int k = first; k < n; ++k) {
    const Motion<double> s =
        m ? sys.loops->screw(m->columnScrew[begin + k]) : sys.ws.S[dofs[begin + k]];
    y[k] = Vec3d{dot(s, W[0]), dot(s, W[1]), dot(s, W[2])} * sign;
  }
  finish(sys);
}

std::span<const ContactRows::Side> ContactRows::addWrenches(System& sys, int a, int b,
                                                            const std::array<Force<double>, 3>& W) {
  if (a >= 0) addWrenchEnd(sys, a, W, -1);
  if (b >= 0) addWrenchEnd(sys, b, W, 1);
  return close();
}

Vec3d ContactRows::freeVelocity(int group, const Vec3d& Ju) const {
  Triple v = Ju;
  for (int s = firstSide_[group]; s < firstSide_[group + 1]; ++s) {
    const Side& side = side_[s];
    const Owner& owner = owner_[s];
    if (owner.free) {
      v = addVelocity(Side{0, nullptr, 6, side.y, side.y}, owner.free->z, v);
    } else {
      v = addVelocity(Side{0, side.dof, side.count, side.yd, side.y}, owner.system->z.data(), v);
    }
  }
  return v.vec3();
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
