"""A policy at work in a World that can be looked at and recorded."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import ArticulatedSystem, World
from .policy import Policy
from .task import Task
from .vector_task import Floats

__all__ = ["Playback"]


class Playback:
    """Steps a task of one world, and a World like it that does the same.

    The World takes every step of the physics with the task's targets and pushes, so that viewers
    and recordings see all of it with contacts and forces. Before each action it is put into the
    task's state. In accurate mode that is its own already, to the bit, as long as the task's
    factors on mass and friction are 1.

        playback = Playback(task, world, Policy.load("policy.npz"), seed=1)
        with world.record("walk.esp"):
            for _ in range(500):
                playback.act()
    """

    def __init__(self, task: Task, world: World, policy: Policy, seed: int = 0) -> None:
        if task.size != 1:
            raise ValueError(f"the task has {task.size} worlds; a Playback shows one")
        if policy.observation_size != task.observation_size:
            raise ValueError(f"the policy observes {policy.observation_size} numbers and the task "
                             f"has {task.observation_size}: it was trained on another task")
        self.task, self.world, self.policy = task, world, policy
        self.robot: ArticulatedSystem = world.systems[0]
        self.episodes = 0  # that have ended
        self._over = False  # the last one has
        self._observation: Floats = task.begin(seed)
        self._follow()

    def act(self, step: Callable[[], object] | None = None) -> bool:
        """One action; whether the episode goes on behind it. Where it does not, the next action is
        the first of another one. `step` makes a step of the World, by default World.integrate: a
        viewer's is Server.step."""
        task, batch = self.task, self.task.batch
        if self._over:
            self._observation = task.restart(np.zeros(1, np.int64))
            self._follow()
        force = np.array(batch.bind("feedforward")[0], np.float64)
        wrench = np.zeros((0, 6))
        if "wrench" in batch.bound:  # else nothing can be in it
            wrench = np.array(batch.bind("wrench")[0], np.float64).reshape(-1, 6)
        pushed = np.flatnonzero(wrench.any(axis=1))
        self.world.state = batch.state(0)
        transition = task.step(self.policy.act(self._observation))
        self._command()
        self.robot.set_spanning_force(force)
        for _ in range(task.options.decimation):
            for body in pushed:
                self.robot.set_external_force(int(body), np.zeros(3), wrench[body, :3])  # at its origin
                self.robot.set_external_torque(int(body), wrench[body, 3:])
            (step or self.world.integrate)()
        self._observation = transition.observation
        self._over = bool(transition.terminated[0] or transition.truncated[0])
        self.episodes += self._over
        return not self._over

    def _follow(self) -> None:
        """Puts the World where the task's world is."""
        self.world.state = self.task.batch.state(0)
        self._command()

    def _command(self) -> None:
        of = {name: np.array(self.task.batch.bind(name)[0], np.float64)
              for name in ("target_q", "target_u", "kp", "kd")}
        self.robot.set_spanning_pd_gains(of["kp"], of["kd"])
        self.robot.set_spanning_pd_target(of["target_q"], of["target_u"])
