"""Tasks that actors make: a task of counters, and ones that fail."""
import os
import time
from pathlib import Path

from counting_task import CountingTask

from espalier.learn import make_task


def counting(num_envs, first_world):
    return CountingTask(num_envs, first_world=first_world)


def slow_first(num_envs, first_world):
    """The first worker answers last."""

    class Slow(CountingTask):
        def act(self, actions):
            time.sleep(0.1 if first_world == 0 else 0)
            super().act(actions)

    return Slow(num_envs, first_world=first_world)


def with_wrong_worlds(num_envs, first_world):
    return CountingTask(num_envs, first_world=first_world + 1)


class Failing:
    """Makes tasks; where world `world` is, the n-th action of an actor ends its process, or raises.

    file   where it is there, nothing fails; it is written by the first failure. None: each actor fails
    """

    def __init__(self, world, action, how, file=None, name=None, **options):
        self.world, self.action, self.how, self.file = world, action, how, file
        self.name, self.options = name, options

    def __call__(self, num_envs, first_world):
        task = self._task(num_envs, first_world)
        if first_world <= self.world < first_world + num_envs:
            act, count = task.act, 0

            def failing(actions):
                nonlocal count
                count += 1
                if count == self.action and not (self.file and Path(self.file).exists()):
                    self._fail()
                act(actions)

            task.act = failing
        return task

    def _task(self, num_envs, first_world):
        if self.name:
            return make_task(self.name, num_envs, first_world=first_world, **self.options)
        return CountingTask(num_envs, first_world=first_world)

    def _fail(self):
        if self.file:
            Path(self.file).touch()
        if self.how == "raise":
            raise ArithmeticError("a wheel came off")
        os._exit(1)
