"""ArmReach: an arm of seven joints brings its tool to points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import Batch, Quantity, World, io
from ..arrays import Float32, Ids, Mask, Real
from ..model_files import model_file, nominal_pose
from ..motor_targets import MotorTargets
from ..serial_chain import SerialChain
from ..task import Task, TaskOptions
from ..world_random import WorldRandom

__all__ = ["ArmReach", "ArmReachOptions"]

JOINTS = tuple(f"joint{i}" for i in range(1, 8))


@dataclass(frozen=True)
class ArmReachOptions(TaskOptions):
    """kp, kd       N m/rad and N m s/rad of a motor of 100 N m; the others have in proportion
    action_scale  rad from the nominal pose for an action of 1
    spread        rad; points are where the tool is with every joint that far off at most
    seconds       from one point to the next
    """

    episode_seconds: float = 6.0
    kp: float = 800.0
    kd: float = 60.0
    action_scale: float = 1.2
    spread: float = 0.8
    seconds: float = 3.0


class ArmReach(Task):
    """The tool of arm7 follows points that it can reach; 7 actions move the joints.

    An episode ends by its time alone. The reward is greatest, 1 a second, with the tool at the point.
    """

    observation_names = (
        *(f"offset_{joint}" for joint in JOINTS),
        *(f"rate_{joint}" for joint in JOINTS),
        *(f"point_{axis}" for axis in "xyz"),
        *(f"error_{axis}" for axis in "xyz"),
        *(f"action_{joint}" for joint in JOINTS),
    )
    action_names = JOINTS
    world_arrays = ("points", "actions", "_change", "_error")
    options: ArmReachOptions

    def __init__(self, num_envs: int, options: ArmReachOptions | None = None) -> None:
        options = options or ArmReachOptions()
        self.nominal = nominal_pose("arm7")
        spec = io.load_robot(model_file("arm7"))
        self.chain = SerialChain(spec, "tool")
        effort = np.array([joint.limits.effort for joint in spec.joints if joint.name in JOINTS])

        def world() -> World:
            made = World()
            made.time_step = options.time_step
            made.add_articulated_system(model_file("arm7")).q = self.nominal
            return made

        batch = Batch(world, num_envs, mode=options.mode, scalar=options.scalar, threads=options.threads)
        super().__init__(batch, options)
        self.motors = MotorTargets(batch, self.nominal, options.action_scale,
                                   options.kp * effort / 100, options.kd * effort / 100)
        self.points = np.zeros((3, num_envs), np.float32)
        self.actions = np.zeros((len(JOINTS), num_envs), np.float32)
        self._change: Real = np.zeros_like(self.actions)
        self._error = np.zeros((3, num_envs), np.float32)
        self._tool = batch.observe([Quantity("frame_position", "tool")])
        self._observer = batch.observe([
            Quantity("q", JOINTS, offset=-self.nominal),
            Quantity("u", JOINTS, scale=0.3),
            Quantity(array=self.points.T),
            Quantity(array=self._error.T, scale=3),
            Quantity(array=self.actions.T),
        ])
        self._interval = max(1, round(options.seconds / options.control_step))

    def error(self) -> Real:
        """[3, n] m from the tool to the point"""
        np.subtract(self.points, self._tool().T, out=self._error)
        return self._error

    def observe(self, ids: Ids | None = None) -> Float32:
        where = slice(None) if ids is None else ids
        self._error[:, where] = self.points[:, where] - self._tool(ids).T
        observation: Float32 = self._observer(ids)
        return observation

    def reward(self) -> Real:
        """Half for a distance within some 20 cm, half within 3 cm; jerky actions cost a little."""
        error = self.error()
        square = (error * error).sum(axis=0)
        near = 0.5 * np.exp(-square / 0.2**2) + 0.5 * np.exp(-square / 0.03**2)
        jerk = 0.02 * (self._change * self._change).sum(axis=0)
        reward: Real = self.options.control_step * (near - jerk)
        return reward

    def terminated(self) -> Mask:
        return np.zeros(self.size, np.bool_)

    def act(self, actions: Float32) -> None:
        np.subtract(actions.T, self.actions, out=self._change)
        self.actions[...] = actions.T
        self.motors.act(self.actions)

    def after_step(self, ids: Ids) -> None:
        due = ids[self.episode_step[ids] % self._interval == 0]
        if due.size:
            self._draw_points(due, self.random)

    def reset(self, ids: Ids, random: WorldRandom) -> None:
        offsets = random.uniform(ids, -0.3, 0.3, k=len(JOINTS))
        self.motors.q[:, ids] = self.nominal[:, None] + offsets
        self.motors.u[:, ids] = 0
        self.motors.reset(ids)
        self.actions[:, ids] = 0
        self._draw_points(ids, random)

    def _draw_points(self, ids: Ids, random: WorldRandom) -> None:
        spread = self.options.spread
        q = self.nominal[:, None] + random.uniform(ids, -spread, spread, k=len(JOINTS))
        self.points[:, ids] = self.chain.tip(q)
