#pragma once

// The definitions of batch/lane_robot.h, for the translation units that instantiate them.

#include "espalier/batch/lane_contacts_impl.h"
#include "espalier/batch/lane_robot.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "espalier/step/runge_kutta.h"

namespace espalier {
namespace lane_detail {

template <class T>
AlignedArray<T> numbers(int n) {
  return AlignedArray<T>(static_cast<std::size_t>(n));
}

}  // namespace lane_detail

/// As closed_loop (loops.h), as far as T can tell.
template <class T>
inline constexpr double closed_loop_of = sizeof(value_t<T>) == 8 ? closed_loop : 1e-6;

template <class T>
LaneRobot<T>::LaneRobot(const System& like, const LaneParameters& parameters, int groups)
    : model(*like.model),
      t(model.topology),
      solved(like.solved()),
      q(lane_detail::numbers<T>(t.nq)),
      u(lane_detail::numbers<T>(t.nv)),
      force(lane_detail::numbers<T>(t.nv)),
      w(lane_detail::numbers<T>(t.nv)),
      impedance(lane_detail::numbers<T>(t.entries())),
      predictedAcceleration(lane_detail::numbers<T>(t.nv)),
      lastG(lane_detail::numbers<T>(t.nv)),
      rates(lane_detail::numbers<T>(t.nv)),
      h(lane_detail::numbers<T>(t.nv)),
      uNext(lane_detail::numbers<T>(t.nv)),
      z(lane_detail::numbers<T>(solved.nv)),
      stageQ(lane_detail::numbers<T>(t.nq)),
      stage(lane_detail::numbers<T>(7 * t.nv)),
      free(lane_detail::numbers<T>(t.nv)),
      geoms(model.collisions.size()),
      contacts(solved.nv, groups),
      bodies(static_cast<std::size_t>(t.nb)),
      columns(static_cast<std::size_t>(t.nv)),
      reducedColumns(static_cast<std::size_t>(model.mechanism.firstReduced.back())),
      own(lowered<T>(parameters.whole)),
      par_(parameters.whole),
      m_(model.mechanism),
      ws_(t),
      ownSolver_(m_.reduced),
      at_(t, m_),
      subtrees_(parameters.subtrees, at_),
      mean_(lane_detail::numbers<T>(t.nv)),
      ownY_(lane_detail::numbers<T>(solved.nv)),
      spanning_(lane_detail::numbers<T>(t.nv)),
      solved_(numbersSolved()) {
  const auto findBody = [&](const Topology& of, const Workspace<T>& ws, int b, int whole) {
    bodies[whole] = {&ws, b};
    const BodyTopology& body = of.bodies[b];
    const int first = t.bodies[whole].u;
    for (int k = 0; k < body.nv; ++k) columns[first + k] = &ws.S[body.u + k];
  };
  const auto findReducedColumn = [&](const Motion<T>& reducedColumn, int whole) {
    reducedColumns[whole] = &reducedColumn;
  };
  if (!hasBodies()) {
    subtrees_.forBodies(findBody);
    subtrees_.forReducedColumns(findReducedColumn);
    return;
  }
  for (int b = 0; b < t.nb; ++b) findBody(t, ws_, b, b);
  for (std::size_t s = 0; s < reducedColumns.size(); ++s)
    findReducedColumn(solved_.columns[s], static_cast<int>(s));
}

template <class T>
SolvedNumbers<T> LaneRobot<T>::numbersSolved() {
  if (m_.isTree()) return {&t, &ws_, uNext.data(), z.data(), ws_.S.data(), nullptr};
  return {&m_.reduced, &ownSolver_, ownY_.data(), spanning_.data(), at_.reducedColumn.data(),
          lastG.data()};
}

template <class T>
SystemStep<T> LaneRobot<T>::step() {
  const bool arePredicted = any(isPredicted > bc<T>(0.0));
  return {.t = t,
          .solved = solved,
          .solver = *solved_.workspace,
          .mechanism = m_,
          .loops = at_,
          .u = u.data(),
          .rates = rates.data(),
          .force = force.data(),
          .h = h.data(),
          .w = w.data(),
          .z = z.data(),
          .y = solved_.y,
          .uNext = uNext.data(),
          .mean = mean_.data(),
          .impulse = solved_.impulse,
          .predicted = arePredicted ? predictedAcceleration.data() : nullptr,
          .dependentBias = solved_.dependentBias,
          .isPredicted = isPredicted,
          .biasShare = shareOfG};
}

template <class T>
void LaneRobot<T>::approach(Scheme scheme, double dt) {
  predictMidpoint(step(), scheme, dt, q.data(), q.data());
}

template <class T>
void LaneRobot<T>::evaluate(double dt) {
  if (m_.isTree())
    evaluateTree(q.data(), u.data());
  else
    evaluateLoops(dt);
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    const CollisionInfo& geom = model.collisions[i];
    const Body& body = bodies[geom.body];
    geoms[i] = geomMotion(*body.ws, body.index, geom.X_CG);
  }
}

