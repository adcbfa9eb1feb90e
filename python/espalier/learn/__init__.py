"""Learning on batches: tasks, environments of them, adapters, and a PPO that needs numpy alone.

Importing it makes the tasks known to gymnasium, where that is installed:
gymnasium.make_vec("espalier/StriderWalk-v0", num_envs=4096).
"""

from importlib.util import find_spec

from .baselines import baseline as baseline
from .playback import Playback as Playback
from .policy import Policy as Policy
from .ppo import Ppo as Ppo
from .ppo import PpoConfig as PpoConfig
from .ppo import Progress as Progress
from .registration import make_task as make_task
from .registration import register
from .rollout_env import RolloutEnv as RolloutEnv
from .task import Task as Task
from .task import TaskOptions as TaskOptions
from .task import Transition as Transition
from .tasks import *
from .terrain import Terrain as Terrain
from .terrain import TerrainOptions as TerrainOptions
from .world_random import WorldRandom as WorldRandom

if find_spec("gymnasium"):
    register()
