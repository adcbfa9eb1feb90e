#pragma once

// The parts in which Python's ArticulatedSystem is bound, one for each theme of the header.

#include "bind_members.h"
#include "casters.h"
#include "espalier/robot/articulated_system.h"
#include "object_handle.h"
#include "part_handle.h"
#include "robot_args.h"

namespace espalier::python {

using Robot = ArticulatedSystem;
using RobotClass = nb::class_<HandleOf<Robot>, HandleOf<Object>>;

/// An overload of a getter without arguments.
template <class R>
using RobotGetter = R (Robot::*)() const;

/// A setter that no getter tells of, its last call noted for copies of the World; calls for
/// different bodies count as different ones.
template <class... A>
auto noted(const char* setter, void (Robot::*f)(A...)) {
  return [setter, f](HandleOf<Robot>& handle, const std::decay_t<A>&... arguments) {
    (static_cast<Robot&>(handle.use()).*f)(arguments...);
    const nb::tuple call = nb::make_tuple(arguments...);
    nb::object key = nb::str(setter);
    if constexpr ((std::is_same_v<std::decay_t<A>, int> && ...)) key = nb::make_tuple(key, call);
    handle.world->callsOfRobot[handle.object][key] = nb::make_tuple(setter, call);
  };
}

void bindArticulatedParts(nb::module_& m);  ///< joints, links, frames, collision bodies, visuals
void bindNames(RobotClass& robot);
void bindState(RobotClass& robot);
void bindActuation(RobotClass& robot);
void bindJointProperties(RobotClass& robot);
void bindForces(RobotClass& robot);
void bindDynamics(RobotClass& robot);
void bindFrames(RobotClass& robot);
void bindJacobians(RobotClass& robot);
void bindDescription(RobotClass& robot);

}  // namespace espalier::python
