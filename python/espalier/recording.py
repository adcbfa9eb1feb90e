"""Recordings of runs, .esp files: as arrays, as a page."""

from __future__ import annotations

import html
import json
import os
import warnings
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._espalier import RecordingReader, filled_page
from .errors import EspalierWarning

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._espalier import Frame, RecordingBlock

__all__ = ["Inline", "Recording", "RecordingScene"]


class RecordingScene:
    """The frames of a recording between two changes of what there is.

    name      title of the page
    bodies    names, in the order of poses
    channels  names, in the order of values: "strider/q/knee", "step/residual", ...
    units     of the channels
    times     (n,) s
    poses     (n, bodies, 7): x, y, z, m, and quaternion w, x, y, z; body to world
    values    (n, channels)
    frames    list of Frame, with contacts and forces
    """

    def __init__(self, text: str, reader: RecordingReader, blocks: list[RecordingBlock]) -> None:
        self.description = _object_of(text)
        self.name = str(self.description.get("name", ""))
        self.bodies = _texts_of(self.description, "bodies", "name")
        self.channels = _texts_of(self.description, "channels", "name")
        self.units = _texts_of(self.description, "channels", "unit")
        self.times: NDArray[np.float64]
        self.values: NDArray[np.float64]
        self.frames: list[Frame]
        self.times, poses, self.values, self.frames = reader.table(blocks)
        if poses.shape[1] != 7 * len(self.bodies) or self.values.shape[1] != len(self.channels):
            raise ValueError("the recording is damaged: frames and scene differ in their bodies")
        self.poses: NDArray[np.float64] = poses.reshape(len(self.times), -1, 7)

    def __len__(self) -> int:
        return len(self.times)

    def channel(self, name: str) -> NDArray[np.float64]:
        """(n,) values of a channel, in its unit."""
        if name not in self.channels:
            raise KeyError(f"there is no channel {name!r}; there are {', '.join(self.channels)}")
        return self.values[:, self.channels.index(name)]

    def body(self, name: str) -> NDArray[np.float64]:
        """(n, 7) poses of a body: x, y, z, m, and quaternion w, x, y, z; body to world."""
        if name not in self.bodies:
            raise KeyError(f"there is no body {name!r}; there are {', '.join(self.bodies)}")
        return self.poses[:, self.bodies.index(name)]

    def __repr__(self) -> str:
        return (f"<espalier.RecordingScene {self.name!r}: {len(self)} frames, "
                f"{len(self.bodies)} bodies, {len(self.channels)} channels>")


