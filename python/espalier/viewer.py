"""The viewer: Worlds, files and recordings in web pages, and inline in notebooks."""

from __future__ import annotations

import atexit
import html
import os
import tempfile
import threading
import time
import warnings
import weakref
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ._espalier import Server, World
from ._espalier.application import FilePage, RecordingPage
from .errors import EspalierWarning
from .recording import Inline, Recording

if TYPE_CHECKING:
    from types import TracebackType
    from typing import overload

    from ._espalier import Model
    from .spec import SystemSpec

__all__ = ["FileView", "View", "show", "view"]

File: TypeAlias = "str | os.PathLike[str]"

# What runs in threads ends before Python does: they must not be in the engine then.
_views: weakref.WeakSet[View] = weakref.WeakSet()
_servers: list[tuple[Server, threading.Thread]] = []


@atexit.register
def _stop_all() -> None:
    for shown in list(_views):
        shown.stop()
    for server, thread in _servers:
        server.stop()
        thread.join()
    _servers.clear()
    atexit.unregister(_stop_all)  # or it would keep the module's types beyond the end of Python


class View:
    """A page that is served in the background: files or a recording, as `espalier view` shows them.

    A context: it stops at the end. In a notebook it shows itself.
    """

    def __init__(self, page: FilePage | RecordingPage, title: str) -> None:
        self._page = page
        self._title = title
        _views.add(self)

    @property
    def url(self) -> str:
        """The page's address; empty once it has stopped."""
        return self._page.url

    @property
    def is_running(self) -> bool:
        return bool(self.url)

    def stop(self) -> None:
        """Closes all connections. May be called twice."""
        self._page.stop()

    def wait(self) -> None:
        """Waits until stop() is called elsewhere, or Ctrl-C raises KeyboardInterrupt."""
        while self.is_running:
            time.sleep(0.05)

    def __enter__(self) -> View:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        where = f"at {self.url}" if self.is_running else "stopped"
        return f"<espalier.{type(self).__name__} of {self._title}, {where}>"

    def _repr_html_(self) -> str:
        if not self.is_running:
            return f"<p>{html.escape(repr(self))}</p>"
        return (f'<iframe src="{html.escape(self.url)}" width="100%" height="480" '
                'style="border: 0" allow="fullscreen"></iframe>')


class FileView(View):
    """Robot files or a world file in a page. They step in the background and are read again when
    they change."""

    _page: FilePage

    @property
    def is_connected(self) -> bool:
        """Some page looks."""
        return self._page.is_connected

    def set_paused(self, on: bool) -> None:
        """Pauses, or goes on, as pages do."""
        self._page.set_paused(on)

    def set_speed(self, factor: float) -> None:
        """Simulated seconds for each second, at most; 0: as fast as it goes."""
        self._page.set_speed(factor)


if TYPE_CHECKING:  # at run time the registry of overloads would keep this module beyond the end

    @overload
    def view(
        what: World | Sequence[World] | Model | SystemSpec, *, port: int = ..., host: str = ...,
        speed: float = ..., paused: bool | None = ..., block: bool = ..., background: bool = ...,
        open_browser: bool = ..., name: str = ..., quiet: bool = ...,
    ) -> Server: ...
    @overload
    def view(
        what: File | Sequence[File] | Recording, *, port: int = ..., host: str = ...,
        speed: float = ..., paused: bool | None = ..., block: bool = ..., open_browser: bool = ...,
        quiet: bool = ..., **options: Any,
    ) -> View: ...


def view(
    what: Any, *, port: int = 8080, host: str = "127.0.0.1", speed: float = 1.0,
    paused: bool | None = None, block: bool = False, background: bool | None = None,
    open_browser: bool = False, name: str = "", quiet: bool = False, **options: Any,
) -> Any:
    """Serves a page that shows a World, files or a recording, and prints its address.

    what        a World or several, a Model or SystemSpec, the path of a robot file, a world file or
                an .esp recording, several robot files, or a Recording
    port, host  of the page; where the port is taken the next free one; 0: any
    speed       simulated seconds for each second, at most; 0: as fast as it goes
    paused      wait for play; by default robot files, Models and Specs do
    block       stay until Ctrl-C; a World is stepped meanwhile
    background  of a World: a thread steps it, others touch it under `with server.lock():`
    name        title of a World's page
    options     of files, as of `espalier view`: pd=(kp, kd), pose, keyframe, dt, height, seed,
                scheme, param, ...

    Of a World, a Model or a SystemSpec it returns a Server. Step the World by `server.step()`, or
    change it within `with server.lock():`. Of files and recordings it returns a View.
    """
    if _is_file(what) or isinstance(what, Recording) or _are_files(what):
        if background is not None or name:
            raise TypeError("background and name are for Worlds")
        shown: View = _view_files(what, port, host, speed, paused, options)
        if not quiet:
            print(f"espalier: {shown._title} can be seen at {shown.url}", flush=True)
        if open_browser:
            webbrowser.open(shown.url)
        if block:
            _until_interrupt(shown.wait, shown)
        return shown
    if options:
        raise TypeError(f"{', '.join(options)}: options are for files; set up the World itself")
    return _view_world(what, port, host, speed, paused, block, background, open_browser, name,
                       quiet)


