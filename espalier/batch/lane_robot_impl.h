#pragma once

// The definitions of batch/lane_robot.h, for the translation units that instantiate them.

#include "espalier/batch/lane_contacts_impl.h"
#include "espalier/batch/lane_robot.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/model/coordinates.h"
#include "espalier/step/evaluate.h"
#include "espalier/step/runge_kutta.h"

namespace espalier {

/// As closed_loop (loops.h), as far as T can tell.
template <class T>
inline constexpr double closed_loop_of = sizeof(value_t<T>) == 8 ? closed_loop : 1e-6;

template <class T>
LaneRobot<T>::LaneRobot(const System& like, const Lowered<double>& parameters, int groups,
                        int sides)
    : StepNumbers<T>(*like.model),
      model(*like.model),
      t(model.topology),
      q(t.nq),
      u(t.nv),
      geoms(model.collisions.size()),
      contacts(solved().nv, groups, sides),
      own(lowered<T>(parameters)),
      par_(parameters) {}

template <class T>
void LaneRobot<T>::approach(Scheme scheme, double dt) {
  predictMidpoint(*this, scheme, dt, q.data(), u.data(), q.data());
}

template <class T>
void LaneRobot<T>::evaluate(double dt) {
  if (!hasLoops())
    evaluateTree(q.data(), u.data());
  else
    evaluateLoops(dt);
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    const CollisionInfo& geom = model.collisions[i];
    geoms[i] = geomMotion(ws, geom.body, geom.X_CG);
  }
}

template <class T>
void LaneRobot<T>::evaluateTree(const T* at, const T* velocity) {
  withParameters(
      [&](const auto& par) { espalier::evaluateTree(*this, par, gravity, at, velocity); });
}

/// Closes q; G there.
///   in  all  the poses of all bodies, not only of those in loops
template <class T>
void LaneRobot<T>::closeLoops(bool all) {
  loopWs.singularity = bc<T>(0.0);
  left = withParameters(
      [&](const auto& par) { return closeRobot(*this, par, q.data(), closed_loop_of<T>, all); });
}

template <class T>
void LaneRobot<T>::evaluateLoops(double dt) {
  closeLoops(true);
  withParameters([&](const auto& par) { evaluateMass(*this, par); });
  takeRates(*this, u.data());
  evaluateBias(predictedMean(*this, dt));
}

/// h at q_m and these rates.
template <class T>
void LaneRobot<T>::evaluateBias(const T* velocity) {
  withParameters([&](const auto& par) { espalier::evaluateBias(*this, par, gravity, velocity); });
}

template <class T>
void LaneRobot<T>::push(Scheme scheme, double dt) {
  const auto areRegular = factorDamped(*this, implicitWeights(scheme, dt).damping);
  isRegular = select(areRegular, bc<T>(1.0), bc<T>(0.0));
  freeImpulse(*this, dt);
  if (!info(scheme).hasStages) return;
  nextVelocity();
  for (int d = 0; d < t.nv; ++d) free[d] = uNext[d];
}

template <class T>
void LaneRobot<T>::nextVelocity() {
  espalier::nextVelocity(*this);
}

template <class T>
void LaneRobot<T>::pushAgain(double dt) {
  evaluateBias(mean.data());
  freeImpulse(*this, dt);
}

template <class T>
void LaneRobot<T>::leave(Scheme scheme, double dt) {
  meanStep(*this, scheme, dt);
  advance(t, q.data(), mean.data(), q.data());
}

template <class T>
void LaneRobot<T>::rungeKutta(double dt, const std::function<void()>& forces) {
  espalier::rungeKutta(*this, dt, q.data(), [&](const T* velocity) {
    evaluateTree(qm.data(), velocity);
    forces();
    factorDamped(*this, 0);
    freeImpulse(*this, 1);
    solveForward(solved(), solver(), z.data());
    return rates.data();
  });
  advance(t, q.data(), mean.data(), q.data());
}

template <class T>
void LaneRobot<T>::arrive() {
  if (!hasLoops()) return;
  closeLoops(false);
  expand(mechanism(), loopWs, y(), u.data());
  publicSuffice = select(espalier::publicSuffice(mechanism(), loopWs), bc<T>(1.0), bc<T>(0.0));
}

}  // namespace espalier