def _object_of(text: str) -> dict[str, Any]:
    """An object of a file that nobody vouches for."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ValueError(f"the recording is damaged: its scene is no JSON, {error}") from None
    if not isinstance(value, dict):
        raise ValueError("the recording is damaged: its scene is no JSON object")
    return value


def _texts_of(scene: dict[str, Any], items: str, key: str) -> list[str]:
    found = scene.get(items)
    if not isinstance(found, list) or not all(
            isinstance(item, dict) and isinstance(item.get(key), str) for item in found):
        raise ValueError(f"the recording is damaged: its scene has no {items} with a {key} each")
    return [item[key] for item in found]


class Recording:
    """What is in an .esp file, written by world.record() or `espalier sim --record`.

        recording = espalier.Recording("run.esp")
        plt.plot(recording.times, recording.channel("strider/q/base.z"))
        recording.to_html("run.html")

    Of a file that is damaged or cut off all frames before that place are there, with a warning. In
    a notebook it shows itself. ValueError where the file is no recording or holds no frames.
    """

    def __init__(self, file: str | os.PathLike[str] | bytes) -> None:
        self.file = "" if isinstance(file, bytes) else os.fspath(file)
        data = file if isinstance(file, bytes) else Path(file).read_bytes()
        self._reader = RecordingReader(data, self.file or "recording")
        for diagnostic in self._reader.diagnostics:
            if diagnostic.severity.name == "ERROR":
                raise ValueError(str(diagnostic))
            warnings.warn(str(diagnostic), EspalierWarning, stacklevel=2)
        self._bytes = data[: self._reader.whole_bytes]
        if not any(block.tag == "FRAM" for block in self._reader.blocks):
            name = self.file or "recording"
            raise ValueError(f"{name}: it holds no frames; record the run again")

    @cached_property
    def info(self) -> dict[str, Any]:
        """What the file says of the run: version of espalier, source files, rate in Hz."""
        told: dict[str, Any] = {}
        for block in self._reader.blocks:
            if block.tag == "INFO":
                told.update(_object_of(self._reader.text(block)))
        return told

    @cached_property
    def scenes(self) -> list[RecordingScene]:
        """In order; another one begins where objects came or went, or time went back."""
        scenes: list[RecordingScene] = []
        text = ""
        frames: list[RecordingBlock] = []
        for block in [*self._reader.blocks, None]:
            if block is None or block.tag == "SCEN":
                if frames:
                    scenes.append(RecordingScene(text, self._reader, frames))
                text, frames = self._reader.text(block) if block else "", []
            elif block.tag == "FRAM":
                frames.append(block)
        return scenes

    def _scene(self) -> RecordingScene:
        if len(self.scenes) == 1:
            return self.scenes[0]
        raise ValueError(f"the recording has {len(self.scenes)} scenes, since objects came or went "
                         "or time went back: take one of .scenes")

    @property
    def times(self) -> NDArray[np.float64]:
        """(n,) s, of all frames."""
        return np.concatenate([scene.times for scene in self.scenes])

    @property
    def frames(self) -> list[Frame]:
        """All frames, with contacts and forces."""
        return [frame for scene in self.scenes for frame in scene.frames]

    @property
    def bodies(self) -> list[str]:
        """Names, in the order of poses. ValueError where there are several scenes, as below."""
        return self._scene().bodies

    @property
    def channels(self) -> list[str]:
        """Names of the channels."""
        return self._scene().channels

    @property
    def poses(self) -> NDArray[np.float64]:
        """(n, bodies, 7): x, y, z, m, and quaternion w, x, y, z; body to world."""
        return self._scene().poses

    def channel(self, name: str) -> NDArray[np.float64]:
        """(n,) values of a channel, in its unit. KeyError where there is none."""
        return self._scene().channel(name)

    def body(self, name: str) -> NDArray[np.float64]:
        """(n, 7) poses of a body. KeyError where there is none."""
        return self._scene().body(name)

    def __len__(self) -> int:
        return len(self.times)

    def to_bytes(self) -> bytes:
        """The file, as far as it is whole."""
        return self._bytes

    def html(self) -> str:
        """One HTML page with the recording in it, that needs nothing else."""
        return filled_page('{"mode":"file"}', self._bytes)

    def to_html(self, file: str | os.PathLike[str]) -> None:
        """Writes html(), as `espalier replay --html` does."""
        Path(file).write_text(self.html(), encoding="utf-8")

    def show(self, *, height: int = 480, width: str = "100%") -> Inline:
        """The page for a notebook; height in pixels, width as in CSS."""
        return Inline(self.html(), height, width)

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()

    def __repr__(self) -> str:
        times = self.times
        scenes = "" if len(self.scenes) == 1 else f" in {len(self.scenes)} scenes"
        return (f"<espalier.Recording {self.file!r}: {len(times)} frames{scenes}, "
                f"{times.min():.6g} to {times.max():.6g} s>")


class Inline:
    """A page for a notebook, held in the notebook itself."""

    def __init__(self, page: str, height: int, width: str) -> None:
        self.page = page
        self.height = height
        self.width = width

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.page)}" width="{html.escape(self.width)}" '
                f'height="{int(self.height)}" style="border: 0" allow="fullscreen"></iframe>')

    def __repr__(self) -> str:
        return f"<espalier.Inline, {len(self.page) / 1e6:.1f} MB: show it in a notebook>"
