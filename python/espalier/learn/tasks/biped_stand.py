"""BipedStand: a humanoid of 60 kg keeps its balance while it is pushed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ... import Batch, Quantity, World
from ..arrays import Float32, Ids, Mask, Real
from ..base_motion import BaseMotion
from ..model_files import model_file, nominal_pose
from ..motor_targets import MotorTargets
from ..pushes import Pushes, PushOptions
from ..rotations import yaw_quaternion
from ..task import Task, TaskOptions
from ..world_random import WorldRandom

__all__ = ["BipedStand", "BipedStandOptions"]

LEG = ("hip_yaw", "hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll")
ARM = ("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow")
TRUNK = ("waist_yaw", "waist_roll", "waist_pitch", "neck_yaw", "neck_pitch")
JOINTS = (*(f"{side}_{joint}" for side in "LR" for joint in LEG), *TRUNK,
          *(f"{side}_{joint}" for side in "LR" for joint in ARM))


@dataclass(frozen=True)
class BipedStandOptions(TaskOptions):
    """kp, kd       N m/rad, N m s/rad; too soft to stand by themselves
    action_scale  rad from the nominal pose for an action of 1
    load          factor on the mass of the pelvis, drawn at each reset
    tilt          rad; further over is a fall
    height        m of the pelvis; lower is a fall
    """

    episode_seconds: float = 10.0
    pushes: PushOptions = field(default_factory=lambda: PushOptions(impulse=15.0, seconds=2.5))
    kp: float = 300.0
    kd: float = 10.0
    action_scale: float = 0.2
    load: tuple[float, float] = (0.8, 1.2)
    tilt: float = 0.8
    height: float = 0.6


class BipedStand(Task):
    """The biped stays upright, where it is, near its nominal pose; 25 actions move its joints."""

    observation_names = (
        *(f"velocity_{axis}" for axis in "xyz"),
        *(f"rate_{axis}" for axis in "xyz"),
        *(f"gravity_{axis}" for axis in "xyz"),
        *(f"offset_{joint}" for joint in JOINTS),
        *(f"rate_{joint}" for joint in JOINTS),
        *(f"action_{joint}" for joint in JOINTS),
    )
    action_names = JOINTS
    world_arrays = ("actions", "_change")
    options: BipedStandOptions

    def __init__(self, num_envs: int, options: BipedStandOptions | None = None) -> None:
        options = options or BipedStandOptions()
        self.nominal = nominal_pose("biped")

        def world() -> World:
            made = World()
            made.time_step = options.time_step
            made.add_ground()
            made.add_articulated_system(model_file("biped")).q = self.nominal
            return made

        batch = Batch(world, num_envs, mode=options.mode, scalar=options.scalar, threads=options.threads)
        super().__init__(batch, options)
        self.motion = BaseMotion(batch)
        self.motors = MotorTargets(batch, self.nominal[7:], options.action_scale, options.kp, options.kd)
        self.pushes = Pushes(batch, options.pushes, options.control_step)
        self.actions = np.zeros((len(JOINTS), num_envs), np.float32)
        self._change: Real = np.zeros_like(self.actions)
        self._mass = batch.bind("mass").T
        self._observer = batch.observe([
            Quantity("frame_velocity", axes="frame", scale=2),
            Quantity("frame_angular_velocity", axes="frame", scale=0.25),
            "gravity",
            Quantity("q", JOINTS, offset=-self.nominal[7:]),
            Quantity("u", JOINTS, scale=0.05),
            Quantity(array=self.actions.T),
        ])

    def observe(self, ids: Ids | None = None) -> Float32:
        observation: Float32 = self._observer(ids)
        return observation

    def reward(self) -> Real:
        """1 a second at rest, upright, in the nominal pose; never negative."""
        motion, offsets = self.motion, self.motors.offsets()
        velocity = motion.velocity[0] ** 2 + motion.velocity[1] ** 2
        tilt = motion.up[0] ** 2 + motion.up[1] ** 2
        height = motion.position[2] - self.nominal[2]
        good = (0.4 * np.exp(-10 * tilt) + 0.3 * np.exp(-4 * velocity) + 0.2 * np.exp(-100 * height * height)
                + 0.1 * np.exp(-0.5 * (offsets * offsets).sum(axis=0)))
        effort = 1e-6 * (self.motors.torque() ** 2).sum(axis=0)
        jerk = 0.003 * (self._change * self._change).sum(axis=0)
        reward: Real = self.options.control_step * np.maximum(good - effort - jerk, 0)
        return reward

    def terminated(self) -> Mask:
        fell: Mask = ((self.motion.up[2] < np.cos(self.options.tilt))
                      | (self.motion.position[2] < self.options.height))
        return fell

    def act(self, actions: Float32) -> None:
        np.subtract(actions.T, self.actions, out=self._change)
        self.actions[...] = actions.T
        self.motors.act(self.actions)

    def after_step(self, ids: Ids) -> None:
        self.motion.update()
        self.pushes.after_step(ids, self.episode_step, self.random)

    def reset(self, ids: Ids, random: WorldRandom) -> None:
        q = np.repeat(self.nominal[:, None], ids.size, axis=1)
        q[3:7] = yaw_quaternion(random.uniform(ids, -np.pi, np.pi)[0])
        q[7:] += random.uniform(ids, -0.03, 0.03, k=len(JOINTS))
        self.motion.q[:, ids] = q[:7]
        self.motion.u[:, ids] = random.uniform(ids, -0.1, 0.1, k=6)
        self.motors.q[:, ids] = q[7:]
        self.motors.u[:, ids] = 0
        self.motors.reset(ids)
        self._mass[0, ids] = random.uniform(ids, *self.options.load)
        self.pushes.reset(ids, random)
        self.actions[:, ids] = 0
        self.motion.update(ids)
