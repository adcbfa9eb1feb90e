"""The dynamics of a Model without a World.

Every function takes a Model and its state: q (nq,) and u (nv,) of the independent joints in the
authored order; where there are closed loops q may also be that of all joints (spanning nq,), from
which the dependent ones start when the loops are closed. SI units; frames and signs as in
docs/conventions.md: velocities of floating bases and spherical joints in the axes of the parent,
twists and wrenches (6,) angular part first in world axes, poses X_WF (4, 4). gravity (3,) is in m/s^2.

A function computes the kinematics anew. Where several quantities of one state are wanted, make one
`ModelDynamics(model, q, u)` and ask it: its methods have these names.

A frame is the name of a joint, or of a link where no joint is called so, or an index in
`model.frames`. Wrong sizes, numbers that are not finite, unknown frames and loops that do not close
are a ValueError.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._espalier import (
    DynamicsDerivatives,
    JointPlace,
    LoopEquationsAt,
    Model,
    ModelDynamics,
    advanced,
    joint_places,
    neutral_coordinate,
    random_coordinate,
    step_between,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

Frame = str | int
Wrenches = Mapping[Any, Any]

standard_gravity = (0.0, 0.0, -9.81)

__all__ = [
    "DynamicsDerivatives",
    "JointPlace",
    "LoopEquationsAt",
    "ModelDynamics",
    "aba",
    "advanced",
    "bias",
    "centre_of_mass",
    "centre_of_mass_jacobian",
    "crba",
    "forward_dynamics",
    "forward_dynamics_derivatives",
    "forward_kinematics",
    "frame_acceleration",
    "frame_jacobian",
    "frame_jacobian_rate",
    "frame_pose",
    "frame_velocity",
    "generalized_force",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_mass_matrix",
    "inverse_operational_inertia",
    "joint_places",
    "kinetic_energy",
    "loop_equations",
    "mass_matrix",
    "momentum",
    "momentum_matrix",
    "momentum_rate",
    "neutral_coordinate",
    "nonlinearities",
    "operational_inertia",
    "potential_energy",
    "random_coordinate",
    "rnea",
    "spanning_coordinate",
    "spanning_velocity",
    "standard_gravity",
    "step_between",
]


# ---- the equation of motion: M udot + h = tau + J' external


def mass_matrix(model: Model, q: ArrayLike) -> Array:
    """M (nv, nv), symmetric; crba() is the same. kg, kg m, kg m^2."""
    return ModelDynamics(model, q).mass_matrix()


def inverse_mass_matrix(model: Model, q: ArrayLike) -> Array:
    """M^-1 (nv, nv)."""
    return ModelDynamics(model, q).inverse_mass_matrix()


def nonlinearities(
    model: Model, q: ArrayLike, u: ArrayLike, gravity: ArrayLike = standard_gravity
) -> Array:
    """h (nv,), N or N m: gravity, Coriolis and centrifugal terms; bias() is the same."""
    return ModelDynamics(model, q, u).nonlinearities(gravity)


def inverse_dynamics(
    model: Model,
    q: ArrayLike,
    u: ArrayLike,
    udot: ArrayLike,
    gravity: ArrayLike = standard_gravity,
    external: Wrenches | None = None,
) -> Array:
    """tau (nv,), N or N m, that gives udot (nv,): M udot + h - J' external; rnea() is the same.

    external: {frame: wrench (6,)}, N m then N at the frame's origin, world axes.
    Bilateral loops carry nothing here.
    """
    return ModelDynamics(model, q, u).inverse_dynamics(udot, gravity, _dict(external))


def forward_dynamics(
    model: Model,
    q: ArrayLike,
    u: ArrayLike,
    tau: ArrayLike,
    gravity: ArrayLike = standard_gravity,
    external: Wrenches | None = None,
) -> Array:
    """udot (nv,) that tau (nv,) gives, without limits, springs, dampers and contacts; aba() is the same.

    external as of inverse_dynamics(). All loops hold, bilateral ones too.
    """
    return ModelDynamics(model, q, u).forward_dynamics(tau, gravity, _dict(external))


def generalized_force(model: Model, q: ArrayLike, external: Wrenches) -> Array:
    """J' external (nv,): the generalized force of wrenches, {frame: wrench (6,)}."""
    return ModelDynamics(model, q).generalized_force(dict(external))


def inverse_dynamics_derivatives(
    model: Model,
    q: ArrayLike,
    u: ArrayLike,
    udot: ArrayLike,
    gravity: ArrayLike = standard_gravity,
) -> DynamicsDerivatives:
    """Derivatives (nv, nv) of inverse_dynamics() by q, u and udot, exact (dual numbers).

    A change of q is a step from it as dt u is: of quaternions a rotation vector from the left.
    """
    return ModelDynamics(model, q, u).inverse_dynamics_derivatives(udot, gravity)


def forward_dynamics_derivatives(
    model: Model,
    q: ArrayLike,
    u: ArrayLike,
    tau: ArrayLike,
    gravity: ArrayLike = standard_gravity,
) -> DynamicsDerivatives:
    """Derivatives (nv, nv) of forward_dynamics() by q, u and tau, likewise.

    ValueError for models with bilateral loops.
    """
    return ModelDynamics(model, q, u).forward_dynamics_derivatives(tau, gravity)


rnea = inverse_dynamics
aba = forward_dynamics
crba = mass_matrix
bias = nonlinearities


