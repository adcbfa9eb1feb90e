#pragma once

// The definitions of batch/lane_system.h, for the translation units that instantiate them.

#include <limits>
#include <optional>

#include "espalier/batch/lane_contacts_impl.h"
#include "espalier/dynamics/simd/subtree_lanes.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "espalier/step/geom_motion.h"
#include "espalier/step/runge_kutta.h"

namespace espalier {

template <class T>
class LaneSystemOf final : public LaneSystem {
 public:
  LaneSystemOf(const System& like, const LaneParameters& parameters);

  void putParameters(const Lowered<double>* const (&of)[most_lanes]) override;
  void shareParameters() override {
    hasOwn_ = false;
    if (loops_) loops_->subtrees.shareParameters();
  }
  bool hasBodies() const override { return !loops_ || !loops_->subtrees.isProfitable(); }
  bool canPutParameters(const Lowered<double>& own) const override {
    return own.hasArmature == par_.hasArmature && own.hasRotors == par_.hasRotors;
  }

  void approach(Scheme scheme, double dt) override;
  void evaluate(double dt) override;
  void push(Scheme scheme, double dt, bool hasImpedance) override;
  void nextVelocity() override;
  void pushAgain(double dt) override;
  void leave(Scheme scheme, double dt) override;
  void rungeKutta(double dt, const std::function<void()>& forces) override;
  void arrive() override;

  void clearGroups() override { contacts_.clear(); }
  void addContact(int bodyA, int bodyB) override { contacts_.addContact(bodyA, bodyB); }
  void addJoint(int dof, bool isOneSided) override { contacts_.addJoint(dof, isOneSided); }
  void assemble() override { contacts_.assemble(mover(), z_.data()); }
  int solve(double tolerance, const SolveBudget& budget, bool again) override;

 private:
  struct Loops {
    Loops(const Topology& t, const Mechanism& mechanism, const SubtreeSet& set)
        : m(mechanism), at(t, mechanism), solver(mechanism.reduced), subtrees(set, at) {}
    const Mechanism& m;
    LoopWorkspace<T> at;
    Workspace<T> solver;
    SubtreeLanes<T> subtrees;
  };

  LaneMover<T> mover() const {
    return {model_,
            solved_,
            origin(),
            ws_.S.data(),
            factored(),
            loops_ ? &loops_->at : nullptr,
            reducedColumns.data(),
            chain_,
            chainBegin_};
  }
  const Vec3<T>& origin() const { return *reinterpret_cast<const Vec3<T>*>(at.origin); }
  const Workspace<T>& factored() const { return loops_ ? loops_->solver : ws_; }
  SystemStep<T> step();
  PlainFactor<T> plain() const { return {solved_}; }
  void evaluateTree(const T* q, const T* u);
  /// f(parameters of all lanes, or of each)
  template <class F>
  auto withParameters(F&& f) const {
    return hasOwn_ ? f(own_) : f(par_);
  }
  void evaluateLoops(double dt);
  void biasOfLoops(const T* u);

