"""World, bodies and frames, and the loop of a simulation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import JointObject as Joint
from .. import sim
from .. import World as _EngineWorld
from .frames import Body, Frame, MovingSubFrame, NamedObjectsList, Shape, SubFrame
from .parts import Constraint, Controller, Observer, Part

Array = NDArray[np.float64]

__all__ = [
    "Body",
    "Constraint",
    "Controller",
    "Frame",
    "Joint",
    "MovingSubFrame",
    "NamedObjectsList",
    "Observer",
    "Shape",
    "SubFrame",
    "World",
    "simulate",
]


class World:
    """A ground, and trees of bodies on it. up is y, as arboris has it.

    What is asked of M, N, velocities and poses is answered from init() on.
    """

    def __init__(self) -> None:
        self.up: Array = np.array([0.0, 1.0, 0.0])
        self.ground: Body = Body(name="ground")
        self.ground._world = self
        self._links: list[tuple[Frame, Joint, Frame]] = []
        self._frames: list[Frame] = []
        self._shapes: list[Shape] = []
        self._parts: list[Part] = []
        self._world: _EngineWorld | None = None
        self._simulation: sim.Simulation | None = None
        self._added = 0  # of _parts, those that the simulation has
        self._joint_names: dict[int, str] = {}  # of the simulation, by id

    # ---- building

    def add_link(self, frame0: Frame, joint: Joint, frame1: Frame) -> None:
        """Joins frame 0, of a body that is in the tree, and frame 1, of one that is not yet."""
        child = frame1.body
        if frame0.body._world is not self:
            raise ValueError("frame 0 is on the ground, or on a body that a link carries already")
        if child._world is not None:
            raise ValueError(f"the body {child.name!r} is in a tree already")
        if any(joint is linked for _, linked, _ in self._links):
            raise ValueError("this joint is a link already")
        if not isinstance(joint, Joint):
            raise TypeError("a link is made of a joint")
        for frame in (frame0, frame1):
            if isinstance(frame, MovingSubFrame):
                raise ValueError("a joint is between frames that are fixed to their bodies")
        child._world = self
        self._links.append((frame0, joint, frame1))
        self._give_up()

    def register(self, obj: Frame | Shape | Part) -> None:
        """Takes a frame, a shape, a controller or a constraint."""
        if isinstance(obj, Part):
            if any(obj is part for part in self._parts):
                raise ValueError("this object was registered before")
            self._parts.append(obj)
        elif isinstance(obj, Shape):
            if obj not in self._shapes:
                self._shapes.append(obj)
        elif isinstance(obj, Frame):
            if not isinstance(obj, Body) and obj not in self._frames:
                self._frames.append(obj)
        else:
            raise TypeError("frames, shapes, controllers and constraints are registered")

    def init(self) -> None:
        """Makes what was added ready. Before the first step, and after something was added."""
        simulation = self._built()
        for part in self._parts[self._added :]:
            simulation.add(part._made(self))
            self._added += 1
        simulation.init()

    def _give_up(self) -> None:
        """The simulation is made anew by the next init(), from where the joints are."""
        if self._simulation is not None:
            self._simulation.close()
        self._simulation = self._world = None
        self._added = 0

    def _depth_first(self) -> Iterator[tuple[Frame, Joint, Frame]]:
        def below(body: Body) -> Iterator[tuple[Frame, Joint, Frame]]:
            for link in self._links:
                if link[0].body is body:
                    yield link
                    yield from below(link[2].body)

        return below(self.ground)

    def _built(self) -> sim.Simulation:
        if self._simulation is not None:
            return self._simulation
        world = _EngineWorld()
        world.gravity = -9.81 * self.up
        simulation = sim.Simulation(world)
        self._world, self._simulation = world, simulation
        self._joint_names = {}
        taken = {"ground"}

        def free(name: str) -> str:
            while name in taken:
                name += "'"
            taken.add(name)
            return name

        for k, (frame0, joint, frame1) in enumerate(list(self._depth_first())):
            body = frame1.body
            name = free(body.name or f"body{k}")
            link = simulation.add_body(name, body.mass)
            link.viscosity = body.viscosity
            body._link = link
            self._joint_names[id(joint)] = free(joint.name or f"{name}Joint")
            simulation.add_link(
                frame0._made(self), joint, frame1._made(self), self._joint_names[id(joint)]
            )
        return simulation

    def _names(self, joints: Iterable[Joint]) -> list[str]:
        """What the simulation calls them."""
        if any(id(joint) not in self._joint_names for joint in joints):
            raise ValueError("this joint is no link of the world")
        return [self._joint_names[id(joint)] for joint in joints]

    def _ready(self) -> sim.Simulation:
        if self._simulation is None:
            raise RuntimeError("init() comes first, and again after a link was added")
        return self._simulation

    # ---- what is in it

    def iterbodies(self) -> Iterator[Body]:
        """The ground, then the bodies in the order of their dofs: depth first."""
        yield self.ground
        for _, _, frame1 in self._depth_first():
            yield frame1.body

    def getbodies(self) -> NamedObjectsList[Body]:
        return NamedObjectsList(self.iterbodies())

    def iterjoints(self) -> Iterator[Joint]:
        """In the order of their dofs: depth first."""
        for _, joint, _ in self._depth_first():
            yield joint

    def getjoints(self) -> NamedObjectsList[Joint]:
        return NamedObjectsList(self.iterjoints())

    def iterframes(self) -> Iterator[Frame]:
        """The bodies, then the frames that were registered or carry a joint."""
        yield from self.iterbodies()
        seen: list[Frame] = list(self._frames)
        for frame0, _, frame1 in self._links:
            seen += [f for f in (frame0, frame1) if not isinstance(f, Body) and f not in seen]
        yield from seen

    def getframes(self) -> NamedObjectsList[Frame]:
        return NamedObjectsList(self.iterframes())

    def iterconstraints(self) -> Iterator[Constraint]:
        return (part for part in self._parts if isinstance(part, Constraint))

    def getconstraints(self) -> NamedObjectsList[Constraint]:
        return NamedObjectsList(self.iterconstraints())

    def itercontrollers(self) -> Iterator[Controller]:
        return (part for part in self._parts if isinstance(part, Controller))

    def getcontrollers(self) -> NamedObjectsList[Controller]:
        return NamedObjectsList(self.itercontrollers())

    def itershapes(self) -> Iterator[Shape]:
        return iter(self._shapes)

    def getshapes(self) -> NamedObjectsList[Shape]:
        return NamedObjectsList(self._shapes)

    def dof(self, joints: Joint | Sequence[Joint]) -> list[int]:
        """Places of the joints' velocities in gvel."""
        wanted = [joints] if isinstance(joints, Joint) else list(joints)
        places: dict[int, range] = {}
        at = 0
        for joint in self.iterjoints():
            places[id(joint)] = range(at, at + joint.ndof)
            at += joint.ndof
        if any(id(joint) not in places for joint in wanted):
            raise ValueError("this joint is no link of the world")
        return [k for joint in wanted for k in places[id(joint)]]

    # ---- the stages of a step

    def update_dynamic(self) -> None:
        """M, B and N at the present state."""
        self._ready().update_dynamic()

    def update_controllers(self, dt: float, t: float | None = None) -> None:
        """Z, Y and the controllers' forces, for a step that lasts dt and ends at t (s)."""
        self._ready().update_controllers(dt, t)

    def update_constraints(self, dt: float) -> None:
        """The constraints' forces."""
        self._ready().update_constraints(dt)

    def integrate(self, dt: float) -> None:
        """The state at t + dt."""
        self._ready().integrate(dt)

    # ---- what they left

    @property
    def ndof(self) -> int:
        return sum(joint.ndof for joint in self.iterjoints())

    @property
    def current_time(self) -> float:
        """s"""
        return self._ready().current_time

    @property
    def mass(self) -> Array:
        """M (n, n)"""
        return self._ready().mass_matrix

    @property
    def viscosity(self) -> Array:
        """B (n, n)"""
        return self._ready().viscosity

    @property
    def nleffects(self) -> Array:
        """N (n, n)"""
        return self._ready().nleffects

    @property
    def gvel(self) -> Array:
        """nu (n,)"""
        return self._ready().gvel

    @property
    def gforce(self) -> Array:
        """Forces of controllers and constraints (n,), without what Z stands for."""
        return self._ready().gforce

    _gforce = gforce

    @property
    def _impedance(self) -> Array:
        """Z (n, n)"""
        return self._ready().impedance

    @property
    def _admittance(self) -> Array:
        """Y = Z^-1 (n, n)"""
        return self._ready().admittance

    @property
    def simulation(self) -> sim.Simulation:
        """The Simulation behind it."""
        return self._ready()

    def __repr__(self) -> str:
        return f"<World: {len(self._links)} links, {self.ndof} dofs>"


def simulate(world: World, timeline: ArrayLike, observers: Iterable[Any] = ()) -> None:
    """Runs the world from the first time (s) to the last, a step from each to the next.

    Observers, of this package or of espalier.sim, are asked after the forces of a step are known
    and before it is taken.
    """
    world.init()
    looking = [o._made(world) if isinstance(o, Observer) else o for o in observers]
    sim.simulate(world.simulation, timeline, looking)
