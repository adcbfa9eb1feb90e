"""A Gaussian policy and its critic: two networks on the same scaled observations, one file."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .network import Mlp, Tape
from .normalizer import Normalizer
from .vector_task import Floats

FORMAT = "espalier policy 1"


class Policy:
    """Actions are a ~ N(actor(x), diag(std^2)), the value of a state is critic(x), where x are the
    observations scaled by `normalizer`.

    parameters  flat vector: actor, log std [action_size], critic; the views below are into it
    """

    def __init__(self, observation_size: int, action_size: int, hidden: Sequence[int] = (128, 128),
                 activation: str = "elu") -> None:
        self.hidden = tuple(hidden)
        self.activation = activation
        actor_sizes = (observation_size, *self.hidden, action_size)
        critic_sizes = (observation_size, *self.hidden, 1)
        first = Mlp.parameter_count(actor_sizes)
        second = first + action_size
        self._parts = (slice(0, first), slice(first, second), slice(second, None))
        count = second + Mlp.parameter_count(critic_sizes)
        self.parameters: Floats = np.zeros(count, np.float32)
        actor, log_std, critic = self.split(self.parameters)
        self.actor = Mlp(actor_sizes, activation, actor)
        self.log_std = log_std
        self.critic = Mlp(critic_sizes, activation, critic)
        self.normalizer = Normalizer(observation_size)
        self._tape: Tape | None = None
        self._scaled: Floats = np.zeros((0, observation_size), np.float32)

    @property
    def observation_size(self) -> int:
        return self.actor.sizes[0]

    @property
    def action_size(self) -> int:
        return self.actor.sizes[-1]

    def split(self, flat: Floats) -> tuple[Floats, Floats, Floats]:
        """Views of a vector like `parameters`: actor, log std, critic."""
        actor, log_std, critic = self._parts
        return flat[actor], flat[log_std], flat[critic]

    def initialize(self, rng: np.random.Generator, std: float = 1.0) -> None:
        """Random weights; the actor's last layer is small, so that the first actions are near 0."""
        inner = [float(np.sqrt(2))] * len(self.hidden)
        self.actor.initialize(rng, [*inner, 0.01])
        self.critic.initialize(rng, [*inner, 1.0])
        self.log_std[...] = np.log(std)

    def act(self, observations: Floats) -> Floats:
        """The mean actions [n, action_size] for observations [n, observation_size], or those of
        one observation; valid until the next call."""
        rows = np.atleast_2d(observations)
        if rows.shape[1] != self.observation_size:
            raise ValueError(f"the policy observes {self.observation_size} numbers, and was given "
                             f"{rows.shape[1]}: was it trained on another task?")
        if self._tape is None or len(self._scaled) < len(rows):
            self._tape = self.actor.tape(len(rows))
            self._scaled = np.zeros(rows.shape, np.float32)
        scaled = self._scaled[:len(rows)]
        self.normalizer.apply(rows, scaled)
        return self.actor.forward(scaled, self._tape).reshape(*np.shape(observations)[:-1], -1)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles have their own parameters, and their networks are views of those."""
        return Policy.of_arrays, (self.arrays(),)

    def save(self, file: str | os.PathLike[str], *, critic: bool = True) -> None:
        """Writes an .npz file, without the critic if that is not wanted. The same policy gives the same
        bytes in every array."""
        arrays: dict[str, Any] = self.arrays(critic=critic)
        with open(file, "wb") as stream:  # under exactly this name: savez would append .npz
            np.savez(stream, **arrays)

    @staticmethod
    def load(file: str | os.PathLike[str]) -> Policy:
        """What save() wrote. ValueError where the file is something else."""
        name = os.fspath(file)
        with open(file, "rb") as stream:
            try:
                with np.load(stream, allow_pickle=False) as held:
                    return Policy.of_arrays(dict(held))
            except (ValueError, KeyError, TypeError, AttributeError, EOFError,
                    zipfile.BadZipFile) as error:
                raise ValueError(f"{name}: not a policy of {FORMAT!r} as Policy.save() writes: "
                                 f"{error}") from error

    def arrays(self, *, critic: bool = True) -> dict[str, NDArray[Any]]:
        """All that makes the policy: head (JSON), parameters, normalizer_*; not copied. Without the critic
        the parameters end before it."""
        kept = self.parameters if critic else self.parameters[:self._parts[1].stop]
        head = {"format": FORMAT, "observation_size": self.observation_size,
                "action_size": self.action_size, "hidden": self.hidden,
                "activation": self.activation}
        scaling = {f"normalizer_{key}": value for key, value in self.normalizer.arrays().items()}
        return {"head": np.array(json.dumps(head)), "parameters": kept, **scaling}

    @staticmethod
    def of_arrays(arrays: Mapping[str, NDArray[Any]]) -> Policy:
        """The policy that arrays() was of; a critic that is not there has random weights, always the same.
        ValueError or KeyError where it was none."""
        head = json.loads(str(arrays["head"]))
        if head["format"] != FORMAT:
            raise ValueError(f"its format is {head['format']!r}")
        policy = Policy(head["observation_size"], head["action_size"], head["hidden"],
                        head["activation"])
        parameters = arrays["parameters"]
        without_critic = policy._parts[1].stop
        if parameters.shape == (without_critic,):
            policy.initialize(np.random.default_rng(0))
            parameters = np.concatenate([parameters, policy.parameters[without_critic:]])
        if parameters.shape != policy.parameters.shape:
            raise ValueError(f"{parameters.size} parameters for networks with "
                             f"{policy.parameters.size}")
        policy.parameters[...] = parameters
        policy.normalizer.restore({key.removeprefix("normalizer_"): value
                                   for key, value in arrays.items() if key.startswith("normalizer_")})
        return policy
