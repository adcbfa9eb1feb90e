#include "espalier/robot/articulated_system.h"

#include "espalier/core/check.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/step/step_data.h"

namespace espalier {

ArticulatedSystem::ArticulatedSystem(StepData& world, System& system)
    : Object(world, system.model->name), system_(system) {
  const Model& m = *system.model;
  for (const FrameInfo& f : m.frames) {
    CoordinateFrame frame;
    frame.orientation = f.X_LF.R;
    frame.position = f.X_LF.p;
    frame.parentId = frame.currentBodyId = f.body;
    frame.name = f.name;
    frame.parentName = f.parent;
    frame.bodyName = f.child;
    frame.isChild = f.kind != JointKind::Fixed && f.rotor < 0;
    frame.rotor = f.rotor;
    frame.jointType = f.kind;
    frames_.push_back(frame);
  }
  if (system.spec) visuals_ = visualsOf(*system.spec, m);
  drawnCollisions_ = visualsOfCollisions(m);
  for (const BodyTopology& b : m.topology.bodies) {
    firstU_.push_back(b.nv > 0 ? m.publicDof[b.u] : -1);
    firstQ_.push_back(b.nq > 0 ? m.publicCoordinate[b.q] : -1);
  }
}

const Model& ArticulatedSystem::model() const { return *system_.model; }

BodyType ArticulatedSystem::getBodyType(int body) const {
  return bodyAt(body) == 0 && !model().topology.floating ? BodyType::STATIC : BodyType::DYNAMIC;
}

/// Between integrate1 and integrate2 the step's own kinematics (the evaluation point's), which
/// must not be overwritten; else those of the present state. A contact callback is asked in the
/// midst of a step that may keep its kinematics elsewhere: it has a workspace of its own.
const Workspace<double>& ArticulatedSystem::kinematicsNow() const {
  if (world_.isInCallback) {
    if (!system_.callbackWs)
      system_.callbackWs = std::make_unique<Workspace<double>>(workspaceNow());
    kinematics(system_.topology(), system_.parameters, coordinatesNow(), velocitiesNow(),
               *system_.callbackWs);
    return *system_.callbackWs;
  }
  if (!world_.isBetween)
    kinematics(system_.topology(), system_.parameters, world_.qOf(system_), world_.uOf(system_),
               system_.ws);
  return system_.ws;
}

/// A workspace of the query's own, for queries that would overwrite the step's.
Workspace<double> ArticulatedSystem::workspaceNow() const {
  Workspace<double> ws(model().topology);
  kinematics(model().topology, system_.parameters, coordinatesNow(), velocitiesNow(), ws);
  return ws;
}

const double* ArticulatedSystem::coordinatesNow() const {
  return world_.isAtEvaluationPoint() ? system_.qm.data() : world_.qOf(system_);
}
const double* ArticulatedSystem::velocitiesNow() const {
  const double* u = world_.uOf(system_);
  return world_.isAtEvaluationPoint() ? system_.rates.data() : u;
}

int ArticulatedSystem::bodyAt(int body) const {
  ESPALIER_REQUIRE(body >= 0 && body < model().nb(), "there is no body " + std::to_string(body));
  return body;
}

void ArticulatedSystem::ignoreCollisionBetween(int bodyA, int bodyB) {
  requireBetweenSteps(world_);
  bodyAt(bodyA);
  bodyAt(bodyB);
  for (const PlacedGeom& a : world_.geoms)
    for (const PlacedGeom& b : world_.geoms)
      if (a.system == &system_ && a.body == bodyA && b.system == &system_ && b.body == bodyB)
        world_.scene.ignore(a.id, b.id);
  world_.isPrepared = false;
}

void ArticulatedSystem::setIntegrationScheme(Scheme scheme) {
  requireBetweenSteps(world_);
  world_.scheme = scheme;
}

}  // namespace espalier
