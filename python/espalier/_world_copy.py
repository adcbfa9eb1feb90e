"""Copies of Worlds: what pickle, copy.copy and copy.deepcopy do with one."""

from __future__ import annotations

from typing import Any, Callable

from ._espalier import ArticulatedSystem, Object, Scheme, SingleBodyObject, World
from .spec import BodySpec, PlacedSystemSpec

# What a robot is set to by properties; the order matters where one changes another.
_ROBOT_PROPERTIES = ("joint_limits", "joint_velocity_limits", "joint_damping", "joint_friction",
                     "spring_stiffness", "spring_mount", "torque_limits")
_BODY_PROPERTIES = ("linear_damping", "angular_damping", "appearance")
# Methods of a World that its getters and its spec do not tell of, in the order to repeat them in.
_WORLD_CALLS = ("set_contact_solver_param", "set_contact_margin", "set_max_contacts",
                "set_sleeping")


def _robot_settings(robot: ArticulatedSystem) -> dict[str, Any]:
    kp, kd = robot.pd_gains
    q, u = robot.pd_target
    return {
        "properties": {name: getattr(robot, name) for name in _ROBOT_PROPERTIES},
        "spherical": {j: robot.spherical_limits(j) for j in range(1, robot.number_of_joints)
                      if robot.joint_type(j).name == "SPHERICAL"},
        "actuation": (robot.actuation_upper_limits, robot.actuation_lower_limits),
        "gains": (kp, kd),
        "target": (q, u),
        "force": robot.feed_forward_generalized_force,
        "tendons": (robot.tendon_gains, robot.tendon_target, robot.tendon_force),
        "inverse_dynamics": robot.computes_inverse_dynamics,
        "calls": robot._noted_calls(),
        "mode": robot.control_mode,
    }


def _set_robot(robot: ArticulatedSystem, settings: dict[str, Any]) -> None:
    for name, value in settings["properties"].items():
        setattr(robot, name, value)
    for joint, limits in settings["spherical"].items():
        robot.set_spherical_limits(joint, limits)
    for call, arguments in settings["calls"]:
        getattr(robot, call)(*arguments)
    robot.set_actuation_limits(*settings["actuation"])
    robot.set_pd_gains(*settings["gains"])
    robot.set_pd_target(*settings["target"])
    robot.set_generalized_force(settings["force"])
    gains, target, robot.tendon_force = settings["tendons"]
    robot.set_tendon_gains(*gains)
    robot.set_tendon_target(*target)
    robot.set_compute_inverse_dynamics(settings["inverse_dynamics"])
    robot.control_mode = settings["mode"]


def _capture(world: World) -> dict[str, Any]:
    spec = world.spec()
    if world._weld_count:
        raise ValueError("a World with welds cannot be copied: detach() them, or build the copy "
                         "by code")
    if world._has_contact_callback:
        raise ValueError("a World with a contact callback cannot be copied: set it to None, and "
                         "set it in both Worlds afterwards")
    return {
        "spec": spec,
        "kinds": [isinstance(thing, ArticulatedSystem) for thing in world.obj_list],
        "names": [thing.name for thing in world.obj_list],
        "robots": [_robot_settings(robot) for robot in world.systems],
        "bodies": [{name: getattr(body, name) for name in _BODY_PROPERTIES}
                   for body in world.obj_list if isinstance(body, SingleBodyObject)],
        "scheme": world.integration_scheme.name,
        "monitoring": world.energy_monitoring,
        "calls": world._noted_calls(),
        "keyframes": world._keyframes(),
        "checkpoint": world.save_checkpoint(),
    }


def _rebuild(captured: dict[str, Any]) -> World:
    world = World()
    spec = captured["spec"]
    world.gravity = spec.gravity
    world.time_step = spec.time_step
    world.set_erp(spec.erp, spec.slop)
    world.max_depenetration_velocity = spec.max_depenetration_velocity
    world.set_default_material(spec.default_material)
    for pair in spec.materials:
        world.set_material_pair_prop(pair)
    world.integration_scheme = Scheme[captured["scheme"]]
    world.energy_monitoring = captured["monitoring"]
    for call in _WORLD_CALLS:
        if call in captured["calls"]:
            getattr(world, call)(*captured["calls"][call])
    _add_objects(world, captured)
    for name, checkpoint in captured["keyframes"].items():
        world.restore_checkpoint(checkpoint)
        world.save_keyframe(name)
    world.restore_checkpoint(captured["checkpoint"])
    return world


def _add_objects(world: World, captured: dict[str, Any]) -> None:
    robots, bodies = iter(captured["spec"].systems), iter(captured["spec"].bodies)
    for is_robot, name in zip(captured["kinds"], captured["names"]):
        added: Object = (_add_robot(world, next(robots)) if is_robot
                         else _add_body(world, next(bodies)))
        added.name = name
    for robot, settings in zip(world.systems, captured["robots"]):
        _set_robot(robot, settings)
    single = [body for body in world.obj_list if isinstance(body, SingleBodyObject)]
    for body, settings in zip(single, captured["bodies"]):
        for name, value in settings.items():
            setattr(body, name, value)


def _add_robot(world: World, placed: PlacedSystemSpec) -> ArticulatedSystem:
    return world.add_articulated_system(placed.system)


def _add_body(world: World, spec: BodySpec) -> SingleBodyObject:
    return world.add_body(spec)


def reduce(world: World) -> tuple[Callable[[dict[str, Any]], World], tuple[dict[str, Any]]]:
    """What pickle keeps of a World."""
    return _rebuild, (_capture(world),)


def copy_world(world: World) -> World:
    """A World that goes on bit for bit as the given one does; the same as copy.deepcopy() and as
    what pickle gives.

    In it: objects in their order, with all edits that World.spec() tells of; state, warm start and
    remembered momenta (World.save_checkpoint()); gains, targets, limits, springs, dampers and
    feedforward of joints and tendons; materials, gravity, scheme and settings of World; keyframes. Not in it:
    external forces set for the next step, the contacts of the last step, and where reset() without
    a keyframe goes, which is the pose that an object is added in. ValueError where there are welds
    or a contact callback, where a robot came as a compiled Model, or collides with its parents
    (ArticulatedSystemOption).
    """
    return _rebuild(_capture(world))