template <class T>
void LaneRobot<T>::evaluateTree(const T* q, const T* u) {
  withParameters([&](const auto& par) {
    kinematics(t, par, q, u, ws_);
    bias(t, par, gravity, ws_, h.data());
    massMatrix(t, par, ws_);
  });
  for (int d = 0; d < t.nv; ++d) rates[d] = u[d];
}

/// Closes q; G there.
///   in  all  the poses of all bodies, not only of those in loops
template <class T>
void LaneRobot<T>::closeLoops(bool all) {
  if (subtrees_.isProfitable()) {
    left = subtrees_.close(q.data(), closed_loop_of<T>, most_corrections, at_);
    return;
  }
  at_.singularity = bc<T>(0.0);
  left = withParameters([&](const auto& par) {
    if (!all)
      return espalier::closeLoops(t, par, m_, q.data(), closed_loop_of<T>, most_corrections, ws_,
                                  at_);
    placeBodies(t, par, q.data(), ws_);
    return closePlacedLoops(t, par, m_, q.data(), closed_loop_of<T>, most_corrections, ws_, at_);
  });
  settleLoops(t, m_, left, q.data(), at_);
}

template <class T>
void LaneRobot<T>::evaluateLoops(double dt) {
  closeLoops(true);
  if (subtrees_.isProfitable())
    subtrees_.massMatrix(ownSolver_.H.data());
  else
    withParameters([&](const auto& par) {
      placeInertias(t, par, ws_);
      computeReducedColumns(t, m_, ws_, at_);
      reducedMassMatrix(t, par, m_, ws_, at_, ownSolver_.H.data());
    });
  for (int d = 0; d < t.nv; ++d) rates[d] = u[d];
  dependentRates(m_, at_, rates.data());
  evaluateBias(predictedMean(step(), dt));
}

/// h at q_m and these rates.
template <class T>
void LaneRobot<T>::evaluateBias(const T* u) {
  if (subtrees_.isProfitable()) return subtrees_.bias(gravity, u, at_, h.data());
  velocities(t, u, ws_);
  loopAccelerations(t, m_, u, ws_, at_);
  withParameters([&](const auto& par) {
    if (m_.isTree())
      bias(t, par, gravity, ws_, h.data());
    else
      inverseDynamics(t, par, gravity, at_.g.data(), ws_, h.data());
  });
}

template <class T>
void LaneRobot<T>::push(Scheme scheme, double dt, bool hasImpedance) {
  SystemStep<T> s = step();
  if (hasImpedance) s.impedance = impedance.data();
  const auto areRegular = factorDamped(s, implicitWeights(scheme, dt).damping);
  isRegular = select(areRegular, bc<T>(1.0), bc<T>(0.0));
  freeImpulse(s, dt);
  if (!info(scheme).hasStages) return;
  nextVelocity();
  for (int d = 0; d < t.nv; ++d) free[d] = uNext[d];
}

template <class T>
void LaneRobot<T>::nextVelocity() {
  espalier::nextVelocity(step());
}

template <class T>
void LaneRobot<T>::pushAgain(double dt) {
  evaluateBias(mean_.data());
  freeImpulse(step(), dt);
}

template <class T>
void LaneRobot<T>::leave(Scheme scheme, double dt) {
  meanStep(step(), scheme, dt);
  advance(t, q.data(), mean_.data(), q.data());
}

template <class T>
void LaneRobot<T>::rungeKutta(double dt, const std::function<void()>& forces) {
  const SystemStep<T> s = step();
  espalier::rungeKutta(s, dt, q.data(), free.data(), stageQ.data(), stage.data(), [&](const T* u) {
    evaluateTree(stageQ.data(), u);
    forces();
    factorDamped(s, 0);
    freeImpulse(s, 1);
    solveForward(solved, *solved_.workspace, z.data());
    return rates.data();
  });
  advance(t, q.data(), mean_.data(), q.data());
}

template <class T>
void LaneRobot<T>::arrive() {
  if (m_.isTree()) return;
  closeLoops(false);
  expand(m_, at_, solved_.y, u.data());
  publicSuffice = select(espalier::publicSuffice(m_, at_), bc<T>(1.0), bc<T>(0.0));
}

}  // namespace espalier
