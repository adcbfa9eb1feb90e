#pragma once

// The step of THROUGHPUT mode, for the translation units that instantiate it: the stages of step.cpp with all
// worlds of a register in each. What a world by itself does besides is left out: the contact solver ends after
// some iterations, points that cannot close in the step are not looked at again once it is solved, and
// neither momentum nor energy is put right: what turns so far that its energy errs is flagged.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "espalier/batch/batch_stepper.h"
#include "espalier/batch/lane_collision_impl.h"
#include "espalier/batch/lane_robot_impl.h"
#include "espalier/model/coordinates_impl.h"
#include "espalier/step/motor.h"
#include "espalier/step/point_motion.h"

namespace espalier {

template <class T>
class LaneBlock final : public BatchStepper<value_t<T>> {
 public:
  using S = value_t<T>;
  LaneBlock(const LanePlan& plan, BatchData<S>& data, int iterations)
      : plan_(plan),
        robot_(plan_.robot, plan_.parameters, std::min(most_groups, plan_.groups()),
               plan_.sidesOfGroup()),
        collision_(plan_),
        iterations_(iterations),
        hasFewGroups_(plan_.groups() <= contact::small_island),
        springs_(robot_.t.nv),
        startQ_(robot_.t.nq),
        startU_(robot_.t.nv),
        target_(robot_.t.nq),
        keptZ_(robot_.z.size()),
        keptLambda_(static_cast<std::size_t>(robot_.contacts.room())),
        origin_(static_cast<std::size_t>(robot_.contacts.room())) {
    if (data.warm.count == 0) data.giveWarm(plan_.warmNumbers(), plan_.dependents());
  }

  int width() const override { return lanes_v<T>; }
  void step(BatchData<S>& data, std::span<const int> worlds, int steps) override;

 private:
  static constexpr int most_groups = 96;
  static constexpr double worst_residual = 1e-3;  // m/s, above which a step is flagged
  /// rad of a joint in a step, above which it is flagged: the error of energy may pass a hundredth of it.
  static constexpr double far_turn = 0.3;
  static constexpr double well_solved = sizeof(S) == 8 ? 1e-6 : 1e-5;  // m/s, of a solve at least
  int rowCount() const { return static_cast<int>(plan_.rows.size()); }

  T load(const Rows<S>& rows, int number) const;
  void store(const Rows<S>& rows, int number, const T& x) const;
  void makeUnit();
  template <class Acts>
  void wayTo(const T* target, bool isOfJoints, const Acts& acts, T* way) const;
  void putParameters();
  void stepOnce(int stepsLeft);
  void tellFarTurns();
  void drive();
  Tension<T> tensionOf(const LanePlan::JointRow& row) const;
  void addWrenches();
  void addContacts();
  void addTorsions();
  void addContact(const LanePlan::Pair& pair, int slot);
  void addJointRows();
  bool addJointRow(int row, const mask_t<T>& isNear);
  void putLimit(LaneGroup<T>& g, const LanePlan::JointRow& row, const mask_t<T>& isIn) const;
  mask_t<T> isBroken(const LanePlan::JointRow& row) const;
  mask_t<T> admitLimit(int row);
  T admitLimits();
  void assemble();
  void solve(bool again, bool isLast);
  void solveInLanes(const mask_t<T>& where, bool isLast);
  void solveWithLimits(bool again);
  double tolerance() const { return std::max(plan_.data.settings.tolerance, well_solved); }
  void rememberImpulses();
  void takeContactForces();
  void arrive();
  void report(const T& gap);
  void raise(StepFlag flag, mask_t<T> where);
  Vec3<T> loadVector(const Rows<S>& rows, int first) const {
    return {load(rows, first), load(rows, first + 1), load(rows, first + 2)};
  }
  void storeVector(const Rows<S>& rows, int first, const Vec3<T>& x) const {
    store(rows, first, x.x);
    store(rows, first + 1, x.y);
    store(rows, first + 2, x.z);
  }
  /// Whether what is remembered of a slot is of the point that is there now.
  mask_t<T> isSamePoint(int slot) const {
    const int at = plan_.slotWarm(slot);
    const T change = load(data_->warm, at + 3) - collision_.points[slot].feature;
    return wasIn(at + 4) & (abs(change) < bc<T>(0.5));
  }
  /// Whether an impulse that is remembered is one of the last step.
  mask_t<T> wasIn(int stampRow) const {
    return (stamp_ > bc<T>(0.5)) & (abs(load(data_->warm, stampRow) - stamp_) < bc<T>(0.5));
  }

