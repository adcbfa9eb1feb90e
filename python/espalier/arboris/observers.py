"""Observers: those of espalier.sim. Lists are read from the object after simulate()."""

from ..sim import CoMObserver, CsvLogger, EnergyMonitor, Hdf5Content, Hdf5Logger, PerfMonitor
from .parts import Observer

__all__ = [
    "CoMObserver",
    "CsvLogger",
    "EnergyMonitor",
    "Hdf5Content",
    "Hdf5Logger",
    "Observer",
    "PerfMonitor",
]
