#pragma once

// The definitions of batch/lane_system.h, for the translation units that instantiate them.

#include "espalier/batch/lane_robot_impl.h"
#include "espalier/batch/lane_system.h"

namespace espalier {

template <class T>
class LaneSystemOf final : public LaneSystem {
 public:
  LaneSystemOf(const System& like, const Lowered<double>& parameters);

  void putParameters(const Lowered<double>* const (&of)[most_lanes]) override;
  void shareParameters() override { r_.shareParameters(); }
  bool canPutParameters(const Lowered<double>& own) const override {
    return r_.canPutParameters(own);
  }

  void approach(Scheme scheme, double dt) override { r_.approach(scheme, dt); }
  void evaluate(double dt) override { r_.evaluate(dt); }
  void push(Scheme scheme, double dt, bool hasImpedance) override {
    r_.impedance = hasImpedance ? impedance_.data() : nullptr;
    r_.push(scheme, dt);
  }
  void nextVelocity() override { r_.nextVelocity(); }
  void pushAgain(double dt) override { r_.pushAgain(dt); }
  void leave(Scheme scheme, double dt) override { r_.leave(scheme, dt); }
  void rungeKutta(double dt, const std::function<void()>& forces) override {
    r_.rungeKutta(dt, forces);
  }
  void arrive() override { r_.arrive(); }

  void clearGroups() override { r_.contacts.clear(); }
  void addContact(int bodyA, int bodyB) override { r_.contacts.addContact(bodyA, bodyB); }
  void addJoint(int dof, bool isOneSided) override { r_.contacts.addJoint(dof, isOneSided); }
  void assemble() override { r_.assemble(); }
  int solve(double tolerance, const SolveBudget& budget, bool again) override;

 private:
  LaneRobot<T> r_;
  AlignedArray<T> impedance_;
  T takesPart_{}, residual_{};
};

namespace lane_detail {

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
LaneSystemOf<T>::LaneSystemOf(const System& like, const Lowered<double>& parameters)
    : LaneSystem(lanes_v<T>, like),
      r_(like, parameters, contact::few_groups),
      impedance_(r_.t.entries()) {
  using lane_detail::lanesOf;
  at.gravity = lanesOf(r_.gravity);
  at.q = lanesOf(r_.q);
  at.u = lanesOf(r_.u);
  at.force = lanesOf(r_.force);
  at.w = lanesOf(r_.w);
  at.impedance = lanesOf(impedance_);
  at.predictedAcceleration = lanesOf(r_.predictedAcceleration);
  at.isPredicted = lanesOf(r_.isPredicted);
  at.lastG = lanesOf(r_.lastG);
  at.rates = lanesOf(r_.rates);
  at.h = lanesOf(r_.h);
  at.z = lanesOf(r_.z);
  at.y = lanesOf(*r_.y());
  at.uNext = lanesOf(r_.uNext);
  at.left = lanesOf(r_.left);
  at.publicSuffice = lanesOf(r_.publicSuffice);
  at.isRegular = lanesOf(r_.isRegular);
  at.S = reinterpret_cast<const double*>(r_.ws.S.data());
  at.H = reinterpret_cast<const double*>(r_.solver().H.data());
  at.Dinv = reinterpret_cast<const double*>(r_.solver().Dinv.data());
  at.group = lanesOf(r_.contacts.group);
  at.lambda = lanesOf(r_.contacts.lambda);
  at.takesPart = lanesOf(takesPart_);
  at.residual = lanesOf(residual_);
  at.geoms = lanesOf(r_.geoms);
  const Workspace<T>& ws = r_.ws;
  at.origin = lanesOf(ws.origin);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    bodies[b] = {lanesOf(ws.R[b]), lanesOf(ws.x[b]), lanesOf(ws.V[b]), lanesOf(ws.A[b])};
  at.reducedColumns = lanesOf(*r_.solvedColumns());
  at.free = lanesOf(r_.free);
  at.qm = lanesOf(r_.qm);
  at.stageU = lanesOf(r_.stage[r_.t.nv]);
  at.stageStart = lanesOf(r_.stage[6 * r_.t.nv]);
  const LoopWorkspace<T>& loops = r_.loopWs;
  at.g = reinterpret_cast<const double*>(loops.g.data());
  at.G = reinterpret_cast<const double*>(loops.G.data());
  at.singularity = lanesOf(loops.singularity);
}

template <class T>
void LaneSystemOf<T>::putParameters(const Lowered<double>* const (&of)[most_lanes]) {
  const auto putList = [&](auto&& listOf) {
    Sources from;
    for (int l = 0; l < lanes; ++l)
      from[l] = reinterpret_cast<const double*>(listOf(*of[l]).data());
    using Plain = typename std::decay_t<decltype(listOf(*of[0]))>::value_type;
    put(reinterpret_cast<double*>(listOf(r_.own).data()), from,
        static_cast<int>(listOf(*of[0]).size()) * numbersOf<Plain>);
  };
  putList([](auto& par) -> auto& { return par.bodies; });
  putList([](auto& par) -> auto& { return par.extra; });
  putList([](auto& par) -> auto& { return par.armature; });
  putList([](auto& par) -> auto& { return par.spin; });
  putList([](auto& par) -> auto& { return par.geared; });
  r_.useOwnParameters();
}

template <class T>
int LaneSystemOf<T>::solve(double tolerance, const SolveBudget& budget, bool again) {
  contact::SolveOptions<T> options;
  options.tolerance = tolerance;
  options.maxSweeps = budget.sweeps;
  options.effort = budget.effort;
  options.fallsBack = false;
  return r_.contacts.solve(options, again, takesPart_, r_.z.data(), residual_);
}

}  // namespace espalier
