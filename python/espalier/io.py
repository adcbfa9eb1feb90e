"""Files to Specs and back.

Paths are str or pathlib.Path. Where a function takes the text of a file in its place, text begins
with '<'. Options are given as an object, or as its fields by keyword:

    io.load_robot("arm.urdf", fixed_base=True, search_paths=["meshes"])
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _fields as f
from ._espalier import Diagnostics
from ._espalier import io as _io
from ._espalier.io import (
    ReadingBudget,
    difference,
    export_urdf,
    export_world_xml,
    is_mjcf,
    is_same_shape,
    is_sdf,
    is_sdf_world,
    is_world,
    load_gravity,
    parse_mjcf_gravity,
    save_world,
)
from .spec import SystemSpec, WorldSpec

__all__ = [
    "LeastInertia", "MjcfOptions", "ReadingBudget", "ReadingLimits", "SdfOptions", "UrdfOptions",
    "WorldOptions", "difference", "export_urdf", "export_world_xml", "is_mjcf", "is_same_shape",
    "is_sdf", "is_sdf_world", "is_world", "load_gravity", "load_robot", "load_urdf", "load_world",
    "parse_mjcf_gravity", "parse_mjcf_robot", "parse_mjcf_world", "parse_sdf_robot",
    "parse_sdf_world", "parse_urdf", "save_world",
]  # fmt: skip

FileName = str | os.PathLike[str]
O = TypeVar("O", bound=f.Fields)  # noqa: E741
Array = npt.NDArray[np.float64]


@dataclass(eq=False, repr=False)
class LeastInertia(f.Fields):
    """Least masses and moments of inertia of every movable body."""

    mass: f.Number = f.number(0, "kg")
    moment: f.Number = f.number(0, "kg m^2, of each principal moment about the centre of mass")


@dataclass(eq=False, repr=False)
class ReadingLimits(f.Fields):
    """What one reading may take up."""

    file_bytes: f.Integer = f.integer(64 << 20, "of a text file or a picture")
    mesh_file_bytes: f.Integer = f.integer(256 << 20, "of a mesh file")
    triangles: f.Integer = f.integer(4 << 20, "of one mesh")
    samples: f.Integer = f.integer(16 << 20, "heights of one terrain")
    attributes: f.Integer = f.integer(256, "of one XML element")
    parameter_bytes: f.Integer = f.integer(64 << 10, "of the value of one parameter")
    depth: f.Integer = f.integer(16, "includes in includes, arrays in arrays")
    text_bytes: f.Integer = f.integer(128 << 20, "as read from files and as filled in")
    elements: f.Integer = f.integer(4 << 20, "XML elements and comments")
    files: f.Integer = f.integer(4096, "text files: worlds, robots, includes")
    numbers: f.Integer = f.integer(512 << 20, "of meshes and terrains")
    materials: f.Integer = f.integer(1024, "names in pairs of contact materials")


def _paths(doc: str) -> f.Field[list[str], Iterable[FileName]]:
    return f.Field(list, lambda values: [os.fspath(value) for value in _many(values)], doc)


def _many(values: Any) -> Any:
    if isinstance(values, (str, bytes, os.PathLike)):
        raise TypeError("expected a list of paths")
    return values


def _path(default: str, doc: str) -> f.Field[str, FileName]:
    return f.Field(lambda: default, os.fspath, doc)


def _budget() -> f.Field[ReadingBudget | None, ReadingBudget | None]:
    return f.optional(ReadingBudget, "what the reading may take up; None: the default limits")


_search = "where packages and meshes are looked for beside the file's folder"
_unbounded = "lifts the bounds on magnitudes"


@dataclass(eq=False, repr=False)
class UrdfOptions(f.Fields):
    """Options of load_robot(), load_urdf(), parse_urdf()."""

    search_paths: f.Field[list[str], Iterable[FileName]] = _paths(_search)
    parameters: f.Field[dict[str, str], Any] = f.table("what @@name and {expressions} stand for")
    fixed_base: f.Flag = f.flag(False, "weld the root to the world")
    load_meshes: f.Flag = f.flag(True, "False: mesh shapes keep their names, without triangles")
    joint_order: f.Field[list[str], Iterable[str]] = f.texts("names; empty: order of appearance")
    budget: f.Field[ReadingBudget | None, ReadingBudget | None] = _budget()
    unbounded: f.Flag = f.flag(False, _unbounded)
    least: f.Field[LeastInertia, LeastInertia] = f.part(LeastInertia, "of every movable body")
    srdf: f.Field[str, FileName] = _path("", "SRDF file; empty: one beside the robot's, if any")
    hull_vertices: f.Integer = f.integer(0, "at most, of every hull; 0: as the file says, or 64")
    keyframe: f.Text = f.text("of MuJoCo's files: whose controls actuators are given")
    keeps_hinges: f.Flag = f.flag(False, "ball joints written as three hinges stay so")


@dataclass(eq=False, repr=False)
class MjcfOptions(f.Fields):
    """Options of parse_mjcf_robot(), parse_mjcf_world()."""

    search_paths: f.Field[list[str], Iterable[FileName]] = _paths(_search)
    load_meshes: f.Flag = f.flag(True, "False: mesh shapes keep their names, without triangles")
    folder: f.Field[str, FileName] = _path(".", "what names in the file are relative to")
    fixed_base: f.Flag = f.flag(False, "of a robot: weld its root to the world")
    joint_order: f.Field[list[str], Iterable[str]] = f.texts("of a robot; empty: MuJoCo's")
    budget: f.Field[ReadingBudget | None, ReadingBudget | None] = _budget()
    unbounded: f.Flag = f.flag(False, _unbounded)
    keyframe: f.Text = f.text('that a world starts at; empty: the first; "none": as drawn')


@dataclass(eq=False, repr=False)
class SdfOptions(f.Fields):
    """Options of parse_sdf_robot(), parse_sdf_world()."""

    search_paths: f.Field[list[str], Iterable[FileName]] = _paths(_search)
    load_meshes: f.Flag = f.flag(True, "False: mesh shapes keep their names only")
    folder: f.Field[str, FileName] = _path(".", "what names in the file are relative to")
    fixed_base: f.Flag = f.flag(False, "of a robot: weld its root to the world")
    joint_order: f.Field[list[str], Iterable[str]] = f.texts("empty: order of appearance")
    budget: f.Field[ReadingBudget | None, ReadingBudget | None] = _budget()
    unbounded: f.Flag = f.flag(False, _unbounded)


@dataclass(eq=False, repr=False)
class WorldOptions(f.Fields):
    """Options of load_world()."""

    parameters: f.Field[dict[str, str], Any] = f.table("what @@NAME stands for")
    search_paths: f.Field[list[str], Iterable[FileName]] = _paths(_search)
    load_meshes: f.Flag = f.flag(True, "False: mesh shapes keep their names, without triangles")
    folder: f.Field[str, FileName] = _path(".", "of a world that comes as text: [THIS_DIR]")
    budget: f.Field[ReadingBudget | None, ReadingBudget | None] = _budget()
    unbounded: f.Flag = f.flag(False, _unbounded)
    hull_vertices: f.Integer = f.integer(0, "at most, of every hull; 0: as the files say, or 64")
    keyframe: f.Text = f.text("of MuJoCo's files: that the world starts at")


def _options(kind: type[O], options: O | None, changes: dict[str, Any]) -> O:
    start = kind() if options is None else options
    return replace(start, **changes) if changes else start  # type: ignore[type-var]


def load_urdf(
    path: FileName,
    options: UrdfOptions | None = None,
    *,
    diagnostics: Diagnostics | None = None,
    **changes: Any,
) -> SystemSpec:
    """A robot from a URDF file, with the loops of the robot.yaml beside it where there is one.

    Warnings go to `warnings`, or all remarks to `diagnostics` where given; SpecError, a ValueError,
    with every problem. `changes` are fields of the options.
    """
    return _io.load_urdf(path, _options(UrdfOptions, options, changes), diagnostics)


def parse_urdf(
    text: str,
    name: str = "<text>",
    options: UrdfOptions | None = None,
    *,
    diagnostics: Diagnostics | None = None,
    **changes: Any,
) -> SystemSpec:
    """A robot from URDF text; `name` is what remarks call it. Otherwise as load_urdf()."""
    return _io.parse_urdf(text, name, _options(UrdfOptions, options, changes), diagnostics)


def load_robot(
    path_or_text: FileName,
    options: UrdfOptions | None = None,
    *,
    diagnostics: Diagnostics | None = None,
    **changes: Any,
) -> SystemSpec:
    """A robot from a .urdf, .xacro, MuJoCo or Gazebo file, or the text of one.

    Three hinges in a loop that make a ball become one ball joint, unless `keeps_hinges`. Otherwise
    as load_urdf().
    """
    return _io.load_robot(path_or_text, _options(UrdfOptions, options, changes), diagnostics)


def parse_mjcf_robot(
    text: str,
    name: str,
    options: MjcfOptions | None = None,
    *,
    diagnostics: Diagnostics | None = None,
    **changes: Any,
) -> SystemSpec:
    """The one mechanism of a MuJoCo model; several hang side by side from a link "world"."""
    return _io.parse_mjcf_robot(text, name, _options(MjcfOptions, options, changes), diagnostics)


def parse_mjcf_world(
    text: str,
    name: str,
    options: MjcfOptions | None = None,
    *,
    diagnostics: Diagnostics | None = None,
    **changes: Any,
) -> WorldSpec:
    """A MuJoCo model as a world: systems, bodies, materials, gravity and time step."""
    return _io.parse_mjcf_world(text, name, _options(MjcfOptions, options, changes), diagnostics)


def parse_sdf_robot(
    text: str,
    name: str,
    options: SdfOptions | None = None,
    *,
    diagnostics: Diagnostics | None = None,
    **changes: Any,
) -> SystemSpec:
    """The first <model> of SDF text, or of its world."""
    return _io.parse_sdf_robot(text, name, _options(SdfOptions, options, changes), diagnostics)


def parse_sdf_world(
    text: str,
    name: str,
    options: SdfOptions | None = None,
    *,
    diagnostics: Diagnostics | None = None,
    **changes: Any,
) -> WorldSpec:
    """The first <world> of SDF text; a file of models alone is a world of them."""
    return _io.parse_sdf_world(text, name, _options(SdfOptions, options, changes), diagnostics)


def load_world(
    file_or_text: FileName,
    options: WorldOptions | None = None,
    *,
    diagnostics: Diagnostics | None = None,
    **changes: Any,
) -> WorldSpec:
    """A world from a file, or from its text: ours, RaiSim's, MuJoCo's or Gazebo's.

    Warnings go to `warnings`, or all remarks to `diagnostics` where given; SpecError, a ValueError,
    with every problem.
    """
    return _io.load_world(file_or_text, _options(WorldOptions, options, changes), diagnostics)
