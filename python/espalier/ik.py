"""Inverse kinematics of frames: damped least squares within the joints' limits, through closed loops
too.

    found = espalier.inverse_kinematics(model, {"tool": X_WF, "elbow": p_W})
    found.q, found.success

Each iteration takes the step d [nv] of the independent joints that solves

    min |W (J d - r)|^2 + damping |d|^2    with    lower <= q + G d <= upper

for the residuals r of all targets: p_target - p, and the rotation vector of R_target R^T, whose exact
Jacobian is in J. Limits that d would pass are held as equations. The damping follows the gain of
every step (Nielsen 1999): a step that does not bring the targets nearer is not taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ._espalier import JointKind, Model, ModelDynamics, info, joint_places, neutral_coordinate
from ._peer_coordinates import Array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["InverseKinematics", "inverse_kinematics"]

Frame = str | int
Flags = NDArray[np.bool_]
Places = NDArray[np.int_]

LONGEST_STEP = 0.7  # rad or m of any independent joint in one iteration
LEAST_GAIN = 1e-10  # relative decrease of the residual below which an attempt ends
CLOSED_LIMIT = 1e-6  # rad or m by which a dependent joint may pass its limit in the end
CURVED_LIMIT = 1e-2  # the same on the way


@dataclass(frozen=True)
class InverseKinematics:
    """What inverse_kinematics() has found: the best of its attempts."""

    q: Array
    """(nq,) of the independent joints."""
    spanning_q: Array
    """q of all joints (spanning nq,), which says how loops are bent."""
    error: float
    """The largest of all targets' errors: m or rad."""
    errors: dict[Frame, Array]
    """Of each target p_target - p (3,), m; of a pose before it the rotation left, (6,), rad; world."""
    success: bool
    """Whether all errors are within the tolerances, and all joints within their limits."""
    iterations: int
    """Over all attempts."""
    attempts: int

    def __repr__(self) -> str:
        done = "reached" if self.success else "not reached"
        return (
            f"InverseKinematics: {done}, error {self.error:.3g} after {self.iterations} iterations "
            f"in {self.attempts} attempts"
        )


@dataclass
class _Target:
    frame: Frame
    p: Array
    R: Array | None
    rotation_weight: float
    position_weight: float

    def residual(self, at: ModelDynamics) -> Array:
        """(6,) rotation and position left, or (3,) position alone."""
        X = at.frame_pose(self.frame)
        p: Array = self.p - X[:3, 3]
        return p if self.R is None else np.concatenate([_vector_of(self.R @ X[:3, :3].T), p])

    def weights(self) -> Array:
        w = np.full(3, self.position_weight)
        return w if self.R is None else np.concatenate([np.full(3, self.rotation_weight), w])

    def jacobian(self, at: ModelDynamics, residual: Array) -> Array:
        """How the residual falls: (6, nv) or (3, nv)."""
        J: Array = at.frame_jacobian(self.frame)
        if self.R is None:
            return J[3:]
        J[:3] = _left_turn(residual[:3]) @ J[:3]
        return J