def _is_file(what: object) -> bool:
    return isinstance(what, (str, os.PathLike))


def _are_files(what: object) -> bool:
    return isinstance(what, (list, tuple)) and bool(what) and all(_is_file(w) for w in what)


def _until_interrupt(wait: Any, shown: View | Server) -> None:
    try:
        wait()
    except KeyboardInterrupt:
        pass
    finally:
        shown.stop()


def _arguments(options: dict[str, Any]) -> list[str]:
    """Keywords as the command takes them: pd=(20, 0.5) is --pd 20,0.5."""
    arguments = []
    for key, value in options.items():
        flag = "--" + key.replace("_", "-")
        if value is True:
            arguments.append(flag)
        elif isinstance(value, dict):
            for parameter, number in value.items():
                arguments += [flag, f"{parameter}={number}"]
        elif isinstance(value, (list, tuple)):
            arguments.append(f"{flag}={','.join(str(v) for v in value)}")
        elif value is not False and value is not None:
            arguments.append(f"{flag}={value}")
    return arguments


def _view_files(what: Any, port: int, host: str, speed: float, paused: bool | None,
                options: dict[str, Any]) -> View:
    files = [os.fspath(w) for w in what] if isinstance(what, (list, tuple)) else None
    if files is None and not isinstance(what, Recording):
        files = [os.fspath(what)]
        if files[0].endswith(".esp"):
            what = Recording(files[0])
    if isinstance(what, Recording):
        if options:
            raise TypeError(f"{', '.join(options)}: a recording has no options")
        return View(RecordingPage(what.to_bytes(), host, port), what.file or "a recording")
    assert files is not None
    page = FilePage(files, _arguments(options), host, port)
    for diagnostic in page.diagnostics:
        warnings.warn(str(diagnostic), EspalierWarning, stacklevel=3)
    shown = FileView(page, ", ".join(files))
    shown.set_speed(speed)
    if paused is not None:
        shown.set_paused(paused)
    return shown


def _view_world(what: Any, port: int, host: str, speed: float, paused: bool | None, block: bool,
                background: bool | None, open_browser: bool, name: str, quiet: bool) -> Server:
    is_world = isinstance(what, (World, list, tuple))
    server = Server(what if is_world else _world_of(what), name)
    server.set_speed(speed)
    server.set_paused(not is_world if paused is None else paused)
    server.launch_server(port, host=host, quiet=quiet)
    if open_browser:
        webbrowser.open(server.url)
    if block:
        _until_interrupt(server.run, server)
    elif background or (background is None and not is_world):
        _run_in_background(server)
    return server


def _world_of(robot: Any) -> World:
    world = World()
    world.add_articulated_system(os.fspath(robot) if _is_file(robot) else robot)
    return world


def _run_in_background(server: Server) -> None:
    thread = threading.Thread(target=server.run, name="espalier.Server", daemon=True)
    _servers[:] = [entry for entry in _servers if entry[1].is_alive()]
    _servers.append((server, thread))
    thread.start()


def show(what: World | Model | SystemSpec | Recording | File, *, height: int = 480,
         width: str = "100%") -> Inline:
    """The viewer's page with what it shows inside, for a notebook: nothing is served, and it stays
    in the notebook's file.

    A Recording or an .esp file is replayed; a World, a Model, a SystemSpec or a robot file is shown
    as it stands. height in pixels, width as in CSS.
    """
    if _is_file(what) and str(what).endswith(".esp"):
        what = Recording(os.fspath(what))  # type: ignore[arg-type]
    if isinstance(what, Recording):
        return what.show(height=height, width=width)
    world = what if isinstance(what, World) else _world_of(what)
    with tempfile.TemporaryDirectory(prefix="espalier_") as folder:
        file = Path(folder) / "now.esp"
        world.record(file).close()
        return Recording(file).show(height=height, width=width)
