"""From a file to a Model."""

from __future__ import annotations

from typing import Any

from . import io
from ._espalier import Diagnostics, Model, compile
from .spec import SystemSpec

__all__ = ["load"]


def load(
    file: io.FileName, *, diagnostics: Diagnostics | None = None, **options: Any
) -> Model:
    """A Model from a robot's file, whichever its format, or its text: load_robot() and compile().

    Options are those of espalier.io.UrdfOptions. Warnings go to `warnings`, or all remarks to
    `diagnostics` where given; SpecError, a ValueError, with every problem.
    """
    return compile(io.load_robot(file, diagnostics=diagnostics, **options), diagnostics)


def recompile(spec: SystemSpec) -> Model:
    """compile() of a Spec that was compiled before, for pickles: its remarks were told then."""
    return compile(spec, Diagnostics())
