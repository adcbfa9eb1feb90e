"""StriderWalk: a quadruped of 30 kg walks as it is told, over rough ground."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ... import Batch, Quantity, World
from ..arrays import Float32, Ids, Mask, Real
from ..base_motion import BaseMotion
from ..commands import CommandOptions, VelocityCommands
from ..curriculum import Curriculum
from ..feet import Feet
from ..model_files import model_file, nominal_pose
from ..motor_targets import MotorTargets
from ..pushes import Pushes, PushOptions
from ..rotations import yaw_quaternion
from ..task import Task, TaskOptions
from ..terrain import Terrain, TerrainOptions
from ..world_random import WorldRandom
from .strider_rewards import Rewards, Weights

__all__ = ["StriderWalk", "StriderWalkOptions"]

LEGS = ("LF", "RF", "LH", "RH")
# Where the ground is looked at before a robot is put there: x and y, m, from its middle.
BELOW = np.stack(np.meshgrid([-0.45, -0.15, 0.15, 0.45], [-0.45, -0.15, 0.15, 0.45])).reshape(2, -1)
JOINTS = tuple(f"{leg}_{joint}" for leg in LEGS for joint in ("HAA", "HFE", "KFE"))
# Links whose contacts count.
TOUCHING = ("base", *(f"{leg}_thigh" for leg in LEGS), *(f"{leg}_shank" for leg in LEGS))


@dataclass(frozen=True)
class StriderWalkOptions(TaskOptions):
    """Ranges are drawn from anew at each reset.

    rough          on the tiles of `terrain`; else on a plane
    highest_start  level of the terrain that worlds begin on at most
    kp, kd         N m/rad, N m s/rad
    action_scale   rad from the nominal pose for an action of 1
    load           factor on the mass of the base
    friction       factor on the coefficient of the ground
    strength       factor on kp and kd
    tilt           rad; further over is a fall
    """

    rough: bool = True
    terrain: TerrainOptions = field(default_factory=TerrainOptions)
    highest_start: int = 2
    commands: CommandOptions = field(default_factory=CommandOptions)
    pushes: PushOptions = field(default_factory=PushOptions)
    weights: Weights = field(default_factory=Weights)
    kp: float = 100.0
    kd: float = 4.0
    action_scale: float = 0.5
    load: tuple[float, float] = (0.85, 1.25)
    friction: tuple[float, float] = (0.5, 1.25)
    strength: tuple[float, float] = (0.9, 1.1)
    tilt: float = 1.0


class StriderWalk(Task):
    """The strider follows a commanded velocity (vx, vy, rate of yaw); 12 actions move its joints.

    An episode ends when the base touches something or tilts, and is broken off after its time or past
    the border of the terrain. Observations are scaled to numbers around 1.

    torque, acceleration, action_change, offset  [n] sums of the squares over all joints, for the rewards
    base, thighs, shanks                         their places in TOUCHING
    """

    observation_names = (
        *(f"velocity_{axis}" for axis in "xyz"),
        *(f"rate_{axis}" for axis in "xyz"),
        *(f"gravity_{axis}" for axis in "xyz"),
        "command_vx", "command_vy", "command_yaw_rate",
        *(f"offset_{joint}" for joint in JOINTS),
        *(f"rate_{joint}" for joint in JOINTS),
        *(f"action_{joint}" for joint in JOINTS),
    )
    action_names = JOINTS
    world_arrays = ("actions", "last_actions", "last_rates", "_fallen")
    options: StriderWalkOptions
    base, thighs, shanks = slice(0, 1), slice(1, 5), slice(5, 9)
    torque: Real
    acceleration: Real
    action_change: Real
    offset: Real

    def __init__(self, num_envs: int, options: StriderWalkOptions | None = None) -> None:
        options = options or StriderWalkOptions()
        self.terrain = Terrain(options.terrain) if options.rough else None
        self.nominal = nominal_pose("strider")
        batch = Batch(lambda: self._world(options), num_envs, mode=options.mode, scalar=options.scalar,
                      threads=options.threads)
        super().__init__(batch, options)

        self.motors = MotorTargets(batch, self.nominal[7:], options.action_scale, options.kp, options.kd)
        self.actions = np.zeros((len(JOINTS), num_envs), np.float32)
        self.last_actions = np.zeros_like(self.actions)
        self.last_rates = np.zeros_like(self.motors.u)
        self.motion = BaseMotion(batch, self._measured())
        self.torque, self.acceleration, self.action_change, self.offset = self.motion.others[:4]
        self._touching = self.motion.others[4:]
        self.commands = VelocityCommands(num_envs, options.commands, options.control_step)
        self.pushes = Pushes(batch, options.pushes, options.control_step)
        self.curriculum = Curriculum(num_envs, options.terrain, options.highest_start)
        self.rewards = Rewards(num_envs, options.weights)
        self.feet = Feet(len(LEGS), num_envs)
        self._mass = batch.bind("mass").T
        self._friction = batch.bind("friction").T
        self._fallen = np.zeros(num_envs, np.bool_)
        self._observer = batch.observe([
            Quantity("frame_velocity", axes="frame", scale=2),
            Quantity("frame_angular_velocity", axes="frame", scale=0.25),
            "gravity",
            Quantity(array=self.commands.values.T, scale=(2, 2, 0.25)),
            Quantity("q", JOINTS, offset=-self.nominal[7:]),
            Quantity("u", JOINTS, scale=0.05),
            Quantity(array=self.actions.T),
        ])

    def make_world(self) -> World:
        """A World like those of the batch, to look at or to record."""
        return self._world(self.options)

    def _world(self, options: StriderWalkOptions) -> World:
        """One robot on its ground, in the nominal pose."""
        world = World()
        world.time_step = options.time_step
        if self.terrain:
            self.terrain.add_to(world)
        else:
            world.add_ground()
        robot = world.add_articulated_system(model_file("strider"))
        robot.q = self.nominal
        return world

    def prepare(self, ids: Ids, random: WorldRandom) -> None:
        self.curriculum.begin(ids, random)

    def _measured(self) -> list[Quantity]:
        """Sums over the joints [n] for the rewards: torque^2, acceleration^2, change of the action^2,
        offset^2; then which of TOUCHING touch something."""
        last_rates, last_actions = self.last_rates.T, self.last_actions.T
        return [
            Quantity("torque", JOINTS, reduction="squares"),
            Quantity("u", JOINTS, minus=last_rates, scale=1 / self.options.control_step, reduction="squares"),
            Quantity(array=self.actions.T, minus=last_actions, reduction="squares"),
            Quantity("q", JOINTS, offset=-self.nominal[7:], reduction="squares"),
            Quantity("contact", TOUCHING, threshold=1),
        ]

    def touches(self, bodies: slice) -> Mask:
        """[k, n] whether the contact force on these k of TOUCHING is larger than 1 N"""
        touching: Mask = self._touching[bodies] > 0
        return touching

    def observe(self, ids: Ids | None = None) -> Float32:
        observation: Float32 = self._observer(ids)
        return observation

    def reward(self) -> Real:
        return self.rewards.compute(self)

    def terminated(self) -> Mask:
        tilted = self.motion.up[2] < np.cos(self.options.tilt)
        self._fallen = tilted | self.touches(self.base)[0]
        return self._fallen

    def truncated(self) -> Mask:
        over = super().truncated()
        return over | self.terrain.is_beyond(self.motion.position[:2]) if self.terrain else over

    def metrics(self, ids: Ids) -> dict[str, float]:
        """What each term of the reward gave in a second, the share that fell, and the terrain's level."""
        seconds = self.episode_step[ids] * self.options.control_step
        terms = {name: float((sums[ids] / seconds).mean()) for name, sums in self.rewards.sums.items()}
        return {**terms, "fell": float(self._fallen[ids].mean()),
                "level": float(self.curriculum.level[ids].mean())}

    def act(self, actions: Float32) -> None:
        self.last_actions[...] = self.actions
        self.actions[...] = actions.T
        self.last_rates[...] = self.motors.u
        self.motors.act(self.actions)

    def after_step(self, ids: Ids) -> None:
        dt = self.options.control_step
        self.motion.update()
        self.feet.update(self.touches(self.shanks), dt)
        commands = self.commands
        self.curriculum.add(self.motion.velocity[:2], commands.values[:2], commands.speed, dt)
        commands.draw_due(ids, self.episode_step, self.random)
        self.pushes.after_step(ids, self.episode_step, self.random)

    def reset(self, ids: Ids, random: WorldRandom) -> None:
        options = self.options
        ran = ids[self.episode_step[ids] > 0]
        self.curriculum.advance(ran, self._fallen[ran], random)
        low, high = zip(options.load, options.friction, options.strength, strict=True)
        self._mass[0, ids], self._friction[0, ids], strength = random.uniform(ids, low, high, k=3)
        self.motors.reset(ids, strength)
        self.commands.draw(ids, random)
        self.pushes.reset(ids, random)
        self.rewards.clear(ids)
        self.feet.reset(ids)
        self.actions[:, ids] = 0
        self._place(ids, random)
        self.motion.update(ids)

    def _place(self, ids: Ids, random: WorldRandom) -> None:
        """Near the middle of the tile, anyhow turned, joints and velocities a little off."""
        q = np.repeat(self.nominal[:, None], ids.size, axis=1)
        reach = np.repeat([0.3, np.pi, 0.1, 0.3], [2, 1, len(JOINTS), 6])  # x and y, yaw, joints, velocities
        drawn = random.uniform(ids, -reach, reach, k=reach.size)
        q[:2] = drawn[:2]
        q[3:7] = yaw_quaternion(drawn[2])
        q[7:] += drawn[3:-6]
        if self.terrain:
            q[:2] += self.terrain.middle(self.curriculum.level[ids], self.curriculum.kind[ids])
            q[2] += self._ground_below(q[:2])
        self.batch.bind("q").T[:, ids] = q
        self.batch.bind("u").T[:6, ids] = drawn[-6:]

    def _ground_below(self, xy: Real) -> Real:
        """[n] m, the highest ground within the reach of the feet."""
        assert self.terrain
        around = xy[:, None, :] + BELOW[:, :, None]
        highest: Real = self.terrain.height(around.reshape(2, -1)).reshape(around.shape[1:]).max(axis=0)
        return highest
