#include "espalier/step/contact_rows.h"

#include <algorithm>

#include "espalier/step/pose.h"
#include "espalier/step/row_columns.h"

namespace espalier {

void ContactRows::reserve(int groups, int sidesOfAll, int widest) {
  if (std::ssize(side_) < sidesOfAll) {
    side_ = AlignedArray<Side>(sidesOfAll);
    owner_ = AlignedArray<Owner>(sidesOfAll);
  }
  if (firstSide_.size() < static_cast<std::size_t>(groups) + 1)
    firstSide_ = AlignedArray<int>(static_cast<std::size_t>(groups) + 1);
  const std::size_t numbers = sidesOfAll * 2 * static_cast<std::size_t>(widest);
  if (y_.size() < numbers) y_ = AlignedArray<Column3>(numbers);
  clear();
}

ContactRows::Column3* ContactRows::open(const Owner& owner, int mover, const int* dof, int count,
                                        bool agree) {
  Column3* y = &y_[numbers_];
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

void ContactRows::finish(const System& sys) {
  const Side& side = side_[sides_ - 1];
  halfSolveRows(sys.solved(), sys.solver(), side.dof, side.count, &y_[numbers_ - 2 * side.count]);
}

void ContactRows::addEnd(const Endpoint& end, const Mat3d& frame, const Vec3d* point, double sign) {
  if (end.free && end.free->inverseMass > 0) {
    const FreeBody& b = *end.free;
    Column3* y = open({nullptr, end.free}, b.mover, nullptr, 6, true);
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
  const auto [dofs, n] = chainOf(sys, end.body);
  if (n == 0) return;  // welded to the world
  Column3* y = open({&sys, nullptr}, sys.mover, dofs, n);
  const Vec3d r = point ? *point - sys.ws.origin : Vec3d{0, 0, 0};
  const int* reducedColumns = reducedColumnsOf(sys.mechanism(), end.body);
  putColumns(
      sys.solved().floating, frame, point ? &r : nullptr, sign, n,
      [&](int k) { return sys.solvedColumns()[reducedColumns[k]]; }, y);
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

void ContactRows::addJointSide(System& sys, std::span<const RotorInfo::Term> terms, double sign) {
  const Topology& t = sys.topology();
  Column3* y = open({&sys, nullptr}, sys.mover, nullptr, 0);
  const DofChain chain = putJoint(
      t, terms, sign, [&](int u) { return gRowOf(t, sys.mechanism(), sys.loopWs, u); },
      [&](int body) { return chainOf(sys, body).dofs; }, y);
  Side& side = side_[sides_ - 1];
  side.dof = chain.dofs;
  side.count = chain.count;
  side.yd = y + chain.count;
  numbers_ += 2 * chain.count;
  finish(sys);
}

std::span<const ContactRows::Side> ContactRows::addJoint(System& sys,
                                                         std::span<const RotorInfo::Term> terms,
                                                         double sign) {
  addJointSide(sys, terms, sign);
  return close();
}

std::span<const ContactRows::Side> ContactRows::addTendon(System& sys, int tendon, double sign) {
  const TendonInfo& info = sys.model->tendons[tendon];
  const TendonState& state = sys.tendons[tendon];
  for (const RotorInfo::Term& term : info.terms) addJointSide(sys, {&term, 1}, sign);
  for (std::size_t i = 0; i < state.segments.size(); ++i) {
    const TendonState::Segment& s = state.segments[i];
    const Mat3d frame{{0, 0, 0}, {0, 0, 0}, s.pull};
    const auto add = [&](const TendonInfo::End& end, const Vec3d& r, double side) {
      if (end.body < 0) return;
      const Vec3d point = r + sys.ws.origin;
      Endpoint at;
      at.system = &sys;
      at.body = end.body;
      addEnd(at, frame, &point, side);
    };
    add(info.segments[i].to, s.to, sign);
    add(info.segments[i].from, s.from, -sign);
  }
  return close();
}

void ContactRows::addWrenchEnd(System& sys, int body, const std::array<Force<double>, 3>& W,
                               double sign) {
  const auto [dofs, n] = chainOf(sys, body);
  if (n == 0) return;  // welded to the world
  Column3* y = open({&sys, nullptr}, sys.mover, dofs, n);
  int first = 0;
  if (sys.solved().floating) {
    const Mat3d f{W[0].f, W[1].f, W[2].f}, moment{W[0].n, W[1].n, W[2].n};
    for (const Mat3d& part : {f, moment}) {
      y[first++] = Column3(columnX(part)) * sign;
      y[first++] = Column3(columnY(part)) * sign;
      y[first++] = Column3(columnZ(part)) * sign;
    }
  }
  const int* reducedColumns = reducedColumnsOf(sys.mechanism(), body);
  for (int k = first; k < n; ++k) {
    const Motion<double>& s = sys.solvedColumns()[reducedColumns[k]];
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
  Column3 v = Ju;
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

void ContactRows::addImpulses(const Vec3d* lambda, int groups) const {
  for (int g = 0; g < groups; ++g)
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
