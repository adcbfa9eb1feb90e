"""from espalier.all import *: what arboris' scripts take from its module of this name."""

from .arboris.all import *  # noqa: F403
from .arboris.all import __all__ as __all__
