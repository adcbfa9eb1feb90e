"""What is raised and warned of beyond Python's own exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._espalier import Diagnostics

__all__ = ["EspalierWarning", "SpecError"]


class EspalierWarning(UserWarning):
    """A remark about a file or a Spec that was read or compiled nevertheless."""


class SpecError(ValueError):
    """A file or a Spec that cannot be built; its text is every diagnostic, one a line."""

    diagnostics: Diagnostics
