"""A task: what the robots of a batch observe, what they are rewarded for, and when an episode ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import Batch, Quantity, StepFlag
from .arrays import Float32, Ids, Mask, Real
from .world_random import WorldRandom
from .world_state import WorldState, get_state, observers_of, put_state

__all__ = ["Task", "TaskOptions", "Transition", "checked_actions"]


@dataclass(frozen=True)
class TaskOptions:
    """What every task can be told.

    mode, scalar, threads  of espalier.Batch
    time_step              of the physics, s
    decimation             steps of the physics for one action
    episode_seconds        an episode is truncated then
    highest_rate           rad/s or m/s; a world in which something is faster has broken down
    first_world            number of the first world, where the worlds are part of a larger batch
    """

    mode: Literal["accurate", "throughput"] = "throughput"
    scalar: Literal["double", "float"] = "float"
    threads: int = 0
    time_step: float = 0.004
    decimation: int = 5
    episode_seconds: float = 20.0
    highest_rate: float = 500.0
    first_world: int = 0

    def __post_init__(self) -> None:
        if self.time_step <= 0:
            raise ValueError(f"time_step is {self.time_step} s; it has to be positive")
        if self.decimation < 1:
            raise ValueError(f"decimation is {self.decimation}; an action takes one step or more")
        if self.episode_seconds < self.control_step:
            raise ValueError(f"episode_seconds is {self.episode_seconds}, less than one action takes "
                             f"({self.control_step:g} s)")

    @property
    def control_step(self) -> float:
        """s from one action to the next."""
        return self.time_step * self.decimation


class Transition(NamedTuple):
    """What came of one action in each world, before any world is reset."""

    observation: Float32  # [n, m]
    reward: Float32  # [n]
    terminated: Mask  # [n]
    truncated: Mask  # [n]


class Task(ABC):
    """A batch of n worlds with one robot each, and the robots' task.

    Subclasses say what is observed, rewarded and ended, in numpy over all worlds at once. Environments
    call begin(), step() and restart(). Quantities inside are [k, n] (see arrays.py).

    batch           espalier.Batch
    random          WorldRandom, the source of all that is random
    episode_step    [n] actions since the world's reset
    episode_return  [n] sum of the rewards since then
    diverged        [n] whether the last step() ended the episode because the physics broke down

    world_arrays names the attributes that state() has to hold: arrays [n] or [..., n] that change from step
    to step. A subclass names its own, and so does the class of each of its parts (see world_state.py).
    """

    observation_names: ClassVar[tuple[str, ...]]
    action_names: ClassVar[tuple[str, ...]]
    world_arrays: ClassVar[tuple[str, ...]] = ("episode_step", "episode_return", "diverged", "_seen")

    def __init__(self, batch: Batch, options: TaskOptions) -> None:
        self.batch = batch
        self.options: TaskOptions = options
        self.random = WorldRandom(batch.size, first=options.first_world)
        self.episode_length = round(options.episode_seconds / options.control_step)
        self.episode_step = np.zeros(batch.size, np.int64)
        self.episode_return = np.zeros(batch.size)
        self.diverged = np.zeros(batch.size, np.bool_)
        self._fastest = batch.observe([Quantity("u", reduction="largest")])
        # of a world that keeps its last good state because the next one could not be computed
        self._fatal = StepFlag.NOT_FINITE.value | StepFlag.SINGULAR_MASS_MATRIX.value
        self._all = np.arange(batch.size)
        self._all.setflags(write=False)

    # What a task defines.

    @abstractmethod
    def observe(self, ids: Ids | None = None) -> Float32:
        """[n, m] observations at the present state, of these worlds or of all; a new array."""

    @abstractmethod
    def reward(self) -> Real:
        """[n] rewards of the last step."""

    @abstractmethod
    def terminated(self) -> Mask:
        """[n] whether an episode has come to its end, well or badly; nothing follows."""

    def truncated(self) -> Mask:
        """[n] whether an episode is broken off though it could go on; by default for its length."""
        return self.episode_step >= self.episode_length

    @abstractmethod
    def reset(self, ids: Ids, random: WorldRandom) -> None:
        """Puts these worlds, already in the state that the batch was made with, to their start."""

    @abstractmethod
    def act(self, actions: Float32) -> None:
        """Commands the motors. actions: [n, a], each within -1 and 1."""

    def prepare(self, ids: Ids, random: WorldRandom) -> None:
        """What is drawn once for these worlds, before their first episode."""

    def after_step(self, ids: Ids) -> None:
        """What happens to these worlds by the clock: new commands, pushes."""

    def metrics(self, ids: Ids) -> dict[str, float]:
        """Means over these worlds, whose episodes have ended, that tell how training goes."""
        return {}

    # What environments call.

    @property
    def size(self) -> int:
        """Number of worlds, n."""
        return self.batch.size

    @property
    def observation_size(self) -> int:
        """Numbers in an observation, m."""
        return len(self.observation_names)

    @property
    def action_size(self) -> int:
        """Numbers in an action, a."""
        return len(self.action_names)

    def begin(self, seed: int, ids: Ids | None = None) -> Float32:
        """Starts every world, or these, anew from a seed; returns what is observed there, [n, m]."""
        started = self._all if ids is None else ids
        self.random.seed(seed, started)
        self.episode_step[started] = 0
        for _, observer in observers_of(self):
            observer.restart(started)
        self.prepare(started, self.random)
        return self.restart(started)

    def restart(self, ids: Ids) -> Float32:
        """Resets these worlds, and returns what is observed there, [len(ids), m]."""
        self.batch.reset(ids)
        self.reset(ids, self.random)
        self.episode_step[ids] = 0
        self.episode_return[ids] = 0
        self.diverged[ids] = False
        observation = self.observe(ids)
        self._seen[:, ids] = observation.T
        return observation

    def seen(self) -> Float32:
        """[n, m] the last observation of every world, a copy."""
        return self._seen.T.copy()

    @cached_property
    def _seen(self) -> Float32:
        """[m, n], though each world's numbers are side by side."""
        return np.zeros((self.size, self.observation_size), np.float32).T

    def step(self, actions: ArrayLike, ids: Ids | None = None) -> Transition:
        """One action, [n, a], in every world, or in these alone.

        Where ids are given, what is returned for the other worlds means nothing, and they have to be
        reset before they go on. A world whose physics broke down ends its episode there: it is
        terminated, its reward and its observation are zeros.
        """
        self.act(checked_actions(actions, self.size, self.action_size))
        are_most = ids is None or 2 * ids.size > self.size  # neighbours cost less than a list of worlds
        self.batch.step(None if are_most else ids, self.options.decimation)
        self.episode_step += 1
        self.after_step(self._all if ids is None else ids)
        self.diverged = self._broke_down()
        reward = self.reward().astype(np.float32)
        terminated = self.terminated() | self.diverged
        observation = self.observe()
        if self.diverged.any():
            observation[self.diverged] = reward[self.diverged] = 0
        self._seen.T[...] = observation
        self.episode_return += reward
        return Transition(observation, reward, terminated, self.truncated() & ~terminated)

    def state(self, ids: Ids | None = None) -> WorldState:
        """Copies of all that changes in these worlds, or in all, random streams and physics included.

        Another task of the same options goes on from it to the bit, where the batch does: in accurate mode
        always, in throughput mode from the moment at which a world was reset (see Batch.save()).
        """
        return get_state(self, ids)

    def set_state(self, state: Mapping[str, NDArray[Any]], ids: Ids | None = None) -> None:
        """Writes what state() gave into as many worlds, these or all.

        Errors: ValueError where the state is of another task, or of another number of worlds.
        """
        put_state(self, state, ids)

    def _broke_down(self) -> Mask:
        """[n] whether the next state could not be computed, or is far from anything real."""
        too_fast = self._fastest()[:, 0] > self.options.highest_rate
        broken: Mask = too_fast | ((self.batch.flags & self._fatal) != 0)
        return broken


def checked_actions(actions: ArrayLike, n: int, size: int) -> Float32:
    """Actions [n, size], clipped to -1 and 1; a new array. ValueError for other shapes, NaN and infinity."""
    array = np.asarray(actions, np.float32)
    if array.shape != (n, size):
        raise ValueError(f"actions have the shape {array.shape}, not {(n, size)}: one row a world")
    if not np.isfinite(array).all():
        world = int(np.flatnonzero(~np.isfinite(array).all(axis=1))[0])
        raise ValueError(f"the action of world {world} is not finite: {array[world]}")
    return np.clip(array, -1, 1)