  const Model& model_;
  const Topology &t_, &solved_;
  const Lowered<double>& par_;  // of all lanes, or:
  Lowered<T> own_;              // of each lane
  bool hasOwn_ = false;
  const std::vector<int> chain_, chainBegin_;
  Workspace<T> ws_;
  std::optional<Loops> loops_;
  LaneContacts<T> contacts_;
  struct Geom {
    const Workspace<T>* ws;
    int body;  // there
    Transformd X_CG;
  };
  std::vector<Geom> geoms_;
  AlignedArray<GeomMotion<T>> placed_;  // of each
  Vec3<T> gravity_{};
  AlignedArray<T> q_, u_, force_, w_, predictedAcceleration_, lastG_;  // [nq], [nv]
  AlignedArray<T> impedance_;                                          // [entries] of a tree
  AlignedArray<T> rates_, h_, uNext_, mean_, spanning_;
  AlignedArray<T> qm_, free_, stage_;  // of a tree: [nq], [nv], [7 nv], RUNGE_KUTTA_4
  AlignedArray<T> z_, y_;              // of what is solved for
  T isPredicted_{}, shareOfG_{}, left_{}, publicSuffice_{}, isRegular_{}, takesPart_{}, residual_{};
};

namespace lane_detail {

template <class T>
AlignedArray<T> numbers(int n) {
  return AlignedArray<T>(static_cast<std::size_t>(n));
}
template <class X>
double* lanesOf(X& x) {
  return reinterpret_cast<double*>(&x);
}
template <class X>
const double* lanesOf(const X& x) {
  return reinterpret_cast<const double*>(&x);
}
template <class X>
double* lanesOf(AlignedArray<X>& x) {
  return reinterpret_cast<double*>(x.data());
}

}  // namespace lane_detail

template <class T>
LaneSystemOf<T>::LaneSystemOf(const System& like, const LaneParameters& parameters)
    : LaneSystem(lanes_v<T>, like),
      model_(*like.model),
      t_(model_.topology),
      solved_(like.solved()),
      par_(parameters.whole),
      own_(lowered<T>(parameters.whole)),
      chain_(like.chain),
      chainBegin_(like.chainBegin),
      ws_(t_),
      contacts_(solved_.nv),
      geoms_(model_.collisions.size()),
      placed_(model_.collisions.size()),
      q_(lane_detail::numbers<T>(t_.nq)),
      u_(lane_detail::numbers<T>(t_.nv)),
      force_(lane_detail::numbers<T>(t_.nv)),
      w_(lane_detail::numbers<T>(t_.nv)),
      predictedAcceleration_(lane_detail::numbers<T>(t_.nv)),
      lastG_(lane_detail::numbers<T>(t_.nv)),
      impedance_(lane_detail::numbers<T>(model_.mechanism ? 0 : t_.entries())),
      rates_(lane_detail::numbers<T>(t_.nv)),
      h_(lane_detail::numbers<T>(t_.nv)),
      uNext_(lane_detail::numbers<T>(t_.nv)),
      mean_(lane_detail::numbers<T>(t_.nv)),
      spanning_(lane_detail::numbers<T>(t_.nv)),
      qm_(lane_detail::numbers<T>(model_.mechanism ? 0 : t_.nq)),
      free_(lane_detail::numbers<T>(model_.mechanism ? 0 : t_.nv)),
      stage_(lane_detail::numbers<T>(model_.mechanism ? 0 : 7 * t_.nv)),
      z_(lane_detail::numbers<T>(solved_.nv)),
      y_(lane_detail::numbers<T>(solved_.nv)) {
  using lane_detail::lanesOf;
  if (model_.mechanism) loops_.emplace(t_, *model_.mechanism, parameters.subtrees);
  at.gravity = lanesOf(gravity_);
  at.q = lanesOf(q_);
  at.u = lanesOf(u_);
  at.force = lanesOf(force_);
  at.w = lanesOf(w_);
  at.impedance = lanesOf(impedance_);
  at.predictedAcceleration = lanesOf(predictedAcceleration_);
  at.isPredicted = lanesOf(isPredicted_);
  at.lastG = lanesOf(lastG_);
  at.shareOfG = lanesOf(shareOfG_);
  at.rates = lanesOf(rates_);
  at.h = lanesOf(h_);
  at.z = lanesOf(z_);
  at.y = lanesOf(y_);
  at.uNext = lanesOf(uNext_);
  at.left = lanesOf(left_);
  at.publicSuffice = lanesOf(publicSuffice_);
  at.isRegular = lanesOf(isRegular_);
  at.S = lanesOf(ws_.S);
  Workspace<T>& solver = loops_ ? loops_->solver : ws_;
  at.H = lanesOf(solver.H);
  at.Dinv = lanesOf(solver.Dinv);
  at.group = lanesOf(contacts_.group);
  at.lambda = lanesOf(contacts_.lambda);
  at.takesPart = lanesOf(takesPart_);
  at.residual = lanesOf(residual_);
  at.geoms = lanesOf(placed_);
  const auto findBody = [&](const Workspace<T>& ws, int b, int whole) {
    bodies[static_cast<std::size_t>(whole)] = {lanesOf(ws.R[b]), lanesOf(ws.x[b]), lanesOf(ws.V[b]),
                                               lanesOf(ws.A[b])};
    at.origin = lanesOf(ws.origin);
    for (std::size_t i = 0; i < geoms_.size(); ++i)
      if (model_.collisions[i].body == whole) geoms_[i] = {&ws, b, model_.collisions[i].X_CG};
  };
  const auto findReducedColumn = [&](const Motion<T>& reducedColumn, int whole) {
    reducedColumns[static_cast<std::size_t>(whole)] = lanesOf(reducedColumn);
  };
  if (loops_ && loops_->subtrees.isProfitable()) {
    loops_->subtrees.forBodies(findBody);
    loops_->subtrees.forReducedColumns(findReducedColumn);
  } else {
    for (int b = 0; b < t_.nb; ++b) findBody(ws_, b, b);
    for (std::size_t s = 0; s < reducedColumns.size(); ++s)
      findReducedColumn(loops_->at.reducedColumn[s], static_cast<int>(s));
  }
  if (!loops_) {
    at.stageQ = lanesOf(qm_);
    at.stageU = lanesOf(stage_[t_.nv]);
    at.stageStart = lanesOf(stage_[6 * t_.nv]);
    return;
  }
  at.g = lanesOf(loops_->at.g);
  at.G = lanesOf(loops_->at.G);
  at.singularity = lanesOf(loops_->at.singularity);
}

template <class T>
SystemStep<T> LaneSystemOf<T>::step() {
  const bool isPredicted = loops_ && any(isPredicted_ > bc<T>(0.0));
  return {.t = t_,
          .solved = solved_,
          .solver = loops_ ? loops_->solver : ws_,
          .mechanism = model_.mechanism ? &*model_.mechanism : nullptr,
          .loops = loops_ ? &loops_->at : nullptr,
          .u = u_.data(),
          .rates = loops_ ? rates_.data() : u_.data(),
          .force = force_.data(),
          .h = h_.data(),
          .w = w_.data(),
          .z = z_.data(),
          .y = loops_ ? y_.data() : uNext_.data(),
          .uNext = uNext_.data(),
          .mean = mean_.data(),
          .impulse = loops_ ? spanning_.data() : z_.data(),
          .predicted = isPredicted ? predictedAcceleration_.data() : nullptr,
          .dependentBias = loops_ ? lastG_.data() : nullptr,
          .isPredicted = isPredicted_,
          .biasShare = shareOfG_};
}

template <class T>
void LaneSystemOf<T>::putParameters(const Lowered<double>* const (&of)[most_lanes]) {
  const auto putList = [&](auto&& listOf) {
    Sources from;
    for (int l = 0; l < lanes; ++l)
      from[l] = reinterpret_cast<const double*>(listOf(*of[l]).data());
    using Plain = typename std::decay_t<decltype(listOf(*of[0]))>::value_type;
    put(reinterpret_cast<double*>(listOf(own_).data()), from,
        static_cast<int>(listOf(*of[0]).size()) * numbersOf<Plain>);
  };
  putList([](auto& par) -> auto& { return par.bodies; });
  putList([](auto& par) -> auto& { return par.extra; });
  putList([](auto& par) -> auto& { return par.armature; });
  putList([](auto& par) -> auto& { return par.spin; });
  putList([](auto& par) -> auto& { return par.geared; });
  hasOwn_ = true;
  if (loops_) loops_->subtrees.putParameters(own_);
}

template <class T>
void LaneSystemOf<T>::approach(Scheme scheme, double dt) {
  predictMidpoint(step(), scheme, dt, q_.data(), q_.data());
}

template <class T>
void LaneSystemOf<T>::evaluate(double dt) {
  loops_ ? evaluateLoops(dt) : evaluateTree(q_.data(), u_.data());
  for (std::size_t i = 0; i < geoms_.size(); ++i)
    placed_[i] = geomMotion(*geoms_[i].ws, geoms_[i].body, geoms_[i].X_CG);
}

template <class T>
void LaneSystemOf<T>::evaluateTree(const T* q, const T* u) {
  withParameters([&](const auto& par) {
    kinematics(t_, par, q, u, ws_);
    bias(t_, par, gravity_, ws_, h_.data());
    massMatrix(t_, par, ws_);
  });
}

template <class T>
void LaneSystemOf<T>::evaluateLoops(double dt) {
  auto& [m, loops, solver, subtrees] = *loops_;
  if (subtrees.isProfitable()) {
    left_ = subtrees.close(q_.data(), closed_loop, most_corrections, loops);
    subtrees.massMatrix(solver.H.data());
  } else {
    withParameters([&](const auto& par) {
      placeBodies(t_, par, q_.data(), ws_);
      loops.singularity = bc<T>(0.0);
      left_ = closePlacedLoops(t_, par, m, q_.data(), closed_loop, most_corrections, ws_, loops);
      settleLoops(t_, m, left_, q_.data(), loops);
      placeInertias(t_, par, ws_);
      computeReducedColumns(t_, m, ws_, loops);
      reducedMassMatrix(t_, par, m, ws_, loops, solver.H.data());
    });
  }
  for (int d = 0; d < t_.nv; ++d) rates_[d] = u_[d];
  dependentRates(m, loops, rates_.data());
  biasOfLoops(predictedMean(step(), dt));
}

template <class T>
void LaneSystemOf<T>::biasOfLoops(const T* u) {
  auto& [m, loops, solver, subtrees] = *loops_;
  if (subtrees.isProfitable()) return subtrees.bias(gravity_, u, loops, h_.data());
  velocities(t_, u, ws_);
  loopAccelerations(t_, m, u, ws_, loops);
  withParameters(
      [&](const auto& par) { inverseDynamics(t_, par, gravity_, loops.g.data(), ws_, h_.data()); });
}

template <class T>
void LaneSystemOf<T>::push(Scheme scheme, double dt, bool hasImpedance) {
  SystemStep<T> s = step();
  if (hasImpedance) s.impedance = impedance_.data();
  const auto isRegular = factorDamped(s, implicitWeights(scheme, dt).damping, plain());
  isRegular_ = select(isRegular, bc<T>(1.0), bc<T>(0.0));
  freeImpulse(s, dt, plain());
  if (!info(scheme).hasStages) return;
  nextVelocity();
  for (int d = 0; d < t_.nv; ++d) free_[d] = uNext_[d];
}

template <class T>
void LaneSystemOf<T>::nextVelocity() {
  espalier::nextVelocity(step(), plain());
}

template <class T>
void LaneSystemOf<T>::pushAgain(double dt) {
  if (loops_) {
    biasOfLoops(mean_.data());
  } else {
    velocities(t_, mean_.data(), ws_);
    withParameters([&](const auto& par) { bias(t_, par, gravity_, ws_, h_.data()); });
  }
  freeImpulse(step(), dt, plain());
}

template <class T>
void LaneSystemOf<T>::leave(Scheme scheme, double dt) {
  meanStep(step(), scheme, dt);
  advance(t_, q_.data(), mean_.data(), q_.data());
}

template <class T>
void LaneSystemOf<T>::rungeKutta(double dt, const std::function<void()>& forces) {
  const SystemStep<T> s = step();
  espalier::rungeKutta(s, dt, q_.data(), free_.data(), qm_.data(), stage_.data(), [&](const T* u) {
    evaluateTree(qm_.data(), u);
    forces();
    factorDamped(s, 0, plain());
    freeImpulse(s, 1, plain());
    solveForward(solved_, ws_, z_.data());
    return u;
  });
  advance(t_, q_.data(), mean_.data(), q_.data());
}

template <class T>
void LaneSystemOf<T>::arrive() {
  if (!loops_) return;
  auto& [m, loops, solver, subtrees] = *loops_;
  if (subtrees.isProfitable()) {
    left_ = subtrees.close(q_.data(), closed_loop, most_corrections, loops);
  } else {
    loops.singularity = bc<T>(0.0);
    left_ = withParameters([&](const auto& par) {
      return closeLoops(t_, par, m, q_.data(), closed_loop, most_corrections, ws_, loops);
    });
    settleLoops(t_, m, left_, q_.data(), loops);
  }
  expand(m, loops, y_.data(), u_.data());
  publicSuffice_ = select(publicSuffice(m, loops), bc<T>(1.0), bc<T>(0.0));
}

template <class T>
int LaneSystemOf<T>::solve(double tolerance, const SolveBudget& budget, bool again) {
  contact::SolveOptions<T> options;
  options.tolerance = tolerance;
  options.maxSweeps = budget.sweeps;
  options.effort = budget.effort;
  options.fallsBack = false;
  return contacts_.solve(options, again, takesPart_, z_.data(), residual_);
}

}  // namespace espalier
