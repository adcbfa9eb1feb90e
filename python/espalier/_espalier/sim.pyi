"""
A World driven stage by stage, with controllers, constraints, frames and observers.
"""

import builtins
from collections.abc import Sequence
import enum
import os
from typing import Any, overload

import numpy
import numpy.typing

import espalier._espalier
import espalier.shapes
import espalier.spec


class Stepping(enum.Enum):
    """
    How a Simulation steps: by arboris' own step, or by the World's scheme.
    """

    ARBORIS = 0

    WORLD = 1

class Simulation:
    """
    A World driven stage by stage, in arboris' manner:

      simulation = Simulation(world)
      simulation.add(WeightController())
      simulate(simulation, timeline)      # or: init(), and for each step update_dynamic(),
                                          # update_controllers(dt), update_constraints(dt),
                                          # integrate(dt)

    Velocities are arboris': a free joint's six are the body twist [angular, linear]. Changes during a stage, and calls from other threads, raise RuntimeError.
    """

    def __init__(self, world: espalier._espalier.World, stepping: Stepping = Stepping.ARBORIS) -> None:
        """
        What moves in the world is added before; if something is removed later, the next stage raises ValueError.
        """

    @property
    def world(self) -> espalier._espalier.World: ...

    @property
    def stepping(self) -> Stepping: ...

    def add(self, object: Any) -> Any:
        """
        Takes a controller, a constraint or a frame, once, and gives it back. It is kept.
        """

    @property
    def ground(self) -> Body:
        """The Body that does not move."""

    def body(self, name: str) -> Body:
        """By link name; with several systems that share it, 'system/link'."""

    def add_body(self, name: str, mass: numpy.typing.ArrayLike | espalier.spec.InertialSpec | None) -> Body:
        """
        A body that add_link() will carry.

        mass: (6, 6) matrix about the body's frame, [I, m [c]; -m [c], m], as arboris has it; or an InertialSpec; None: massless.
        """

    def add_link(self, frame0: Frame, joint: Any, frame1: Frame, name: str | None = None) -> Any:
        """
        Joins two frames: frame 0 is the joint's r, frame 1 its n. Links from the ground begin a robot of the World each, which floats where the joint is a FreeJoint. gpos and gvel are where it starts. The joint, which is given back, is the state's then: its gpos and gvel are those at t after each stage, and what is set in it between steps acts from the next update_dynamic() on.

        frame0: on the ground, or on a body that a link carries already; frame1: on a body of add_body() that none carries yet; name: of the joint, by default its own, or that of frame 1's body and 'Joint'.
        """

    @property
    def controllers(self) -> list[Controller]: ...

    @property
    def constraints(self) -> list[Constraint]:
        """Those of robots with closed loops (EmbeddedLoops) among them."""

    def set_constraint_sweeps(self, sweeps: int) -> None:
        """Of the constraint solver; 20 as arboris."""

    def require_objects(self) -> None:
        """
        Raises ValueError where something that moves was removed from the World.
        """

    def close(self) -> None:
        """
        Lets go of all that was added, which may be added elsewhere then. Every later call raises RuntimeError. What is forgotten needs no close().
        """

    def __repr__(self) -> str: ...

    def init(self) -> None:
        """
        Once before the first step, and again after something was added. Links that do not compile raise ValueError with every diagnostic.
        """

    def update_dynamic(self) -> None:
        """M, B, N at the state t:  M nu' + (N + B) nu = 0."""

    def update_controllers(self, dt: float, t: float | None = None) -> None:
        """
        Asks the controllers for their part of the step that lasts dt and ends at t (s), by default dt from now:  Z = M/dt + B + N - sum Z_a,  Y = Z^-1. What a controller raises comes out of here, and the step is given up.
        """

    def update_constraints(self, dt: float) -> None:
        """gforce = sum gforce0 + sum J' f."""

    def integrate(self, dt: float) -> None:
        """
        The state at t + dt:  nu+ = Y (M nu / dt + gforce),  q+ = q (+) dt nu+. All matrices are those of t until the next update_dynamic().
        """

    def abandon_step(self) -> None:
        """
        Gives up the step that update_dynamic() began: state and time stay as they were.
        """

    @property
    def ndof(self) -> int:
        """Number of velocities n of all that moves."""

    @property
    def mass_matrix(self) -> numpy.typing.NDArray[numpy.float64]:
        """M (n, n)."""

    @property
    def viscosity(self) -> numpy.typing.NDArray[numpy.float64]:
        """B (n, n)."""

    @property
    def nleffects(self) -> numpy.typing.NDArray[numpy.float64]:
        """N (n, n); not skew."""

    @property
    def impedance(self) -> numpy.typing.NDArray[numpy.float64]:
        """Z = M/dt + B + N - sum Z_a (n, n), after update_controllers()."""

    @property
    def admittance(self) -> numpy.typing.NDArray[numpy.float64]:
        """Y = Z^-1 (n, n), after update_controllers()."""

    @property
    def gforce(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Generalised force (n,): of the controllers, then with the constraints' J' f.
        """

    @property
    def controller_impedance(self) -> numpy.typing.NDArray[numpy.float64]:
        """sum Z_a (n, n); (0, 0) without controllers."""

    @property
    def gvel(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Velocities nu (n,) at t; after integrate() at t + dt. Set between steps; the coordinates stay.
        """

    @gvel.setter
    def gvel(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def current_time(self) -> float:
        """Time of the World, s."""

    def dofs(self, joints: Sequence[str]) -> list[int]:
        """
        Places of the joints' dofs in gvel, in that order; a floating base has its root link's name.
        """

    def linear_dofs(self, joints: Sequence[str]) -> list[int]:
        """
        The same, for joints whose velocities are the rates of their coordinates; others raise ValueError.
        """

    def gpos(self, dof: int) -> float:
        """Coordinate of such a dof, at t: rad or m."""

    @property
    def gravity_of_step(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Gravity that the step brings by itself (3,), m/s^2: none in arboris' own.
        """

    def look_ahead(self, dt: float) -> float:
        """
        How long after t (s) the coordinates are that a controller's implicit part should push on: gforce = gforce0 + Z nu', q' = q + look_ahead nu'.
        """

    @property
    def last_change(self) -> float:
        """
        Largest change of a velocity in the last sweep over the constraints, m/s or rad/s.
        """

class Snapshot:
    """
    Kinematics of a simulation at its state t, for observers. The Simulation's own are those of the World's evaluation point with Stepping.WORLD.
    """

    def __init__(self, simulation: Simulation) -> None: ...

    def take(self) -> None:
        """Brings it up to date."""

    @property
    def kinetic_energy(self) -> float:
        """J, rotor inertia included."""

    def potential_energy(self, gravity: numpy.typing.ArrayLike) -> float:
        """J, zero at the world's origin, in this gravity (3,), m/s^2."""

    @property
    def mass(self) -> float:
        """kg, of all that moves."""

    @property
    def centre_of_mass(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, world."""

    @property
    def centre_of_mass_rate(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m/s."""

    def link_pose(self, actor: int, link: int) -> numpy.typing.NDArray[numpy.float64]:
        """
        X_gl (4, 4) of a link (its place in the model's links) of an actor: robots in the World's order, then single bodies that move.
        """

class Frame:
    """
    A frame on a body of a Simulation. Poses are X_gf, ground from f; twists are [angular, linear] of f over the ground, in f's axes at f's origin: T = jacobian @ gvel + T_f/b. All speak of the state that update_dynamic() saw last.
    """

    @property
    def simulation(self) -> Simulation:
        """The Simulation it belongs to."""

    @property
    def name(self) -> str:
        """May be empty."""

    @property
    def bpose(self) -> numpy.typing.NDArray[numpy.float64]:
        """Pose in its body (4, 4)."""

    @property
    def pose(self) -> numpy.typing.NDArray[numpy.float64]:
        """X_gf (4, 4)."""

    @property
    def twist(self) -> numpy.typing.NDArray[numpy.float64]:
        """T (6,): rad/s, m/s."""

    @property
    def jacobian(self) -> numpy.typing.NDArray[numpy.float64]:
        """J (6, ndof)."""

    @property
    def djacobian(self) -> numpy.typing.NDArray[numpy.float64]:
        """Rate of jacobian (6, ndof)."""

    def twist_at(self, p: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """
        Twist (6,) in world axes at the point p (m, world) of a body that moves with this frame.
        """

    def drift_at(self, p: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """The part of twist_at(p) that is not J nu: a moving frame's own."""

    def columns_at(self, p: numpy.typing.ArrayLike) -> tuple[list[int], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """
        The dofs (k,) that move the frame, root first, their columns of J (k, 6) in world axes at p, and the rates of these (k, 6) for a p that moves along.
        """

    def is_on_body_of(self, other: Frame) -> bool:
        """Whether the same body carries both."""

    def __eq__(self, arg: builtins.object, /) -> bool: ...

    def __hash__(self) -> int: ...

class Body(Frame):
    """
    A link, or the ground. Simulation.body(), ground and add_body() give it.
    """

    @property
    def viscosity(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (6, 6): wrench of the surrounding medium = -viscosity @ twist, in the body's axes at its origin. Its symmetric part is positive semidefinite, or the medium gives energy.
        """

    @viscosity.setter
    def viscosity(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def is_viscous(self) -> bool:
        """Whether viscosity is not zero."""

    def __repr__(self) -> str: ...

class SubFrame(Frame):
    """A frame fixed to a body at bpose (4, 4)."""

    def __init__(self, body: Frame, bpose: numpy.typing.ArrayLike, name: str = '') -> None:
        """body may be a SubFrame, too."""

    def __repr__(self) -> str: ...

class MovingSubFrame(Frame):
    """A frame moved against its body by the caller."""

    def __init__(self, body: Frame, bpose: numpy.typing.ArrayLike, name: str = '') -> None: ...

    def set_bpose(self, bpose: numpy.typing.ArrayLike, btwist: numpy.typing.ArrayLike = ...) -> None:
        """
        Where it is now (4, 4), and how it moves over its body (6,): [angular, linear] in its own axes at its origin.
        """

    def __repr__(self) -> str: ...

class Controller:
    """
    What pushes with gforce0 + Z nu', where nu' is the velocity that the step ends with (in the World's schemes of second order the mean over the step): what is in Z acts implicitly.

    Derive from it, and write update(self, dt, t), which returns gforce0 (ndof,), N or N m, or the tuple (gforce0, Z) with Z (ndof, ndof). What it raises comes out of update_controllers(), and the step is given up.
    """

    def __init__(self) -> None: ...

    def init(self, simulation: Simulation) -> None:
        """Called once, before the first step."""

    def update(self, dt: float, t: float) -> Any:
        """
        (gforce0 (ndof,), Z (ndof, ndof)) for the step that lasts dt and ends at time t (s).
        """

class WeightController(Controller):
    """
    Gravity. arboris' own step has none but this; a step of the World has the World's, and this adds the difference.
    """

    def __init__(self, gravity: numpy.typing.ArrayLike | None = None) -> None:
        """gravity: (3,) m/s^2; None: the World's, as it is at every step."""

class ProportionalDerivativeController(Controller):
    """
    PD on joints whose velocities are the rates of their coordinates:
    gforce = Kp (q_des - q') + Kd (v_des - nu'), q' = q + h nu', h = look_ahead(dt).
    """

    def __init__(self, joints: Sequence[str], Kp: numpy.typing.ArrayLike, Kd: numpy.typing.ArrayLike) -> None:
        """
        On these joints' dofs, in this order, with gains (n, n); targets start at zero. Unknown joints and gains of the wrong size raise ValueError at init().
        """

    def set_target(self, gpos: numpy.typing.ArrayLike, gvel: numpy.typing.ArrayLike) -> None:
        """Both (n,)."""

    def set_gains(self, Kp: numpy.typing.ArrayLike, Kd: numpy.typing.ArrayLike) -> None:
        """Both (n, n)."""

class Constraint:
    """
    What lives in a few directions of its own: it says how they move, v = J nu + drift, and is asked again and again what change of its force would be right, all others held. Of Stepping.ARBORIS.

    Derive from it, and write ndol, rows(self), solve(self, vel, admittance, dt) and update(self, dt); init(self, simulation) where it is needed. rows() returns J (ndol, ndof), or the tuple (J, drift (ndol,)); solve() returns the change of force (ndol,), which is then made. is_active may be set in update(). What they raise comes out of update_constraints() or init().
    """

    def __init__(self, name: str = '') -> None: ...

    @property
    def name(self) -> str: ...

    def enable(self) -> None:
        """It may push, as at first."""

    def disable(self) -> None:
        """It does not push."""

    @property
    def is_enabled(self) -> bool: ...

    def init(self, simulation: Simulation) -> None:
        """Called once, before the first step."""

    @property
    def ndol(self) -> int:
        """How many directions it constrains; fixed after init()."""

    def update(self, dt: float) -> None:
        """
        At the state of update_dynamic(): geometry, and the force to start from. Every step.
        """

    @property
    def is_active(self) -> bool:
        """Whether it may push in this step; asked after update()."""

    @is_active.setter
    def is_active(self, arg: bool, /) -> None: ...

    def rows(self) -> Any:
        """J (ndol, ndof) and drift (ndol,) of the present geometry."""

    def solve(self, vel: numpy.typing.NDArray[numpy.float64], admittance: numpy.typing.NDArray[numpy.float64], dt: float) -> Any:
        """
        The change of force (ndol,), already made.

        vel: (ndol,) velocities at the end of the step with the forces as they are; admittance: (ndol, ndol) change of vel per force; dt: s.
        """

    @property
    def force(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Of this step (ndol,); zero where it is not active. J' force is its generalised force. May be set in update() of a class of Python, to say what to start from.
        """

    @force.setter
    def force(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def release(self) -> None:
        """Force zero."""

class PointContact(Constraint):
    """
    A contact of two shapes at their nearest points, as far as geometry goes. Derive from it as from Constraint, for a contact law of your own; update() and is_active are there. The contact frame is at shape 0's point, its z towards shape 1; forces act on body 1 and, reversed, on body 0.
    """

    def __init__(self, frame0: Frame, shape0: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield, frame1: Frame, shape1: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield, proximity: float = 0.02, name: str = '') -> None:
        """Shapes sit at the frames, which are on different bodies. proximity: m."""

    @property
    def sdist(self) -> float:
        """
        Distance, m, of the last update; infinite where the shapes are far apart.
        """

    @property
    def contact_pose(self) -> numpy.typing.NDArray[numpy.float64]:
        """The contact frame (4, 4), world."""

class BallAndSocket(Constraint):
    """
    The origin of frame 1 stays on that of frame 0. In frame 0's axes; the force acts on body 1 and, reversed, on body 0. The whole gap is closed within the step.
    """

    def __init__(self, frame0: Frame, frame1: Frame, name: str = '') -> None:
        """Both on different bodies."""

    @property
    def gap(self) -> numpy.typing.NDArray[numpy.float64]:
        """p_01 (3,), m, of the last update."""

class JointLimits(Constraint):
    """
    lower <= q <= upper on every dof of some joints whose velocities are the rates of their coordinates. Active where a coordinate is nearer than proximity to a limit, or beyond.
    """

    def __init__(self, joints: Sequence[str], lower: numpy.typing.ArrayLike, upper: numpy.typing.ArrayLike, proximity: float = 0.01, name: str = '') -> None:
        """Limits (n,), a number for each dof of the joints, rad or m."""

class SoftFinger(PointContact):
    """
    A contact with Coulomb friction that resists turning about its normal, too. force: (4,) m_z, f_x, f_y, f_z in the contact frame; friction lies in the ellipsoid sum (f_t / e)^2 <= (mu f_z)^2.
    """

    def __init__(self, frame0: Frame, shape0: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield, frame1: Frame, shape1: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield, mu: float, radii: numpy.typing.ArrayLike = ..., proximity: float = 0.02, name: str = '') -> None:
        """radii: (3,) of the ellipsoid, m, 1, 1. proximity: m."""

class EmbeddedLoops(Constraint):
    """
    The closed loops of one robot, as a constraint between the joints of its spanning tree. The Simulation makes one for every robot with loops.
    """

    @property
    def gap(self) -> numpy.typing.NDArray[numpy.float64]:
        """phi (ndol,), m, rad, or 1 for directions, of the last update."""

def slip_force(Y: numpy.typing.ArrayLike, alpha: numpy.typing.ArrayLike, mu: float, e: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """
    The force (4,) of a contact that slips, friction opposite to the slip.

    Y: (4, 4) admittance, rows m_z, f_x, f_y, f_z; alpha: (4,) velocity to be cancelled, its last with gap / dt, not positive; mu: friction; e: (3,) radii of the ellipsoid, m, 1, 1.
    """

def soft_finger_force(force: numpy.typing.ArrayLike, vel: numpy.typing.ArrayLike, admittance: numpy.typing.ArrayLike, sdist: float, dt: float, mu: float, radii: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """
    The force (4,) of one soft finger alone.

    force: (4,) to start from; vel: (4,) velocity with that force, rows m_z, f_x, f_y, f_z; admittance: (4, 4) what the force changes of it; sdist: m; dt: s.
    """

class Observer:
    """
    Looks on while simulate() runs: at the state t and the forces of the step that begins there.

    Derive from it, and write update(self, dt), and init(self, simulation, timeline) and finish(self) where they are needed. What they raise comes out of simulate().
    """

    def __init__(self) -> None: ...

    def init(self, simulation: Simulation, timeline: numpy.typing.NDArray[numpy.float64]) -> None:
        """Before the first step. timeline (k,): s."""

    def update(self, dt: float) -> None:
        """After update_constraints(), before integrate(dt)."""

    def finish(self) -> None:
        """After the last step."""

class EnergyMonitor(Observer):
    """
    Energies in the World's gravity, without those of springs: an entry for each time of the timeline.
    """

    def __init__(self) -> None: ...

    @property
    def time(self) -> numpy.typing.NDArray[numpy.float64]:
        """(k,) s"""

    @property
    def kinetic(self) -> numpy.typing.NDArray[numpy.float64]:
        """(k,) J"""

    @property
    def potential(self) -> numpy.typing.NDArray[numpy.float64]:
        """(k,) J"""

    def mechanical(self, entry: int) -> float:
        """The sum of both, J."""

class CoMObserver(Observer):
    """
    Centre of mass of all that moves, and its velocity, in world axes: an entry for each time of the timeline.
    """

    def __init__(self) -> None: ...

    @property
    def time(self) -> numpy.typing.NDArray[numpy.float64]:
        """(k,) s"""

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(k, 3) m"""

    @property
    def velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(k, 3) m/s"""

class PerfMonitor(Observer):
    """How long steps take on the wall clock: from one update() to the next."""

    def __init__(self) -> None: ...

    @property
    def durations(self) -> numpy.typing.NDArray[numpy.float64]:
        """(k,) s, by step"""

    @property
    def total(self) -> float:
        """s"""

    @property
    def average(self) -> float:
        """s; 0 without steps"""

    @property
    def fastest(self) -> float:
        """s"""

    @property
    def slowest(self) -> float:
        """s"""

class CsvLogger(Observer):
    """
    The trajectory as text: a line of names, then one for each time: time, JOINT.q0, ..., JOINT.u0, ...
    """

    def __init__(self, file: str | os.PathLike[str]) -> None: ...

class Hdf5Content:
    """What goes into the file beside the timeline."""

    def __init__(self, state: bool = True, transforms: bool = True, model: bool = False) -> None: ...

    @property
    def state(self) -> bool:
        """gpositions/JOINT, gvelocities/JOINT"""

    @state.setter
    def state(self, arg: bool, /) -> None: ...

    @property
    def transforms(self) -> bool:
        """transforms/LINK (k, 4, 4)"""

    @transforms.setter
    def transforms(self, arg: bool, /) -> None: ...

    @property
    def model(self) -> bool:
        """
        model/mass, viscosity, nleffects, admittance (k, n, n); model/gvel, gforce (k, n)
        """

    @model.setter
    def model(self, arg: bool, /) -> None: ...

class Hdf5Logger(Observer):
    """
    The trajectory as HDF5, in arboris' layout. All is kept in memory and written by finish().
    """

    def __init__(self, file: str | os.PathLike[str], content: Hdf5Content | None = None) -> None:
        """content: Hdf5Content, by default the state and transforms."""

@overload
def simulate(simulation: Simulation, timeline: numpy.typing.ArrayLike, observers: Sequence[Observer] = ()) -> None:
    """
    Runs from the first time of the timeline (k,) (s) to the last, a step from each to the next, however long: init; for each further t update_dynamic, update_controllers(dt, t), update_constraints, observers, integrate. A World may stand in the Simulation's place: it is stepped as it is, in its own scheme.

    Raises ValueError where the timeline is empty, does not ascend or is not finite, and what observers, controllers and constraints raise; the step is given up then.
    """

@overload
def simulate(world: espalier._espalier.World, timeline: numpy.typing.ArrayLike, observers: Sequence[Observer] = ()) -> None: ...
