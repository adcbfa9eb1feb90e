"""Tasks, one a file."""

from .arm_reach import ArmReach as ArmReach
from .arm_reach import ArmReachOptions as ArmReachOptions
from .biped_stand import BipedStand as BipedStand
from .biped_stand import BipedStandOptions as BipedStandOptions
from .strider_walk import StriderWalk as StriderWalk
from .strider_walk import StriderWalkOptions as StriderWalkOptions
