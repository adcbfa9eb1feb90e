"""Articulated systems as they are really built, with hard contact."""

from . import _processor

_processor.require()

from ._espalier import *
from ._espalier import __version__ as __version__
from . import cluster_joint as cluster_joint
from . import dynamics as dynamics
from . import io as io
from . import loop_constraint as loop_constraint
from . import mujoco as mujoco
from . import pinocchio as pinocchio
from . import sim as sim
from ._world_copy import copy_world as copy_world
from .batch import Batch as Batch
from .batch import BatchReport as BatchReport
from .child import *
from .cluster_joint import ClusterBody as ClusterBody
from .cluster_joint import GearedTransmissionModule as GearedTransmissionModule
from .cluster_joint import ParallelBeltTransmissionModule as ParallelBeltTransmissionModule
from .cluster_joint import TelloDifferentialModule as TelloDifferentialModule
from .errors import EspalierWarning as EspalierWarning
from .errors import SpecError as SpecError
from .ik import InverseKinematics as InverseKinematics
from .ik import inverse_kinematics as inverse_kinematics
from .load import load as load
from .observation import Observer as Observer
from .observation import Quantity as Quantity
from .recording import Recording as Recording
from .recording import RecordingScene as RecordingScene
from .shapes import *
from .spec import *
from .viewer import FileView as FileView
from .viewer import View as View
from .viewer import show as show
from .viewer import view as view
