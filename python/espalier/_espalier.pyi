"""Articulated systems as they are really built, with hard contact"""

from typing import Annotated

import numpy
from numpy.typing import NDArray


class Object:
    pass

class ArticulatedSystem(Object):
    @property
    def q(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @q.setter
    def q(self, arg: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], /) -> None: ...

    @property
    def mass_matrix(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F')]: ...

class StepReport:
    @property
    def contacts(self) -> int: ...

class World:
    def __init__(self) -> None: ...

    def add_ground(self) -> None: ...

    def add_articulated_system(self, file_or_text: str) -> ArticulatedSystem: ...

    def step(self) -> StepReport: ...

    @property
    def gravity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), order='C')]: ...

    @gravity.setter
    def gravity(self, arg: Annotated[NDArray[numpy.float64], dict(shape=(3), order='C')], /) -> None: ...

__version__: str
