"""The models that the tasks use; they are written in models/ and come with the package."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["model_file", "nominal_pose"]

_FOLDER = Path(__file__).parent / "models"


def model_file(name: str) -> Path:
    """The URDF of a robot by its name."""
    return _existing(_FOLDER / name / f"{name}.urdf")


def nominal_pose(name: str) -> NDArray[np.float64]:
    """q of a robot's nominal pose."""
    text = _existing(_FOLDER / name / "nominal.json").read_text(encoding="utf-8")
    return np.array(json.loads(text)["q"], float)


def _existing(path: Path) -> Path:
    if not path.is_file():
        found = sorted(folder.name for folder in _FOLDER.glob("*") if folder.is_dir())
        raise FileNotFoundError(
            f"{path} is not there; the package has the models {', '.join(found) or '(none)'}. Build or "
            "install the package again: python/CMakeLists.txt copies them from models/")
    return path
