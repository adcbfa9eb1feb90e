"""Files to Specs and back."""

import os
from typing import overload

import numpy
import numpy.typing

import espalier._espalier
import espalier.io
import espalier.shapes
import espalier.spec


class ReadingBudget:
    """Counts what one reading takes up, all of its files together."""

    def __init__(self, limits: espalier.io.ReadingLimits) -> None: ...

    @property
    def is_spent(self) -> bool:
        """whether some bound is exceeded"""

    @property
    def text_left(self) -> int:
        """bytes of text that may be taken"""

    @property
    def limits(self) -> espalier.io.ReadingLimits:
        """a copy"""

def load_urdf(path: str | os.PathLike[str], options: espalier.io.UrdfOptions, diagnostics: espalier._espalier.Diagnostics | None = None) -> espalier.spec.SystemSpec:
    """
    A SystemSpec from a URDF file, with the loops of the robot.yaml beside it. Warnings go to `warnings`, or all remarks to `diagnostics` where given. SpecError, a ValueError, with every problem.
    """

def parse_urdf(text: str, name: str, options: espalier.io.UrdfOptions, diagnostics: espalier._espalier.Diagnostics | None = None) -> espalier.spec.SystemSpec:
    """
    A SystemSpec from URDF text; name: what remarks call it. Warnings go to `warnings`, or all remarks to `diagnostics` where given. SpecError, a ValueError, with every problem.
    """

def load_robot(path_or_text: str | os.PathLike[str], options: espalier.io.UrdfOptions, diagnostics: espalier._espalier.Diagnostics | None = None) -> espalier.spec.SystemSpec:
    """
    A SystemSpec from a file or its text, which begins with '<': URDF, xacro, MJCF, SDF. Warnings go to `warnings`, or all remarks to `diagnostics` where given. SpecError, a ValueError, with every problem.
    """

def load_gravity(path_or_text: str | os.PathLike[str]) -> numpy.typing.NDArray[numpy.float64] | None:
    """
    (3,) m/s^2, the gravity that a robot's file gives its world: of MuJoCo's files; else None.
    """

def parse_mjcf_robot(text: str, name: str, options: espalier.io.MjcfOptions, diagnostics: espalier._espalier.Diagnostics | None = None) -> espalier.spec.SystemSpec:
    """
    The one mechanism of a MuJoCo model, as a SystemSpec. Warnings go to `warnings`, or all remarks to `diagnostics` where given. SpecError, a ValueError, with every problem.
    """

def parse_mjcf_gravity(text: str, name: str, folder: str | os.PathLike[str] = '.') -> numpy.typing.NDArray[numpy.float64] | None:
    """
    (3,) m/s^2, gravity in a MuJoCo model's world; None where the text has errors there.
    """

def parse_mjcf_world(text: str, name: str, options: espalier.io.MjcfOptions, diagnostics: espalier._espalier.Diagnostics | None = None) -> espalier.spec.WorldSpec:
    """
    A MuJoCo model as a WorldSpec. Warnings go to `warnings`, or all remarks to `diagnostics` where given. SpecError, a ValueError, with every problem.
    """

def is_mjcf(text: str) -> bool:
    """Whether text is MuJoCo's, by its outermost element."""

def parse_sdf_robot(text: str, name: str, options: espalier.io.SdfOptions, diagnostics: espalier._espalier.Diagnostics | None = None) -> espalier.spec.SystemSpec:
    """
    The first <model> of SDF text, as a SystemSpec. Warnings go to `warnings`, or all remarks to `diagnostics` where given. SpecError, a ValueError, with every problem.
    """

def parse_sdf_world(text: str, name: str, options: espalier.io.SdfOptions, diagnostics: espalier._espalier.Diagnostics | None = None) -> espalier.spec.WorldSpec:
    """
    The first <world> of SDF text, as a WorldSpec. Warnings go to `warnings`, or all remarks to `diagnostics` where given. SpecError, a ValueError, with every problem.
    """

def is_sdf(text: str) -> bool:
    """Whether text is SDF, by its outermost element."""

def is_sdf_world(text: str) -> bool:
    """Whether SDF text holds a <world>, not only models."""

def load_world(file_or_text: str | os.PathLike[str], options: espalier.io.WorldOptions, diagnostics: espalier._espalier.Diagnostics | None = None) -> espalier.spec.WorldSpec:
    """
    A WorldSpec from a file or its text, which begins with '<': ours, RaiSim's, MuJoCo's or Gazebo's. Warnings go to `warnings`, or all remarks to `diagnostics` where given. SpecError, a ValueError, with every problem.
    """

def is_world(file_or_text: str | os.PathLike[str]) -> bool:
    """Whether a file or text is a world, not a robot."""

def export_urdf(system: espalier.spec.SystemSpec) -> str:
    """
    A SystemSpec as URDF text, which reads back as the same Spec. ValueError where a link has a height map.
    """

def export_world_xml(world: espalier.spec.WorldSpec, folder: str | os.PathLike[str] = '') -> str:
    """
    A WorldSpec as XML text. Files below `folder` or beside it are named by [THIS_DIR]; empty: by absolute paths.
    """

def save_world(world: espalier.spec.WorldSpec, file: str | os.PathLike[str]) -> None:
    """export_world_xml to a file. SpecError where it cannot be written."""

@overload
def difference(a: espalier.spec.SystemSpec, b: espalier.spec.SystemSpec, tolerance: float = 0.0) -> str: ...

@overload
def difference(a: espalier.spec.BodySpec, b: espalier.spec.BodySpec, tolerance: float = 0.0) -> str: ...

@overload
def difference(a: espalier.spec.WorldSpec, b: espalier.spec.WorldSpec, tolerance: float = 0.0) -> str:
    """
    The first place where two Specs differ, such as "links[2].collisions[0].X_LG"; empty where they say the same. Lines and file names are not compared. tolerance: of entries of rotation matrices.
    """

def is_same_shape(a: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield, b: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield) -> bool:
    """Meshes by their file and triangles, height maps by their heights."""
