"""Tasks, one a file."""

from .arm_reach import ArmReach as ArmReach
from .arm_reach import ArmReachOptions as ArmReachOptions
from .beest_steer import BeestSteer as BeestSteer
from .beest_steer import BeestSteerOptions as BeestSteerOptions
from .biped_stand import BipedStand as BipedStand
from .biped_stand import BipedStandOptions as BipedStandOptions
from .biped_walk import BipedWalk as BipedWalk
from .biped_walk import BipedWalkOptions as BipedWalkOptions
from .cassie_walk import CassieWalk as CassieWalk
from .cassie_walk import CassieWalkOptions as CassieWalkOptions
from .strider_walk import StriderWalk as StriderWalk
from .strider_walk import StriderWalkOptions as StriderWalkOptions