@dataclass
class _Problem:
    model: Model
    targets: list[_Target]
    free: Flags
    """(nv,) whether a dof may move."""
    coordinates: Places
    """Places among all q and all u of joints with limits, and these."""
    dofs: Places
    independent: Flags
    lower: Array
    upper: Array
    weights: Array = field(init=False)

    def __post_init__(self) -> None:
        parts = [target.weights() for target in self.targets]
        self.weights = np.concatenate(parts) if parts else np.zeros(0)

    def residuals(self, at: ModelDynamics) -> list[Array]:
        return [target.residual(at) for target in self.targets]

    def clipped(self, q: Array) -> Array:
        """The independent joints moved into their limits."""
        mine, q = self.coordinates[self.independent], q.copy()
        q[mine] = np.clip(q[mine], self.lower[self.independent], self.upper[self.independent])
        return q

    def passed(self, q: Array) -> float:
        """By how much a joint is beyond its limit."""
        x = q[self.coordinates]
        return float(np.max(np.maximum(self.lower - x, x - self.upper), initial=0.0))

    def step(self, at: ModelDynamics, q: Array, J: Array, r: Array, damping: float) -> Array:
        """d (nv,) of the damped least squares within the limits."""
        n = int(self.free.sum())
        A, b = (self.weights[:, None] * J)[:, self.free], self.weights * r
        H, f = A.T @ A + damping * np.eye(n), A.T @ b
        x = q[self.coordinates]
        rows = np.eye(self.model.public_nv) if not self.model.has_loops else at.loops().G
        B = rows[self.dofs][:, self.free]
        low, high = self.lower - x, self.upper - x
        held: Flags = np.zeros(len(x), bool)
        values = np.zeros(len(x))
        d = _solved(H, f)
        for _ in range(len(x)):
            y = B @ d
            under, over = ~held & (y < low - 1e-12), ~held & (y > high + 1e-12)
            if not (under.any() or over.any()):
                break
            values[under], values[over] = low[under], high[over]
            held = held | under | over
            C, m = B[held], int(held.sum())
            # A trace of regularisation, for rows that say the same.
            K = np.block([[H, C.T], [C, -1e-10 * np.eye(m)]])
            d = _solved(K, np.concatenate([f, values[held]]))[:n]
        longest = np.abs(d).max(initial=0.0)
        if longest > LONGEST_STEP:
            d *= LONGEST_STEP / longest
        whole = np.zeros(self.model.public_nv)
        whole[self.free] = d
        return whole


@dataclass
class _Attempt:
    at: ModelDynamics
    q: Array
    residuals: list[Array]
    cost: float
    iterations: int = 0


def inverse_kinematics(
    model: Model,
    targets: Mapping[Frame, ArrayLike],
    q0: ArrayLike | None = None,
    *,
    weights: Mapping[Frame, float | tuple[float, float]] | None = None,
    held: Iterable[str] = (),
    limits: bool = True,
    tolerance: float = 1e-8,
    max_iterations: int = 100,
    attempts: int = 6,
    seed: int = 0,
) -> InverseKinematics:
    """Coordinates at which frames are where they are wanted, or as near as was found.

    targets   {frame: pose X_WF (4, 4), or position of its origin p_W (3,)}; a frame is the name of a
              joint or link or an index in model.frames
    q0        where to start: (nq,), or with loops of all joints (spanning nq,), from which the
              dependent ones start; the neutral q where None
    weights   {frame: weight, or (rotation, position)}, 1 where not given; they decide between targets
              that cannot all be reached
    held      joints that keep their coordinates, by name; a floating base by its link's name
    limits    whether joints keep within their limits, dependent joints of loops too. Those of
              spherical joints are not looked at
    tolerance of each error, m and rad
    attempts  how many starts are tried until the targets are reached: q0, then random ones by `seed`

    ValueError for unknown frames and joints, other sizes, numbers that are not finite, poses that are
    none, models with bilateral loops, and a q0 whose loops do not close.
    """
    problem = _problem(model, targets, weights or {}, tuple(held), limits)
    at = ModelDynamics(model, neutral_coordinate(model) if q0 is None else q0)
    start = _started(problem, problem.clipped(at.spanning_coordinate))
    random = np.random.default_rng(seed)
    best, iterations, tried = None, 0, 0
    while tried < max(1, attempts):
        begin = start if tried == 0 else _elsewhere(problem, start, random)
        tried += 1
        if begin is None:
            continue
        found = _solve(problem, begin, tolerance, max_iterations)
        iterations += found.iterations
        if best is None or _rank(problem, found, tolerance) < _rank(problem, best, tolerance):
            best = found
        if _reached(problem, best, tolerance):
            break
    assert best is not None  # the first attempt always gives one
    errors = {t.frame: r for t, r in zip(problem.targets, best.residuals, strict=True)}
    return InverseKinematics(
        best.at.coordinate,
        best.at.spanning_coordinate,
        _largest(best.residuals),
        errors,
        _reached(problem, best, tolerance),
        iterations,
        tried,
    )


