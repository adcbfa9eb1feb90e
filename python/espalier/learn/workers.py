"""Threads that share out chunks of rows.

numpy lets other threads run while it works on an array, so that plain threads use all cores. Each
chunk has results of its own, which the caller adds up in the order of the chunks: the bits depend
on the size of a chunk, and neither on how many threads there are nor on which of them was faster.
The BLAS below numpy must not start threads of its own: see check_blas_threads().
"""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from ..errors import EspalierWarning

BLAS_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class Chunk(NamedTuple):
    place: int
    rows: slice


def chunks_of(rows: int, size: int) -> list[Chunk]:
    starts = range(0, rows, size)
    return [Chunk(k, slice(at, min(at + size, rows))) for k, at in enumerate(starts)]


class Workers:
    """A pool of `threads` threads; one thread is the caller itself."""

    def __init__(self, threads: int) -> None:
        if threads < 1:
            raise ValueError(f"{threads} threads: there must be one at least")
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        if self._pool:
            check_blas_threads()

    def run(self, work: Callable[[int, Chunk], None], chunks: list[Chunk]) -> None:
        """Calls work(thread, chunk) for each chunk, and returns when all are done."""
        following = itertools.count()  # next() of it is atomic

        def take(thread: int) -> None:
            for k in following:
                if k >= len(chunks):
                    return
                work(thread, chunks[k])

        if self._pool is None:
            take(0)
            return
        others = [self._pool.submit(take, thread) for thread in range(1, self.threads)]
        try:
            take(0)
        finally:
            errors = [other.exception() for other in others]
        for error in errors:
            if error is not None:
                raise error


def check_blas_threads() -> None:
    """Warns where the environment leaves the number of the BLAS's own threads open."""
    if not any(os.environ.get(name) == "1" for name in BLAS_VARIABLES):
        warnings.warn("several threads call a BLAS that may start threads itself, which is slower: "
                      "set OPENBLAS_NUM_THREADS=1 before numpy is imported", EspalierWarning,
                      stacklevel=3)
