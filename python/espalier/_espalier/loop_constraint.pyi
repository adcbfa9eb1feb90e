"""Loop constraints."""

import builtins
from collections.abc import Sequence
import enum

import numpy
import numpy.typing


class ConstraintValues:
    """phi, K, G, k and g at one place."""

    @property
    def phi(self) -> numpy.typing.NDArray[numpy.float64]:
        """(rows,)"""

    @property
    def K(self) -> numpy.typing.NDArray[numpy.float64]:
        """(rows, nv)"""

    @property
    def G(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv, ny)"""

    @property
    def k(self) -> numpy.typing.NDArray[numpy.float64]:
        """(rows,)"""

    @property
    def g(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,)"""

class Base:
    """A loop constraint; it never changes, cluster joints share it."""

    @property
    def num_spanning_pos(self) -> int:
        """number of all coordinates"""

    @property
    def num_spanning_vel(self) -> int:
        """number of all rates"""

    @property
    def num_independent_pos(self) -> int:
        """number of coordinates y"""

    @property
    def num_independent_vel(self) -> int:
        """number of rates ydot"""

    @property
    def num_constraints(self) -> int:
        """number of rows of phi"""

    @property
    def is_explicit(self) -> bool:
        """whether gamma(y) needs no place to start from"""

    def gamma(self, y: numpy.typing.ArrayLike, near: numpy.typing.ArrayLike | None = None) -> numpy.typing.NDArray[numpy.float64]:
        """
        (nq,) all coordinates of y. Of an implicit constraint those nearest to `near` (nq,); ValueError where none is given, or |phi| < 1e-13 is not reached from there.
        """

    def independent_of(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """y of all coordinates (nq,) on the constraint."""

    def phi(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(num_constraints,) at q (nq,)."""

    def K(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(num_constraints, nv) d phi by the rates, at q (nq,)."""

    def G(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(nv, num_independent_vel) u = G ydot, at q (nq,)."""

    def k(self, q: numpy.typing.ArrayLike, u: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(num_constraints,) -Kdot u at q (nq,), u (nv,)."""

    def g(self, q: numpy.typing.ArrayLike, u: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) Gdot ydot at q (nq,), u (nv,)."""

    def at(self, q: numpy.typing.ArrayLike, u: numpy.typing.ArrayLike) -> ConstraintValues:
        """ConstraintValues: all of them at once; u spanning."""

    def __repr__(self) -> str: ...

class Static(Base):
    """G and K constant, g = k = 0."""

    def __init__(self, G: numpy.typing.ArrayLike, K: numpy.typing.ArrayLike) -> None:
        """
        G (nv, ny), K (nv - ny, nv) with K G = 0 and full rank, else ValueError.
        """

class Free(Base):
    """
    Nothing is tied: seven positions (x y z, quaternion w x y z), six velocities.
    """

    def __init__(self) -> None: ...

class Generic(Base):
    """A user's own phi(q) = 0 or q = gamma(y)."""

    def __init__(self, is_independent: Sequence[bool], phi: builtins.object, quaternions: Sequence[int] = []) -> None:
        """
        Implicit. is_independent: of each coordinate; phi: a function of all coordinates, traced once, or a Tape, of as many numbers as there are dependent rates; quaternions: the first coordinate of each spherical joint, w x y z.
        """

    @staticmethod
    def from_gamma(independent: int, gamma: builtins.object) -> Generic:
        """
        Explicit: gamma, a function or Tape of `independent` numbers, gives all coordinates of y, each y among them.
        """

class FourBar(Base):
    """
    A planar four-bar. q: first joint of the first path, joint of the second path, second joint of the first path.
    """

    def __init__(self, path1: Sequence[float], path2: float, offset: Sequence[float], independent: int) -> None:
        """
        path1 (2,), path2: lengths of the links, m; offset (2,) where the second path begins; independent: place in q.
        """

class TelloDifferential(Base):
    """
    q: rotor 1, rotor 2, joint 1, joint 2; y: the rotors behind their gears.
    """

    def __init__(self, kind: TelloDifferential.Kind, gear_ratio: float = 6.0) -> None: ...

    class Kind(enum.Enum):
        """Which drive of the robot."""

        HIP = 0

        KNEE_ANKLE = 1

    def rotors_at(self, joints: Sequence[float]) -> list[float]:
        """
        (2,) the rotors, before their gears, that hold the joints (2,). ValueError where the rods do not reach.
        """
