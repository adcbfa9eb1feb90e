"""Base class of tasks in which a biped follows a commanded velocity and a gait clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ... import Batch, Quantity, World, load
from ..arrays import Float32, Ids, Mask, Real
from ..commands import CommandOptions
from ..model_files import model_file, nominal_pose
from ..motor_targets import MotorTargets
from ..pushes import PushOptions
from ..rotations import yaw_quaternion
from ..world_random import WorldRandom
from .clocked_rewards import TERMS, Weights
from .walk_task import WalkOptions, WalkTask

__all__ = ["ClockedWalk", "ClockedWalkOptions", "observation_names"]


@dataclass(frozen=True)
class ClockedWalkOptions(WalkOptions):
    """kp, kd        N m/rad, N m s/rad of the motors of a leg, in the order of the actions
    action_scale  rad from the nominal pose for an action of 1
    period        s, of two steps
    swing         share of the period that a foot is to be in the air
    lift          m, how high
    height        m of the pelvis; lower is a fall
    """

    time_step: float = 0.003
    decimation: int = 8
    commands: CommandOptions = field(default_factory=lambda: CommandOptions(
        vx=(-0.3, 1.0), vy=(-0.2, 0.2), yaw_rate=(-0.4, 0.4), least=0.1))
    pushes: PushOptions = field(default_factory=lambda: PushOptions(impulse=8.0))
    weights: Weights = field(default_factory=Weights)
    load: tuple[float, float] = (0.9, 1.15)
    friction: tuple[float, float] = (0.6, 1.25)
    tilt: float = 0.7
    kp: tuple[float, ...] = ()
    kd: tuple[float, ...] = ()
    action_scale: float = 0.4
    period: float = 0.75
    swing: float = 0.42
    lift: float = 0.08
    height: float = 0.65


def observation_names(joints: Sequence[str], springs: Sequence[str] = ()) -> tuple[str, ...]:
    """Of a task with these motors and springs."""
    return (
        *(f"velocity_{axis}" for axis in "xyz"),
        *(f"rate_{axis}" for axis in "xyz"),
        *(f"gravity_{axis}" for axis in "xyz"),
        "command_vx", "command_vy", "command_yaw_rate",
        "clock_sin", "clock_cos",
        *(f"offset_{joint}" for joint in joints),
        *(f"rate_{joint}" for joint in joints),
        *(f"deflection_{spring}" for spring in springs),
        *(f"action_{joint}" for joint in joints),
    )


class ClockedWalk(WalkTask):
    """A biped follows a commanded velocity (vx, vy, rate of yaw) on a plane; actions move the motors of its legs.

    The rewards follow a clock, which gives the phase of each foot: whether it swings, and how high. At a commanded
    velocity of zero the robot steps in place. An episode ends when the pelvis tilts or sinks.

    model    its name in models/
    springs  joints whose deflection is observed
    hips     joints of hip roll and yaw, whose deviation from the nominal pose is penalized
    feet     links, left and right, whose frames have their origins `ankle` m above the soles
    level    axes of the feet, x and y, that are to be level
    held     motors that hold the nominal pose, with gains kp and kd

    foot_gravity  [k, n] components of gravity's unit vector along these axes of the feet
    hip_squares   [n] rad^2, sum of the squares of the hips' angles
    """

    model: ClassVar[str]
    springs: ClassVar[tuple[str, ...]] = ()
    hips: ClassVar[tuple[str, ...]]
    feet: ClassVar[tuple[str, str]]
    ankle: ClassVar[float]
    level: ClassVar[tuple[int, ...]] = (0,)
    held: ClassVar[dict[str, tuple[float, float]]] = {}
    world_arrays = ("start", "_clock")
    options: ClockedWalkOptions
    hip_squares: Real

    def __init__(self, num_envs: int, options: ClockedWalkOptions) -> None:
        self.nominal = nominal_pose(self.model)
        batch = Batch(lambda: self._world(options), num_envs, mode=options.mode, scalar=options.scalar,
                      threads=options.threads)
        pose = self._pose(batch, self.action_names)
        motors = MotorTargets(batch, pose, options.action_scale, 2 * options.kp, 2 * options.kd, self.action_names)
        super().__init__(batch, options, motors, TERMS, options.weights, [
            Quantity("contact", self.feet, threshold=1),
            Quantity("frame_position", self.feet),
            Quantity("frame_velocity", self.feet),
            Quantity("gravity", self.feet),
            Quantity("q", self.hips, offset=-self._pose(batch, self.hips), reduction="squares"),
        ])
        self._touching = self.measured[0:2]
        self._foot_position = self.measured[2:8]
        self._foot_velocity = self.measured[8:14]
        self._foot_gravity = self.measured[14:20]
        self.hip_squares = self.measured[20]
        self.start = np.zeros(num_envs, np.float32)  # of the clock, as a share of the period
        self._clock = np.zeros((2, num_envs), np.float32)
        self._observer = batch.observe([
            Quantity("frame_velocity", axes="frame", scale=2),
            Quantity("frame_angular_velocity", axes="frame", scale=0.25),
            "gravity",
            Quantity(array=self.commands.values.T, scale=(2, 2, 2)),
            Quantity(array=self._clock.T),
            Quantity("q", self.action_names, scale=2, offset=-2 * pose),
            Quantity("u", self.action_names, scale=0.1),
            *([Quantity("q", self.springs, scale=10)] if self.springs else []),
            Quantity(array=self.actions.T),
        ])

    def make_world(self) -> World:
        return self._world(self.options)

    def _world(self, options: ClockedWalkOptions) -> World:
        world = World()
        world.time_step = options.time_step
        world.add_ground()
        robot = world.add_articulated_system(model_file(self.model))
        robot.q = self.nominal
        if self.held:
            gains = np.array([self.held.get(name, (0.0, 0.0)) for name in load(model_file(self.model)).dof_names()]).T
            robot.set_pd_gains(*gains)
            robot.set_pd_target(robot.q)
        return world

    @staticmethod
    def _pose(batch: Batch, joints: Sequence[str]) -> Real:
        """Angles of these joints in the state that the batch was made with."""
        pose: Real = batch.observe([Quantity("q", joints)], dtype=float)(np.array([0]))[0]
        return pose

    @property
    def foot_height(self) -> Real:
        """[2, n] m, of the soles above the ground"""
        height: Real = self._foot_position[2::3] - self.ankle
        return height

    @property
    def foot_speed(self) -> Real:
        """[2, n] (m/s)^2, squares of the feet's horizontal velocities"""
        speed: Real = self._foot_velocity[0::3] ** 2 + self._foot_velocity[1::3] ** 2
        return speed

    @property
    def foot_gravity(self) -> Real:
        gravity: Real = self._foot_gravity.reshape(2, 3, -1)[:, self.level].reshape(2 * len(self.level), -1)
        return gravity

    def touching(self) -> Mask:
        """[2, n] whether the contact force on a foot is larger than 1 N"""
        touching: Mask = self._touching > 0
        return touching

    def clock(self) -> Real:
        """[2, n] where each foot is in its cycle, from 0 to 1; it swings first"""
        phase = self.start + self.episode_step * (self.options.control_step / self.options.period)
        return np.stack([phase % 1, (phase + 0.5) % 1]).astype(np.float32)

    def swinging(self) -> Mask:
        """[2, n] whether a foot is to be in the air"""
        swinging: Mask = self.clock() < self.options.swing
        return swinging

    def swing_height(self) -> Real:
        """[2, n] m, how high a foot is to be while it swings"""
        height: Real = self.options.lift * np.sin(np.pi * self.clock() / self.options.swing)
        return height

    def observe(self, ids: Ids | None = None) -> Float32:
        angle = 2 * np.pi * self.clock()[0]
        self._clock[0], self._clock[1] = np.sin(angle), np.cos(angle)
        observation: Float32 = self._observer(ids)
        return observation

    def terminated(self) -> Mask:
        self._fallen = self.tilted() | (self.motion.position[2] < self.options.height)
        return self._fallen

    def place(self, ids: Ids, random: WorldRandom) -> None:
        """In the nominal pose, with a random heading, phase of the clock, and small velocity of the base."""
        self.start[ids] = random.uniform(ids, 0, 1)[0]
        reach = np.repeat([np.pi, 0.2], [1, 6])
        drawn = random.uniform(ids, -reach, reach, k=reach.size)
        self.motion.q[3:7, ids] = yaw_quaternion(drawn[0])
        self.motion.u[:, ids] = drawn[1:]
