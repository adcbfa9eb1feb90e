"""Stand-ins for Stable-Baselines3, rsl_rl and torch, which are too heavy for this project's tests.

What the adapters use of them is recorded here; test_adapters.py compares the record with the real
packages where they are installed.
"""
import abc
import inspect
import sys
import types

import numpy as np

# Of Stable-Baselines3 2.9: abstract methods of VecEnv with the names of their arguments.
STABLE_BASELINES3 = {
    "reset": ["self"],
    "step_async": ["self", "actions"],
    "step_wait": ["self"],
    "close": ["self"],
    "get_attr": ["self", "attr_name", "indices"],
    "set_attr": ["self", "attr_name", "value", "indices"],
    "env_method": ["self", "method_name", "method_args", "indices", "method_kwargs"],
    "env_is_wrapped": ["self", "wrapper_class", "indices"],
}
# Of rsl_rl 5.5: the same, and the attributes that its runner reads.
RSL_RL = {"get_observations": ["self"], "step": ["self", "actions"]}
RSL_RL_ATTRIBUTES = ["num_envs", "num_actions", "max_episode_length", "episode_length_buf", "device", "cfg"]


def arguments(method):
    return list(inspect.signature(method).parameters)


def abstract_class(name, methods, **members):
    """A class with these abstract methods."""
    for method in methods:
        members[method] = abc.abstractmethod(lambda self: None)
    return abc.ABCMeta(name, (), members)


def vec_env_init(self, num_envs, observation_space, action_space):
    self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
    self.render_mode = self.get_attr("render_mode")[0]


def vec_env_step(self, actions):
    self.step_async(actions)
    return self.step_wait()


class Tensor(np.ndarray):
    """As much of a tensor as the adapter uses, on numpy's memory."""

    def detach(self):
        return self

    def cpu(self):
        return self

    def to(self, device):
        return self

    def numpy(self):
        return np.asarray(self)


class TensorDict(dict):
    def __init__(self, source, batch_size):
        super().__init__(source)
        self.batch_size = batch_size


def module(name, **members):
    made = types.ModuleType(name)
    vars(made).update(members)
    return made


def install(monkeypatch):
    """Puts the stand-ins where Python looks for modules."""
    vec_env = abstract_class("VecEnv", STABLE_BASELINES3, __init__=vec_env_init, step=vec_env_step)
    for made in (
        module("stable_baselines3", __path__=[]),
        module("stable_baselines3.common", __path__=[]),
        module("stable_baselines3.common.vec_env", VecEnv=vec_env),
        module("torch", from_numpy=lambda array: array.view(Tensor), device=str),
        module("tensordict", TensorDict=TensorDict),
        module("rsl_rl", __path__=[]),
        module("rsl_rl.env", VecEnv=abstract_class("VecEnv", RSL_RL)),
    ):
        monkeypatch.setitem(sys.modules, made.__name__, made)
    for name in ("stable_baselines3", "rsl_rl"):  # what is imported over them goes with them
        monkeypatch.setitem(sys.modules, f"espalier.learn.{name}", None)
        del sys.modules[f"espalier.learn.{name}"]