def _problem(
    model: Model,
    targets: Mapping[Frame, ArrayLike],
    weights: Mapping[Frame, float | tuple[float, float]],
    held: tuple[str, ...],
    limits: bool,
) -> _Problem:
    if not model.bilateral.is_empty:
        raise ValueError(
            f"model '{model.name}' has bilateral loops; compile it with embedded ones for inverse "
            "kinematics"
        )
    unknown = [frame for frame in weights if frame not in targets]
    if unknown:
        raise ValueError(f"weights of frames without a target: {unknown}")
    places = {place.joint: place for place in joint_places(model)}
    free = np.ones(model.public_nv, bool)
    for joint in held:
        if joint not in places or places[joint].u < 0:
            raise ValueError(f"'{joint}' is no independent joint of '{model.name}'")
        free[places[joint].u : places[joint].u + places[joint].nv] = False
    rows: list[tuple[int, int, bool, float, float]] = []
    for place in places.values() if limits else ():
        if np.isfinite(place.lower) or np.isfinite(place.upper):
            # Of a joint that is held nothing is asked.
            if place.u >= 0 and not free[place.u]:
                continue
            for k in range(place.nv):
                rows.append((place.spanning_q + k, place.spanning_u + k, place.u >= 0,
                             place.lower, place.upper))  # fmt: skip
    table = np.array(rows, float).reshape(-1, 5)
    return _Problem(
        model,
        [_target(frame, value, weights.get(frame, 1.0)) for frame, value in targets.items()],
        free,
        table[:, 0].astype(np.int_),
        table[:, 1].astype(np.int_),
        table[:, 2].astype(np.bool_),
        table[:, 3],
        table[:, 4],
    )


def _target(frame: Frame, value: ArrayLike, weight: float | tuple[float, float]) -> _Target:
    X = np.asarray(value, float)
    w = np.broadcast_to(np.asarray(weight, float), 2)
    if X.shape not in ((3,), (4, 4)):
        raise ValueError(
            f"the target of '{frame}' has shape {X.shape}: a position is (3,), a pose (4, 4)"
        )
    if not (np.isfinite(X).all() and np.isfinite(w).all() and (w >= 0).all()):
        raise ValueError(f"target and weights of '{frame}' must be finite, weights not negative")
    if X.shape == (3,):
        return _Target(frame, X, None, float(w[0]), float(w[1]))
    R = X[:3, :3]
    if np.abs(R @ R.T - np.eye(3)).max() > 1e-6 or np.linalg.det(R) < 0:
        raise ValueError(f"the target of '{frame}' is no pose: its rotation is not orthonormal")
    return _Target(frame, X[:3, 3], R, float(w[0]), float(w[1]))


def _started(problem: _Problem, q: Array) -> _Attempt:
    at = ModelDynamics(problem.model, q)
    residuals = problem.residuals(at)
    return _Attempt(at, at.spanning_coordinate, residuals, _cost(problem, residuals))


def _elsewhere(
    problem: _Problem, start: _Attempt, random: np.random.Generator
) -> _Attempt | None:
    """A random start: joints anywhere within their limits, what floats where it was; nearer and nearer
    to the first start while loops do not close."""
    step = random.uniform(-np.pi, np.pi, problem.model.public_nv) * problem.free
    for place in joint_places(problem.model):
        if place.u >= 0:
            near = place.nv if place.kind is JointKind.FLOATING else info(place.kind).slides
            step[place.u : place.u + near] *= 0.1
    inside = problem.independent & np.isfinite(problem.lower) & np.isfinite(problem.upper)
    for _ in range(5):
        q = start.at.stepped(step)
        if not problem.model.has_loops:
            # Uniform within limits: of spanning and independent dofs the places are the same.
            drawn = random.uniform(problem.lower[inside], problem.upper[inside])
            q[problem.coordinates[inside]] = drawn
        try:
            return _started(problem, problem.clipped(q))
        except ValueError:  # its loops do not close
            step = step / 2
    return None


