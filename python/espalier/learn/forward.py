"""A network's output for many rows, in chunks that threads share out.

A BLAS may round a row differently in a product of another size. So a chunk is as long for a part of the
rows as it is for all of them, filled up with zeros: a part gets the bits that it has among all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .network import Mlp
from .vector_task import Floats
from .workers import Chunk, Workers, chunks_of

__all__ = ["Forward", "Part"]


class Part(NamedTuple):
    """Rows `first` and later of `total` rows."""

    first: int
    total: int


class Forward:
    """Evaluates one network after the other of the same sizes."""

    def __init__(self, network: Mlp, chunk: int, workers: Workers) -> None:
        self.chunk, self.workers = chunk, workers
        self._tapes = [network.tape(chunk) for _ in range(workers.threads)]
        self._filled = [np.zeros((0, network.sizes[0]), np.float32)] * workers.threads

    def __call__(self, network: Mlp, x: Floats, out: Floats, part: Part | None = None) -> None:
        """out [rows, outputs] of x [rows, inputs]; part: which rows of how many these are, by default all."""
        first, total = part or Part(0, len(x))
        touched = [chunk for chunk in chunks_of(total, self.chunk)
                   if chunk.rows.stop > first and chunk.rows.start < first + len(x)]

        def work(thread: int, chunk: Chunk) -> None:
            whole = chunk.rows  # of all rows; begin and end are those of x
            begin, end = max(whole.start - first, 0), min(whole.stop - first, len(x))
            length = whole.stop - whole.start
            rows, at = x[begin:end], first + begin - whole.start
            if len(rows) < length:
                rows = self._filled_up(thread, rows, at, length)
            out[begin:end] = network.forward(rows, self._tapes[thread])[at:at + end - begin]

        self.workers.run(work, touched)

    def _filled_up(self, thread: int, rows: Floats, at: int, length: int) -> Floats:
        """The rows at their place among zeros, [length, inputs]."""
        if len(self._filled[thread]) < length:
            self._filled[thread] = np.zeros((self.chunk, rows.shape[1]), np.float32)
        filled = self._filled[thread][:length]
        filled[:at], filled[at + len(rows):] = 0, 0
        filled[at:at + len(rows)] = rows
        return filled
