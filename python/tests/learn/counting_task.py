"""A task without physics, whose every number can be told in advance."""
import numpy as np

from espalier.learn import Task, TaskOptions


class CountingBatch:
    """The part of espalier.Batch that Task itself uses; a world's state is how often it was stepped."""

    mode, bound = "accurate", ["u"]

    def __init__(self, size):
        self.size = size
        self.count = np.zeros(size, np.int64)
        self.flags = np.zeros(size, np.uint32)
        self.u = np.zeros((size, 1))

    def bind(self, name):
        assert name == "u"
        return self.u

    def observe(self, quantities):
        return lambda: np.abs(self.u)

    def step(self, ids=None, nstep=1):
        self.count[slice(None) if ids is None else ids] += nstep

    def reset(self, ids):
        self.count[ids] = 0
        self.flags[ids] = 0
        self.u[ids] = 0

    def save(self, ids=None):
        where = slice(None) if ids is None else ids
        return {"count": self.count[where].copy(), "flags": self.flags[where].copy(), "u": self.u.T[:, where].copy()}

    def restore(self, saved, ids=None):
        where = slice(None) if ids is None else ids
        self.count[where], self.flags[where], self.u[where] = saved["count"], saved["flags"], saved["u"].T


class CountingTask(Task):
    """World i of all terminates after i + 2 actions; all are truncated after 4. Observed are the world's number, its
    steps, its last action, and a number drawn at the reset; the reward is the first action."""

    observation_names = ("world", "count", "action", "drawn")
    action_names = ("first", "second")
    world_arrays = ("actions", "drawn")

    def __init__(self, size, **options):
        super().__init__(CountingBatch(size), TaskOptions(**{"episode_seconds": 0.08, **options}))
        self.actions = np.zeros((2, size), np.float32)
        self.drawn = np.zeros(size)
        self.world = np.arange(size) + self.options.first_world
        self.world.setflags(write=False)

    def observe(self, ids=None):
        where = slice(None) if ids is None else ids
        rows = [self.world, self.batch.count, self.actions[0], self.drawn]
        return np.stack([row[where] for row in rows], axis=1).astype(np.float32)

    def reward(self):
        return self.actions[0]

    def terminated(self):
        return self.episode_step >= self.world + 2

    def metrics(self, ids):
        return {"mean_world": float(ids.mean())}

    def act(self, actions):
        self.actions = actions.T.copy()

    def reset(self, ids, random):
        self.actions[:, ids] = 0
        self.drawn[ids] = random.uniform(ids, 0, 1)[0]
