"""What is raised and warned of beyond Python's own exceptions."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._espalier import Diagnostics

__all__ = ["EspalierWarning", "SpecError"]


class EspalierWarning(UserWarning):
    """A remark about a file or a Spec that was read or compiled nevertheless."""


class SpecError(ValueError):
    """A file or a Spec that cannot be built; its text is every diagnostic, one a line."""

    diagnostics: Diagnostics


def warn(text: str) -> None:
    """Warns at the line outside this package that called."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "espalier":
        level, frame = level + 1, frame.f_back
    warnings.warn(text, EspalierWarning, stacklevel=level)
