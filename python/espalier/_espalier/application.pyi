"""The command and what it serves, for espalier.viewer."""

from collections.abc import Sequence

import espalier._espalier


def run_command(arguments: Sequence[str], python: str) -> int:
    """
    int: the exit code. python: interpreter that runs the command's scripts.
    """

class FilePage:
    """Files in a web page, stepped by a thread of their own."""

    def __init__(self, files: Sequence[str], arguments: Sequence[str], host: str, port: int) -> None: ...

    @property
    def url(self) -> str: ...

    @property
    def is_connected(self) -> bool: ...

    @property
    def diagnostics(self) -> espalier._espalier.Diagnostics: ...

    def set_paused(self, on: bool) -> None: ...

    def set_speed(self, factor: float) -> None: ...

    def stop(self) -> None: ...

class RecordingPage:
    """A recording in a web page."""

    def __init__(self, recording: bytes, host: str, port: int) -> None: ...

    @property
    def url(self) -> str: ...

    def stop(self) -> None: ...
