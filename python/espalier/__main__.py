"""The command: python -m espalier ARGUMENTS, and the console script `espalier`."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ._espalier.application import run_command


@contextmanager
def _signals_of_the_command() -> Iterator[None]:
    """The command handles Ctrl-C itself: Python's handler would wait until it has ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        yield
    finally:
        for number, handler in kept.items():
            if handler is not None:
                signal.signal(number, handler)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code. Without arguments those of the program."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    with _signals_of_the_command():
        return run_command(given, sys.executable)


if __name__ == "__main__":
    sys.exit(main())
