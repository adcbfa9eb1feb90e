"""StriderWalk: a quadruped of 30 kg walks as it is told, over rough ground."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ... import Batch, Quantity, World
from ..arrays import Float32, Ids, Mask, Real
from ..curriculum import Curriculum
from ..feet import Feet
from ..model_files import model_file, nominal_pose
from ..motor_targets import MotorTargets
from ..rotations import yaw_quaternion
from ..terrain import Terrain, TerrainOptions
from ..world_random import WorldRandom
from .strider_rewards import TERMS, Weights
from .walk_task import WalkOptions, WalkTask

__all__ = ["StriderWalk", "StriderWalkOptions"]

LEGS = ("LF", "RF", "LH", "RH")
# Where the ground is looked at before a robot is put there: x and y, m, from its middle.
BELOW = np.stack(np.meshgrid([-0.45, -0.15, 0.15, 0.45], [-0.45, -0.15, 0.15, 0.45])).reshape(2, -1)
JOINTS = tuple(f"{leg}_{joint}" for leg in LEGS for joint in ("HAA", "HFE", "KFE"))
# Links whose contacts count.
TOUCHING = ("base", *(f"{leg}_thigh" for leg in LEGS), *(f"{leg}_shank" for leg in LEGS))


@dataclass(frozen=True)
class StriderWalkOptions(WalkOptions):
    """rough          on the tiles of `terrain`; else on a plane
    highest_start  level of the terrain that worlds begin on at most
    kp, kd         N m/rad, N m s/rad
    action_scale   rad from the nominal pose for an action of 1
    """

    rough: bool = True
    terrain: TerrainOptions = field(default_factory=TerrainOptions)
    highest_start: int = 2
    weights: Weights = field(default_factory=Weights)
    kp: float = 100.0
    kd: float = 4.0
    action_scale: float = 0.5


class StriderWalk(WalkTask):
    """The strider follows a commanded velocity (vx, vy, rate of yaw); 12 actions move its joints.

    An episode ends when the base touches something or tilts, and is broken off after its time or past
    the border of the terrain. Observations are scaled to numbers around 1.

    base, thighs, shanks  their places in TOUCHING
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
    options: StriderWalkOptions
    base, thighs, shanks = slice(0, 1), slice(1, 5), slice(5, 9)

    def __init__(self, num_envs: int, options: StriderWalkOptions | None = None) -> None:
        options = options or StriderWalkOptions()
        self.terrain = Terrain(options.terrain) if options.rough else None
        self.nominal = nominal_pose("strider")
        batch = Batch(lambda: self._world(options), num_envs, mode=options.mode, scalar=options.scalar,
                      threads=options.threads)
        motors = MotorTargets(batch, self.nominal[7:], options.action_scale, options.kp, options.kd)
        super().__init__(batch, options, motors, TERMS, options.weights,
                         [Quantity("contact", TOUCHING, threshold=1)])
        self.curriculum = Curriculum(num_envs, options.terrain, options.highest_start)
        self.feet = Feet(len(LEGS), num_envs)
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

    def touches(self, bodies: slice) -> Mask:
        """[k, n] whether the contact force on these k of TOUCHING is larger than 1 N"""
        touching: Mask = self.measured[bodies] > 0
        return touching

    def observe(self, ids: Ids | None = None) -> Float32:
        observation: Float32 = self._observer(ids)
        return observation

    def terminated(self) -> Mask:
        self._fallen = self.tilted() | self.touches(self.base)[0]
        return self._fallen

    def truncated(self) -> Mask:
        over = super().truncated()
        return over | self.terrain.is_beyond(self.motion.position[:2]) if self.terrain else over

    def metrics(self, ids: Ids) -> dict[str, float]:
        """The terrain's mean level, too."""
        return {**super().metrics(ids), "level": float(self.curriculum.level[ids].mean())}

    def follow(self) -> None:
        dt = self.options.control_step
        self.feet.update(self.touches(self.shanks), dt)
        self.curriculum.add(self.motion.velocity[:2], self.commands.values[:2], self.commands.speed, dt)

    def reset(self, ids: Ids, random: WorldRandom) -> None:
        ran = ids[self.episode_step[ids] > 0]
        self.curriculum.advance(ran, self._fallen[ran], random)
        self.feet.reset(ids)
        super().reset(ids, random)

    def place(self, ids: Ids, random: WorldRandom) -> None:
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