# ---- frames


def forward_kinematics(
    model: Model, q: ArrayLike, frames: Iterable[Frame] | None = None
) -> Array:
    """Poses X_WF (n, 4, 4) of the frames; where None of all bodies, in their links' frames."""
    at = ModelDynamics(model, q)
    if isinstance(frames, str):
        raise TypeError("frames are given as a list")
    if frames is None:
        poses = [at.body_pose(body) for body in range(model.nb)]
    else:
        poses = [at.frame_pose(frame) for frame in frames]
    return np.array(poses).reshape(-1, 4, 4)


def frame_pose(model: Model, q: ArrayLike, frame: Frame) -> Array:
    """X_WF (4, 4)."""
    return ModelDynamics(model, q).frame_pose(frame)


def frame_velocity(model: Model, q: ArrayLike, u: ArrayLike, frame: Frame) -> Array:
    """(6,) angular velocity, rad/s, then velocity of the frame's origin, m/s; world axes."""
    return ModelDynamics(model, q, u).frame_velocity(frame)


def frame_acceleration(
    model: Model, q: ArrayLike, u: ArrayLike, frame: Frame, udot: ArrayLike | None = None
) -> Array:
    """(6,) rad/s^2, then m/s^2 of the frame's origin, world axes; without udot dJ/dt u."""
    return ModelDynamics(model, q, u).frame_acceleration(frame, udot)


def frame_jacobian(model: Model, q: ArrayLike, frame: Frame) -> Array:
    """J (6, nv), angular rows first: J u = frame_velocity()."""
    return ModelDynamics(model, q).frame_jacobian(frame)


def frame_jacobian_rate(model: Model, q: ArrayLike, u: ArrayLike, frame: Frame) -> Array:
    """dJ/dt along u (6, nv). ValueError for frames of geared rotors."""
    return ModelDynamics(model, q, u).frame_jacobian_rate(frame)


def inverse_operational_inertia(
    model: Model, q: ArrayLike, frames: Iterable[Frame]
) -> Array:
    """J M^-1 J' (6 n, 6 n) of n frames, angular rows first in each, world axes.

    1/(kg m^2) and 1/kg. M is never formed. ValueError for frames of geared rotors.
    """
    return ModelDynamics(model, q).inverse_operational_inertia(frames)


def operational_inertia(model: Model, q: ArrayLike, frames: Iterable[Frame]) -> Array:
    """Operational-space inertia (J M^-1 J')^-1 (6 n, 6 n), kg m^2 and kg.

    ValueError where the frames cannot move in all directions: there it is infinite.
    """
    inverse = inverse_operational_inertia(model, q, frames)
    if inverse.size and np.linalg.matrix_rank(inverse, hermitian=True) < len(inverse):
        raise ValueError(
            "the frames cannot be moved in all directions at this q, where the operational-space "
            "inertia is infinite; take inverse_operational_inertia()"
        )
    inertia: Array = np.linalg.inv(inverse).astype(np.float64)
    return inertia


# ---- energy and momentum


def kinetic_energy(model: Model, q: ArrayLike, u: ArrayLike) -> float:
    """J, rotor inertia included."""
    return ModelDynamics(model, q, u).kinetic_energy()


def potential_energy(
    model: Model, q: ArrayLike, gravity: ArrayLike = standard_gravity
) -> float:
    """J, zero at the world's origin; what is welded to the world counts."""
    return ModelDynamics(model, q).potential_energy(gravity)


def centre_of_mass(model: Model, q: ArrayLike) -> Array:
    """(3,) m, world."""
    return ModelDynamics(model, q).centre_of_mass()


def centre_of_mass_jacobian(model: Model, q: ArrayLike) -> Array:
    """(3, nv): times u the velocity of the centre of mass, world axes."""
    return ModelDynamics(model, q).centre_of_mass_jacobian()


def momentum(model: Model, q: ArrayLike, u: ArrayLike) -> Array:
    """(6,) angular about the centre of mass, N m s, then linear, N s; world axes."""
    return ModelDynamics(model, q, u).momentum()


def momentum_matrix(model: Model, q: ArrayLike) -> Array:
    """The centroidal momentum matrix A (6, nv): A u = momentum()."""
    return ModelDynamics(model, q).momentum_matrix()


def momentum_rate(
    model: Model, q: ArrayLike, u: ArrayLike, udot: ArrayLike | None = None
) -> Array:
    """(6,) N m, N: the rate of momentum() at udot; without udot the bias dA/dt u."""
    return ModelDynamics(model, q, u).momentum_rate(udot)


# ---- closed loops


def spanning_coordinate(model: Model, q: ArrayLike) -> Array:
    """q of all joints (spanning nq,) where the loops are closed."""
    return ModelDynamics(model, q).spanning_coordinate


def spanning_velocity(model: Model, q: ArrayLike, u: ArrayLike) -> Array:
    """u of all joints (spanning nv,): G u."""
    return ModelDynamics(model, q, u).spanning_velocity


def loop_equations(
    model: Model, q: ArrayLike, u: ArrayLike | None = None
) -> LoopEquationsAt:
    """phi, K, k, G and g of the embedded loops: K u = 0, K udot = k, u = G y, udot = G ydot + g."""
    return ModelDynamics(model, q, u).loops()


def _dict(external: Wrenches | None) -> dict[Any, Any] | None:
    return None if external is None else dict(external)
