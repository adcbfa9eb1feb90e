"""BeestSteer: a walking machine of two cranks and 72 bars takes the headings that it is told."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import Batch, Quantity, World
from ..arrays import Float32, Ids, Mask, Real
from ..base_motion import BaseMotion
from ..model_files import model_file, nominal_pose
from ..rotations import yaw_of, yaw_quaternion
from ..task import Task, TaskOptions
from ..world_random import WorldRandom

__all__ = ["BeestSteer", "BeestSteerOptions", "steer"]

CRANKS = ("right_crank", "left_crank")


@dataclass(frozen=True)
class BeestSteerOptions(TaskOptions):
    """kd          N m s/rad of the motors, which hold a speed
    action_scale  rad/s of a crank for an action of 1
    turn          rad; a new heading is that far from the last one at most
    seconds       from one heading to the next
    pace          m/s forward, for which the reward is whole
    tilt          rad; further over is a fall
    """

    episode_seconds: float = 60.0
    kd: float = 15.0
    action_scale: float = 5.0
    turn: float = 1.0
    seconds: float = 20.0
    pace: float = 0.4
    tilt: float = 0.6


class BeestSteer(Task):
    """The machine walks on a plane, in the direction it is told; 2 actions are the speeds of its cranks.

    Its twelve legs are Jansen's linkages, closed loops in the step: the cranks are all that can be driven.
    The reward is 1 a second on course at the pace.
    """

    observation_names = (
        *(f"velocity_{axis}" for axis in "xyz"),
        *(f"rate_{axis}" for axis in "xyz"),
        *(f"gravity_{axis}" for axis in "xyz"),
        "heading_sin",
        "heading_cos",
        *(f"{f}_{crank}" for f in ("sin", "cos") for crank in CRANKS),
        *(f"rate_{crank}" for crank in CRANKS),
        *(f"action_{crank}" for crank in CRANKS),
    )
    action_names = CRANKS
    world_arrays = ("heading", "actions", "_change", "_course", "_phase")
    options: BeestSteerOptions

    def __init__(self, num_envs: int, options: BeestSteerOptions | None = None) -> None:
        options = options or BeestSteerOptions()
        self.nominal = nominal_pose("beest_steered")

        def world() -> World:
            made = World()
            made.time_step = options.time_step
            made.add_ground()
            made.add_articulated_system(model_file("beest_steered")).q = self.nominal
            return made

        batch = Batch(world, num_envs, mode=options.mode, scalar=options.scalar, threads=options.threads)
        super().__init__(batch, options)
        joints = world().systems[0].movable_joint_names  # the base's is first
        self._cranks = [5 + joints.index(crank) for crank in CRANKS]
        self.motion = BaseMotion(batch)
        self.heading = np.zeros(num_envs, np.float32)
        self.actions = np.zeros((2, num_envs), np.float32)
        self._change: Real = np.zeros_like(self.actions)
        self._course = np.zeros((2, num_envs), np.float32)
        self._phase = np.zeros((4, num_envs), np.float32)
        self._q, self._kd = batch.bind("q").T, batch.bind("kd").T
        self._speed = batch.bind("target_u").T
        self._observer = batch.observe([
            Quantity("frame_velocity", axes="frame"),
            Quantity("frame_angular_velocity", axes="frame"),
            "gravity",
            Quantity(array=self._course.T),
            Quantity(array=self._phase.T),
            Quantity("u", CRANKS, scale=1 / options.action_scale),
            Quantity(array=self.actions.T),
        ])
        self._interval = max(1, round(options.seconds / options.control_step))

    def error(self) -> Real:
        """[n] rad to the left from where the machine looks to the heading, within -pi and pi"""
        away = self.heading - yaw_of(self.motion.q[3:7])
        error: Real = (away + np.pi) % (2 * np.pi) - np.pi
        return error

    def observe(self, ids: Ids | None = None) -> Float32:
        error = self.error()
        self._course[0], self._course[1] = np.sin(error), np.cos(error)
        angle = self._q[[1 + crank for crank in self._cranks]]
        self._phase[:2], self._phase[2:] = np.sin(angle), np.cos(angle)
        observation: Float32 = self._observer(ids)
        return observation

    def reward(self) -> Real:
        """On course, and forward; jerky actions cost a little."""
        course = np.exp(-((self.error() / 0.4) ** 2))
        pace = np.clip(self.motion.velocity[0] / self.options.pace, 0, 1)
        jerk = 0.01 * (self._change * self._change).sum(axis=0)
        reward: Real = self.options.control_step * (course * (0.5 + 0.5 * pace) - jerk)
        return reward

    def terminated(self) -> Mask:
        fell: Mask = self.motion.up[2] < np.cos(self.options.tilt)
        return fell

    def act(self, actions: Float32) -> None:
        np.subtract(actions.T, self.actions, out=self._change)
        self.actions[...] = actions.T
        self._speed[self._cranks] = self.options.action_scale * self.actions

    def after_step(self, ids: Ids) -> None:
        self.motion.update()
        due = ids[self.episode_step[ids] % self._interval == 0]
        if due.size:
            self._draw_headings(due, self.random)

    def reset(self, ids: Ids, random: WorldRandom) -> None:
        yaw = random.uniform(ids, -np.pi, np.pi)[0]
        self.motion.q[3:7, ids] = yaw_quaternion(yaw)
        self._kd[:, ids] = 0
        for crank in self._cranks:
            self._kd[crank, ids] = self.options.kd
        self._speed[:, ids] = 0
        self.actions[:, ids] = 0
        self.motion.update(ids)
        self.heading[ids] = yaw
        self._draw_headings(ids, random)

    def _draw_headings(self, ids: Ids, random: WorldRandom) -> None:
        turn = self.options.turn
        self.heading[ids] += random.uniform(ids, -turn, turn)[0]


def steer(observation: Float32) -> Float32:
    """Actions [n, 2] that do the task: both cranks forward, the one on the inside of the curve slower.

    observation  [n, m] of BeestSteer
    """
    sin, cos = (observation[:, BeestSteer.observation_names.index(name)]
                for name in ("heading_sin", "heading_cos"))
    left = np.clip(1.5 * np.arctan2(sin, cos), -0.5, 0.5)
    actions: Float32 = np.stack([0.5 + left, 0.5 - left], axis=1).astype(np.float32)
    return actions
