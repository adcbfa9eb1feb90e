"""Ideal joints between a reference frame r and a new frame n.

>>> from espalier.arboris.all import *
>>> hinge = joints.RzJoint(gpos=3.14 / 6, gvel=0.5)
>>> hinge.ndof
1
>>> hinge.gpos.round(4).tolist()
[0.5233]
>>> hinge.pose.round(4).tolist()[0]
[0.8662, -0.4998, 0.0, 0.0]
>>> allclose(dot(hinge.pose, hinge.ipose), eye(4))
True

The twist of n over r is linear in the velocities,

>>> allclose(hinge.twist, dot(hinge.jacobian, hinge.gvel))
True

and its inverse is that of r over n:

>>> allclose(hinge.itwist, -dot(homogeneousmatrix.adjoint(hinge.pose), hinge.twist))
True

A step takes the velocities to its end. gpos is a view, and may be written:

>>> hinge.integrate(array([1.0]), 0.5)
>>> hinge.gpos.round(4).tolist(), hinge.gvel.tolist()
([1.0233], [1.0])
>>> hinge.gpos[0] = 0
>>> hinge.pose.tolist() == eye(4).tolist()
True
"""

from .. import (
    FreeJoint,
    RxJoint,
    RyJoint,
    RyRxJoint,
    RzJoint,
    RzRxJoint,
    RzRyJoint,
    RzRyRxJoint,
    TxJoint,
    TxTyTzJoint,
    TyJoint,
    TzJoint,
)
from .. import JointObject as Joint

__all__ = [
    "FreeJoint",
    "Joint",
    "RxJoint",
    "RyJoint",
    "RyRxJoint",
    "RzJoint",
    "RzRxJoint",
    "RzRyJoint",
    "RzRyRxJoint",
    "TxJoint",
    "TxTyTzJoint",
    "TyJoint",
    "TzJoint",
]
