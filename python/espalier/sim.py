"""A World driven stage by stage in arboris' manner: controllers, constraints, frames, observers."""

from ._espalier.sim import *  # noqa: F403
