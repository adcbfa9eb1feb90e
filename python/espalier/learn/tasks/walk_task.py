"""Base class of tasks in which a robot follows a commanded velocity."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ... import Batch, Quantity, World
from ..arrays import Float32, Ids, Mask, Real
from ..base_motion import BaseMotion
from ..commands import CommandOptions, VelocityCommands
from ..motor_targets import MotorTargets
from ..pushes import Pushes, PushOptions
from ..task import Task, TaskOptions
from ..weighted_rewards import WeightedRewards
from ..world_random import WorldRandom

__all__ = ["WalkOptions", "WalkTask"]


@dataclass(frozen=True)
class WalkOptions(TaskOptions):
    """Ranges are drawn from anew at each reset.

    load      factor on the mass of the base
    friction  factor on the coefficient of the ground
    strength  factor on the motors' gains
    delay     s, by which the motors follow their targets late; (0, 0): none
    tilt      rad; further over is a fall
    """

    commands: CommandOptions = field(default_factory=CommandOptions)
    pushes: PushOptions = field(default_factory=PushOptions)
    load: tuple[float, float] = (0.85, 1.25)
    friction: tuple[float, float] = (0.5, 1.25)
    strength: tuple[float, float] = (0.9, 1.1)
    delay: tuple[float, float] = (0, 0)
    tilt: float = 1.0


class WalkTask(Task):
    """A robot on a floating base follows a commanded velocity (vx, vy, rate of yaw); actions are targets
    of its motors.

    torque, acceleration, action_change, offset  [n] sums of the squares over all motors, for the rewards
    """

    world_arrays: ClassVar[tuple[str, ...]] = ("actions", "last_actions", "last_rates", "_fallen")
    options: WalkOptions
    torque: Real
    acceleration: Real
    action_change: Real
    offset: Real

    def __init__(self, batch: Batch, options: WalkOptions, motors: MotorTargets,
                 terms: Mapping[str, Callable[[Any], Real]], weights: object,
                 measured: Sequence[Quantity] = ()) -> None:
        """measured: further quantities for the rewards; their columns become self.measured [k, n]"""
        super().__init__(batch, options)
        n, joints = batch.size, self.action_names
        self.motors = motors
        self.actions = np.zeros((len(joints), n), np.float32)
        self.last_actions = np.zeros_like(self.actions)
        self.last_rates = np.zeros_like(motors.u)
        self.motion = BaseMotion(batch, [
            Quantity("torque", joints, reduction="squares"),
            Quantity("u", joints, minus=self.last_rates.T, scale=1 / options.control_step, reduction="squares"),
            Quantity(array=self.actions.T, minus=self.last_actions.T, reduction="squares"),
            Quantity("q", joints, offset=-motors.pose, reduction="squares"),
            *measured,
        ])
        self.torque, self.acceleration, self.action_change, self.offset = self.motion.others[:4]
        self.measured = self.motion.others[4:]
        self.commands = VelocityCommands(n, options.commands, options.control_step)
        self.pushes = Pushes(batch, options.pushes, options.control_step)
        self.rewards: WeightedRewards[Any] = WeightedRewards(n, terms, weights)
        self._mass = batch.bind("mass").T
        self._friction = batch.bind("friction").T
        # Commands on their way take memory and time, so only where they are asked for.
        self._delay = batch.bind("delay").T if any(options.delay) else None
        self._fallen = np.zeros(n, np.bool_)

    @abstractmethod
    def make_world(self) -> World:
        """A World like those of the batch, to look at or to record."""

    @abstractmethod
    def place(self, ids: Ids, random: WorldRandom) -> None:
        """Puts these worlds' robots to where an episode starts."""

    def reward(self) -> Real:
        return self.rewards.compute(self, self.options.control_step)

    def tilted(self) -> Mask:
        """[n] whether the base is further over than options.tilt"""
        tilted: Mask = self.motion.up[2] < np.cos(self.options.tilt)
        return tilted

    def metrics(self, ids: Ids) -> dict[str, float]:
        """What each term of the reward gave in a second, and the share that fell."""
        seconds = self.episode_step[ids] * self.options.control_step
        terms = {name: float((sums[ids] / seconds).mean()) for name, sums in self.rewards.sums.items()}
        return {**terms, "fell": float(self._fallen[ids].mean())}

    def act(self, actions: Float32) -> None:
        self.last_actions[...] = self.actions
        self.actions[...] = actions.T
        self.last_rates[...] = self.motors.u
        self.motors.act(self.actions)

    def after_step(self, ids: Ids) -> None:
        self.motion.update()
        self.follow()
        self.commands.draw_due(ids, self.episode_step, self.random)
        self.pushes.after_step(ids, self.episode_step, self.random)

    def follow(self) -> None:
        """Updates what a task records of each step; called before the next command is drawn."""

    def reset(self, ids: Ids, random: WorldRandom) -> None:
        options = self.options
        low, high = zip(options.load, options.friction, options.strength, strict=True)
        self._mass[0, ids], self._friction[0, ids], strength = random.uniform(ids, low, high, k=3)
        if self._delay is not None:
            self._delay[0, ids] = random.uniform(ids, *options.delay)[0]
        self.motors.reset(ids, strength)
        self.commands.draw(ids, random)
        self.pushes.reset(ids, random)
        self.rewards.clear(ids)
        self.actions[:, ids] = 0
        self.place(ids, random)
        self.motion.update(ids)
