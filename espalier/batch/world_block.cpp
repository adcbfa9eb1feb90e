#include "espalier/batch/world_block.h"

#include <algorithm>

#include "espalier/step/free_bodies.h"
#include "espalier/step/history.h"
#include "espalier/step/stages.h"

namespace espalier {
namespace {

RigidInertia<double> scaled(const RigidInertia<double>& I, double factor) {
  const Sym3<double>& m = I.I;
  return {
      I.m * factor,
      I.h * factor,
      {m.xx * factor, m.xy * factor, m.xz * factor, m.yy * factor, m.yz * factor, m.zz * factor}};
}

/// f(the rows of all dofs' inputs, the array of a motor that they are).
template <class S, class F>
void forDofInputs(const BatchData<S>& data, Actuation& a, F&& f) {
  f(data.targetU, a.targetU);
  f(data.feedforward, a.feedforward);
  f(data.kp, a.kp);
  f(data.kd, a.kd);
  f(data.torqueLower, a.lower);
  f(data.torqueUpper, a.upper);
}

/// Adds the report of a step to that of world w.
void addTo(BatchReport<double>& sum, std::size_t w, const StepReport& step) {
  const auto raiseTo = [](double& most, double x) { most = std::max(most, x); };
  sum.flags[w] |= step.flags;
  raiseTo(sum.residual[w], step.residual);
  raiseTo(sum.closure[w], step.closure);
  raiseTo(sum.penetration[w], step.penetration);
  sum.iterations[w] += step.iterations;
  sum.uncorrected[w] += step.uncorrected > 0;
}

}  // namespace

BatchSizes batchSizesOf(const WorldData& world) {
  BatchSizes sizes{static_cast<int>(world.state.q.size()), static_cast<int>(world.state.u.size()),
                   0, 0};
  for (const auto& sys : world.owned) {
    sizes.bodies += sys->model->nb();
    sizes.tendons += static_cast<int>(sys->tendons.size());
  }
  return sizes;
}

template <class S>
void takeInputs(const WorldData& from, BatchData<S>& data, int world) {
  const double gravity[3] = {from.gravity.x, from.gravity.y, from.gravity.z};
  for (int i = 0; i < 3; ++i) data.gravity(i, world) = static_cast<S>(gravity[i]);
  int tendon = 0;
  for (const auto& sys : from.owned) {
    Actuation& a = sys->actuation;
    for (const ActuatorSpec& of : a.tendons) {
      data.tendonTarget(tendon, world) = static_cast<S>(of.target);
      data.tendonForce(tendon++, world) = static_cast<S>(of.feedforward);
    }
    const bool hasGains = a.mode == ControlMode::PD_PLUS_FEEDFORWARD_TORQUE;
    for (int i = 0; i < sys->model->nq(); ++i)
      data.targetQ(sys->q0 + i, world) = static_cast<S>(a.targetQ[i]);
    forDofInputs(data, a, [&](const Rows<S>& rows, AlignedArray<double>& of) {
      const bool isGain = &of == &a.kp || &of == &a.kd;
      for (int d = 0; d < sys->model->nv(); ++d)
        rows(sys->u0 + d, world) = isGain && !hasGains ? S(0) : static_cast<S>(of[d]);
    });
  }
}
template void takeInputs(const WorldData&, BatchData<double>&, int);
template void takeInputs(const WorldData&, BatchData<float>&, int);

WorldBlock::WorldBlock(const Make& make) {
  const int width = LaneSystem::widest();
  std::vector<WorldData*> all;
  for (int i = 0; i < width; ++i) {
    Place place;
    place.world = make();
    place.data = &dataOf(*place.world);
    takeEdits(*place.data);
    prepare(*place.data);
    for (const auto& body : place.data->free) place.standing.push_back(body->X_WB.p);
    for (const auto& sys : place.data->owned) {
      auto& inertias = place.inertias.emplace_back();
      for (const auto& body : sys->parameters.bodies) inertias.push_back(body.I);
      place.mass.resize(place.mass.size() + inertias.size(), 1.0);
      const auto& own = place.armatures.emplace_back(sys->parameters.armature);
      place.armature.resize(static_cast<std::size_t>(sys->u0) + own.size(), 1.0);
    }
    all.push_back(place.data);
    worlds_.push_back(std::move(place));
  }
  if (all[0]->owned.size() == 1) lanes_ = std::make_unique<LaneSteps>(std::move(all));
}

void WorldBlock::step(BatchData<double>& data, std::span<const int> worlds, int steps) {
  const std::size_t count = worlds.size();
  for (std::size_t i = 0; i < count; ++i) {
    put(worlds_[i], data, worlds[i]);
    data.report.clear(static_cast<std::size_t>(worlds[i]));
  }
  for (int k = 0; k < steps; ++k) {
    if (data.hasDelay()) data.passCommands(worlds, worlds_[0].data->dt);
    for (std::size_t i = 0; i < count; ++i) {
      if (data.hasDelay()) putActuation(*worlds_[i].data, data, worlds[i]);
      putWrenches(worlds_[i], data, worlds[i]);
    }
    if (lanes_)
      lanes_->integrate(count);
    else
      for (std::size_t i = 0; i < count; ++i) worlds_[i].world->integrate();
    for (std::size_t i = 0; i < count; ++i)
      addTo(data.report, static_cast<std::size_t>(worlds[i]), worlds_[i].data->report);
  }
  for (std::size_t i = 0; i < count; ++i) take(worlds_[i], data, worlds[i]);
}

void WorldBlock::put(Place& place, const BatchData<double>& data, int world) {
  WorldData& w = *place.data;
  State& state = place.saved;
  state.q.resize(w.state.q.size());
  state.u.resize(w.state.u.size());
  for (int i = 0; i < data.q.count; ++i) state.q[i] = data.q(i, world);
  for (int i = 0; i < data.u.count; ++i) state.u[i] = data.u(i, world);
  state.history = data.history[world];
  const bool goesOn = hasHistory(w, state);
  w.state.q.swap(state.q);
  w.state.u.swap(state.u);
  w.state.time = data.time(0, world);
  goOnFrom(w, goesOn ? &state.history : nullptr);
  w.settings.frictionScale = data.friction(0, world);
  w.gravity = {data.gravity(0, world), data.gravity(1, world), data.gravity(2, world)};
  putActuation(w, data, world);
  putInertias(place, data, world);
  putTerrain(place, data, world);
}

void WorldBlock::putActuation(const WorldData& to, const BatchData<double>& data, int world) {
  const Rows<double> target = data.inForce(data.tendonTarget),
                     force = data.inForce(data.tendonForce);
  int tendon = 0;
  for (const auto& sys : to.owned) {
    putMotors(*sys, data, world);
    for (ActuatorSpec& of : sys->actuation.tendons) {
      of.target = target(tendon, world);
      of.feedforward = force(tendon++, world);
    }
  }
}

void WorldBlock::putMotors(System& sys, const BatchData<double>& data, int world) {
  Actuation& a = sys.actuation;
  a.mode = ControlMode::PD_PLUS_FEEDFORWARD_TORQUE;
  const Rows<double> target = data.inForce(data.targetQ);
  for (int i = 0; i < sys.model->nq(); ++i) a.targetQ[i] = target(sys.q0 + i, world);
  forDofInputs(data, a, [&](const Rows<double>& rows, AlignedArray<double>& of) {
    const bool isCommand = &of == &a.targetU || &of == &a.feedforward;
    const Rows<double> from = isCommand ? data.inForce(rows) : rows;
    for (int d = 0; d < sys.model->nv(); ++d) of[d] = from(sys.u0 + d, world);
  });
}

void WorldBlock::putInertias(Place& place, const BatchData<double>& data, int world) {
  std::size_t body = 0;
  for (std::size_t s = 0; s < place.data->owned.size(); ++s) {
    System& sys = *place.data->owned[s];
    bool isOther = false;
    for (std::size_t b = 0; b < place.inertias[s].size(); ++b, ++body) {
      const double factor = data.mass(static_cast<int>(body), world);
      if (factor == place.mass[body]) continue;
      place.mass[body] = factor;
      const RigidInertia<double>& I = place.inertias[s][b];
      sys.parameters.bodies[b].I = scaled(I, factor);
      isOther = true;
    }
    for (std::size_t d = 0; d < place.armatures[s].size(); ++d) {
      const int dof = sys.u0 + static_cast<int>(d);
      double& known = place.armature[dof];
      const double factor = data.armature(dof, world);
      if (factor == known) continue;
      known = factor;
      sys.parameters.armature[d] = place.armatures[s][d] * factor;
      isOther = true;
    }
    if (!isOther) continue;
    ++sys.edits;
    sys.evaluation->load(sys);
  }
}

void WorldBlock::putTerrain(Place& place, const BatchData<double>& data, int world) {
  const Vec3d terrain{data.terrain(0, world), data.terrain(1, world), data.terrain(2, world)};
  const Vec3d& now = place.terrain;
  if (terrain.x == now.x && terrain.y == now.y && terrain.z == now.z) return;
  place.terrain = terrain;
  WorldData& w = *place.data;
  for (std::size_t i = 0; i < w.free.size(); ++i) {
    FreeBody& body = *w.free[i];
    if (body.type != BodyType::STATIC) continue;
    body.X_WB.p = place.standing[i] + terrain;
    for (const GeomId id : body.geoms) w.scene.setPose(id, body.X_WB * w.geom(id).X_CG);
  }
}

void WorldBlock::putWrenches(Place& place, const BatchData<double>& data, int world) {
  int row = 0;
  for (const auto& sys : place.data->owned) {
    for (int b = 0; b < sys->model->nb(); ++b, row += 6) {
      double x[6];
      bool isZero = true;
      for (int i = 0; i < 6; ++i) {
        x[i] = data.wrench(row + i, world);
        isZero &= x[i] == 0;
      }
      if (isZero) continue;
      sys->external[b] = {{x[3], x[4], x[5]}, {x[0], x[1], x[2]}};
      sys->hasExternal = true;
    }
  }
}

void WorldBlock::take(Place& place, BatchData<double>& data, int world) {
  WorldData& w = *place.data;
  for (int i = 0; i < data.q.count; ++i) data.q(i, world) = w.state.q[i];
  for (int i = 0; i < data.u.count; ++i) data.u(i, world) = w.state.u[i];
  data.time(0, world) = w.state.time;
  writeHistory(w, data.history[world]);
  takeContactForces(place, data, world);
}

void WorldBlock::takeContactForces(const Place& place, BatchData<double>& data, int world) {
  const WorldData& w = *place.data;
  for (int i = 0; i < data.contactForce.count; ++i) data.contactForce(i, world) = 0;
  for (int i = 0; i < w.contactCount; ++i) {
    const Contact& c = w.contacts[i];
    const Vec3d force = tmul(c.frame, c.impulse) * (1 / w.dt);
    const auto add = [&](GeomId id, double sign) {
      const PlacedGeom& geom = w.geom(id);
      if (!geom.system) return;
      int body = geom.body;
      for (const auto& sys : w.owned) {
        if (sys.get() == geom.system) break;
        body += sys->model->nb();
      }
      const double x[3] = {force.x, force.y, force.z};
      for (int k = 0; k < 3; ++k) data.contactForce(3 * body + k, world) += sign * x[k];
    };
    add(c.geomA, 1);
    add(c.geomB, -1);
  }
}

}  // namespace espalier
