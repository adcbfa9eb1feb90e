"""Articulated systems as they are really built, with hard contact."""

from ._espalier import *  # noqa: F403
from ._espalier import __version__ as __version__
