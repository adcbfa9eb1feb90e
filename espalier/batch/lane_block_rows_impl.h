#pragma once

// The groups of the contact problem in a LaneBlock: contacts, their rolling and spinning friction, joints' rows;
// what is remembered of them for the next step, and the forces that are told.

#include "espalier/batch/lane_block_impl.h"

namespace espalier {

template <class T>
void LaneBlock<T>::addContacts() {
  for (const auto& [pair, slot] : collision_.found) addContact(*pair, slot);
}

/// makeContact() of find_contacts.cpp and askContacts() of contacts.cpp.
template <class T>
void LaneBlock<T>::addContact(const LanePlan::Pair& pair, int slot) {
  auto& contacts = robot_.contacts;
  LanePoint<T>& p = collision_.points[slot];
  const T none = bc<T>(0.0), gap = -p.depth;
  const auto motionOf = [&](const LanePlan::End& end, double inwards) {
    if (end.body < 0) return BodyPointMotion<T>{zero3<T>(), zero3<T>()};
    const Workspace<T>& ws = robot_.ws;
    const Vec3<T> r = p.position - ws.origin;
    const Vec3<T> c = r + p.normal * bc<T>(inwards * end.rounding);
    return bodyPointMotion(ws.V[end.body], ws.A[end.body], robot_.gravity, r, c);
  };
  const BodyPointMotion<T> a = motionOf(pair.a, 1), b = motionOf(pair.b, -1);
  const Mat3<T> frame = contactFrameOf(p.normal);
  const Vec3<T> rate = mul(frame, a.velocity - b.velocity);
  const T bias = plan_.law.bias(gap, rate.z, pair.law);
  const T fall = norm(robot_.gravity) * bc<T>(plan_.dt);
  const auto isOut = (gap > bc<T>(plan_.margin) + bc<T>(2 * plan_.dt) * abs(rate.z)) |
                     staysOpen(gap, rate.z, bias, fall) | isLetThrough(gap, rate.z, pair.law);
  const auto isIn = (p.isThere > none) & !isOut;
  p.isThere = select(isIn, bc<T>(1.0), none);
  if (!any(isIn)) return;
  penetration_ = select(isIn, max(penetration_, p.depth), penetration_);
  if (contacts.size() == contacts.room()) return raise(StepFlag::ContactsOverflow, isIn);
  const int i = contacts.size();
  contacts.addContact(pair.a.body, pair.b.body);
  origin_[i] = {slot, &pair, -1};
  const Vec3<T> drift = mul(frame, a.acceleration - b.acceleration) *
                        bc<T>(evaluationOffsetOf(plan_.scheme, plan_.dt));
  const T open = bc<T>(static_cast<double>(contact::Problem<T>::inactive()));
  const T slip = sqrt(fma(rate.x, rate.x, rate.y * rate.y));
  LaneGroup<T>& g = contacts.group[i];
  g.frame = frame;
  g.point = p.position;
  g.rate = contact::pick<T>(isIn, rate, zero3<T>());
  g.bias = contact::pick<T>(isIn, {drift.x, drift.y, bias}, {none, none, open});
  g.friction = pair.law.frictionAt(slip) * load(data_->friction, 0);
  const Vec3<T> known = loadVector(data_->warm, plan_.slotWarm(slot));
  contacts.lambda[i] = contact::pick<T>(isIn & isSamePoint(slot), mul(frame, known), zero3<T>());
}

/// Rolling and spinning friction of the contacts. Where one is not there the bodies turn against one another at a
/// speed that no couple holds.
template <class T>
void LaneBlock<T>::addTorsions() {
  auto& contacts = robot_.contacts;
  const T none = bc<T>(0.0);
  const int count = contacts.size();
  for (int k = 0; k < count; ++k) {
    const LanePlan::Pair* pair = origin_[k].pair;
    if (!pair || !pair->law.hasTorsion()) continue;
    const int slot = origin_[k].slot;
    const auto isIn = collision_.points[slot].isThere > none;
    if (contacts.size() == contacts.room()) {
      raise(StepFlag::ContactsOverflow, isIn);
      continue;
    }
    const int i = contacts.size();
    contacts.addTorsion(k);
    origin_[i] = {slot, nullptr, -1};
    const auto spinOf = [&](const LanePlan::End& end) {
      return end.body < 0 ? zero3<T>() : robot_.ws.V[end.body].w;
    };
    LaneGroup<T>& g = contacts.group[i];
    g.frame = contacts.group[k].frame;
    g.point = contacts.group[k].point;
    const Vec3<T> rate = mul(g.frame, spinOf(pair->a) - spinOf(pair->b));
    const T open = bc<T>(static_cast<double>(contact::Problem<T>::inactive()));
    g.rate = contact::pick<T>(isIn, rate, zero3<T>());
    g.bias = contact::pick<T>(isIn, zero3<T>(), {open, open, open});
    g.rolling = bc<T>(pair->law.rolling);
    g.spinning = bc<T>(pair->law.spinning);
    const Vec3<T> known = loadVector(data_->warm, plan_.coupleWarm(slot));
    contacts.lambda[i] =
        contact::pick<T>(isIn & isSamePoint(slot), mul(g.frame, known), zero3<T>());
  }
}

/// One more group, of a joint or a tendon; false where there is no room.
///   in  isNear  the lanes in which it can act
template <class T>
bool LaneBlock<T>::addJointRow(int row, const mask_t<T>& isNear) {
  auto& contacts = robot_.contacts;
  if (contacts.size() == contacts.room()) {
    raise(StepFlag::ContactsOverflow, isNear);
    return false;
  }
  const int i = contacts.size(), at = plan_.rowWarm(row);
  const T none = bc<T>(0.0);
  contacts.addJoint(plan_.rows[row].dof, plan_.rows[row].kind == LanePlan::RowKind::LIMIT);
  origin_[i] = {-1, nullptr, row};
  contacts.lambda[i] = {none, none, select(wasIn(at + 1), load(data_->warm, at), none)};
  return true;
}

/// rowOf() of limit_rows.cpp.
///   in  isIn  the lanes in which it can act
template <class T>
void LaneBlock<T>::putLimit(LaneGroup<T>& g, const LanePlan::JointRow& row,
                            const mask_t<T>& isIn) const {
  const T none = bc<T>(0.0), rate = bc<T>(row.sign) * row.rate(robot_.rates.data());
  const T open = bc<T>(static_cast<double>(contact::Problem<T>::inactive()));
  g.sign = bc<T>(row.sign);
  g.rate = {none, none, rate};
  g.bias = {none, none, select(isIn, plan_.law.bias(row.gap(robot_.q.data()), rate), open)};
  g.soft = none;
}

/// joint_rows.cpp.
template <class T>
void LaneBlock<T>::addJointRows() {
  using Kind = LanePlan::RowKind;
  const T none = bc<T>(0.0), unbounded = bc<T>(unlimited);
  const auto all = none <= none;
  for (int r = 0; r < rowCount(); ++r) {
    const LanePlan::JointRow& row = plan_.rows[r];
    const bool isLimit = row.kind == Kind::LIMIT;
    const T rate = bc<T>(row.sign) * row.rate(robot_.rates.data());
    const auto isNear =
        isLimit ? row.gap(robot_.q.data()) < bc<T>(0.01) + bc<T>(2 * plan_.dt) * abs(rate) : all;
    if (!any(isNear) || !addJointRow(r, isNear)) continue;
    LaneGroup<T>& g = robot_.contacts.group[robot_.contacts.size() - 1];
    if (isLimit) {
      putLimit(g, row, isNear);
      continue;
    }
    g.sign = bc<T>(row.sign);
    g.rate = {none, none, rate};
    g.bias = zero3<T>();
    g.soft = none;
    if (row.kind == Kind::FRICTION) {
      g.lower = bc<T>(-plan_.dt * row.bound);
      g.upper = bc<T>(plan_.dt * row.bound);
    } else {  // a slack spring has no weight
      const Tension<T> tension = tensionOf(row);
      const auto acts = tension.weight > none;
      const T weight = select(acts, tension.weight, bc<T>(1.0));
      g.soft = bc<T>(1.0) / weight;
      g.bias.z = -rate - bc<T>(plan_.dt) * tension.force / weight;
      g.lower = select(acts, -unbounded, none);
      g.upper = select(acts, unbounded, none);
    }
  }
}

/// BrokenLimits of limit_rows.cpp.
template <class T>
mask_t<T> LaneBlock<T>::isBroken(const LanePlan::JointRow& row) const {
  const T sign = bc<T>(row.sign), gap = row.gap(robot_.q.data());
  const T rate = sign * row.rate(robot_.rates.data()), next = sign * row.rate(robot_.uNext.data());
  const auto mayBreak = gap < bc<T>(2 * plan_.dt) * (abs(rate) + abs(next));
  return mayBreak & (next + plan_.law.bias(gap, rate) < bc<T>(-tolerance()));
}

/// A limit that u+ breaks gets a group, or takes part in the one that it has for other lanes.
///   returns  the lanes in which it is new
template <class T>
mask_t<T> LaneBlock<T>::admitLimit(int r) {
  auto& contacts = robot_.contacts;
  const LanePlan::JointRow& row = plan_.rows[r];
  const T none = bc<T>(0.0);
  auto isNew = isBroken(row);
  if (!any(isNew)) return isNew;
  int i = 0;
  while (i < contacts.size() && origin_[i].row != r) ++i;
  if (i == contacts.size()) {
    if (!addJointRow(r, isNew)) return none < none;
    putLimit(contacts.group[i], row, isNew);
    return isNew;
  }
  LaneGroup<T>& g = contacts.group[i];
  const T open = bc<T>(0.5 * static_cast<double>(contact::Problem<T>::inactive()));
  isNew = isNew & (g.bias.z > open);
  const T bias = plan_.law.bias(row.gap(robot_.q.data()), g.rate.z);
  g.bias.z = select(isNew, bias, g.bias.z);
  contacts.lambda[i].z = select(isNew, none, contacts.lambda[i].z);
  return isNew;
}

///   returns  1 in the lanes that have a new one
template <class T>
T LaneBlock<T>::admitLimits() {
  T joins = bc<T>(0.0);
  for (int r = 0; r < rowCount(); ++r)
    if (plan_.rows[r].kind == LanePlan::RowKind::LIMIT)
      joins = select(admitLimit(r), bc<T>(1.0), joins);
  return joins;
}

/// Solves again from the beginning in some lanes; the others keep what they have, to the bit.
template <class T>
void LaneBlock<T>::solveInLanes(const mask_t<T>& where, bool isLast) {
  auto& contacts = robot_.contacts;
  const T residual = residual_, isUncorrected = isUncorrected_;
  std::copy(robot_.z.begin(), robot_.z.end(), keptZ_.begin());
  std::copy_n(contacts.lambda.begin(), contacts.size(), keptLambda_.begin());
  freeImpulse(robot_, plan_.dt);
  assemble();
  solve(false, isLast);
  for (std::size_t i = 0; i < keptZ_.size(); ++i)
    robot_.z[i] = select(where, robot_.z[i], keptZ_[i]);
  for (int i = 0; i < contacts.size(); ++i)
    contacts.lambda[i] = contact::pick<T>(where, contacts.lambda[i], keptLambda_[i]);
  residual_ = select(where, residual_, residual);
  isUncorrected_ = select(where, isUncorrected_, isUncorrected);
}

/// Solves, again as long as u+ breaks limits, and gives u+.
template <class T>
void LaneBlock<T>::solveWithLimits(bool again) {
  constexpr int most_rounds = 4;
  // The first of two solves only predicts the mean velocity (firstTolerance() of contacts.cpp).
  const bool isLast = again || !info(plan_.scheme).solvesTwice;
  solve(again, isLast);
  robot_.nextVelocity();
  for (int round = 0; round < most_rounds; ++round) {
    const auto joins = admitLimits() > bc<T>(0.0);
    if (!any(joins)) return;
    solveInLanes(joins, isLast);
    robot_.nextVelocity();
  }
}

template <class T>
void LaneBlock<T>::rememberImpulses() {
  const Rows<S>& warm = data_->warm;
  stamp_ = stamp_ + bc<T>(1.0);
  stamp_ = select(stamp_ < bc<T>(most_stamps), stamp_, bc<T>(1.0));
  for (int i = 0; i < robot_.contacts.size(); ++i) {
    const Vec3<T>& lambda = robot_.contacts.lambda[i];
    const Origin& of = origin_[i];
    if (of.row >= 0) {
      const int at = plan_.rowWarm(of.row);
      store(warm, at, lambda.z);
      store(warm, at + 1, stamp_);
      continue;
    }
    const Vec3<T> impulse = tmul(robot_.contacts.group[i].frame, lambda);
    if (!of.pair) {
      storeVector(warm, plan_.coupleWarm(of.slot), impulse);
      continue;
    }
    const int at = plan_.slotWarm(of.slot);
    storeVector(warm, at, impulse);
    store(warm, at + 3, collision_.points[of.slot].feature);
    store(warm, at + 4, stamp_);
  }
}

template <class T>
void LaneBlock<T>::takeContactForces() {
  for (int i = 0; i < data_->contactForce.count; ++i) store(data_->contactForce, i, bc<T>(0.0));
  for (int i = 0; i < robot_.contacts.size(); ++i) {
    const LanePlan::Pair* pair = origin_[i].pair;
    if (!pair) continue;
    const Vec3<T> force =
        tmul(robot_.contacts.group[i].frame, robot_.contacts.lambda[i]) * bc<T>(1 / plan_.dt);
    const auto add = [&](const LanePlan::End& end, const Vec3<T>& f) {
      if (end.row < 0) return;
      storeVector(data_->contactForce, 3 * end.row,
                  loadVector(data_->contactForce, 3 * end.row) + f);
    };
    add(pair->a, force);
    add(pair->b, -force);
  }
}

}  // namespace espalier