def _solve(problem: _Problem, now: _Attempt, tolerance: float, most: int) -> _Attempt:
    damping, growth = 1e-3, 2.0
    for _ in range(most):
        if _reached(problem, now, tolerance):
            break
        r = np.concatenate(now.residuals)
        J = np.concatenate(
            [t.jacobian(now.at, e) for t, e in zip(problem.targets, now.residuals, strict=True)]
        )
        d = problem.step(now.at, now.q, J, r, damping)
        now.iterations += 1
        try:
            then = _started(problem, problem.clipped(now.at.stepped(d)))
        except ValueError:  # loops that do not close there
            then = None
        if then is None or not _is_better(problem, now, then):
            if np.abs(d).max(initial=0.0) < 1e-13 or damping > 1e12:
                break
            damping, growth = damping * growth, growth * 2
            continue
        expected = now.cost - float(np.sum((problem.weights * (r - J @ d)) ** 2))
        gain = (now.cost - then.cost) / expected if expected > 0 else 1.0
        damping *= max(1 / 5, 1 - (2 * min(gain, 1.0) - 1) ** 3)
        growth = 2.0
        is_settled = now.cost - then.cost < LEAST_GAIN * now.cost and problem.passed(
            then.q
        ) <= max(CLOSED_LIMIT, 0.9 * problem.passed(now.q))
        then.iterations = now.iterations
        now = then
        if is_settled:
            break
    return now


def _is_better(problem: _Problem, now: _Attempt, then: _Attempt) -> bool:
    """Whether a step is taken: nearer, limits kept but for what curved loops add to a step; or, beyond a
    limit, well on the way back."""
    before, after = problem.passed(now.q), problem.passed(then.q)
    if before > CLOSED_LIMIT and after < before / 2:
        return True
    return then.cost < now.cost and after <= max(before, CURVED_LIMIT)


def _solved(A: Array, b: Array) -> Array:
    return np.linalg.solve(A, b).astype(np.float64, copy=False)


def _cost(problem: _Problem, residuals: list[Array]) -> float:
    if not residuals:
        return 0.0
    weighted = problem.weights * np.concatenate(residuals)
    return float(weighted @ weighted)


def _largest(residuals: list[Array]) -> float:
    return max((float(np.linalg.norm(h)) for r in residuals for h in r.reshape(-1, 3)), default=0.0)


def _reached(problem: _Problem, found: _Attempt, tolerance: float) -> bool:
    return _largest(found.residuals) <= tolerance and problem.passed(found.q) <= CLOSED_LIMIT


def _rank(problem: _Problem, found: _Attempt, tolerance: float) -> tuple[bool, bool, float]:
    """Less is better: reached, then within limits, then near."""
    is_out = problem.passed(found.q) > CLOSED_LIMIT
    return not _reached(problem, found, tolerance), is_out, found.cost


# ---- rotations


def _vector_of(R: Array) -> Array:
    """The rotation vector of R, at most pi long."""
    w = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = np.sqrt(w @ w) / 2, (np.trace(R) - 1) / 2
    angle = float(np.arctan2(sine, cosine))
    if cosine > -0.99:
        near: Array = w / 2 if sine == 0 else w * (angle / (2 * sine))
        return near
    # Near pi: the axis is the column of R + R' + (1 - trace) 1 with the largest diagonal.
    S = R + R.T + (1 - np.trace(R)) * np.eye(3)
    axis = S[:, int(np.argmax(np.diag(S)))]
    far: Array = axis * (angle / np.sqrt(axis @ axis))
    return far if axis @ w >= 0 else -far


def _left_turn(e: Array) -> Array:
    """D (3, 3) with which the rotation vector e of E falls where E becomes E exp(-w): e - D w."""
    angle = float(np.sqrt(e @ e))
    x, y, z = e
    W = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    c = 1 / 12 if angle < 1e-4 else 1 / angle**2 - 1 / (2 * angle * np.tan(angle / 2))
    D: Array = np.eye(3) + W / 2 + c * (W @ W)
    return D
