#pragma once

// For code that comes from RaiSim: include this in place of raisim/World.hpp and
// raisim/RaisimServer.hpp, and its namespace `raisim` is there, with everything of espalier and RaiSim's
// names where ours mean something else.
// docs/coming_from_raisim.md says what differs.
//
//   #include "espalier/raisim.h"
//   raisim::World world;
//   std::vector<raisim::Sphere*> balls = {world.addSphere(0.1, 1)};

#include "espalier/raisim_log.h"
#include "espalier/raisim_program.h"
#include "espalier/server/server.h"
#include "espalier/world/world.h"

namespace raisim {

using namespace espalier;

using RaisimServer = espalier::Server;
/// One shape that is drawn; espalier::Visuals is all of them.
using Visuals = espalier::Visual;

using RayCollisionList = espalier::RayHits;
using RayCollisionItem = espalier::RayTestResult;

/// raisim::Shape::Box and raisim::Shape::Type::Box; espalier::Shape is the variant of all shapes.
namespace Shape {
using Type = espalier::ShapeType;
using enum espalier::ShapeType;
}  // namespace Shape

namespace ControlMode {
using Type = espalier::ControlMode;
using enum espalier::ControlMode;
}  // namespace ControlMode

using enum espalier::ObjectType;

}  // namespace raisim
