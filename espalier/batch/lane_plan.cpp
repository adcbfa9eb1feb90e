#include "espalier/batch/lane_plan.h"

#include <algorithm>
#include <cmath>

#include "espalier/core/check.h"
#include "espalier/model/loops/loop_ties.h"
#include "espalier/step/motion.h"

namespace espalier {
namespace {

/// What keeps a world with such a robot out of THROUGHPUT mode; empty: nothing.
std::string lackFor(const System& robot) {
  for (const TendonInfo& tendon : robot.model->tendons)
    if (!tendon.segments.empty()) return "tendons through points";
  if (!robot.model->bilateral.isEmpty()) return "loops that rows of the contact problem keep";
  if (!robot.limitedBalls.empty()) return "limits of spherical joints";
  if (!robot.model->heldWeights.empty()) return "bodies whose weight is held";
  if (robot.actuation.limitsSpeed) return "joint velocity limits that are enforced";
  if (robot.actuation.torqueLimits == TorqueLimits::EXACT) return "exact torque limits";
  if (robot.actuation.hasControl) return "controllers";
  return "";
}

/// What keeps the world out.
std::string lackFor(const StepData& world) {
  int movers = 0;
  for (const auto& body : world.free) {
    if (body->type == BodyType::KINEMATIC) return "bodies that keep the velocity they are given";
    if (body->type == BodyType::STATIC) continue;
    ++movers;
    if (body->linearDamping != 0 || body->angularDamping != 0) return "damped single bodies";
  }
  if (world.owned.empty() && movers == 0) return "nothing that moves";
  if (movers > 0 && world.sleeping.isOn) return "bodies that sleep";
  if (!world.welds.empty()) return "welds";
  if (world.onContact) return "a contact callback";
  if (info(world.scheme).hasStages) return "the scheme RUNGE_KUTTA_4";
  for (const auto& robot : world.owned) {
    if (const std::string lack = lackFor(*robot); !lack.empty()) return lack;
    if (world.owned.size() + static_cast<std::size_t>(movers) == 1) continue;
    if (robot->model->medium.acts()) return "a medium and several things that move in it";
    if (isBaseTied(*robot->model)) return "floating bases that loops tie, beside others";
    if (!robot->spec) return "a robot that came as a compiled model, beside others";
  }
  return "";
}

std::shared_ptr<World> forLanes(std::shared_ptr<World> world) {
  WorldData& data = dataOf(*world);
  takeEdits(data);
  prepare(data);
  const std::string lack = lackFor(data);
  ESPALIER_REQUIRE(lack.empty(),
                   "throughput mode cannot step a world with " + lack + ": take mode \"accurate\"");
  return world;
}

int pointsOf(const collision::Geom& a, const collision::Geom& b) {
  using enum collision::Kind;
  const auto solid = std::min(a.kind, b.kind), other = std::max(a.kind, b.kind);
  if (other == Plane && solid == Sphere) return 1;
  if (other == Plane && solid == Capsule) return 2;
  if ((a.kind == Plane && b.kind == Hull) || (a.kind == Hull && b.kind == Plane))
    return collision::kMaxHullPoints;
  const bool areRound = solid == Sphere && other <= Capsule;
  return areRound ? 1 : collision::kMaxPairPoints;
}

}  // namespace

LanePlan::LanePlan(std::shared_ptr<World> given)
    : world(forLanes(std::move(given))),
      data(dataOf(*world)),
      all(data),
      robot(all.system()),
      parameters(robot.parameters),
      law(data.settings, data.scheme, data.dt),
      scheme(data.scheme),
      dt(data.dt),
      margin(data.settings.margin) {
  placeGeomsNow(dataOf(*world));
  for (const auto& system : data.owned)
    for (const ActuatorSpec& actuator : system->actuation.tendons) actuators.push_back(actuator);
  listPairs();
  listRows();
}

LanePlan::~LanePlan() = default;

std::vector<collision::Geom> LanePlan::copyOfGeoms() const { return geoms; }

void LanePlan::listPairs() {
  radii.assign(robot.model->collisions.size(), 0);
  for (int i = 0; i < data.scene.geomCount(); ++i) {
    geoms.push_back(data.scene.geomOf(GeomId(i)));
    const int collision = all.placeOf(GeomId(i)).collision;
    if (collision >= 0) radii[static_cast<std::size_t>(collision)] = geoms.back().radius;
  }
  const auto endOf = [&](GeomId id) {
    const PlacedGeom& placed = data.geom(id);
    const collision::Geom& geom = geoms[id.value];
    const OneRobot::Place& place = all.placeOf(id);
    End end{id.value,        place.collision, place.body, place.row, placed.free != nullptr,
            placed.rounding, geom.middle,     geom.size};
    if (geom.kind < collision::Kind::Plane) end.middle = {0, 0, 0};
    if (geom.kind == collision::Kind::Capsule) end.half.z += geom.size.x;
    return end;
  };
  for (const ScenePair& p : data.scene.pairs()) {
    Pair pair{endOf(p.a), endOf(p.b), p.function, p.swapped, false, nullptr, {}, slots, 0};
    if (pair.a.body < 0 && pair.b.body < 0) continue;
    pair.law = data.materials.pair(data.geom(p.a).material, data.geom(p.b).material);
    if (pair.a.body < 0) {  // what moves comes first
      std::swap(pair.a, pair.b);
      pair.swapped = !pair.swapped;
    }
    const collision::Geom &a = geoms[pair.a.geom], &b = geoms[pair.b.geom];
    pair.hasPlane = b.kind == collision::Kind::Plane;
    if (b.kind == collision::Kind::Heightfield) pair.field = b.field;
    pair.slots = pointsOf(a, b);
    slots += pair.slots;
    if (pair.law.hasTorsion()) torsions += pair.slots;
    pairs.push_back(pair);
  }
}

void LanePlan::listLimits(int dof, std::span<const RotorInfo::Term> terms, double offset,
                          double lower, double upper) {
  const std::vector<RotorInfo::Term> own(terms.begin(), terms.end());
  if (std::isfinite(lower)) rows.push_back({RowKind::LIMIT, dof, own, offset, 1, lower});
  if (std::isfinite(upper)) rows.push_back({RowKind::LIMIT, dof, own, offset, -1, upper});
}

void LanePlan::listRows() {
  const Model& model = *robot.model;
  for (const LimitedDof& limit : robot.limits) {
    const RotorInfo::Term own{limit.q, limit.u, 1};
    listLimits(limit.u, {&own, 1}, 0, limit.lower, limit.upper);
  }
  int dof = model.nv();
  for (const RotorInfo& rotor : model.rotors)
    listLimits(dof++, rotor.terms, rotor.offset, rotor.limits.lower, rotor.limits.upper);
  for (int i = 0; i < static_cast<int>(model.tendons.size()); ++i) listTendon(i, dof++);
  for (int d = 0; d < model.nv(); ++d)
    if (robot.actuation.friction[d] != 0)
      rows.push_back({RowKind::FRICTION, d, {{-1, d, 1}}, 0, 1, robot.actuation.friction[d]});
}

/// As findLimits(), findFriction() and findTensions() of joint_rows.cpp have them.
void LanePlan::listTendon(int i, int dof) {
  const TendonInfo& tendon = robot.model->tendons[i];
  const TendonSpec& spec = tendon.spec;
  const ActuatorSpec& actuator = actuators[i];
  const ImplicitWeights weights = implicitWeights(scheme, dt);
  listLimits(dof, tendon.terms, tendon.offset, spec.lower, spec.upper);
  if (spec.friction != 0)
    rows.push_back({RowKind::FRICTION, dof, tendon.terms, tendon.offset, 1, spec.friction});
  const auto listTension = [&](RowKind kind, double stiffness, double damping) {
    const bool isImplicit = motorWeight(stiffness, damping, weights) > 0;
    (isImplicit ? rows : pulls).push_back({kind, dof, tendon.terms, tendon.offset, 1, 0, i});
  };
  if (spec.stiffness != 0 || spec.damping != 0)
    listTension(RowKind::SPRING, spec.stiffness, spec.damping);
  listTension(RowKind::ACTUATOR, actuator.kp, actuator.kd);
}

int LanePlan::sidesOfGroup() const {
  std::size_t most = 2;
  for (const TendonInfo& tendon : robot.model->tendons) most = std::max(most, tendon.terms.size());
  return static_cast<int>(most);
}

}  // namespace espalier
