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
      impedance(lane_detail::numbers<T>(model.mechanism ? 0 : t.entries())),
      predictedAcceleration(lane_detail::numbers<T>(t.nv)),
      lastG(lane_detail::numbers<T>(t.nv)),
      rates(lane_detail::numbers<T>(t.nv)),
      h(lane_detail::numbers<T>(t.nv)),
      uNext(lane_detail::numbers<T>(t.nv)),
      z(lane_detail::numbers<T>(solved.nv)),
      y(lane_detail::numbers<T>(solved.nv)),
      stageQ(lane_detail::numbers<T>(model.mechanism ? 0 : t.nq)),
      stage(lane_detail::numbers<T>(model.mechanism ? 0 : 7 * t.nv)),
      geoms(model.collisions.size()),
      contacts(solved.nv, groups),
      bodies(static_cast<std::size_t>(t.nb)),
      columns(static_cast<std::size_t>(t.nv)),
      reducedColumns(like.loops ? like.loops->at.reducedColumn.size() : 0),
      own(lowered<T>(parameters.whole)),
      par_(parameters.whole),
      chain_(like.chain),
      chainBegin_(like.chainBegin),
      ws_(t),
      mean_(lane_detail::numbers<T>(t.nv)),
      spanning_(lane_detail::numbers<T>(t.nv)),
      free_(lane_detail::numbers<T>(model.mechanism ? 0 : t.nv)) {
  if (model.mechanism) loops_.emplace(t, *model.mechanism, parameters.subtrees);
  const auto findBody = [&](const Topology& of, const Workspace<T>& ws, int b, int whole) {
    bodies[static_cast<std::size_t>(whole)] = {&ws, b};
    const BodyTopology& body = of.bodies[static_cast<std::size_t>(b)];
    const int first = t.bodies[static_cast<std::size_t>(whole)].u;
    for (int k = 0; k < body.nv; ++k)
      columns[static_cast<std::size_t>(first + k)] = &ws.S[body.u + k];
  };
  const auto findReducedColumn = [&](const Motion<T>& reducedColumn, int whole) {
    reducedColumns[static_cast<std::size_t>(whole)] = &reducedColumn;
  };
  if (!hasBodies()) {
    loops_->subtrees.forBodies(findBody);
    loops_->subtrees.forReducedColumns(findReducedColumn);
    return;
  }
  for (int b = 0; b < t.nb; ++b) findBody(t, ws_, b, b);
  for (std::size_t s = 0; s < reducedColumns.size(); ++s)
    findReducedColumn(loops_->at.reducedColumn[s], static_cast<int>(s));
}

template <class T>
SystemStep<T> LaneRobot<T>::step() {
  const bool arePredicted = loops_ && any(isPredicted > bc<T>(0.0));
  return {.t = t,
          .solved = solved,
          .solver = loops_ ? loops_->solver : ws_,
          .mechanism = model.mechanism ? &*model.mechanism : nullptr,
          .loops = loops_ ? &loops_->at : nullptr,
          .u = u.data(),
          .rates = loops_ ? rates.data() : u.data(),
          .force = force.data(),
          .h = h.data(),
          .w = w.data(),
          .z = z.data(),
          .y = loops_ ? y.data() : uNext.data(),
          .uNext = uNext.data(),
          .mean = mean_.data(),
          .impulse = loops_ ? spanning_.data() : z.data(),
          .predicted = arePredicted ? predictedAcceleration.data() : nullptr,
          .dependentBias = loops_ ? lastG.data() : nullptr,
          .isPredicted = isPredicted,
          .biasShare = shareOfG};
}

template <class T>
void LaneRobot<T>::approach(Scheme scheme, double dt) {
  predictMidpoint(step(), scheme, dt, q.data(), q.data());
}

template <class T>
void LaneRobot<T>::evaluate(double dt) {
  loops_ ? evaluateLoops(dt) : evaluateTree(q.data(), u.data());
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    const CollisionInfo& geom = model.collisions[i];
    const Body& body = bodies[static_cast<std::size_t>(geom.body)];
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
}

template <class T>
void LaneRobot<T>::evaluateLoops(double dt) {
  auto& [m, loops, solver, subtrees] = *loops_;
  if (subtrees.isProfitable()) {
    left = subtrees.close(q.data(), closed_loop_of<T>, most_corrections, loops);
    subtrees.massMatrix(solver.H.data());
  } else {
    withParameters([&](const auto& par) {
      placeBodies(t, par, q.data(), ws_);
      loops.singularity = bc<T>(0.0);
      left = closePlacedLoops(t, par, m, q.data(), closed_loop_of<T>, most_corrections, ws_, loops);
      settleLoops(t, m, left, q.data(), loops);
      placeInertias(t, par, ws_);
      computeReducedColumns(t, m, ws_, loops);
      reducedMassMatrix(t, par, m, ws_, loops, solver.H.data());
    });
  }
  for (int d = 0; d < t.nv; ++d) rates[d] = u[d];
  dependentRates(m, loops, rates.data());
  biasOfLoops(predictedMean(step(), dt));
}

template <class T>
void LaneRobot<T>::biasOfLoops(const T* u) {
  auto& [m, loops, solver, subtrees] = *loops_;
  if (subtrees.isProfitable()) return subtrees.bias(gravity, u, loops, h.data());
  velocities(t, u, ws_);
  loopAccelerations(t, m, u, ws_, loops);
  withParameters(
      [&](const auto& par) { inverseDynamics(t, par, gravity, loops.g.data(), ws_, h.data()); });
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
  for (int d = 0; d < t.nv; ++d) free_[d] = uNext[d];
}

template <class T>
void LaneRobot<T>::nextVelocity() {
  espalier::nextVelocity(step());
}

template <class T>
void LaneRobot<T>::pushAgain(double dt) {
  if (loops_) {
    biasOfLoops(mean_.data());
  } else {
    velocities(t, mean_.data(), ws_);
    withParameters([&](const auto& par) { bias(t, par, gravity, ws_, h.data()); });
  }
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
  espalier::rungeKutta(s, dt, q.data(), free_.data(), stageQ.data(), stage.data(), [&](const T* u) {
    evaluateTree(stageQ.data(), u);
    forces();
    factorDamped(s, 0);
    freeImpulse(s, 1);
    solveForward(solved, ws_, z.data());
    return u;
  });
  advance(t, q.data(), mean_.data(), q.data());
}

template <class T>
void LaneRobot<T>::arrive() {
  if (!loops_) return;
  auto& [m, loops, solver, subtrees] = *loops_;
  if (subtrees.isProfitable()) {
    left = subtrees.close(q.data(), closed_loop_of<T>, most_corrections, loops);
  } else {
    loops.singularity = bc<T>(0.0);
    left = withParameters([&](const auto& par) {
      return closeLoops(t, par, m, q.data(), closed_loop_of<T>, most_corrections, ws_, loops);
    });
    settleLoops(t, m, left, q.data(), loops);
  }
  expand(m, loops, y.data(), u.data());
  publicSuffice = select(espalier::publicSuffice(m, loops), bc<T>(1.0), bc<T>(0.0));
}

}  // namespace espalier
