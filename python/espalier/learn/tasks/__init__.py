"""Tasks, one a file."""

from .strider_walk import StriderWalk as StriderWalk
from .strider_walk import StriderWalkOptions as StriderWalkOptions
