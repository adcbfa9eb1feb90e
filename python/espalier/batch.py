"""Many worlds of one kind, stepped together."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _espalier as _engine
from ._espalier import World
from ._world_copy import _capture, _rebuild
from .observation import Observer, Quantity
from .spec import State

__all__ = ["Batch", "BatchReport"]

_STATE = ("q", "u", "time")
Source = Union[World, str, Path, Callable[[], World]]


class BatchReport(NamedTuple):
    """What all steps of the last step() were worth, world by world: live views [n], read only."""

    flags: NDArray[np.uint32]
    """As StepReport.flags, of any of the steps; 0: nothing went wrong."""
    residual: NDArray[Any]
    """m/s, the largest violation of the contact law."""
    closure: NDArray[Any]
    """m, or 1 for directions: the largest gap of a closed loop."""
    penetration: NDArray[Any]
    """m, of the deepest contact."""
    iterations: NDArray[np.int32]
    """Sweeps and Newton steps of the contact solvers, the sum over the steps. In throughput mode worlds of one
    register are solved together, and each has the number of the slowest."""
    uncorrected: NDArray[np.int32]
    """Steps in which contacts were solved as their penetrations are, because no motion was found that corrects
    them."""


class Batch:
    """n worlds like a given one, stepped together on all cores.

    Their numbers stand side by side: bind() gives arrays of shape [n, k] that are the batch's own
    memory, to be read and written between steps.

        batch = espalier.Batch(world, 4096)
        target = batch.bind("target_q")
        target[:, 7:] = pose
        batch.step(nstep=4)

    mode="accurate": every world's numbers are to the bit those of World.integrate() of a world alone.
    mode="throughput": registers full of worlds go through the whole step together, and the contact
    solver makes `iterations` iterations from its warm start, converged or not. In both a world's numbers
    do not depend on the number of threads, on its place in the batch or on its neighbours.
    """

    def __init__(self, source: Source, n: int, *, mode: str = "accurate", scalar: str = "double",
                 threads: int = 0, iterations: int = 32) -> None:
        """n worlds like the source.

        source      a World, which is copied; a world file; or a function that makes a World, which is
                    called a few times for each thread
        mode        "accurate" or "throughput"
        scalar      "double" or "float", which has throughput alone
        threads     0: one for each core that the process may use
        iterations  of the contact solver in throughput mode
        Errors: ValueError where an argument is wrong, or the mode lacks something that the world has.
        """
        if mode not in ("accurate", "throughput"):
            raise ValueError(f"mode is 'accurate' or 'throughput', not {mode!r}")
        if scalar not in ("double", "float"):
            raise ValueError(f"scalar is 'double' or 'float', not {scalar!r}")
        kind = _engine._BatchDouble if scalar == "double" else _engine._BatchFloat
        self._worlds: Any = kind(_maker(source), n, mode == "accurate", threads, iterations)
        self._mode, self._scalar, self._size = mode, scalar, n
        self._views: dict[str, NDArray[Any]] = {}
        self._given: dict[str, NDArray[Any]] = {}  # [k] of the source, of what was bound

    @property
    def size(self) -> int:
        """Number of worlds."""
        return self._size

    def __len__(self) -> int:
        return self._size

    @property
    def mode(self) -> str:
        """"accurate" or "throughput"."""
        return self._mode

    @property
    def scalar(self) -> str:
        """"double" or "float"."""
        return self._scalar

    @property
    def threads(self) -> int:
        """Number of threads that share the worlds."""
        return int(self._worlds.threads)

    @property
    def time_step(self) -> float:
        """s."""
        return float(self._worlds.time_step)

    @property
    def nq(self) -> int:
        """Number of coordinates of a world's State."""
        return int(self.bind("q").shape[1])

    @property
    def nu(self) -> int:
        """Number of velocities of a world's State."""
        return int(self.bind("u").shape[1])

    @property
    def names(self) -> list[str]:
        """The quantities that bind() knows."""
        return list(self._worlds.names())

    def bind(self, name: str) -> NDArray[Any]:
        """A quantity of all worlds, [n, k]: the batch's own memory, column after column.

        q [nq], u [nu], time [1]: the state, in the order of State.
        target_q [nq], target_u, feedforward, kp, kd, torque_lower, torque_upper [nu]: motors; the
        torque is kp (target_q - q) + kd (target_u - u) + feedforward, the first two taken implicitly.
        tendon_target, tendon_force [tendons]: of the tendons' actuators, those of all robots in turn: the length
        that their gains draw to, and a force (N, or N m where the length is an angle) beside them.
        wrench [6 nb]: on each body of the robots a force at its origin (N) and a torque (N m), world
        axes; it acts in all steps until it is changed.
        mass [nb], armature [nu], friction [1]: factors on the bodies' inertias, on what motors add to
        their dofs, and on all coefficients of friction.
        gravity [3]: m/s^2, world axes.
        terrain [3]: m, how far all that never moves stands from where the source has it: each world has a
        part of one large terrain of its own.
        contact_force [3 nb]: sum of the contact forces on each body in the last step (N, world axes).
        ValueError with the names where there is none of this name.
        """
        if name not in self._views:
            view = self._views[name] = self._worlds.bind(name)
            if name not in (*_STATE, "contact_force", "past_commands"):
                self._given[name] = view[0].copy()
        return self._views[name]

    def step(self, ids: ArrayLike | None = None, nstep: int = 1) -> None:
        """nstep steps of all worlds, or of some: their numbers, or a mask [n] of bool. Without the GIL."""
        if ids is None:
            self._worlds.step(nstep)
        else:
            self._worlds.step_of(self._numbers(ids), nstep)

    @staticmethod
    def step_together(batches: Sequence[Batch], nstep: int = 1) -> None:
        """nstep steps of all worlds of several batches, of different robots perhaps, shared evenly among the
        threads in one call. The numbers are those of each batch's own step().

        Errors: ValueError where a batch is there twice, or their scalars differ.
        """
        if len({batch._scalar for batch in batches}) > 1:
            raise ValueError("batches that step together are all of double or all of float")
        if len({id(batch) for batch in batches}) < len(batches):
            raise ValueError("a batch is there twice")
        if batches:
            type(batches[0]._worlds).step_together([batch._worlds for batch in batches], nstep)

    def observe(self, quantities: Iterable[Quantity | str], *, history: int = 1, delay: ArrayLike = 0,
                noise: ArrayLike = 0.0, dtype: DTypeLike = np.float32, seed: int = 0,
                first_world: int = 0) -> Observer:
        """An Observer, each call of which writes these quantities of all worlds into an array [n, m].

        quantities   Quantity, or names of quantities
        history      how many observations stand side by side, the newest first
        delay        calls by which observations are late: one number, or one a world [n]
        noise        half width of the uniform noise added to a column, in its own unit: one number, or
                     one a column; a function of seed, world, column and the number of the observation
        dtype        float32 or float64
        first_world  number of the first world for the noise, where the batch is part of a larger one
        Errors: ValueError where a name is not there, with those that are like it; where sizes do not fit.
        """
        return Observer(self, quantities, history=history, delay=delay, noise=noise, dtype=dtype, seed=seed,
                        first_world=first_world)

    def rollout(self, controls: ArrayLike, *, name: str = "feedforward", nstep: int = 1,
                record: Sequence[str] = ("q", "u")) -> dict[str, NDArray[Any]]:
        """A control after the other, each for nstep steps of all worlds; what they did, as copies.

        controls  [T, n, k], or [T, k] for the same in all worlds, of the quantity `name`, which keeps
                  the last of them
        record    names that bind() knows, taken after the nstep steps of each control; also those of
                  BatchReport, of these steps
        Returns an array [T, n, k] for each recorded name, [T, n] for those of the report. The worlds
        begin where they are: see reset(). The report is then that of the last control's steps.
        Errors: ValueError for unknown names, wrong shapes, and nstep below 1; no world is stepped then.
        """
        if isinstance(record, str):
            raise ValueError(f"record is a sequence of names: ({record!r},) in place of {record!r}")
        if name == "contact_force":
            raise ValueError("contact_force is read only, and so cannot be a control")
        if nstep < 1:
            raise ValueError(f"nstep is at least 1, not {nstep}")
        target = self.bind(name)
        report = self.report._asdict()
        views = {each: report[each] if each in report else self.bind(each) for each in record}
        inputs = np.asarray(controls, target.dtype)
        if inputs.ndim not in (2, 3) or inputs.shape[1:] not in (target.shape, target.shape[1:]):
            raise ValueError(f"controls of {name} have the shape (T, {self._size}, {target.shape[1]}) or "
                             f"(T, {target.shape[1]}), not {inputs.shape}")
        taken = {each: np.empty((len(inputs), *view.shape), view.dtype) for each, view in views.items()}
        for t, control in enumerate(inputs):
            target[:] = control
            self.step(nstep=nstep)
            for each, view in views.items():
                taken[each][t] = view
        return taken

    def reset(self, ids: ArrayLike | None = None, state: State | None = None) -> None:
        """All worlds, or some, to a State; without one to the state that the source had.

        Motors and parameters stay as they are."""
        if state is None:
            if ids is None:
                self._worlds.reset()
            else:
                self._worlds.reset_of(self._numbers(ids))
        else:
            every = range(self._size) if ids is None else self._numbers(ids)
            self._worlds.reset_to(list(every), state)

    def state(self, world: int) -> State:
        """A world as a State; a World whose property state it becomes goes on from it, in accurate mode to the bit."""
        state: State = self._worlds.state(world)
        return state

    def set_state(self, world: int, state: State) -> None:
        """Puts one world into a State."""
        self._worlds.reset_to([world], state)

    @property
    def bound(self) -> list[str]:
        """The quantities that bind() was asked for so far."""
        return list(self._views)

    def save(self, ids: ArrayLike | None = None) -> dict[str, NDArray[Any]]:
        """Copies [k, m] of what these m worlds are, or all: q, u, time, each quantity that was bound,
        past_commands where delay was, and history, which `history_size` [m] numbers of each world fill.

        Worlds go on from it to the bit in accurate mode. In throughput mode the contact solver's warm start
        and the last velocities of dependent joints are not in it: worlds go on to the bit where it was taken
        right after reset(), which forgets them, and otherwise to the solver's tolerance.
        """
        where = list(range(self._size)) if ids is None else self._numbers(ids)
        late = ("past_commands",) if "delay" in self._views else ()
        saved = {name: self.bind(name).T[:, where] for name in dict.fromkeys((*_STATE, *self._views, *late))}
        histories = [self.state(i).history for i in where] if self._mode == "accurate" else []
        sizes = np.array([len(history) for history in histories] or [0] * len(where), np.int64)
        saved["history_size"] = sizes
        saved["history"] = np.zeros((int(sizes.max(initial=0)), len(where)))
        for column, history in enumerate(histories):
            saved["history"][:len(history), column] = history
        return saved

    def restore(self, saved: Mapping[str, NDArray[Any]], ids: ArrayLike | None = None) -> None:
        """Writes what save() gave into as many worlds, these or all; their report becomes 0. What was bound after
        save() becomes that of the source again.

        Errors: ValueError for an unknown quantity, and for another number of worlds; nothing is written then.
        """
        where = list(range(self._size)) if ids is None else self._numbers(ids)
        missing = [name for name in (*_STATE, "history", "history_size") if name not in saved]
        if missing:
            raise ValueError(f"{', '.join(missing)} is missing: saved is what save() returned")
        rows = {name: values for name, values in saved.items() if not name.startswith("history")}
        for name, values in rows.items():
            wanted = (self.bind(name).shape[1], len(where))
            if values.shape != wanted:
                raise ValueError(f"{name} is saved with the shape {values.shape}, and not {wanted}")
        for column, world in enumerate(where):
            size = int(saved["history_size"][column])
            if size:
                state = State(q=rows["q"][:, column], u=rows["u"][:, column], time=float(rows["time"][0, column]),
                              history=saved["history"][:size, column])
                self.set_state(world, state)
        self._worlds.reset_of([world for world, size in zip(where, saved["history_size"]) if not size])
        for name, given in self._given.items():
            if name not in rows:
                self.bind(name)[where] = given
        for name, values in rows.items():
            self.bind(name).T[:, where] = values

    @property
    def initial_state(self) -> State:
        """The state that the source had."""
        state: State = self._worlds.initial_state()
        return state

    @property
    def report(self) -> BatchReport:
        """What the last step() was worth; 0 in worlds that were reset since."""
        return BatchReport(**self._worlds.report())

    @property
    def flags(self) -> NDArray[np.uint32]:
        """[n] report.flags."""
        return self.report.flags

    @property
    def residual(self) -> NDArray[Any]:
        """[n] m/s, report.residual."""
        return self.report.residual

    def _numbers(self, ids: ArrayLike) -> list[int]:
        chosen = np.asarray(ids)
        if chosen.dtype == bool:
            if chosen.shape != (self._size,):
                raise ValueError(f"a mask of worlds has the shape ({self._size},), not {chosen.shape}")
            numbers: list[int] = np.flatnonzero(chosen).tolist()
            return numbers
        if chosen.ndim != 1 or not (chosen.size == 0 or np.issubdtype(chosen.dtype, np.integer)):
            raise ValueError("ids are a list of integers or a mask of bool, not an array of "
                             f"{chosen.dtype} with the shape {chosen.shape}")
        chosen_numbers: list[int] = chosen.tolist()
        return chosen_numbers


def _maker(source: Source) -> Callable[[], World]:
    if isinstance(source, World):
        captured = _capture(source)
        return lambda: _rebuild(captured)
    if isinstance(source, (str, Path)):
        file = str(source)
        return lambda: World(file)
    if not callable(source):
        raise ValueError("a Batch is made from a World, from a world file, or from a function that makes "
                         f"a World, not from {source!r}")
    return source
