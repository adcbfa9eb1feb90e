"""CassieWalk: a biped with the springs and rods of Cassie walks as it is told."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ... import Batch, Quantity, World
from ..arrays import Float32, Ids, Mask, Real
from ..commands import CommandOptions
from ..model_files import model_file, nominal_pose
from ..motor_targets import MotorTargets
from ..pushes import PushOptions
from ..rotations import yaw_quaternion
from ..world_random import WorldRandom
from .cassie_rewards import TERMS, Weights
from .walk_task import WalkOptions, WalkTask

__all__ = ["CassieWalk", "CassieWalkOptions"]

MOTORS = ("hip_roll", "hip_yaw", "hip_pitch", "knee", "crank")
JOINTS = tuple(f"{side}_{motor}" for side in "LR" for motor in MOTORS)
SPRINGS = tuple(f"{side}_{spring}" for side in "LR" for spring in ("shin", "heel_spring"))
HIPS = tuple(f"{side}_{joint}" for side in "LR" for joint in ("hip_roll", "hip_yaw"))
FEET = ("L_foot_link", "R_foot_link")
ANKLE = 0.057  # m, the foot's origin above its sole


@dataclass(frozen=True)
class CassieWalkOptions(WalkOptions):
    """kp, kd        N m/rad, N m s/rad of hip roll, yaw, pitch, knee and crank
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
    pushes: PushOptions = field(default_factory=lambda: PushOptions(impulse=6.0))
    weights: Weights = field(default_factory=Weights)
    load: tuple[float, float] = (0.9, 1.15)
    friction: tuple[float, float] = (0.6, 1.25)
    tilt: float = 0.7
    kp: tuple[float, ...] = (150.0, 100.0, 200.0, 250.0, 60.0)
    kd: tuple[float, ...] = (6.0, 4.0, 8.0, 10.0, 2.0)
    action_scale: float = 0.4
    period: float = 0.75
    swing: float = 0.42
    lift: float = 0.08
    height: float = 0.65


class CassieWalk(WalkTask):
    """The biped follows a commanded velocity (vx, vy, rate of yaw) on a plane; 10 actions move its motors.

    What is rewarded is a walk by a clock: which foot is to be in the air, and how high. Where it is told to
    stand it steps in place. An episode ends when the pelvis tilts or sinks.

    foot_height   [2, n] m, of the soles above the ground
    foot_speed    [2, n] (m/s)^2, squares of the feet's horizontal velocities
    foot_gravity  [2, n] component of gravity's unit vector along the feet
    hips          [n] rad^2, squares of the angles of hip roll and yaw
    """

    observation_names = (
        *(f"velocity_{axis}" for axis in "xyz"),
        *(f"rate_{axis}" for axis in "xyz"),
        *(f"gravity_{axis}" for axis in "xyz"),
        "command_vx", "command_vy", "command_yaw_rate",
        "clock_sin", "clock_cos",
        *(f"offset_{joint}" for joint in JOINTS),
        *(f"rate_{joint}" for joint in JOINTS),
        *(f"deflection_{spring}" for spring in SPRINGS),
        *(f"action_{joint}" for joint in JOINTS),
    )
    action_names = JOINTS
    world_arrays = ("start", "_clock")
    push_input = "feedforward"
    options: CassieWalkOptions
    foot_gravity: Real
    hips: Real

    def __init__(self, num_envs: int, options: CassieWalkOptions | None = None) -> None:
        options = options or CassieWalkOptions()
        self.nominal = nominal_pose("cassie_like")
        batch = Batch(lambda: self._world(options), num_envs, mode=options.mode, scalar=options.scalar,
                      threads=options.threads)
        # In the nominal pose all joints are at zero.
        motors = MotorTargets(batch, np.zeros(len(JOINTS)), options.action_scale, 2 * options.kp, 2 * options.kd,
                              JOINTS)
        super().__init__(batch, options, motors, TERMS, options.weights, [
            Quantity("contact", FEET, threshold=1),
            Quantity("frame_position", FEET),
            Quantity("frame_velocity", FEET),
            Quantity("gravity", FEET),
            Quantity("q", HIPS, reduction="squares"),
        ])
        self._touching = self.measured[0:2]
        self._foot_position = self.measured[2:8]
        self._foot_velocity = self.measured[8:14]
        self.foot_gravity = self.measured[14:20:3]
        self.hips = self.measured[20]
        self.start = np.zeros(num_envs, np.float32)  # of the clock, as a share of the period
        self._clock = np.zeros((2, num_envs), np.float32)
        self._observer = batch.observe([
            Quantity("frame_velocity", axes="frame", scale=2),
            Quantity("frame_angular_velocity", axes="frame", scale=0.25),
            "gravity",
            Quantity(array=self.commands.values.T, scale=(2, 2, 2)),
            Quantity(array=self._clock.T),
            Quantity("q", JOINTS, scale=2),
            Quantity("u", JOINTS, scale=0.1),
            Quantity("q", SPRINGS, scale=10),
            Quantity(array=self.actions.T),
        ])

    def make_world(self) -> World:
        return self._world(self.options)

    def _world(self, options: CassieWalkOptions) -> World:
        world = World()
        world.time_step = options.time_step
        world.add_ground()
        world.add_articulated_system(model_file("cassie_like")).q = self.nominal
        return world

    @property
    def foot_height(self) -> Real:
        height: Real = self._foot_position[2::3] - ANKLE
        return height

    @property
    def foot_speed(self) -> Real:
        speed: Real = self._foot_velocity[0::3] ** 2 + self._foot_velocity[1::3] ** 2
        return speed

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
        """Anyhow turned, hips and velocities a little off, the clock anywhere."""
        self.start[ids] = random.uniform(ids, 0, 1)[0]
        reach = np.repeat([np.pi, 0.2], [1, 6])
        drawn = random.uniform(ids, -reach, reach, k=reach.size)
        self.motion.q[3:7, ids] = yaw_quaternion(drawn[0])
        self.motion.u[:, ids] = drawn[1:]