  const LanePlan& plan_;
  LaneRobot<T> robot_;
  LaneCollision<T> collision_;
  const int iterations_;
  /// Blocks, and Newton's method on the impulses first, are faster where a robot can never have many groups.
  /// That all worlds of the batch decide alike keeps a world's numbers free of its neighbours.
  const bool hasFewGroups_;
  AlignedArray<T> springs_, startQ_, startU_, target_;
  AlignedArray<T> keptZ_;             // of a solve, in lanes that are not solved again
  AlignedArray<Vec3<T>> keptLambda_;  // likewise
  /// What a group is of: a contact, the rolling and spinning friction of one, or a joint's row.
  struct Origin {
    int slot = -1;                         // of a contact or its friction; else -1
    const LanePlan::Pair* pair = nullptr;  // of a contact; else null
    int row = -1;                          // of a joint's row; else -1
  };
  std::vector<Origin> origin_;  // by group
  // Of the step, for the report
  T residual_{}, penetration_{}, isUncorrected_{};
  int solverSteps_ = 0;
  /// Counts the steps of each world, so that impulses of earlier ones are told apart; whole numbers that single
  /// precision holds.
  T stamp_{};
  static constexpr double most_stamps = 1 << 22;

  // Of the call in progress
  BatchData<S>* data_ = nullptr;
  std::span<const int> worlds_;
  bool areNeighbours_ = false;
};

template <class T>
T LaneBlock<T>::load(const Rows<S>& rows, int number) const {
  T x;
  const S* row = rows.row(number);
  if (areNeighbours_) {
    std::memcpy(&x, row + worlds_[0], sizeof x);
    return x;
  }
  for (int l = 0; l < lanes_v<T>; ++l) setLane(x, l, row[worlds_[l < std::ssize(worlds_) ? l : 0]]);
  return x;
}

template <class T>
void LaneBlock<T>::store(const Rows<S>& rows, int number, const T& x) const {
  S* row = rows.row(number);
  if (areNeighbours_) {
    std::memcpy(row + worlds_[0], &x, sizeof x);
    return;
  }
  for (std::size_t l = 0; l < worlds_.size(); ++l) row[worlds_[l]] = lane(x, static_cast<int>(l));
}

template <class T>
void LaneBlock<T>::step(BatchData<S>& data, std::span<const int> worlds, int steps) {
  data_ = &data;
  worlds_ = worlds;
  areNeighbours_ = worlds.size() == static_cast<std::size_t>(lanes_v<T>) &&
                   worlds.back() - worlds.front() == lanes_v<T> - 1 &&
                   std::is_sorted(worlds.begin(), worlds.end());
  for (int i = 0; i < robot_.t.nq; ++i) robot_.q[i] = load(data.q, i);
  for (int d = 0; d < robot_.t.nv; ++d) robot_.u[d] = load(data.u, d);
  makeUnit();
  stamp_ = load(data.warm, plan_.stampWarm());
  for (const int w : worlds) data.report.clear(static_cast<std::size_t>(w));
  putParameters();
  collision_.forget();
  for (int k = 0; k < steps; ++k) stepOnce(steps - k);
  takeContactForces();
  for (int i = 0; i < robot_.t.nq; ++i) store(data.q, i, robot_.q[i]);
  for (int d = 0; d < robot_.t.nv; ++d) store(data.u, d, robot_.u[d]);
  store(data.warm, plan_.stampWarm(), stamp_);
  store(data.time, 0, load(data.time, 0) + bc<T>(plan_.dt * steps));
}

/// The quaternions of q, which users may have written; the identity where all four numbers are zero.
template <class T>
void LaneBlock<T>::makeUnit() {
  coordinates_detail::forEachRun(
      robot_.t, false,
      [&](const BodyTopology& b) {
        T* q = &robot_.q[b.q + b.nq - 4];
        const Quat<T> x = normalized(Quat<T>{q[0], q[1], q[2], q[3]});
        const auto isZero =
            fma(q[0], q[0], fma(q[1], q[1], fma(q[2], q[2], q[3] * q[3]))) <= bc<T>(0.0);
        const T numbers[4] = {x.w, x.x, x.y, x.z};
        for (int i = 0; i < 4; ++i) q[i] = select(isZero, bc<T>(i == 0 ? 1.0 : 0.0), numbers[i]);
      },
      [](int, int, int) {});
}

/// difference() from q, or differenceOfJoints(); rotations lane by lane.
///   in  acts  bool(dof): whether it is of use; where it is not a rotation is zero
template <class T>
template <class Acts>
void LaneBlock<T>::wayTo(const T* target, bool isOfJoints, const Acts& acts, T* way) const {
  const T* q = robot_.q.data();
  const auto plain = [&](int from, int u, int count) {
    for (int k = 0; k < count; ++k) way[u + k] = target[from + k] - q[from + k];
  };
  const auto ball = [&](const BodyTopology& b) {
    const int before = b.nq - 4, first = b.q + before;
    plain(b.q, b.u, before);
    T* turns = way + b.u + before;
    turns[0] = turns[1] = turns[2] = bc<T>(0.0);
    const int dof = b.u + before;
    if (!acts(dof) && !acts(dof + 1) && !acts(dof + 2)) return;
    for (int l = 0; l < lanes_v<T>; ++l) {
      const auto of = [&](const T* x) {
        const auto number = [&](int i) { return static_cast<double>(lane(x[first + i], l)); };
        return Quat<double>{number(0), number(1), number(2), number(3)};
      };
      const Vec3d turn = logQuat(of(target) * conjugate(of(q)));
      const double numbers[3] = {turn.x, turn.y, turn.z};
      for (int i = 0; i < 3; ++i) setLane(turns[i], l, static_cast<S>(numbers[i]));
    }
  };
  coordinates_detail::forEachRun(robot_.t, isOfJoints, ball, plain);
}

template <class T>
void LaneBlock<T>::putParameters() {
  robot_.gravity = {load(data_->gravity, 0), load(data_->gravity, 1), load(data_->gravity, 2)};
  if (!data_->hasOwnInertias) return robot_.shareParameters();
  for (int b = 0; b < robot_.t.nb; ++b) {
    const int row = plan_.all.rows()[b];
    const T factor = row < 0 ? bc<T>(1.0) : load(data_->mass, row);
    const RigidInertia<double>& I = plan_.parameters.bodies[b].I;
    const Sym3<T> m = bc<T>(I.I);
    robot_.own.bodies[b].I = {
        bc<T>(I.m) * factor,
        bc<T>(I.h) * factor,
        {m.xx * factor, m.xy * factor, m.xz * factor, m.yy * factor, m.yz * factor, m.zz * factor}};
  }
  for (int d = 0; d < robot_.t.nv; ++d) {
    robot_.own.armature[d] = bc<T>(plan_.parameters.armature[d]) * load(data_->armature, d);
  }
  robot_.useOwnParameters();
}

template <class T>
void LaneBlock<T>::stepOnce(int stepsLeft) {
  const Scheme scheme = plan_.scheme;
  const double dt = plan_.dt;
  if (data_->hasDelay()) data_->passCommands(worlds_, dt);
  std::copy_n(robot_.q.data(), robot_.t.nq, startQ_.data());
  std::copy_n(robot_.u.data(), robot_.t.nv, startU_.data());
  for (int d = 0; d < plan_.dependents(); ++d)
    robot_.lastG[d] = load(data_->warm, plan_.dependentWarm() + d);
  robot_.approach(scheme, dt);
  robot_.evaluate(dt);
  tellFarTurns();
  Vec3<T> terrain = zero3<T>();
  if (data_->hasTerrain)
    terrain = {load(data_->terrain, 0), load(data_->terrain, 1), load(data_->terrain, 2)};
  collision_.find(robot_.geoms.data(), terrain, stepsLeft);
  drive();
  if (data_->hasWrenches || !robot_.model.dragBoxes.empty()) addWrenches();
  robot_.push(scheme, dt);
  robot_.contacts.clear();
  residual_ = penetration_ = isUncorrected_ = bc<T>(0.0);
  solverSteps_ = 0;
  addContacts();
  addJointRows();
  if (plan_.torsions > 0) addTorsions();
  if (robot_.contacts.size() > 0) assemble();
  solveWithLimits(false);
  if (info(scheme).solvesTwice) {
    robot_.pushAgain(dt);
    solveWithLimits(true);
  }
  rememberImpulses();
  arrive();
}

/// A World computes the error of the energy of such a step and takes it out (energy_limit.h).
template <class T>
void LaneBlock<T>::tellFarTurns() {
  const T* u = robot_.rates.data();
  T most = bc<T>(0.0);
  for (int d = 0; d < robot_.t.nv; ++d) most = max(most, abs(u[d]) * bc<T>(plan_.robot.turns[d]));
  raise(StepFlag::EnergyNotKept, most > bc<T>(far_turn / plan_.dt));
}

/// Forces of motors, dampers and springs, and their implicit weights: actuate() of system.cpp.
template <class T>
void LaneBlock<T>::drive() {
  const Topology& t = robot_.t;
  const Actuation& a = plan_.robot.actuation;
  const ImplicitWeights weights = implicitWeights(plan_.scheme, plan_.dt);
  const T* u = robot_.rates.data();
  for (int i = 0; i < t.nq; ++i) target_[i] = load(data_->inForce(data_->targetQ), i);
  T* toTarget = robot_.uNext.data();  // free until the solve
  using Drive = OneRobot::Drive;
  const auto isServo = [&](int d) {
    return plan_.all.drives()[d] == Drive::MOTOR && any(load(data_->kp, d) > bc<T>(0.0));
  };
  wayTo(target_.data(), true, isServo, toTarget);
  for (int d = 0; d < t.nv; ++d) {
    const Drive drive = plan_.all.drives()[d];
    T command = bc<T>(0.0), weight = command;
    if (drive != Drive::NONE) command = load(data_->inForce(data_->feedforward), d);
    if (drive == Drive::MOTOR) {
      const Motor<T> motor{load(data_->kp, d), load(data_->kd, d), toTarget[d],
                           load(data_->inForce(data_->targetU), d), command};
      command = wantedTorque(motor, u[d], weights);
      weight = motorWeight(motor.kp, motor.kd, weights);
    }
    if (drive != Drive::NONE)
      command = boundedTorque(command, load(data_->torqueLower, d), load(data_->torqueUpper, d));
    robot_.force[d] = command - bc<T>(a.damping[d]) * u[d];
    robot_.w[d] =
        weight + bc<T>(weights.damping * a.damping[d] + weights.stiffness * a.stiffness[d]);
  }
  for (const LanePlan::JointRow& pull : plan_.pulls) {
    const T force = tensionOf(pull).force;
    for (const RotorInfo::Term& term : pull.terms)
      robot_.force[term.u] += bc<T>(term.factor) * force;
  }
  if (!plan_.robot.hasSprings) return;
  for (int i = 0; i < t.nq; ++i) target_[i] = bc<T>(a.springMount[i]);
  const auto isSpring = [&](int d) { return a.stiffness[d] != 0; };
  wayTo(target_.data(), !plan_.robot.hasBaseSpring, isSpring, springs_.data());
  for (int d = t.floating && !plan_.robot.hasBaseSpring ? 6 : 0; d < t.nv; ++d)
    robot_.force[d] += bc<T>(a.stiffness[d]) * (springs_[d] - bc<T>(weights.lookAhead) * u[d]);
}

/// Of a tendon: pullTendons() of tendons.cpp.
template <class T>
Tension<T> LaneBlock<T>::tensionOf(const LanePlan::JointRow& row) const {
  const ImplicitWeights weights = implicitWeights(plan_.scheme, plan_.dt);
  const T length = row.coordinate(robot_.q.data()), rate = row.rate(robot_.rates.data());
  if (row.kind == LanePlan::RowKind::SPRING)
    return springTension(plan_.robot.model->tendons[row.tendon].spec, length, rate, weights);
  const ActuatorSpec& a = plan_.actuators[row.tendon];
  const Motor<T> motor{bc<T>(a.kp), bc<T>(a.kd),
                       load(data_->inForce(data_->tendonTarget), row.tendon) - length,
                       bc<T>(a.targetRate), load(data_->inForce(data_->tendonForce), row.tendon)};
  Tension<T> tension = actuatorTension(motor, rate, weights);
  tension.force = boundedTorque(tension.force, bc<T>(a.lower), bc<T>(a.upper));
  return tension;
}

/// addExternal() of step.cpp.
template <class T>
void LaneBlock<T>::addWrenches() {
  const Topology& t = robot_.t;
  for (int b = 0; b < t.nb; ++b) {
    const int row = plan_.all.rows()[b];
    T x[6]{};
    for (int i = 0; i < 6 && row >= 0; ++i) x[i] = load(data_->wrench, 6 * row + i);
    const Workspace<T>& ws = robot_.ws;
    Force<T> own{{x[3], x[4], x[5]}, {x[0], x[1], x[2]}};
    for (const DragBox& box : robot_.model.dragBoxes)
      if (box.body == b)
        own += dragOf(robot_.model.medium, box, ws.R[b], ws.x[b], ws.V[b], plan_.dt);
    const Force<T> aboutO{own.n + cross(ws.x[b], own.f), own.f};
    addWrench(
        t, b, aboutO, [&](int d) { return ws.S[d]; }, robot_.force.data());
  }
}

template <class T>
void LaneBlock<T>::assemble() {
  robot_.assemble(hasFewGroups_ ? contact::small_island : 0);
}

template <class T>
void LaneBlock<T>::solve(bool again, bool isLast) {
  if (robot_.contacts.size() == 0) return;
  contact::SolveOptions<T> options;
  options.tolerance =
      static_cast<S>(isLast ? tolerance() : std::min(1e3 * tolerance(), worst_residual));
  options.maxSweeps = hasFewGroups_ ? iterations_ : 0;
  options.newtonSteps = iterations_;
  options.primalSteps = iterations_;
  options.fallsBack = true;
  const auto uncorrected = robot_.contacts.solvePassively(
      options, again, worst_residual, robot_.solver().Dinv.data(), robot_.z.data(), solverSteps_);
  isUncorrected_ = select(uncorrected, bc<T>(1.0), isUncorrected_);
  residual_ = robot_.contacts.residual;
}

/// The new state; where it is none the one before the step, with a flag.
template <class T>
void LaneBlock<T>::arrive() {
  const Topology& t = robot_.t;
  std::copy_n(startQ_.data(), t.nq, robot_.q.data());
  robot_.leave(plan_.scheme, plan_.dt);
  T gap = bc<T>(0.0);
  if (plan_.dependents() > 0) {
    for (int d = 0; d < plan_.dependents(); ++d)
      store(data_->warm, plan_.dependentWarm() + d, robot_.loopWs.g[d]);
    robot_.arrive();
    gap = robot_.left;
  } else {
    std::copy_n(robot_.uNext.data(), t.nv, robot_.u.data());
  }
  T sum = bc<T>(0.0);
  for (int i = 0; i < t.nq; ++i) sum += abs(robot_.q[i]);
  for (int d = 0; d < t.nv; ++d) sum += abs(robot_.u[d]);
  const auto isFinite = sum <= bc<T>(1e15), isRegular = robot_.isRegular > bc<T>(0.5);
  const auto isClosed = gap <= bc<T>(sizeof(S) == 8 ? torn_loop : 1e-4);
  raise(StepFlag::SingularMassMatrix, !isRegular);
  raise(StepFlag::NotFinite, isRegular & !isFinite);
  raise(StepFlag::LoopOpen, isRegular & isFinite & !isClosed);
  const auto isTaken = isRegular & isFinite & isClosed;
  for (int i = 0; i < t.nq; ++i) robot_.q[i] = select(isTaken, robot_.q[i], startQ_[i]);
  for (int d = 0; d < t.nv; ++d) robot_.u[d] = select(isTaken, robot_.u[d], startU_[d]);
  stamp_ = select(isTaken, stamp_, stamp_ + bc<T>(1.0));  // what is remembered is of another state
  raise(StepFlag::SolverNotConverged, residual_ > bc<T>(worst_residual));
  report(gap);
}

/// Adds the step to the report.
template <class T>
void LaneBlock<T>::report(const T& gap) {
  BatchReport<S>& sum = data_->report;
  const auto raiseTo = [](S& most, const T& x, int l) { most = std::max(most, lane(x, l)); };
  for (int l = 0; l < static_cast<int>(worlds_.size()); ++l) {
    const auto w = static_cast<std::size_t>(worlds_[l]);
    raiseTo(sum.residual[w], residual_, l);
    raiseTo(sum.closure[w], gap, l);
    raiseTo(sum.penetration[w], penetration_, l);
    sum.iterations[w] += solverSteps_;
    sum.uncorrected[w] += lane(isUncorrected_, l) > 0;
  }
}

template <class T>
void LaneBlock<T>::raise(StepFlag flag, mask_t<T> where) {
  if (!any(where)) return;
  const T is = select(where, bc<T>(1.0), bc<T>(0.0));
  for (std::size_t l = 0; l < worlds_.size(); ++l)
    if (lane(is, static_cast<int>(l)) > 0)
      data_->report.flags[worlds_[l]] |= static_cast<std::uint32_t>(flag);
}

}  // namespace espalier
