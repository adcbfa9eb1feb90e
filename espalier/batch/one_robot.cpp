#include "espalier/batch/one_robot.h"

#include <algorithm>

#include "espalier/batch/side_by_side.h"
#include "espalier/core/check.h"
#include "espalier/step/stages.h"

namespace espalier {
namespace {

/// What users may have set on a robot since it was added.
void takePassiveForces(const System& from, System& to) {
  const auto copy = [](const AlignedArray<double>& numbers, AlignedArray<double>& into, int first) {
    std::copy(numbers.begin(), numbers.end(), into.begin() + first);
  };
  const Actuation& a = from.actuation;
  copy(a.damping, to.actuation.damping, from.u0);
  copy(a.stiffness, to.actuation.stiffness, from.u0);
  copy(a.springMount, to.actuation.springMount, from.q0);
  copy(a.friction, to.actuation.friction, from.u0);
  for (LimitedDof limit : from.limits) {
    limit.q += from.q0;
    limit.u += from.u0;
    to.limits.push_back(limit);
  }
}

}  // namespace

/// A robot or a single body that moves.
struct OneRobot::Part {
  System* robot;
  FreeBody* body;
  int q0, row;  ///< its first coordinate; its first body among those of all robots

  bool floats() const { return robot && robot->topology().floating; }
  /// By its shapes; invalid: without data.
  std::vector<GeomId> geoms() const {
    if (robot) return robot->geoms;
    std::vector<GeomId> ids;
    auto next = body->geoms.begin();
    for (const CollisionSpec& c : body->spec->collisions)
      ids.push_back(hasGeometry(c.shape) ? *next++ : GeomId{});
    return ids;
  }
};

/// In the order of the state.
std::vector<OneRobot::Part> OneRobot::partsOf(const WorldData& world) {
  std::vector<Part> parts;
  int row = 0;
  for (const auto& sys : world.owned) {
    parts.push_back({sys.get(), nullptr, sys->q0, row});
    row += sys->model->nb();
  }
  for (const auto& body : world.free)
    if (body->type != BodyType::STATIC) parts.push_back({nullptr, body.get(), body->q0, -1});
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.q0 < b.q0; });
  return parts;
}

OneRobot::OneRobot(const WorldData& world) : places_(world.geoms.size()) {
  const std::vector<Part> parts = partsOf(world);
  const bool isAlone = parts.size() == 1 && parts[0].robot;
  system_ = isAlone ? parts[0].robot : &merge(world, parts);
  rows_.assign(static_cast<std::size_t>(system_->model->nb()), -1);
  drives_.assign(static_cast<std::size_t>(system_->model->nv()), Drive::NONE);
  int body = isAlone ? 0 : 1, collision = 0;
  for (const Part& part : parts) {
    placeGeoms(world, part, collision);
    collision += static_cast<int>(part.geoms().size());
    body = part.robot ? placeBodies(*part.robot, part.row, body) : body + 1;
  }
}

OneRobot::~OneRobot() = default;

System& OneRobot::merge(const WorldData& world, const std::vector<Part>& parts) {
  SystemSpec spec = standingAlone();
  for (const Part& part : parts) {
    const std::string name = std::to_string(spec.jointOrder.size()) + ":";
    const int object = part.robot ? part.robot->object : part.body->object;
    const Object& face = *world.objects[static_cast<std::size_t>(object)];
    if (part.robot)
      addSystem(spec, static_cast<const ArticulatedSystem&>(face).spec(), name, part.floats());
    else
      addBody(spec, static_cast<const SingleBodyObject&>(face).spec(), name);
  }
  merged_ = std::make_shared<World>();
  merged_->addArticulatedSystem(spec);
  WorldData& data = dataOf(*merged_);
  prepare(data);
  System& system = *data.owned[0];
  ESPALIER_REQUIRE(system.model->nq() == static_cast<int>(world.state.q.size()) &&
                       system.model->nv() == static_cast<int>(world.state.u.size()),
                   "the robots and bodies of the world do not make one system: take mode "
                   "\"accurate\"");
  system.limits.clear();
  for (const Part& part : parts)
    if (part.robot) takePassiveForces(*part.robot, system);
  system.noteActuation();
  return system;
}

/// in  collision  the first of the part's in system()
void OneRobot::placeGeoms(const WorldData& world, const Part& part, int collision) {
  for (const GeomId id : part.geoms()) {
    const int own = collision++;
    if (!id.isValid()) continue;
    const PlacedGeom& geom = world.geom(id);
    Place& place = places_[static_cast<std::size_t>(id.value)];
    if (part.robot) place.row = part.row + geom.body;
    if (geom.bodyType() == BodyType::STATIC) continue;
    place.collision = own;
    place.body = system_->model->collisions[static_cast<std::size_t>(own)].body;
  }
}

/// Rows and drives of a robot.
///   in  body    the first of its bodies in system()
///   out return  the one after its last
int OneRobot::placeBodies(const System& robot, int firstRow, int body) {
  const bool floats = robot.topology().floating, hasBase = floats || &robot == system_;
  for (int b = hasBase ? 0 : 1; b < robot.model->nb(); ++b)
    rows_[static_cast<std::size_t>(body++)] = firstRow + b;
  const auto first = drives_.begin() + robot.u0;
  std::fill_n(first, robot.model->nv(), Drive::MOTOR);
  if (floats) std::fill_n(first, 6, Drive::FORCE);
  return body;
}

}  // namespace espalier
