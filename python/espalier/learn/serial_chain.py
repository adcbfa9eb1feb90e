"""Where the tip of a chain of hinges is, for many worlds at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._espalier import JointKind
from ..spec import SystemSpec
from .arrays import Real

__all__ = ["SerialChain"]


class SerialChain:
    """The hinges from a robot's fixed base to one of its links, in their order.

    q of these hinges have to be the robot's first coordinates, in this order.
    """

    def __init__(self, spec: SystemSpec, tip: str) -> None:
        above = {joint.child: joint for joint in spec.joints}
        if tip not in above:
            raise ValueError(f"{spec.name} has no joint to a link {tip!r}")
        self.names: list[str] = []
        steps: list[tuple[NDArray[np.float64], NDArray[np.float64] | None]] = []
        while tip in above:
            joint = above[tip]
            if joint.kind not in (JointKind.REVOLUTE, JointKind.FIXED):
                raise ValueError(f"joint {joint.name} is {joint.kind.name}; a chain is of hinges")
            is_hinge = joint.kind == JointKind.REVOLUTE
            steps.append((joint.X_PJ.copy(), _cross(joint.axes[0]) if is_hinge else None))
            if is_hinge:
                self.names.append(joint.name)
            tip = joint.parent
        self._steps = steps[::-1]
        self.names.reverse()

    def tip(self, q: Real) -> Real:
        """[3, n] m of joint angles [h, n]: the tip in the axes of the base."""
        position: Real = np.zeros((3, q.shape[1]), q.dtype)
        hinge = len(self.names)
        for X_PJ, cross in reversed(self._steps):  # from the tip inwards
            if cross is not None:
                hinge -= 1
                once = cross @ position  # Rodrigues: p + sin a x p + (1 - cos) a x (a x p)
                position = position + np.sin(q[hinge]) * once + (1 - np.cos(q[hinge])) * (cross @ once)
            position = X_PJ[:3, :3] @ position + X_PJ[:3, 3:]
        return position


def _cross(axis: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix of v -> axis x v."""
    x, y, z = axis / np.linalg.norm(axis)
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
