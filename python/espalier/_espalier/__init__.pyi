"""Articulated systems as they are really built, with hard contact"""

import builtins
import espalier._espalier.cluster_joint
from typing import Any
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence
)
import enum
import os
from typing import Annotated, overload

import numpy
import numpy.typing
from numpy.typing import NDArray

import espalier.child
import espalier.io
import espalier.recording
import espalier.shapes
import espalier.spec


class Severity(enum.Enum):
    """How bad a remark is."""

    NOTE = 0
    """worth knowing"""

    WARNING = 1
    """odd, or left out"""

    ERROR = 2
    """cannot be built"""

class Diagnostic:
    """
    One remark about a file or a Spec: where, how bad, what, and what to do about it.
    """

    def __init__(self, severity: Severity = Severity.ERROR, file: str = '', line: int = 0, what: str = '', remedy: str = '', is_omission: bool = False) -> None: ...

    @property
    def severity(self) -> Severity:
        """Severity"""

    @severity.setter
    def severity(self, arg: Severity, /) -> None: ...

    @property
    def file(self) -> str:
        """path, or "<text>"; empty if unknown"""

    @file.setter
    def file(self, arg: str, /) -> None: ...

    @property
    def line(self) -> int:
        """1-based; 0 if unknown"""

    @line.setter
    def line(self, arg: int, /) -> None: ...

    @property
    def what(self) -> str:
        """the problem, naming link, joint or attribute"""

    @what.setter
    def what(self, arg: str, /) -> None: ...

    @property
    def remedy(self) -> str:
        """what to do about it"""

    @remedy.setter
    def remedy(self, arg: str, /) -> None: ...

    @property
    def is_omission(self) -> bool:
        """a warning about something left out that acts where the file comes from"""

    @is_omission.setter
    def is_omission(self, arg: bool, /) -> None: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[int, str, int, str, str, bool]: ...

    def __setstate__(self, arg: tuple[int, str, int, str, str, bool], /) -> None: ...

class Diagnostics:
    """Remarks in order of appearance: a sequence of Diagnostic."""

    def __init__(self) -> None: ...

    def add(self, diagnostic: Diagnostic) -> None:
        """Appends a remark."""

    def append(self, other: Diagnostics) -> None:
        """Appends all remarks of another."""

    @property
    def has_errors(self) -> bool:
        """whether one is an error"""

    def count(self, severity: Severity) -> int:
        """How many have this severity."""

    def omissions(self) -> Diagnostics:
        """
        Those that tell of something left out that acts where the file comes from.
        """

    @property
    def all(self) -> list[Diagnostic]:
        """list of copies"""

    def to_string(self) -> str:
        """One line each."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __len__(self) -> int: ...

    def __bool__(self) -> bool: ...

    def __getitem__(self, index: int) -> Diagnostic: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __getstate__(self) -> list[Diagnostic]: ...

    def __setstate__(self, arg: Sequence[Diagnostic], /) -> None: ...

class TapeOp(enum.Enum):
    """An operation of a Tape."""

    ADD = 0
    """a + b"""

    SUBTRACT = 1
    """a - b"""

    MULTIPLY = 2
    """a b"""

    DIVIDE = 3
    """a / b"""

    NEGATE = 4
    """-a"""

    FUSED = 5
    """a b + c, rounded once"""

    SQRT = 6
    """square root of a"""

    SINE = 7
    """sin a; the next step is its COSINE"""

    COSINE = 8
    """cos a; stands behind the SINE of the same a"""

    ATAN2 = 9
    """the angle of the point (b, a)"""

class Tape:
    """
    A function of several numbers as a list of operations; never changes. tape(q) plays it, tape.jacobian(q) has its exact derivatives.
    """

    def __init__(self, inputs: int = 0, constants: numpy.typing.ArrayLike = ..., steps: Sequence[Tape.Step] = [], outputs: Sequence[int] = []) -> None:
        """
        Values are numbered: the inputs, then the constants, then what the steps find. ValueError where it cannot be played; espalier.trace() makes tapes of functions.
        """

    class Step:
        """An operation on numbered values."""

        def __init__(self, op: TapeOp = TapeOp.ADD, a: int = 0, b: int = 0, c: int = 0) -> None: ...

        @property
        def op(self) -> TapeOp:
            """TapeOp"""

        @property
        def a(self) -> int:
            """value"""

        @property
        def b(self) -> int:
            """value; 0 where not read"""

        @property
        def c(self) -> int:
            """value; 0 where not read"""

        def __eq__(self, arg: builtins.object, /) -> bool: ...

        def __repr__(self) -> str: ...

        def __reduce__(self) -> tuple[Any, ...]: ...

    @property
    def inputs(self) -> int:
        """number of inputs"""

    @property
    def constants(self) -> numpy.typing.NDArray[numpy.float64]:
        """(n,)"""

    @property
    def steps(self) -> list[Tape.Step]:
        """list of Step"""

    @property
    def outputs(self) -> list[int]:
        """list of int: values"""

    @property
    def first_step(self) -> int:
        """number of the value of the first step"""

    @property
    def values(self) -> int:
        """number of values"""

    @property
    def rows(self) -> int:
        """number of outputs"""

    def fault(self) -> str:
        """What is wrong with it; empty where it can be played."""

    def hash(self) -> int:
        """Equal tapes have equal hashes, on every machine."""

    def __hash__(self) -> int: ...

    def __eq__(self, arg: builtins.object, /) -> bool: ...

    def __call__(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """phi at q: (inputs,) to (rows,)."""

    def jacobian(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(rows, inputs) d phi / d q, exact."""

    def __repr__(self) -> str: ...

    def __copy__(self) -> builtins.object: ...

    def __deepcopy__(self, memo: builtins.object) -> builtins.object: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

def operands_of(op: TapeOp) -> int:
    """How many of a, b, c a TapeOp reads."""

def single_row(tape: Tape, row: int) -> Tape:
    """What one output needs."""

class Traced:
    """
    A number that writes down what is done to it: + - * /, ** by whole numbers, and sqrt, sin, cos, tan, asin, acos, atan, atan2 of espalier or numpy. It cannot be compared.
    """

    def __init__(self, constant: float = 0.0) -> None: ...

    @overload
    def __add__(self, arg: Traced, /) -> Traced: ...

    @overload
    def __add__(self, arg: float, /) -> Traced: ...

    @overload
    def __sub__(self, arg: Traced, /) -> Traced: ...

    @overload
    def __sub__(self, arg: float, /) -> Traced: ...

    @overload
    def __mul__(self, arg: Traced, /) -> Traced: ...

    @overload
    def __mul__(self, arg: float, /) -> Traced: ...

    @overload
    def __truediv__(self, arg: Traced, /) -> Traced: ...

    @overload
    def __truediv__(self, arg: float, /) -> Traced: ...

    def __radd__(self, arg: float, /) -> Traced: ...

    def __rsub__(self, arg: float, /) -> Traced: ...

    def __rmul__(self, arg: float, /) -> Traced: ...

    def __rtruediv__(self, arg: float, /) -> Traced: ...

    def __neg__(self) -> Traced: ...

    def __pos__(self) -> Traced: ...

    def __pow__(self, exponent: builtins.object) -> Traced: ...

    def __lt__(self, arg: builtins.object, /) -> bool: ...

    def __gt__(self, arg: builtins.object, /) -> bool: ...

    def __le__(self, arg: builtins.object, /) -> bool: ...

    def __ge__(self, arg: builtins.object, /) -> bool: ...

    def __eq__(self, arg: builtins.object, /) -> bool: ...

    def __ne__(self, arg: builtins.object, /) -> bool: ...

    def __abs__(self) -> Traced: ...

    def __bool__(self) -> bool: ...

    def __float__(self) -> float: ...

    def __int__(self) -> int: ...

    def __repr__(self) -> str: ...


    def sqrt(self) -> Traced: ...

    def sin(self) -> Traced: ...

    def cos(self) -> Traced: ...

    def tan(self) -> Traced: ...

    def arcsin(self) -> Traced: ...

    def arccos(self) -> Traced: ...

    def arctan(self) -> Traced: ...

    def square(self) -> Traced: ...

    @overload
    def arctan2(self, arg: Traced, /) -> Traced: ...

    @overload
    def arctan2(self, arg: float, /) -> Traced: ...

    @overload
    def hypot(self, arg: Traced, /) -> Traced: ...

    @overload
    def hypot(self, arg: float, /) -> Traced: ...

@overload
def sqrt(x: Traced) -> Traced: ...

@overload
def sqrt(x: float) -> float:
    """Square root."""

@overload
def sin(x: Traced) -> Traced: ...

@overload
def sin(x: float) -> float:
    """Sine of x, rad."""

@overload
def cos(x: Traced) -> Traced: ...

@overload
def cos(x: float) -> float:
    """Cosine of x, rad."""

@overload
def tan(x: Traced) -> Traced: ...

@overload
def tan(x: float) -> float:
    """Tangent of x, rad."""

@overload
def asin(x: Traced) -> Traced: ...

@overload
def asin(x: float) -> float:
    """Arc sine, rad."""

@overload
def acos(x: Traced) -> Traced: ...

@overload
def acos(x: float) -> float:
    """Arc cosine, rad."""

@overload
def atan(x: Traced) -> Traced: ...

@overload
def atan(x: float) -> float:
    """Arc tangent, rad."""

@overload
def square(x: Traced) -> Traced: ...

@overload
def square(x: float) -> float:
    """x x"""

@overload
def atan2(y: float, x: float) -> float: ...

@overload
def atan2(y: Traced, x: Traced) -> Traced:
    """The angle of the point (x, y), rad."""

@overload
def fma(a: float, b: float, c: float) -> float: ...

@overload
def fma(a: Traced, b: Traced, c: Traced) -> Traced:
    """a b + c, rounded once."""

@overload
def fnma(a: float, b: float, c: float) -> float: ...

@overload
def fnma(a: Traced, b: Traced, c: Traced) -> Traced:
    """c - a b, rounded once."""

def trace(function: Callable[..., Any], inputs: int) -> Tape:
    """
    The Tape of a function of `inputs` numbers. It is called twice with an array of traced numbers and returns one or a sequence; it must do the same operations whatever the numbers are: ValueError for branches on them.
    """

class TriangleMesh:
    """Triangles in space; never changes."""

    def __init__(self, vertices: numpy.typing.ArrayLike, triangles: builtins.object, colors: builtins.object | None = None) -> None:
        """
        vertices (n, 3) m; triangles (k, 3) their numbers, counter-clockwise seen from outside; colors (k, 4) red, green, blue, opacity of each triangle as bytes, or none.
        """

    @property
    def vertices(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, 3), writable=False)]:
        """(n, 3) m; a read-only view"""

    @property
    def triangles(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, 3), writable=False)]:
        """(k, 3) numbers of vertices; a read-only view"""

    @property
    def colors(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, 4), writable=False)]:
        """(k, 4) bytes, or (0, 4); a read-only view"""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __copy__(self) -> builtins.object: ...

    def __deepcopy__(self, memo: builtins.object) -> builtins.object: ...

    def __eq__(self, arg: builtins.object, /) -> bool: ...


class HeightfieldData:
    """Heights on a regular grid over x and y; never changes."""

    def __init__(self, x_size: float, y_size: float, heights: numpy.typing.ArrayLike) -> None:
        """
        Sizes in m, from the first to the last sample; heights (y_samples, x_samples) m.
        """

    @property
    def x_samples(self) -> int:
        """>= 2"""

    @property
    def y_samples(self) -> int:
        """>= 2"""

    @property
    def x_size(self) -> float:
        """m, from the first to the last sample"""

    @property
    def y_size(self) -> float:
        """m, from the first to the last sample"""

    @property
    def heights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """(y_samples, x_samples) m; a read-only view"""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __copy__(self) -> builtins.object: ...

    def __deepcopy__(self, memo: builtins.object) -> builtins.object: ...

    def __eq__(self, arg: builtins.object, /) -> bool: ...


class WrapWay(enum.Enum):
    """How a string is led round a surface."""

    STRAIGHT = 0
    """it does not touch"""

    LEFT = 1
    """counter-clockwise about the normal"""

    RIGHT = 2
    """clockwise about the normal"""

    INSIDE = 3
    """to one point of the surface and on"""

class Wrapping:
    """Where a string meets and leaves a surface."""

    @property
    def way(self) -> WrapWay:
        """WrapWay"""

    @property
    def first(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, where it meets the surface"""

    @property
    def second(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, where it leaves"""

    @property
    def arc(self) -> float:
        """m, of the way on the surface"""

def wrap(surface: espalier.spec.WrapSurface, a: numpy.typing.ArrayLike, b: numpy.typing.ArrayLike, side: numpy.typing.ArrayLike | None = None) -> Wrapping:
    """
    How a string runs from a (3,) to b (3,) round a WrapSurface, in its frame; side (3,): it is led round as the way from a by this point to b is; None: the shorter way.
    """

def shape_name(shape: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield) -> str:
    """"sphere", "box", ..."""

def volume(shape: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield) -> float:
    """
    m^3; 0 for planes and heightfields, that of the enclosed solid for meshes.
    """

def inertia(shape: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield, mass: float) -> espalier.spec.RigidInertia:
    """
    Inertia of a homogeneous solid of the given mass, kg, about the shape's frame. ValueError for a shape without a volume.
    """

def lowest_point(shape: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield, X_WG: numpy.typing.ArrayLike) -> float:
    """Lowest world z of a shape placed at X_WG (4, 4), m; -inf for a plane."""

def make_terrain(properties: espalier.shapes.TerrainProperties, centre_x: float = 0.0, centre_y: float = 0.0) -> HeightfieldData:
    """
    Heights of fractal noise. centre_x, centre_y: m, where the terrain lies; neighbours of the same seed fit together.
    """

class JointKind(enum.Enum):
    """What a joint leaves free; its coordinates q and rates u."""

    FIXED = 0
    """welded; leaves only a frame"""

    REVOLUTE = 1
    """q: angle about the axis"""

    PRISMATIC = 2
    """q: distance along the axis"""

    HELICAL = 3
    """q: angle about the axis, advancing pitch m/rad"""

    UNIVERSAL = 4
    """q: angles about axes[0], then axes[1] carried along"""

    EULER = 5
    """q: angles about axes[0], axes[1], axes[2] in sequence"""

    PLANAR = 6
    """q: x, y in the plane normal to the axis, angle about it"""

    TRANSLATION = 7
    """q: x, y, z in the joint frame"""

    SPHERICAL = 8
    """q: quaternion w, x, y, z; u: angular velocity in the joint frame"""

    FLOATING = 9
    """
    q: position, quaternion; u: velocity, angular velocity in the joint frame
    """

    CYLINDRICAL = 10
    """q: distance along the axis, angle about it"""

class LoopKind(enum.Enum):
    """What the joint that closes a loop leaves free."""

    POINT = 0
    """origins coincide: 3 rows"""

    FIXED = 1
    """frames coincide: 6 rows"""

    REVOLUTE = 2
    """turns about the axis: 5 rows"""

    PRISMATIC = 3
    """slides along the axis: 5 rows"""

    CYLINDRICAL = 4
    """turns about and slides along the axis: 4 rows"""

    UNIVERSAL = 5
    """turns about the axis and axis2 of B: 4 rows"""

    PLANAR = 6
    """slides across the axis and turns about it: 3 rows"""

    SCREW = 7
    """slides along the axis by pitch m/rad: 5 rows"""

class BodyType(enum.Enum):
    """What a body does with forces."""

    STATIC = 0
    """never moves"""

    KINEMATIC = 1
    """moves as told"""

    DYNAMIC = 2
    """obeys Newton"""

class ChildJointType(enum.Enum):
    """Kinds of a Child's joint: Joint.Type."""

    FIXED = 0

    REVOLUTE = 1

    PRISMATIC = 2

    SPHERICAL = 8

    FLOATING = 9

class JointKindInfo:
    """A row of the table of joint kinds."""

    @property
    def kind(self) -> JointKind:
        """JointKind"""

    @property
    def name(self) -> str:
        """as files say it"""

    @property
    def nq(self) -> int:
        """number of coordinates"""

    @property
    def nv(self) -> int:
        """number of dofs"""

    @property
    def axes(self) -> int:
        """how many of JointSpec.axes it reads"""

    @property
    def meaning(self) -> str:
        """of q and u, in words"""

    @property
    def slides(self) -> int:
        """its first dofs are translations, m; the others are rotations, rad"""

    @property
    def quaternion(self) -> int:
        """place of w in q and of the angular velocity in u; -1: no quaternion"""

    @property
    def coordinates(self) -> list[str]:
        """
        list[str]: what follows the joint's name in the names of its coordinates
        """

    @property
    def dofs(self) -> list[str]:
        """list[str]: the same of its dofs"""

@overload
def info(kind: JointKind) -> JointKindInfo:
    """The row of a joint kind."""

@overload
def info(scheme: Scheme) -> SchemeInfo:
    """The row of a scheme."""

JOINT_KINDS: tuple[Any, ...] = ...

def spherical_limits(limits: espalier.spec.JointLimits) -> espalier.spec.SphericalLimits:
    """What the JointLimits of a spherical joint mean."""

@overload
def fault_of(limits: espalier.spec.SphericalLimits) -> str:
    """
    Why no rotation has such SphericalLimits, as the end of a sentence; empty where possible.
    """

@overload
def fault_of(pair: MaterialPair) -> str | None:
    """
    What no pair can have (NaN, negative friction and the like); None where all is well.
    """

def fault_of_spherical(limits: espalier.spec.JointLimits) -> str:
    """The same of the JointLimits of a spherical joint."""

def is_out_of_reach(limits: espalier.spec.SphericalLimits) -> bool:
    """Whether one of the SphericalLimits lies beyond what the angle can be."""

def uses_axis(limits: espalier.spec.SphericalLimits) -> bool: ...

unlimited: float = float('inf')

def check_spec(spec: espalier.spec.SystemSpec) -> Diagnostics:
    """
    Every problem of a SystemSpec, as Diagnostics: names, tree, joints, inertias, shapes, sizes.
    """

def to_spec(root: espalier.child.Child, joint_order: Sequence[str] = [], ignored_pairs: Sequence[tuple[str, str]] = []) -> espalier.spec.SystemSpec:
    """
    The tree of a Child as a SystemSpec: links and joints from the root down. joint_order: names of the joints that move; ignored_pairs: names of links that never collide.
    """

def spec_tree(spec: espalier.spec.SystemSpec) -> str:
    """Links and joints of a SystemSpec as a tree, and what closes its loops."""

def content_of(spec: espalier.spec.SystemSpec) -> bytes:
    """
    All that compile() reads of a SystemSpec, as bytes: equal bytes, equal models.
    """

def defaults_() -> list[Any]:
    """Objects with the defaults of C++, for tests."""

class BodyInfo:
    """A body and the joint that carries it."""

    @property
    def name(self) -> str:
        """of the link the joint carries; the root link for body 0"""

    @property
    def joint(self) -> str:
        """of the joint; empty for body 0"""

    @property
    def R_LC(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) axes of the engine's frame C in the link's"""

    @property
    def limits(self) -> espalier.spec.JointLimits:
        """JointLimits"""

    @property
    def dynamics(self) -> espalier.spec.JointDynamics:
        """JointDynamics, spring_mount filled"""

    @property
    def actuator(self) -> espalier.spec.ActuatorSpec | None:
        """ActuatorSpec or None"""

    @property
    def axes(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) unit, one a row, in the joint frame as authored"""

    @property
    def spec_joint(self) -> int:
        """index in SystemSpec.joints; -1 for body 0"""

    def __repr__(self) -> str: ...

class FrameInfo:
    """A frame fixed to a body: of a joint, or of a link."""

    @property
    def name(self) -> str:
        """of the joint or link"""

    @property
    def body(self) -> int:
        """index"""

    @property
    def X_LF(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) pose in the link, as authored"""

    @property
    def X_CF(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) pose in the engine's axes of the body"""

    @property
    def parent(self) -> str:
        """link of the joint; empty for a link's own frame"""

    @property
    def child(self) -> str:
        """link of the joint; empty for a link's own frame"""

    @property
    def kind(self) -> JointKind:
        """JointKind of the joint"""

    @property
    def rotor(self) -> int:
        """index in Model.rotors: it turns with it; -1: none"""

    def __repr__(self) -> str: ...

class CollisionInfo:
    """A collision body."""

    @property
    def name(self) -> str:
        """LINK/i"""

    @property
    def body(self) -> int:
        """index"""

    @property
    def X_LG(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) pose in the link, as authored"""

    @property
    def X_CG(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) pose in the engine's axes of the body"""

    @property
    def shape(self) -> espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield:
        """a copy"""

    @property
    def material(self) -> str:
        """of contact"""

    @property
    def group(self) -> int:
        """bits"""

    @property
    def mask(self) -> int:
        """bits"""

    def __repr__(self) -> str: ...

class HeldWeight:
    """Weight that a force takes off a body."""

    @property
    def body(self) -> int:
        """index"""

    @property
    def mass(self) -> float:
        """kg, what is taken off"""

    @property
    def centre_L(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, where, as authored"""

    @property
    def centre_C(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, in the engine's axes"""

class DragBox:
    """A link in a medium: the box with its mass and inertia."""

    @property
    def body(self) -> int:
        """index"""

    @property
    def mass(self) -> float:
        """kg, of the link alone"""

    @property
    def moments(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) kg m^2, principal"""

    @property
    def size(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m"""

    @property
    def X_LB(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) centre and principal axes, as authored"""

    @property
    def X_CB(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) the same in the engine's axes"""

class IgnoredBodies:
    """Two bodies of a robot that never collide, a < b."""

    @property
    def a(self) -> int:
        """index"""

    @property
    def b(self) -> int:
        """index"""

    @property
    def reason(self) -> str:
        """for listings"""

class RotorInfo:
    """A geared rotor that is no body; its angle is a sum of others."""

    class Term:
        """A share of the angle."""

        @property
        def q(self) -> int:
            """coordinate"""

        @property
        def u(self) -> int:
            """dof"""

        @property
        def factor(self) -> float:
            """of the coordinate"""

    @property
    def name(self) -> str:
        """of its link"""

    @property
    def joint(self) -> str:
        """it turns on"""

    @property
    def body(self) -> int:
        """that carries it"""

    @property
    def terms(self) -> list[RotorInfo.Term]:
        """list of Term: its angle is sum of factor q + offset"""

    @property
    def offset(self) -> float:
        """rad"""

    @property
    def X_LJ(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) its joint at q = 0, in its carrier"""

    @property
    def axis(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) unit, in J"""

    @property
    def inertia(self) -> float:
        """kg m^2 about it"""

    @property
    def limits(self) -> espalier.spec.JointLimits:
        """JointLimits"""

    def angle(self, q: numpy.typing.ArrayLike) -> float:
        """rad at the coordinates q of the model, internal order."""

    def rate(self, u: numpy.typing.ArrayLike) -> float:
        """rad/s at the velocities u of the model, internal order."""

class TendonInfo:
    """A tendon in the numbers of the tree."""

    class End:
        """A point of a body or of the world."""

        @property
        def body(self) -> int:
            """index; -1: the world"""

        @property
        def point_L(self) -> numpy.typing.NDArray[numpy.float64]:
            """(3,) m, as authored"""

        @property
        def point_C(self) -> numpy.typing.NDArray[numpy.float64]:
            """(3,) m, in the engine's axes"""

    class Segment:
        """A straight piece."""

        @property
        def from_(self) -> TendonInfo.End:
            """End"""

        @property
        def to(self) -> TendonInfo.End:
            """End"""

        @property
        def share(self) -> float:
            """of its length in the tendon's"""

    class Wrap:
        """A surface between two segments."""

        @property
        def segment(self) -> int:
            """the first of the two"""

        @property
        def surface(self) -> espalier.spec.WrapSurface:
            """WrapSurface"""

        @property
        def centre(self) -> TendonInfo.End:
            """End"""

        @property
        def R_L(self) -> numpy.typing.NDArray[numpy.float64]:
            """(3, 3) axes of the surface, as authored"""

        @property
        def R_C(self) -> numpy.typing.NDArray[numpy.float64]:
            """(3, 3) in the engine's axes"""

        @property
        def side(self) -> TendonInfo.End | None:
            """End or None"""

    @property
    def spec(self) -> espalier.spec.TendonSpec:
        """a copy of the TendonSpec"""

    @property
    def terms(self) -> list[RotorInfo.Term]:
        """list of RotorInfo.Term: of the joints that are bodies"""

    @property
    def offset(self) -> float:
        """of the length"""

    @property
    def segments(self) -> list[TendonInfo.Segment]:
        """list of Segment"""

    @property
    def wraps(self) -> list[TendonInfo.Wrap]:
        """list of Wrap"""

    def joint_length(self, q: numpy.typing.ArrayLike) -> float:
        """What the joints' coordinates make of its length."""

    def joint_rate(self, u: numpy.typing.ArrayLike) -> float:
        """What the joints' rates make of its rate."""

class BodyTopology:
    """A body's place in the tree."""

    @property
    def parent(self) -> int:
        """body that carries it; -1: none"""

    @property
    def kind(self) -> JointKind:
        """JointKind"""

    @property
    def q(self) -> int:
        """its first coordinate"""

    @property
    def u(self) -> int:
        """its first dof"""

    @property
    def nq(self) -> int:
        """number of its coordinates"""

    @property
    def nv(self) -> int:
        """number of its dofs"""

class Topology:
    """The tree as integers; parents come before children."""

    @property
    def nb(self) -> int:
        """number of bodies"""

    @property
    def nq(self) -> int:
        """number of coordinates"""

    @property
    def nv(self) -> int:
        """number of dofs"""

    @property
    def floating(self) -> bool:
        """body 0 has the six dofs 0 .. 5"""

    @property
    def bodies(self) -> list[BodyTopology]:
        """list of BodyTopology"""

    @property
    def balls(self) -> list[int]:
        """list of int: bodies whose joints have a quaternion"""

    @property
    def dof_body(self) -> list[int]:
        """list of int: body of each dof"""

    @property
    def dof_parent(self) -> list[int]:
        """list of int: -1 at a root"""

    @property
    def dof_depth(self) -> list[int]:
        """list of int: number of ancestors"""

class AuthoredBody:
    """A body and its joint as authored."""

    @property
    def mass(self) -> float:
        """kg"""

    @property
    def com(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, in the link frame L"""

    @property
    def I(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) kg m^2 about com, axes of L"""

    @property
    def X_PJ(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) joint in the link of its carrier"""

    @property
    def axes(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) one a row, in J, of any length"""

    @property
    def pitch(self) -> float:
        """m/rad, helical only"""

class Authored:
    """Inertias and joints in the frames of the file."""

    @property
    def bodies(self) -> list[AuthoredBody]:
        """list of AuthoredBody"""

    @property
    def rotor_inertia(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) kg m^2 or kg, on the diagonal of M"""

class Closure:
    """A loop between frame A on body a and frame B on body b."""

    @property
    def kind(self) -> LoopKind:
        """LoopKind"""

    @property
    def a(self) -> int:
        """body; -1: the world"""

    @property
    def b(self) -> int:
        """body; -1: the world"""

    @property
    def X_LA(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) in the body's link frame; z is the loop's axis"""

    @property
    def X_LB(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) in the body's link frame; z is the loop's axis"""

    @property
    def X_CA(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) in the engine's axes"""

    @property
    def X_CB(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) in the engine's axes"""

    @property
    def axis2(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) in B, unit; universal only"""

    @property
    def pitch(self) -> float:
        """m/rad, screw only"""

    @property
    def spec(self) -> int:
        """index in SystemSpec.loops"""

class Coupling:
    """sum of factor q = offset; or, with a tape, a row of phi(q) = 0."""

    class Term:
        """A coordinate in it."""

        @property
        def q(self) -> int:
            """coordinate"""

        @property
        def u(self) -> int:
            """dof"""

        @property
        def factor(self) -> float:
            """of the coordinate"""

    @property
    def terms(self) -> list[Coupling.Term]:
        """list of Term"""

    @property
    def offset(self) -> float:
        """rad or m"""

    @property
    def name(self) -> str:
        """for reports"""

    @property
    def line(self) -> int:
        """of the file"""

    @property
    def phi(self) -> Tape | None:
        """Tape of one output, or None"""

class Cluster:
    """A smallest set of bodies that are solved together."""

    @property
    def carrier(self) -> int:
        """the body outside that carries it; -1: the world"""

    @property
    def bodies(self) -> list[int]:
        """list of int, ascending"""

    @property
    def dofs(self) -> list[int]:
        """list of int: of the spanning tree, ascending"""

    @property
    def dropped(self) -> int:
        """number of rows that said nothing new"""

    @property
    def rows(self) -> int:
        """number of linearly independent equations"""

    @property
    def independent(self) -> list[int]:
        """list of int: dofs of the spanning tree that are independent"""

    @property
    def ny(self) -> int:
        """number of independent dofs"""

class Mechanism:
    """What ties the spanning tree beyond its joints."""

    @property
    def closures(self) -> list[Closure]:
        """list of Closure"""

    @property
    def couplings(self) -> list[Coupling]:
        """list of Coupling"""

    @property
    def clusters(self) -> list[Cluster]:
        """list of Cluster"""

    @property
    def cluster_of(self) -> list[int]:
        """list of int: of each body; -1: on its own"""

    @property
    def dof_of_y(self) -> list[int]:
        """list of int: the dof that each y is"""

    @property
    def assembled(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nq,) where all loops are closed, nearest to the neutral q"""

    @property
    def rows(self) -> int:
        """number of equations over all clusters"""

class BilateralLoops:
    """Loops that rows of the contact problem keep."""

    @property
    def closures(self) -> list[Closure]:
        """list of Closure"""

    @property
    def assembled(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (nq,) where they and the embedded loops are closed; empty where there are none
        """

    @property
    def is_empty(self) -> bool:
        """whether there are none"""

class KeptSpec_:
    """The Spec of a Model."""

class Model:
    """
    An articulated system after compile(). It never changes; copies of it are itself, pickles compile its Spec again.
    """

    @property
    def name(self) -> str:
        """of the robot"""

    @property
    def topology(self) -> Topology:
        """the tree as integers"""

    @property
    def mechanism(self) -> Mechanism:
        """
        what ties the tree: loops and couplings that coordinates keep; None for a tree
        """

    @property
    def bilateral(self) -> BilateralLoops:
        """loops that rows of the contact problem keep"""

    @property
    def authored(self) -> Authored:
        """inertias and joints as authored, welded links merged"""

    @property
    def public_dof(self) -> list[int]:
        """list of int: place of each dof among the public ones; -1: dependent"""

    @property
    def public_coordinate(self) -> list[int]:
        """
        list of int: place of each coordinate among the public ones; -1: dependent
        """

    @property
    def spanning_dof(self) -> list[int]:
        """
        list of int: place of each dof among those of all joints, authored order
        """

    @property
    def spanning_coordinate(self) -> list[int]:
        """
        list of int: place of each coordinate among those of all joints, authored order
        """

    @property
    def public_nv(self) -> int:
        """number of public dofs"""

    @property
    def public_nq(self) -> int:
        """number of public coordinates"""

    @property
    def public_order_is_internal(self) -> bool:
        """whether public and internal order are the same"""

    @property
    def mass(self) -> float:
        """kg, fixed base included"""

    @property
    def has_loops(self) -> bool:
        """whether it is more than a tree"""

    @property
    def nb(self) -> int:
        """number of bodies, the base included"""

    @property
    def nq(self) -> int:
        """number of coordinates of the spanning tree"""

    @property
    def nv(self) -> int:
        """number of dofs of the spanning tree"""

    def body(self, link: str) -> int:
        """Index of the body of a link; -1 where there is none."""

    def joint(self, name: str) -> int:
        """Index of the body that a joint carries; -1 where there is none."""

    def frame(self, name: str) -> int:
        """Index in frames; -1 where there is none."""

    def rotor(self, joint: str) -> int:
        """Index in rotors; -1 where there is none."""

    @property
    def bodies(self) -> list[BodyInfo]:
        """list of BodyInfo; body 0 is the base"""

    @property
    def frames(self) -> list[FrameInfo]:
        """list of FrameInfo, one for each joint of the file"""

    @property
    def links(self) -> list[FrameInfo]:
        """list of FrameInfo, one for each link of the file"""

    @property
    def collisions(self) -> list[CollisionInfo]:
        """list of CollisionInfo"""

    @property
    def rotors(self) -> list[RotorInfo]:
        """list of RotorInfo: geared rotors that are no bodies"""

    @property
    def tendons(self) -> list[TendonInfo]:
        """list of TendonInfo"""

    @property
    def held_weights(self) -> list[HeldWeight]:
        """list of HeldWeight"""

    @property
    def drag_boxes(self) -> list[DragBox]:
        """list of DragBox: links that move in a medium"""

    @property
    def ignored_body_pairs(self) -> list[IgnoredBodies]:
        """list of IgnoredBodies: each body with its parent, then the others"""

    @property
    def spec(self) -> espalier.spec.SystemSpec:
        """
        A copy of the SystemSpec that it was compiled from. ValueError where there is none.
        """

    def coordinate_names(self, all: bool = False) -> list[str]:
        """
        A name for each public coordinate, or for those of all joints, in the authored order.
        """

    def dof_names(self, all: bool = False) -> list[str]:
        """
        A name for each public dof, or for those of all joints, in the authored order.
        """

    def __repr__(self) -> str: ...

    def __copy__(self) -> builtins.object: ...

    def __deepcopy__(self, memo: builtins.object) -> builtins.object: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

def compile(spec: espalier.spec.SystemSpec, diagnostics: Diagnostics | None = None) -> Model:
    """
    Compiles a SystemSpec to a Model. Warnings go to `warnings`, or to `diagnostics` where given; SpecError, a ValueError, with every problem.
    """

class CompileCache:
    """Compiled models by what they were compiled from."""

    def __init__(self) -> None: ...

    @staticmethod
    def of_process() -> CompileCache:
        """The one that all worlds of the process ask."""

    def compile(self, spec: espalier.spec.SystemSpec, diagnostics: Diagnostics | None = None) -> Model:
        """
        compile(spec), or the same Model as the last time while anybody holds it. The base of a fixed robot stands at the world's origin, wherever spec.X_WB puts it.
        """

    @property
    def size(self) -> int:
        """number of models that somebody holds"""

def neutral_state(model: Model) -> espalier.spec.State:
    """State of the neutral coordinates, at rest, at time 0."""

def hash(state: espalier.spec.State) -> int:
    """FNV-1a over the bytes of q and u: equal states, equal hashes."""

def advance(model: Model, q: numpy.typing.ArrayLike, step: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """
    q (+) step, step = dt u: (nq,) and (nv,) to (nq,); quaternions stay unit.
    """

def neutral(model: Model) -> numpy.typing.NDArray[numpy.float64]:
    """
    (nq,) the coordinates at which every joint is closed: 0, or the identity.
    """

def difference(model: Model, q0: numpy.typing.ArrayLike, q1: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """(nv,) step with q0 (+) step = q1."""

def difference_of_joints(model: Model, q0: numpy.typing.ArrayLike, q1: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """(nv,) the same of the joints alone: zero for a floating base."""

def normalize(model: Model, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """
    (nq,) with every quaternion scaled to unit length; a zero one becomes the identity.
    """

def random_configuration(model: Model, seed: int, spread: float = 1.0) -> numpy.typing.NDArray[numpy.float64]:
    """
    (nq,) reproducible: angles and metres in [-1, 1] * spread, any orientation. Loops are open: see assemble().
    """

class LoopPath:
    """Bodies between two bodies and their common ancestor."""

    @property
    def first(self) -> list[int]:
        """list of int, root side first"""

    @property
    def second(self) -> list[int]:
        """list of int, root side first"""

def path_between(model: Model, a: int, b: int) -> LoopPath:
    """
    The bodies between each of two bodies and their nearest common ancestor, that one left out; -1 is the world.
    """

def find_clusters(model: Model, ties: Sequence[Sequence[int]]) -> list[list[int]]:
    """
    Bodies of each cluster, ascending, clusters by their first body; ties: bodies that each loop or coupling ties.
    """

class AssemblyResult:
    """Whether loops were closed."""

    @property
    def is_closed(self) -> bool:
        """to 1e-12"""

    @property
    def residual(self) -> float:
        """the largest |phi|, m or 1"""

    @property
    def worst(self) -> int:
        """its row"""

    def __repr__(self) -> str: ...

def assemble(model: Model, q: numpy.typing.ArrayLike, held: Sequence[str] = []) -> tuple[numpy.typing.NDArray[numpy.float64], AssemblyResult]:
    """
    Closes all loops near q (nq,), from there and, where that fails, from starts around it: (q, AssemblyResult). held: names of joints that keep their coordinates.
    """

def close_near(model: Model, q: numpy.typing.ArrayLike) -> tuple[numpy.typing.NDArray[numpy.float64], AssemblyResult]:
    """assemble() from this one start: (q, AssemblyResult)."""

def assemble_dependents(model: Model, q: numpy.typing.ArrayLike) -> tuple[numpy.typing.NDArray[numpy.float64], AssemblyResult]:
    """
    Closes all loops by the dependent joints alone: the independent ones keep their coordinates. (q, AssemblyResult); q as it was where they do not close.
    """

def closure_residual(model: Model, q: numpy.typing.ArrayLike) -> float:
    """The largest |phi| at q, m or 1; 0 for a tree."""

class ClusterMotion:
    """
    How the N bodies of a cluster move over the body that carries it, [angular; linear] in the axes of each body's link and at its origin.
    """

    @property
    def bodies(self) -> list[int]:
        """list of int, N: bodies of the model"""

    @property
    def independent(self) -> list[int]:
        """
        list of int, ny: the dof of all joints, authored order, that each ydot is
        """

    @property
    def S(self) -> numpy.typing.NDArray[numpy.float64]:
        """(6N, ny) vJ = S ydot"""

    @property
    def vJ(self) -> numpy.typing.NDArray[numpy.float64]:
        """(6N,)"""

    @property
    def cJ(self) -> numpy.typing.NDArray[numpy.float64]:
        """(6N,) rate of vJ's numbers at yddot = 0"""

def cluster_motion(model: Model, cluster: int, q: numpy.typing.ArrayLike, u: numpy.typing.ArrayLike) -> ClusterMotion:
    """
    ClusterMotion of Model.mechanism.clusters[cluster]; q (nq,), u (nv,) of all joints, authored order, as ArticulatedSystem.spanning_coordinate. ValueError where they do not meet the loops to 1e-8.
    """

def append_cluster(system: builtins.object, name: str, output: str, cluster: espalier._espalier.cluster_joint.Base, links: Sequence[espalier.spec.LinkSpec]) -> None:
    """
    Adds a cluster to a SystemSpec: its bodies as links, a joint LINK_joint for each, and, where something is tied, a constraint of this name. output: link that carries the cluster; links: a LinkSpec for each body. ValueError for cluster_joint.Free and for tied quaternions.
    """

class Scheme(enum.Enum):
    """Time-stepping schemes."""

    MIDPOINT = 0
    """all forces, M and contacts at the middle; second order"""

    TRAPEZOID = 1
    """everything at q; RaiSim's default"""

    SEMI_IMPLICIT = 2
    """q+ = q + dt u+; first order"""

    EULER = 3
    """q+ = q + dt u; first order"""

    RUNGE_KUTTA_4 = 4
    """fourth order in flight"""

class SchemeInfo:
    """A row of the table of schemes."""

    @property
    def scheme(self) -> Scheme:
        """Scheme"""

    @property
    def name(self) -> str:
        """str: as the command line says it"""

    @property
    def meaning(self) -> str:
        """str"""

    @property
    def evaluation_offset(self) -> float:
        """float: in dt, the step is evaluated at q (+) offset u"""

    @property
    def next_share(self) -> float:
        """float: the velocity that moves q is (1 - share) u + share u+"""

    @property
    def damping(self) -> float:
        """float: in dt, w per unit of b"""

    @property
    def stiffness(self) -> float:
        """float: in dt^2, w per unit of k"""

    @property
    def look_ahead(self) -> float:
        """float: in dt, the force gains -look_ahead k u"""

    @property
    def solves_twice(self) -> bool:
        """bool: h and the contacts once more with the mean velocity"""

    @property
    def has_stages(self) -> bool:
        """bool: contact impulses change u at once, then stages without contacts"""

    @property
    def keeps_momentum(self) -> bool:
        """bool: the momentum of what floats is kept to rounding"""

    @property
    def open_gap(self) -> float:
        """
        float: v_N+ >= -max(0, open_gap gap / dt + open_speed v_N) across a gap
        """

    @property
    def open_speed(self) -> float:
        """float: see open_gap"""

    @property
    def loop_share_of_k(self) -> float:
        """float: J u+ + phi / dt + loop_share_of_k dt k + loop_rate J u = 0"""

    @property
    def loop_rate(self) -> float:
        """float: see loop_share_of_k"""

    @property
    def far_body_turn(self) -> float:
        """
        float: rad in a step, beyond which a body's rotation is integrated by itself
        """

    @property
    def far_joint_turn(self) -> float:
        """float: rad in a step, beyond which the error of energy is computed"""

SCHEMES: tuple[Any, ...] = ...

class ImplicitWeights:
    """How a scheme takes a force -b u - k x implicitly."""

    @property
    def damping(self) -> float:
        """float: w per unit of b"""

    @property
    def stiffness(self) -> float:
        """float: w per unit of k"""

    @property
    def look_ahead(self) -> float:
        """float: the force gains -look_ahead k u"""

def implicit_weights(scheme: Scheme, dt: float) -> ImplicitWeights:
    """ImplicitWeights: (M + diag w) (u+ - u) = dt (force - h); dt in s"""

def evaluation_offset_of(scheme: Scheme, dt: float) -> float:
    """float: s, how far ahead of q the step is evaluated"""

def share_of_next(scheme: Scheme) -> float:
    """float: the velocity that moves q is (1 - share) u + share u+"""

class StepFlag(enum.Flag):
    """What can go wrong in a step."""





    CONTACTS_OVERFLOW = 1

    SOLVER_NOT_CONVERGED = 2

    SINGULAR_MASS_MATRIX = 4

    NOT_FINITE = 8

    LOOP_OPEN = 16

    CHANGE_POINT = 32

    IMPULSES_REDUCED = 64

    ENERGY_NOT_KEPT = 128

    CONTACT_DROPPED = 256

    TUNNELLED = 512

class StepFlagInfo:
    """A flag's name, and what to do about it."""

    @property
    def flag(self) -> StepFlag:
        """StepFlag"""

    @property
    def name(self) -> str:
        """str"""

    @property
    def remedy(self) -> str:
        """str"""

    def __repr__(self) -> str: ...

STEP_FLAGS: list[Any] = ...

class StepReport:
    """What a step says of itself: numbers, and flags, each with a remedy."""

    def __init__(self) -> None: ...

    @property
    def contacts(self) -> int:
        """int: touching or speculative contact points"""

    @property
    def active_contacts(self) -> int:
        """int: those with an impulse"""

    @property
    def limits(self) -> int:
        """int: joint limit rows"""

    @property
    def uncorrected(self) -> int:
        """int: contact islands whose gaps and penetrations were left as they are"""

    @property
    def iterations(self) -> int:
        """int: sweeps and Newton steps of the contact solvers"""

    @property
    def residual(self) -> float:
        """float: m/s, largest violation of the contact law"""

    @property
    def closure(self) -> float:
        """float: m, or 1 for directions: largest gap of a closed loop"""

    @property
    def penetration(self) -> float:
        """float: m, deepest contact"""

    @property
    def energy_balance(self) -> float:
        """
        float: J, change of energy minus the work of all forces; 0 unless
        World.energy_monitoring; NaN where it is unknown
        """

    @property
    def refused(self) -> int:
        """int: robots and single bodies whose step was not taken"""

    @property
    def tunnelled_a(self) -> int:
        """int: object of the first pair that TUNNELLED is about; -1: none"""

    @property
    def tunnelled_b(self) -> int:
        """int: the other one"""

    @property
    def energy(self) -> float:
        """float: J, kinetic, potential and of springs; only when monitored"""

    @property
    def flags(self) -> StepFlag:
        """StepFlag: all that are raised"""

    def has(self, flag: StepFlag) -> bool:
        """Whether a StepFlag is raised."""

    @property
    def problems(self) -> list[StepFlagInfo]:
        """list[StepFlagInfo]: what is raised, with remedies"""

    def __repr__(self) -> str: ...

class Contact:
    """
    One contact point of the last step, at the scheme's evaluation point: a copy.
    """

    @property
    def object_a(self) -> int:
        """int: place in World.obj_list"""

    @property
    def object_b(self) -> int:
        """int: place in World.obj_list"""

    @property
    def body_a(self) -> int:
        """int: body of object A"""

    @property
    def body_b(self) -> int:
        """int: body of object B"""

    @property
    def type_a(self) -> BodyType:
        """BodyType"""

    @property
    def type_b(self) -> BodyType:
        """BodyType"""

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, world"""

    @property
    def normal(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) unit, world, the push on A"""

    @property
    def frame(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) rows t1, t2, normal: R_CW"""

    @property
    def impulse(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) N s on A, in the contact frame (t1, t2, normal)"""

    @property
    def impulse_W(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) N s on A, world axes"""

    @property
    def torque(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) N m s on A, in the contact frame: rolling and spinning friction"""

    @property
    def depth(self) -> float:
        """float: m; negative: a gap"""

    @property
    def friction(self) -> float:
        """float"""

    @property
    def feature(self) -> int:
        """int: what of the two shapes touches"""

    @property
    def is_active(self) -> bool:
        """bool: it carries an impulse"""

    @property
    def is_closed(self) -> bool:
        """bool: its gap is at most 1e-5 m"""

    @property
    def touches(self) -> bool:
        """bool: is_active or is_closed"""

    def __repr__(self) -> str: ...

CLOSED_GAP: float = 1e-05

class ContactView:
    """
    A contact as one of its two objects sees it: a copy. The impulse acts on
    object A, its opposite on B.
    """

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, world"""

    @property
    def normal(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) unit, world, the push on A"""

    @property
    def contact_frame(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) R_CW: rows t1, t2, normal"""

    @property
    def impulse(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (3,) N s on A over the last step, in the contact frame; divide by the time step
        for the mean force
        """

    @property
    def impulse_on_this(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) N s on this object, world axes"""

    @property
    def depth(self) -> float:
        """float: m; negative: a gap"""

    @property
    def is_active(self) -> bool:
        """bool: it carries an impulse or is closed"""

    @property
    def friction(self) -> float:
        """float"""

    @property
    def is_object_a(self) -> bool:
        """bool: this object is A"""

    @property
    def is_self_collision(self) -> bool:
        """bool"""

    @property
    def skip(self) -> bool:
        """bool: the second view of a self-collision, so that sums count it once"""

    @property
    def local_body_index(self) -> int:
        """int: body of this object; 0 for single bodies"""

    @property
    def pair_object_index(self) -> int:
        """int: the other object's place in World.obj_list"""

    @property
    def pair_body_index(self) -> int:
        """int: its body"""

    @property
    def pair_object_body_type(self) -> BodyType:
        """BodyType"""

    @property
    def index_in_world(self) -> int:
        """int: place in World.contacts"""

    @property
    def index_in_object_contact_list(self) -> int:
        """int: place in this object's contacts(), for the same filter"""

    @property
    def pair_contact_index_in_pair_object(self) -> int:
        """int: place of the same contact in the other object's contacts()"""

    @property
    def contact(self) -> Contact:
        """Contact"""

    def __repr__(self) -> str: ...

class RayTestResult:
    """One surface on a ray."""

    @property
    def object(self) -> builtins.object:
        """Object"""

    @property
    def body(self) -> int:
        """int: of the object"""

    @property
    def local_idx(self) -> int:
        """int: the same"""

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, world"""

    @property
    def normal(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) unit, world"""

    @property
    def distance(self) -> float:
        """float: m"""

    def __repr__(self) -> str: ...

class CastRay:
    """A ray that was cast, up to the surface that it met."""

    @property
    def start(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, world"""

    @property
    def end(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, world"""

    @property
    def object(self) -> builtins.object:
        """Object that it met; None: none, or removed since"""

    @property
    def body(self) -> int:
        """int: of this object"""

class MaterialPair:
    """How two materials meet in a contact."""

    def __init__(self) -> None: ...

    @property
    def friction(self) -> float:
        """float: Coulomb, dynamic"""

    @friction.setter
    def friction(self, arg: float, /) -> None: ...

    @property
    def restitution(self) -> float:
        """float"""

    @restitution.setter
    def restitution(self, arg: float, /) -> None: ...

    @property
    def restitution_threshold(self) -> float:
        """float: m/s"""

    @restitution_threshold.setter
    def restitution_threshold(self, arg: float, /) -> None: ...

    @property
    def static_friction(self) -> float:
        """float: at rest; < 0: as friction"""

    @static_friction.setter
    def static_friction(self, arg: float, /) -> None: ...

    @property
    def static_velocity(self) -> float:
        """float: m/s, slip at which friction is reached"""

    @static_velocity.setter
    def static_velocity(self, arg: float, /) -> None: ...

    @property
    def rolling(self) -> float:
        """float: m, torque across the normal per normal force"""

    @rolling.setter
    def rolling(self, arg: float, /) -> None: ...

    @property
    def spinning(self) -> float:
        """float: m, torque about the normal per normal force"""

    @spinning.setter
    def spinning(self, arg: float, /) -> None: ...

    @property
    def depends_on_slip(self) -> bool:
        """bool"""

    @property
    def has_torsion(self) -> bool:
        """bool: it has rolling or spinning friction"""

    def friction_at(self, slip: float) -> float:
        """float: coefficient at a slip speed, m/s"""

    def __repr__(self) -> str: ...

def material_pair(spec: espalier.spec.MaterialPairSpec) -> MaterialPair:
    """MaterialPair of a MaterialPairSpec"""

class MaterialManager:
    """Materials as a value, for World.update_material_prop()."""

    @overload
    def __init__(self) -> None: ...

    @overload
    def __init__(self, world_file_or_text: str | os.PathLike[str]) -> None:
        """The <material> of a world file, or of its text."""

    @property
    def by_default(self) -> espalier.spec.MaterialPairSpec:
        """MaterialPairSpec, a copy"""

    @by_default.setter
    def by_default(self, arg: espalier.spec.MaterialPairSpec, /) -> None: ...

    @property
    def pairs(self) -> list[espalier.spec.MaterialPairSpec]:
        """list[MaterialPairSpec], a copy"""

    @pairs.setter
    def pairs(self, arg: Sequence[espalier.spec.MaterialPairSpec], /) -> None: ...

    def set_default_material_prop(self, friction: float, restitution: float, restitution_threshold: float) -> None:
        """The threshold in m/s."""

    def set_material_pair_prop(self, first: str, second: str, friction: float, restitution: float, restitution_threshold: float) -> None:
        """The threshold in m/s."""

class ObjectType(enum.Enum):
    """Kinds of objects."""

    SPHERE = 0

    BOX = 1

    CYLINDER = 2

    CAPSULE = 3

    MESH = 4

    COMPOUND = 5

    HALFSPACE = 6

    HEIGHTMAP = 7

    ARTICULATED_SYSTEM = 8

    ELLIPSOID = 9

class ContactFilter(enum.Enum):
    """Which contacts Object.contacts() lists."""

    TOUCHING = 0
    """those that carry an impulse or are closed"""

    ALL = 1
    """near misses too, as World.contacts"""

class Object:
    """
    A thing in a World. Objects keep their World; once removed from it, every call raises
    RuntimeError. Each object of a World is one object in Python.
    """

    @property
    def name(self) -> str:
        """str: any text; World.object(name) finds the first that has it"""

    @name.setter
    def name(self, arg: str, /) -> None: ...

    @property
    def index_in_world(self) -> int:
        """
        int: its place in World.obj_list; changes when an earlier one is removed
        """

    @property
    def body_type(self) -> BodyType:
        """BodyType"""

    @property
    def object_type(self) -> ObjectType:
        """ObjectType"""

    def contacts(self, filter: ContactFilter = ContactFilter.TOUCHING) -> list[ContactView]:
        """
        list[ContactView]: its contacts of the last step, as it sees them; between integrate1()
        and integrate2() those of the step in progress, without impulses. A contact between two
        bodies of this object is there twice; the second says skip.
        """

    def __repr__(self) -> str: ...

class SingleBodyObject(Object):
    """
    A rigid body on its own: a ball, a crate, the ground, a terrain.
    World axes unless said otherwise. State is set between steps only.
    """

    @property
    def body_type(self) -> BodyType:
        """
        BodyType: STATIC bodies never move, KINEMATIC ones keep the velocity they are
        given, DYNAMIC ones obey forces. ValueError for a plane, a height map or a body
        without mass that should become DYNAMIC.
        """

    @body_type.setter
    def body_type(self, arg: BodyType, /) -> None: ...

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, of the body's origin, world axes"""

    @position.setter
    def position(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def quaternion(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4,) w, x, y, z, body to world; made unit when set"""

    @quaternion.setter
    def quaternion(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def rotation_matrix(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) R_WB"""

    @property
    def orientation(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (3, 3) R_WB; may be set to a quaternion (w, x, y, z), too. ValueError for a zero
        quaternion or a matrix that is no rotation.
        """

    @orientation.setter
    def orientation(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def linear_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (3,) m/s, of the body's origin, world axes. ValueError for a STATIC body.
        """

    @linear_velocity.setter
    def linear_velocity(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def angular_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) rad/s, world axes. ValueError for a STATIC body."""

    @angular_velocity.setter
    def angular_velocity(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def com_position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, of the centre of mass, world axes"""

    def set_pose(self, position: numpy.typing.ArrayLike, orientation: numpy.typing.ArrayLike) -> None:
        """
        Position (3,) in m and orientation, a quaternion (w, x, y, z) or R_WB (3, 3), at once.
        """

    def set_velocity(self, linear: numpy.typing.ArrayLike, angular: numpy.typing.ArrayLike) -> None:
        """Of the body's origin, m/s, and rad/s, both (3,) in world axes."""

    def velocity(self, point_B: numpy.typing.ArrayLike | None = None) -> numpy.typing.NDArray[numpy.float64]:
        """
        (3,) m/s, world axes, of a point of the body (m, from its origin, body axes; None: the
        origin).
        """

    @property
    def mass(self) -> float:
        """
        float: kg; setting it keeps the inertia. Takes effect in the next step.
        """

    @mass.setter
    def mass(self, arg: float, /) -> None: ...

    @property
    def inertia_B(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) kg m^2 about the centre of mass, body axes"""

    @inertia_B.setter
    def inertia_B(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def set_inertia(self, inertia: numpy.typing.ArrayLike) -> None:
        """The same as inertia_B = ..."""

    @property
    def inertia_matrix_B(self) -> numpy.typing.NDArray[numpy.float64]:
        """The same as inertia_B"""

    @property
    def inertia_matrix_W(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) kg m^2 about the centre of mass, world axes"""

    @property
    def com(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, centre of mass in the body frame"""

    @com.setter
    def com(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def com_B(self) -> numpy.typing.NDArray[numpy.float64]:
        """The same as com"""

    @property
    def linear_damping(self) -> float:
        """float: N s/m"""

    @linear_damping.setter
    def linear_damping(self, arg: float, /) -> None: ...

    @property
    def angular_damping(self) -> float:
        """float: N m s/rad"""

    @angular_damping.setter
    def angular_damping(self, arg: float, /) -> None: ...

    def set_external_force(self, force: numpy.typing.ArrayLike, point_B: numpy.typing.ArrayLike | None = None) -> None:
        """
        A force (3,) in N, world axes, for one step; at the centre of mass, or at a point of the
        body (3,) in m from its origin, body axes. Forces of one step add up.
        """

    def set_external_torque(self, torque: numpy.typing.ArrayLike) -> None:
        """
        A torque (3,) in N m, world axes, for one step; torques of one step add up.
        """

    def clear_external_forces_and_torques(self) -> None:
        """Takes back what was set for the next step."""

    @property
    def kinetic_energy(self) -> float:
        """float: J"""

    def potential_energy(self, gravity: numpy.typing.ArrayLike) -> float:
        """float: J, 0 at the world's origin; gravity (3,) in m/s^2"""

    def energy(self, gravity: numpy.typing.ArrayLike) -> float:
        """float: J, kinetic and potential; gravity (3,) in m/s^2"""

    @property
    def linear_momentum(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) N s, world axes"""

    @property
    def angular_momentum(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) N m s about the centre of mass, world axes"""

    def spec(self) -> espalier.spec.BodySpec:
        """BodySpec: as data, in its present state, with all edits"""

    @property
    def material(self) -> str:
        """
        str: of its first shape, empty without any; all its shapes get the one that is
        set, from the next step on
        """

    @material.setter
    def material(self, arg: str, /) -> None: ...

    @property
    def collision_group(self) -> int:
        """
        int: bits; two shapes meet where each one's group is in the other's mask. Of its
        first shape; all get the one that is set.
        """

    @collision_group.setter
    def collision_group(self, arg: int, /) -> None: ...

    @property
    def collision_mask(self) -> int:
        """int: bits, groups that it collides with"""

    @collision_mask.setter
    def collision_mask(self, arg: int, /) -> None: ...

    @property
    def appearance(self) -> str:
        """
        str: a colour's name, or red, green, blue and opacity in [0, 1]
        ('0.8 0.3 0.3 1'), or any other text
        """

    @appearance.setter
    def appearance(self, arg: str, /) -> None: ...

class Sphere(SingleBodyObject):
    """A ball."""

    @property
    def radius(self) -> float:
        """float: m"""

class Box(SingleBodyObject):
    """A box."""

    @property
    def dim(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, whole edge lengths"""

class Cylinder(SingleBodyObject):
    """A cylinder along its z axis."""

    @property
    def radius(self) -> float:
        """float: m"""

    @property
    def height(self) -> float:
        """float: m"""

class Capsule(SingleBodyObject):
    """A cylinder along its z axis with half balls at both ends."""

    @property
    def radius(self) -> float:
        """float: m"""

    @property
    def height(self) -> float:
        """float: m, distance of the two sphere centres"""

class Mesh(SingleBodyObject):
    """A triangle mesh; while it can move it collides as its convex hull."""

    @property
    def mesh_file_name(self) -> str:
        """str"""

    @property
    def mesh(self) -> TriangleMesh:
        """TriangleMesh: scale applied, in the body's frame; a copy"""

class Ground(SingleBodyObject):
    """The half space below a plane."""

    @property
    def height(self) -> float:
        """float: m, z of its origin"""

class HeightMap(SingleBodyObject):
    """A terrain by its heights on a grid."""

    @property
    def data(self) -> HeightfieldData:
        """HeightfieldData: a copy"""

    @property
    def x_samples(self) -> int:
        """int"""

    @property
    def y_samples(self) -> int:
        """int"""

    @property
    def x_size(self) -> float:
        """float: m"""

    @property
    def y_size(self) -> float:
        """float: m"""

    @property
    def center_x(self) -> float:
        """float: m"""

    @property
    def center_y(self) -> float:
        """float: m"""

    @property
    def height_vector(self) -> numpy.typing.NDArray[numpy.float64]:
        """(y_samples * x_samples,) m, x fastest"""

    def height(self, x: float, y: float) -> float:
        """
        float: m, z of the surface at a point of the world; ValueError where there is none
        """

    def normal(self, x: float, y: float) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) unit, upward; ValueError where there is no surface"""

class Compound(SingleBodyObject):
    """Several shapes as one body, or none."""

class ControlMode(enum.Enum):
    """What drives the joints."""

    FORCE_AND_TORQUE = 0
    """feedforward; gains rest"""

    PD_PLUS_FEEDFORWARD_TORQUE = 1

class TorqueLimits(enum.Enum):
    """How motors keep to their limits."""

    COMMAND = 0
    """
    bounds what is commanded, as RaiSim; the implicit part of PD may exceed it
    """

    EXACT = 1
    """bounds the torque really applied"""

class CoordinateFrame:
    """
    A frame fixed to a body. Edits of a robot's frame show in what is asked about it, never in the
    motion; one of one's own is for queries.
    """

    def __init__(self, parent_id: int, position: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), orientation: numpy.typing.ArrayLike | None = None, name: str = '') -> None:
        """
        in  parent_id    body that carries it
        in  position     (3,) m, in the body's frame
        in  orientation  (3, 3) R_BF; None: the body's axes
        """

    @property
    def orientation(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) R_BF, B the frame of the body that carries it"""

    @orientation.setter
    def orientation(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, in B"""

    @position.setter
    def position(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def parent_id(self) -> int:
        """int: the body that carries it"""

    @property
    def current_body_id(self) -> int:
        """int: the same"""

    @property
    def name(self) -> str:
        """str: of the joint"""

    @name.setter
    def name(self, arg: str, /) -> None: ...

    @property
    def parent_name(self) -> str:
        """str: of the joint's parent link"""

    @property
    def body_name(self) -> str:
        """str: of the joint's child link"""

    @property
    def is_child(self) -> bool:
        """bool: the joint moves; False: it is a weld"""

    @property
    def joint_type(self) -> JointKind:
        """JointKind"""

    @property
    def rotor(self) -> int:
        """int: the geared rotor that it turns with; -1: none"""

    def __repr__(self) -> str: ...

class ArticulatedSystemOption:
    """How a robot is added."""

    def __init__(self, do_not_collide_with_parent: bool = True) -> None: ...

    @property
    def do_not_collide_with_parent(self) -> bool:
        """bool: False: a body collides with the body that carries it, too"""

    @do_not_collide_with_parent.setter
    def do_not_collide_with_parent(self, arg: bool, /) -> None: ...

class CollisionBody:
    """
    One collision body of a robot, to read and to edit; edits hold from the next step on.
    """

    @property
    def pos_offset(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, in the body's joint frame"""

    @pos_offset.setter
    def pos_offset(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def rot_offset(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) R of the shape in the body's joint frame"""

    @rot_offset.setter
    def rot_offset(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def name(self) -> str:
        """str: LINK/i; a label, may be changed"""

    @name.setter
    def name(self, arg: str, /) -> None: ...

    @property
    def body_idx(self) -> int:
        """int: of the body it is fixed to"""

    @property
    def local_idx(self) -> int:
        """int: the same"""

    @property
    def shape(self) -> espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield:
        """
        SphereShape, BoxShape, ...; other lengths of the same kind may be set, ValueError
        for another kind
        """

    @shape.setter
    def shape(self, arg: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield, /) -> None: ...

    @property
    def material(self) -> str:
        """str"""

    @material.setter
    def material(self, arg: str, /) -> None: ...

    @property
    def collision_group(self) -> int:
        """int: bits, the groups it is in"""

    @collision_group.setter
    def collision_group(self, arg: int, /) -> None: ...

    @property
    def collision_mask(self) -> int:
        """int: bits, the groups it collides with"""

    @collision_mask.setter
    def collision_mask(self, arg: int, /) -> None: ...

    def __repr__(self) -> str: ...

class ShapeType(enum.Enum):
    """RaiSim's names and numbers of shapes."""

    BOX = 0

    CYLINDER = 1

    SPHERE = 2

    MESH = 3

    CAPSULE = 4

    CONE = 5
    """there is none"""

    GROUND = 6

    NOT_SHAPE = 7

    ELLIPSOID = 8

class VisObject:
    """
    What a viewer draws of a robot. Edits show in viewers and in spec(), never in the motion.
    """

    @property
    def shape(self) -> ShapeType:
        """ShapeType"""

    @shape.setter
    def shape(self, arg: ShapeType, /) -> None: ...

    @property
    def vis_shape_param(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        m: sphere (radius,); box (x, y, z); cylinder and capsule (radius, height)
        """

    @vis_shape_param.setter
    def vis_shape_param(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def offset(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, in the body's frame"""

    @offset.setter
    def offset(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def rot(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) R of the shape in the body's frame"""

    @rot.setter
    def rot(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def color(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4,) red, green, blue, opacity, in [0, 1]"""

    @color.setter
    def color(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def scale(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) of a mesh"""

    @scale.setter
    def scale(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def file_name(self) -> str:
        """str: of a mesh"""

    @file_name.setter
    def file_name(self, arg: str, /) -> None: ...

    @property
    def name(self) -> str:
        """str: as in the file, or LINK/i"""

    @name.setter
    def name(self, arg: str, /) -> None: ...

    @property
    def local_idx(self) -> int:
        """int: body that it is fixed to"""

    @local_idx.setter
    def local_idx(self, arg: int, /) -> None: ...

    @property
    def material(self) -> str:
        """str: name of the file's material; may be empty"""

    @material.setter
    def material(self, arg: str, /) -> None: ...

    @property
    def link(self) -> int:
        """int: place among the file's links; -1: the body's own"""

    @property
    def triangles(self) -> TriangleMesh:
        """TriangleMesh of a mesh, as read at its scale; None where there is none"""

    def __eq__(self, arg: builtins.object, /) -> bool: ...

    def __repr__(self) -> str: ...

def shape_type(shape: espalier.shapes.SphereShape | espalier.shapes.BoxShape | espalier.shapes.CylinderShape | espalier.shapes.CapsuleShape | espalier.shapes.EllipsoidShape | espalier.shapes.Plane | espalier.shapes.MeshShape | espalier.shapes.Heightfield) -> ShapeType:
    """ShapeType of a SphereShape, BoxShape, ..."""

def visuals_of(spec: espalier.spec.SystemSpec, model: Model) -> list[VisObject]:
    """
    list[VisObject]: all visuals of a robot, link by link in the order of the file
    """

def visuals_of_collisions(model: Model) -> list[VisObject]:
    """list[VisObject]: its collision bodies as something to draw"""

def visual_spec(visual: VisObject) -> espalier.spec.VisualSpec:
    """
    VisualSpec: what a VisObject draws; X_LG is its pose in the body's frame
    """

class JointRef:
    """
    A joint of a robot's file, movable or fixed. Poses and velocities are those of its frame,
    world axes.
    """

    @property
    def name(self) -> str:
        """str"""

    @property
    def type(self) -> JointKind:
        """JointKind"""

    @property
    def is_movable(self) -> bool:
        """bool"""

    @property
    def index(self) -> int:
        """int: the body's; of a fixed joint that of the body it is part of"""

    @property
    def idx_in_generalized_velocity(self) -> int:
        """int: first place in u; -1 where the joint has none"""

    @property
    def idx_in_generalized_coordinate(self) -> int:
        """int: first place in q; -1 where the joint has none"""

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m"""

    @property
    def orientation(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) R_WF"""

    @property
    def pose(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """(position, R_WF), (3,) m and (3, 3)"""

    @property
    def linear_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m/s"""

    @property
    def angular_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) rad/s"""

    @property
    def axis(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) unit, of its first dof"""

    @property
    def position_in_parent_frame(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, in the frame of the body that carries it, as authored"""

    @property
    def joint_axis(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) in the frame of the body that carries it, as authored"""

    @property
    def joint_coordinate(self) -> numpy.typing.NDArray[numpy.float64]:
        """its numbers of q; ValueError when a fixed joint's is set"""

    @joint_coordinate.setter
    def joint_coordinate(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def joint_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """its numbers of u"""

    @joint_velocity.setter
    def joint_velocity(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def joint_angle(self) -> float:
        """float: its first coordinate, rad or m"""

    @joint_angle.setter
    def joint_angle(self, arg: float, /) -> None: ...

    @property
    def applied_force(self) -> numpy.typing.NDArray[numpy.float64]:
        """its motor's in the last step, N m or N"""

    def set_feed_forward_force(self, tau: numpy.typing.ArrayLike) -> None:
        """Its numbers of the feedforward, N m or N."""

    @property
    def limits(self) -> numpy.typing.NDArray[numpy.float64]:
        """(2,) lower and upper, rad or m"""

    def set_limits(self, lower: float, upper: float) -> None:
        """rad or m."""

    def __repr__(self) -> str: ...

class LinkRef:
    """
    A link of a robot's file. Poses and velocities are its own, also where it is welded to others;
    masses and shapes are those of the whole body it is part of.
    """

    @property
    def name(self) -> str:
        """str"""

    @property
    def body_index(self) -> int:
        """int: of the body it is part of"""

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, world"""

    @property
    def orientation(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) R_WL"""

    @property
    def pose(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """(position, R_WL), (3,) m and (3, 3)"""

    @property
    def linear_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m/s, world axes"""

    @property
    def angular_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) rad/s, world axes"""

    @overload
    def set_external_force(self, force: numpy.typing.ArrayLike) -> None:
        """
        A force (3,) in N, world axes, for one step, at the body's centre of mass.
        """

    @overload
    def set_external_force(self, point_L: numpy.typing.ArrayLike, force: numpy.typing.ArrayLike) -> None:
        """At a point of the link (3,) m, in its frame."""

    def set_external_torque(self, torque: numpy.typing.ArrayLike) -> None:
        """A torque (3,) in N m, world axes, for one step."""

    @property
    def weight(self) -> float:
        """
        float: kg, of the body; edits take effect as those of ArticulatedSystem.mass
        """

    @weight.setter
    def weight(self, arg: float, /) -> None: ...

    @property
    def inertia(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) kg m^2 about the body's centre of mass, axes of the body"""

    @inertia.setter
    def inertia(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def com_position_in_parent_frame(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, in the body's frame"""

    @com_position_in_parent_frame.setter
    def com_position_in_parent_frame(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def collision_set(self) -> dict[str, CollisionBody]:
        """dict[str, CollisionBody] of the body"""

    @property
    def visual_set(self) -> dict[str, VisObject]:
        """dict[str, VisObject] of the body"""

    def collision_definition(self, name: str) -> CollisionBody:
        """CollisionBody of this name, or None"""

    def visual_object(self, name: str) -> VisObject:
        """VisObject of this name, or None"""

    def __repr__(self) -> str: ...

class SparseJacobian:
    """A Jacobian (3, nv) by its columns that are not zero."""

    @property
    def idx(self) -> list[int]:
        """list[int]: their places in u, root first"""

    @property
    def v(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, size): column i belongs to idx[i]"""

    @property
    def size(self) -> int:
        """int: number of columns"""

    def times(self, u: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) J u"""

    def dense(self, dof: int) -> numpy.typing.NDArray[numpy.float64]:
        """(3, dof), zeros elsewhere"""

    def fill(self, dense: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """A copy of dense (3, nv) with these columns in it."""

    def __repr__(self) -> str: ...

class LimitedAngle(enum.Enum):
    """What a limit bounds."""

    COORDINATE = 0
    """a coordinate of its joint"""

    ROTATION = 1
    """angle of a spherical joint's rotation"""

    SWING = 2
    """angle between its axis and where that is carried"""

    TWIST = 3
    """turn about its axis"""

class JointLimitViolation:
    """A joint at or beyond one of its limits."""

    @property
    def joint_id(self) -> int:
        """int: joint, which is the body"""

    @property
    def dof(self) -> int:
        """int: place in u; of a spherical joint its first"""

    @property
    def is_upper(self) -> bool:
        """bool"""

    @property
    def depth(self) -> float:
        """float: rad or m beyond the limit"""

    @property
    def impulse(self) -> float:
        """float: N m s or N s with which it was pushed back in the last step"""

    @property
    def angle(self) -> LimitedAngle:
        """LimitedAngle"""

class SpringElement:
    """A spring between a body and the one that carries it."""

    def __init__(self, child_body_id: int = 0, stiffness: float = 0.0, q_ref: numpy.typing.ArrayLike = ()) -> None: ...

    @property
    def child_body_id(self) -> int:
        """int: body, which is the joint"""

    @child_body_id.setter
    def child_body_id(self, arg: int, /) -> None: ...

    @property
    def stiffness(self) -> float:
        """float: N m/rad or N/m"""

    @stiffness.setter
    def stiffness(self, arg: float, /) -> None: ...

    @property
    def q_ref(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (4,) where it rests: as many numbers as the joint has coordinates count
        """

    @q_ref.setter
    def q_ref(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def spring_mount(self) -> numpy.typing.NDArray[numpy.float64]:
        """(4,) the same"""

    @spring_mount.setter
    def spring_mount(self, arg: numpy.typing.ArrayLike, /) -> None: ...

class ArticulatedSystem(Object):
    """
    A robot in a World. Vectors are in the authored joint order: q (nq,), u (nv,); world axes
    unless said otherwise. Queries speak of the present state or, between integrate1() and
    integrate2(), of the step's evaluation point. Arrays are copies.
    """

    class Frame(enum.Enum):
        """The frame in which a point or a force is given."""

        WORLD_FRAME = 0

        PARENT_FRAME = 1
        """of the body that carries the body; the world for body 0"""

        BODY_FRAME = 2

    WORLD_FRAME: ArticulatedSystem.Frame = ArticulatedSystem.Frame.WORLD_FRAME

    PARENT_FRAME: ArticulatedSystem.Frame = ArticulatedSystem.Frame.PARENT_FRAME

    BODY_FRAME: ArticulatedSystem.Frame = ArticulatedSystem.Frame.BODY_FRAME

    def __repr__(self) -> str: ...

    def _noted_calls(self) -> list[Any]: ...

    @property
    def model(self) -> Model:
        """
        Model: what was compiled, with the edits that took effect; later edits do not
        show in it
        """

    @property
    def dof(self) -> int:
        """int: nv, numbers of u"""

    @property
    def generalized_velocity_dim(self) -> int:
        """int: nv, the same as dof"""

    @property
    def generalized_coordinate_dim(self) -> int:
        """int: nq, numbers of q"""

    @property
    def number_of_joints(self) -> int:
        """int: the same as that of bodies, the base counted"""

    @property
    def movable_joint_names(self) -> list[str]:
        """
        list[str]: in the authored order; the first is the base, by its root link's
        name, also when it is fixed
        """

    @property
    def body_names(self) -> list[str]:
        """list[str]: of each body its movable link"""

    def body_idx(self, link: str) -> int:
        """int: -1 where there is none"""

    def frame_idx_by_name(self, joint: str) -> int:
        """int: -1 where there is none"""

    def frame_idx_by_link_name(self, link: str) -> int:
        """int: the frame of the joint above the link; -1 where there is none"""

    def generalized_velocity_index(self, joint: str) -> int:
        """
        int: first place of a joint's numbers in u; ValueError where there is none
        """

    def generalized_coordinate_index(self, joint: str) -> int:
        """
        int: first place of a joint's numbers in q; ValueError where there is none
        """

    @property
    def mapping_from_body_index_to_generalized_velocity_index(self) -> list[int]:
        """list[int]: first place in u of each body's joint; -1 for a fixed base"""

    @property
    def mapping_from_body_index_to_generalized_coordinate_index(self) -> list[int]:
        """list[int]: first place in q of each body's joint; -1 for a fixed base"""

    @property
    def mapping_from_generalized_velocity_index_to_body_index(self) -> list[int]:
        """list[int]: [nv] the body whose joint has this number of u"""

    @property
    def mapping_from_generalized_coordinate_index_to_body_index(self) -> list[int]:
        """list[int]: [nq] the body whose joint has this number of q"""

    @property
    def parent_vector(self) -> list[int]:
        """list[int]: what each body hangs on; -1 for body 0"""

    def joint_type(self, joint: int) -> JointKind:
        """JointKind: of the joint that carries a body"""

    def body_type_of(self, body: int) -> BodyType:
        """BodyType: STATIC only for a fixed base"""

    def print_out_body_names_in_order(self) -> None:
        """Prints body_names, one a line."""

    def print_out_movable_joint_names_in_order(self) -> None:
        """Prints movable_joint_names, one a line."""

    def print_out_frame_names_in_order(self) -> None:
        """Prints the names of frames, one a line."""

    def frame_by_name(self, joint: str) -> CoordinateFrame:
        """
        CoordinateFrame: of a joint, to read or to edit; edits show in what is asked about the
        frame, never in the motion. ValueError where there is none.
        """

    def frame_by_link_name(self, link: str) -> CoordinateFrame:
        """
        CoordinateFrame: of the joint above a link; ValueError where there is none
        """

    def frame_by_idx(self, frame: int) -> CoordinateFrame:
        """CoordinateFrame: by its place; ValueError where there is none"""

    @property
    def frames(self) -> list[CoordinateFrame]:
        """list[CoordinateFrame]: one for each joint of the file"""

    def joint(self, joint: str) -> JointRef:
        """
        JointRef: a joint of the file, movable or fixed; ValueError where there is none
        """

    def link(self, link: str) -> LinkRef:
        """LinkRef: a link of the file; ValueError where there is none"""

    @property
    def q(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (nq,) coordinates, rad or m, quaternions w, x, y, z (normalised when set); set
        between steps only
        """

    @q.setter
    def q(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def generalized_coordinate(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nq,) the same as q"""

    @generalized_coordinate.setter
    def generalized_coordinate(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def u(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) velocities, rad/s or m/s; set between steps only"""

    @u.setter
    def u(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def generalized_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) the same as u"""

    @generalized_velocity.setter
    def generalized_velocity(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def set_state(self, q: numpy.typing.ArrayLike, u: numpy.typing.ArrayLike) -> None:
        """q (nq,) and u (nv,) at once."""

    @property
    def state(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """(q, u), (nq,) and (nv,)"""

    @property
    def generalized_acceleration(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) (u+ - u) / dt of the last step; zero before the first"""

    def update_kinematics(self) -> None:
        """
        Does nothing: queries compute the kinematics they need. For code that comes from RaiSim.
        """

    @property
    def base_position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, of the base link. A fixed base may be moved, too: it jumps."""

    @base_position.setter
    def base_position(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def base_orientation(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (3, 3) R_WB of the base link; may be set to a quaternion (w, x, y, z), too
        """

    @base_orientation.setter
    def base_orientation(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def set_base_velocity(self, velocity: numpy.typing.ArrayLike) -> None:
        """(3,) m/s, world axes; ValueError unless the base floats"""

    def set_base_angular_velocity(self, velocity: numpy.typing.ArrayLike) -> None:
        """(3,) rad/s, world axes; ValueError unless the base floats"""

    @property
    def spanning_dof(self) -> int:
        """int: velocities of all joints, those that loops make dependent too"""

    @property
    def spanning_coordinate(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        coordinates of all joints in joint order, always closed. What is set is near q;
        ValueError with the residual where the loops do not close, and nothing changed.
        """

    @spanning_coordinate.setter
    def spanning_coordinate(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def spanning_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (spanning_dof,) velocities of all joints. Of what is set those of the
        independent joints are taken; the others follow.
        """

    @spanning_velocity.setter
    def spanning_velocity(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def set_spanning_pd_gains(self, kp: numpy.typing.ArrayLike, kd: numpy.typing.ArrayLike) -> None:
        """
        (spanning_dof,) each, of all joints; takes up PD_PLUS_FEEDFORWARD_TORQUE.
        """

    def set_spanning_pd_target(self, q: numpy.typing.ArrayLike, u: numpy.typing.ArrayLike) -> None:
        """Targets of all joints; takes up PD_PLUS_FEEDFORWARD_TORQUE."""

    def set_spanning_force(self, tau: numpy.typing.ArrayLike) -> None:
        """
        (spanning_dof,) feedforward of all joints, N m or N; stays until changed.
        """

    @property
    def spanning_applied_force(self) -> numpy.typing.NDArray[numpy.float64]:
        """(spanning_dof,) motor torque of the last step, N m or N"""

    @property
    def closure_residual(self) -> float:
        """
        float: the largest gap of a closed loop now, m, or 1 for directions; 0 in a tree
        """

    @property
    def rotor_names(self) -> list[str]:
        """
        list[str]: joints on which geared rotors turn that are part of their carriers
        """

    @property
    def rotor_coordinate(self) -> numpy.typing.NDArray[numpy.float64]:
        """(rotors,) rad, as rotor_names"""

    @property
    def rotor_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(rotors,) rad/s against the carrier, as rotor_names"""

    @property
    def tendon_names(self) -> list[str]:
        """list[str]: as in the Spec"""

    @property
    def tendon_length(self) -> numpy.typing.NDArray[numpy.float64]:
        """(tendons,) m, or what the coefficients of its joints make of it"""

    @property
    def tendon_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(tendons,) rate of tendon_length"""

    @property
    def tendon_jacobian(self) -> numpy.typing.NDArray[numpy.float64]:
        """(tendons, nv) moment arms: tendon_velocity = J u"""

    def set_tendon_gains(self, kp: numpy.typing.ArrayLike, kd: numpy.typing.ArrayLike) -> None:
        """
        (tendons,) each, not negative: of their actuators, whose force is kp (length -
        tendon_length) + kd (velocity - tendon_velocity) + tendon_force, within the file's limits.
        """

    @property
    def tendon_gains(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """(kp, kd), (tendons,) each"""

    def set_tendon_target(self, length: numpy.typing.ArrayLike, velocity: float | numpy.typing.ArrayLike = 0.0) -> None:
        """(tendons,), and (tendons,) or one number for all."""

    @property
    def tendon_target(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """(length, velocity), (tendons,) each"""

    @property
    def tendon_force(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (tendons,) N, or N m where the length is an angle: the feedforward of their
        actuators, positive along growing length; stays until changed.
        """

    @tendon_force.setter
    def tendon_force(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def control_mode(self) -> ControlMode:
        """ControlMode"""

    @control_mode.setter
    def control_mode(self, arg: ControlMode, /) -> None: ...

    def set_pd_gains(self, kp: float | numpy.typing.ArrayLike, kd: float | numpy.typing.ArrayLike) -> None:
        """
        (nv,) each or one number for all, not negative; takes up PD_PLUS_FEEDFORWARD_TORQUE. Those of a floating
        base are not read.
        """

    def set_p_gains(self, kp: float | numpy.typing.ArrayLike) -> None:
        """(nv,) or one number for all; the control mode stays."""

    def set_d_gains(self, kd: float | numpy.typing.ArrayLike) -> None:
        """(nv,) or one number for all; the control mode stays."""

    @property
    def pd_gains(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """(kp, kd), (nv,) each"""

    def set_pd_target(self, q: numpy.typing.ArrayLike, u: float | numpy.typing.ArrayLike = 0.0) -> None:
        """
        (nq,), and (nv,) or one number for all; takes up PD_PLUS_FEEDFORWARD_TORQUE.
        """

    def set_p_target(self, q: numpy.typing.ArrayLike) -> None:
        """(nq,); takes up PD_PLUS_FEEDFORWARD_TORQUE."""

    def set_d_target(self, u: numpy.typing.ArrayLike) -> None:
        """(nv,); takes up PD_PLUS_FEEDFORWARD_TORQUE."""

    @property
    def pd_target(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """(q, u), (nq,) and (nv,)"""

    @property
    def generalized_force(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (nv,) N m or N. Read: the command at the present state, feedforward and PD
        within the actuation limits. Set: the feedforward, which stays until changed.
        """

    @generalized_force.setter
    def generalized_force(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def set_generalized_force(self, tau: numpy.typing.ArrayLike) -> None:
        """(nv,) N m or N: the feedforward, which stays until changed."""

    @property
    def feed_forward_generalized_force(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) N m or N, as it was set"""

    @property
    def applied_generalized_force(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) N m or N: motor torque really applied in the last step"""

    def set_actuation_limits(self, upper: numpy.typing.ArrayLike, lower: numpy.typing.ArrayLike) -> None:
        """(nv,) each, N m or N."""

    @property
    def actuation_upper_limits(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) N m or N"""

    @property
    def actuation_lower_limits(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) N m or N"""

    @property
    def torque_limits(self) -> TorqueLimits:
        """TorqueLimits"""

    @torque_limits.setter
    def torque_limits(self, arg: TorqueLimits, /) -> None: ...

    @property
    def joint_limits(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (joints, 2) lower and upper, rad or m, of each coordinate of a joint; infinite:
        free. Of a spherical joint 0 and the greatest angle of its rotation. The base
        is the first.
        """

    @joint_limits.setter
    def joint_limits(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def spherical_limits(self, joint: int) -> espalier.spec.SphericalLimits:
        """SphericalLimits: angle, swing and twist of a spherical joint, rad"""

    def set_spherical_limits(self, joint: int, limits: espalier.spec.SphericalLimits) -> None:
        """Takes SphericalLimits; ValueError where the joint is no spherical one."""

    @property
    def joint_limit_violations(self) -> list[JointLimitViolation]:
        """list[JointLimitViolation]: joints at or beyond a limit"""

    @property
    def joint_velocity_limits(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) rad/s or m/s, > 0; infinite: free. They act only when enforced."""

    @joint_velocity_limits.setter
    def joint_velocity_limits(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def enforce_joint_velocity_limits(self, on: bool) -> None:
        """Whether joint_velocity_limits act."""

    @property
    def joint_damping(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) N m s/rad or N s/m"""

    @joint_damping.setter
    def joint_damping(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def joint_friction(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) dry friction, N m or N"""

    @joint_friction.setter
    def joint_friction(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def spring_stiffness(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) N m/rad or N/m"""

    @spring_stiffness.setter
    def spring_stiffness(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def spring_mount(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nq,) where springs rest"""

    @spring_mount.setter
    def spring_mount(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def add_spring(self, spring: SpringElement) -> None:
        """A SpringElement on a joint that has none."""

    @property
    def springs(self) -> list[SpringElement]:
        """list[SpringElement]"""

    def set_compute_inverse_dynamics(self, on: bool) -> None:
        """
        Whether steps compute forces within joints, which costs about one more pass of inverse
        dynamics.
        """

    @property
    def computes_inverse_dynamics(self) -> bool:
        """bool: whether steps compute forces within joints"""

    def force_at_joint_in_world_frame(self, joint: int | str) -> numpy.typing.NDArray[numpy.float64]:
        """
        (3,) N, world axes: what the joint exerted on the body it carries in the last step, at
        the joint. ValueError unless inverse dynamics is on and a step was taken.
        """

    def torque_at_joint_in_world_frame(self, joint: int | str) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) N m, world axes, as force_at_joint_in_world_frame()"""

    @overload
    def set_external_force(self, body: int, force: numpy.typing.ArrayLike) -> None:
        """
        A force (3,) in N for one step; forces of one step add up. Bodies by index or, but here, by
        their link's name. At the body's centre of mass,
        world axes.
        """

    @overload
    def set_external_force(self, body: int | str, point_B: numpy.typing.ArrayLike, force: numpy.typing.ArrayLike) -> None:
        """At a point of the body (3,) m, in its frame; the force in world axes."""

    @overload
    def set_external_force(self, body: int | str, frame_of_force: ArticulatedSystem.Frame, force: numpy.typing.ArrayLike, frame_of_point: ArticulatedSystem.Frame, point: numpy.typing.ArrayLike) -> None:
        """At a point (3,) m; both in frames of one's own choice."""

    @overload
    def set_external_force(self, frame: str, force: numpy.typing.ArrayLike) -> None:
        """At a frame's origin, world axes."""

    def set_external_torque(self, body: int | str, torque: numpy.typing.ArrayLike) -> None:
        """A torque (3,) in N m, world axes, for one step."""

    def set_external_torque_in_body_frame(self, body: int | str, torque_B: numpy.typing.ArrayLike) -> None:
        """A torque (3,) in N m, axes of the body, for one step."""

    def clear_external_forces_and_torques(self) -> None:
        """Takes back what was set for the next step."""

    def clear_external_forces(self) -> None:
        """The same as clear_external_forces_and_torques()."""

    def ignore_collision_between(self, body_a: int, body_b: int) -> None:
        """These two bodies never collide with each other."""

    def ignore_overlaps(self) -> dict[tuple[int, int], float]:
        """
        Bodies that overlap at the present pose by more than 0.1 mm never collide with each
        other from now on. dict of {(body a, body b): depth in m}.
        """

    def set_integration_scheme(self, scheme: Scheme) -> None:
        """A World has one Scheme: sets it for all that is in it."""

    @property
    def mass_matrix(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv, nv) M, undamped"""

    @property
    def inverse_mass_matrix(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv, nv) its inverse"""

    @property
    def damped_mass_matrix(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (nv, nv) M + diag w, which the step solves with: w holds gains, springs and
        dampers as the scheme and the time step take them implicitly
        """

    @property
    def damped_inverse_mass_matrix(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv, nv) its inverse"""

    def nonlinearities(self, gravity: numpy.typing.ArrayLike | None = None) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) h of M udot + h = tau; gravity (3,) m/s^2, None: the world's"""

    def compute_forward_dynamics(self, tau: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """
        (nv,) udot for the torques (nv,), without contacts, springs, dampers and limits
        """

    @property
    def udot(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) compute_forward_dynamics() of the command, generalized_force"""

    def compute_inverse_dynamics(self, udot: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) M udot + h"""

    def mass_matrix_vec_mul(self, u: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) M u, M never formed"""

    @property
    def kinetic_energy(self) -> float:
        """float: J"""

    def potential_energy(self, gravity: numpy.typing.ArrayLike | None = None) -> float:
        """
        float: J, 0 at the world's origin; springs do not count. None: the world's gravity
        """

    def energy(self, gravity: numpy.typing.ArrayLike | None = None) -> float:
        """float: J, kinetic and potential"""

    @property
    def generalized_momentum(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) M u"""

    @property
    def total_mass(self) -> float:
        """float: kg"""

    @property
    def com(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, centre of mass"""

    @property
    def body_com_W(self) -> numpy.typing.NDArray[numpy.float64]:
        """(bodies, 3) m, centres of mass in the world"""

    @property
    def composite_mass(self) -> numpy.typing.NDArray[numpy.float64]:
        """(bodies,) kg, of each body and all it carries"""

    @property
    def composite_com(self) -> numpy.typing.NDArray[numpy.float64]:
        """(bodies, 3) m, of each body and all it carries"""

    @property
    def composite_inertia(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (bodies, 3, 3) kg m^2 of each body and all it carries, about their own centre,
        world axes
        """

    @property
    def linear_momentum(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) N s"""

    def angular_momentum(self, point_W: numpy.typing.ArrayLike | None = None) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) N m s about a point of the world (m); None: the centre of mass"""

    def inverse_operational_space_inertia_matrix(self, frames: Sequence[int | str | CoordinateFrame], axes: ArticulatedSystem.Frame = ArticulatedSystem.Frame.WORLD_FRAME) -> numpy.typing.NDArray[numpy.float64]:
        """
        (6 k, 6 k) J M^-1 J' of k frames' origins, angular rows first of each; 1/(kg m^2), 1/kg.
        Axes of the world, or BODY_FRAME for each frame's own.
        """

    @overload
    def apply_test_force(self, frame: int | str | CoordinateFrame, force: numpy.typing.ArrayLike) -> tuple[float, numpy.typing.NDArray[numpy.float64]]:
        """
        (float, (nv,)): change of udot by a force (3,) in N, world axes, at a frame's origin; and
        force . change of the point's acceleration: of a unit force 1 / the mass it feels.
        """

    @overload
    def apply_test_force(self, body: int | str, point_B: numpy.typing.ArrayLike, force: numpy.typing.ArrayLike) -> tuple[float, numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """
        At any point of a body (3,) m; and the change of that point's acceleration (3,) m/s^2.
        """

    def frame_pose(self, frame: int | str | CoordinateFrame) -> numpy.typing.NDArray[numpy.float64]:
        """
        (4, 4) X_WF, homogeneous; frames by index, joint's name or CoordinateFrame
        """

    def frame_position(self, frame: int | str | CoordinateFrame) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, world"""

    def frame_orientation(self, frame: int | str | CoordinateFrame) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) R_WF"""

    def frame_velocity(self, frame: int | str | CoordinateFrame) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m/s of its origin, world axes"""

    def frame_angular_velocity(self, frame: int | str | CoordinateFrame) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) rad/s, world axes"""

    def frame_acceleration(self, frame: int | str | CoordinateFrame) -> numpy.typing.NDArray[numpy.float64]:
        """
        (3,) m/s^2 of its origin in the last step, world axes, gravity not subtracted;
        ValueError unless set_compute_inverse_dynamics(True) and a step was taken
        """

    def frame_angular_acceleration(self, frame: int | str | CoordinateFrame) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) rad/s^2 in the last step, likewise"""

    def position_in_frame(self, frame: int | str | CoordinateFrame, point_F: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m: a point given in the frame, in the world"""

    def body_pose(self, body: int | str) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) X_WB, homogeneous; bodies by index or by their link's name"""

    def body_position(self, body: int | str) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, world"""

    def body_orientation(self, body: int | str) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) R_WB"""

    def orientation(self, body: int | str) -> numpy.typing.NDArray[numpy.float64]:
        """(3, 3) R_WB, the same as body_orientation()"""

    def position(self, body: int | str, point_B: numpy.typing.ArrayLike | None = None) -> numpy.typing.NDArray[numpy.float64]:
        """
        (3,) m, world: of a point of the body (3,) m in its frame; None: its origin
        """

    def position_in_body_coordinate(self, body: int | str, point_W: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m: a point of the world in the body's frame"""

    def velocity(self, body: int | str, point: numpy.typing.ArrayLike | None = None, frame_of_point: ArticulatedSystem.Frame = ArticulatedSystem.Frame.BODY_FRAME, frame_of_velocity: ArticulatedSystem.Frame = ArticulatedSystem.Frame.WORLD_FRAME) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m/s of a point fixed to the body (3,) m; None: its origin"""

    def angular_velocity(self, body: int | str) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) rad/s, world axes"""

    def contact_point_vel(self, contact: int) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m/s of this robot's side of a contact, by its place in contacts()"""

    def joint_axis(self, joint: int | str) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) unit, world axes; of its first dof"""

    @property
    def lowest_collision_point(self) -> float:
        """float: m, lowest z of the collision bodies; infinite without any"""

    def dense_jacobian(self, body: int | str, point: numpy.typing.ArrayLike, frame_of_point: ArticulatedSystem.Frame = ArticulatedSystem.Frame.WORLD_FRAME) -> numpy.typing.NDArray[numpy.float64]:
        """(3, nv) J u = velocity of a point fixed to the body (3,) m, world axes"""

    def dense_rotational_jacobian(self, body: int | str) -> numpy.typing.NDArray[numpy.float64]:
        """(3, nv) J u = angular velocity, world axes"""

    def dense_frame_jacobian(self, frame: int | str | CoordinateFrame) -> numpy.typing.NDArray[numpy.float64]:
        """(3, nv) J u = velocity of a frame's origin, world axes"""

    def dense_frame_rotational_jacobian(self, frame: int | str | CoordinateFrame) -> numpy.typing.NDArray[numpy.float64]:
        """(3, nv) J u = angular velocity of a frame, world axes"""

    def sparse_jacobian(self, body: int | str, point: numpy.typing.ArrayLike, frame_of_point: ArticulatedSystem.Frame = ArticulatedSystem.Frame.WORLD_FRAME) -> SparseJacobian:
        """SparseJacobian of a point fixed to the body (3,) m, world axes"""

    def sparse_rotational_jacobian(self, body: int | str) -> SparseJacobian:
        """SparseJacobian of the angular velocity, world axes"""

    def sparse_frame_jacobian(self, frame: int | str | CoordinateFrame) -> SparseJacobian:
        """SparseJacobian of a frame's origin, world axes"""

    def sparse_frame_rotational_jacobian(self, frame: int | str | CoordinateFrame) -> SparseJacobian:
        """SparseJacobian of a frame's angular velocity, world axes"""

    @staticmethod
    def convert_sparse_jacobian_to_dense(sparse: SparseJacobian, dense: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """A copy of dense (3, nv) with the columns in it."""

    def time_derivative_of_sparse_jacobian(self, body: int | str, point: numpy.typing.ArrayLike, frame_of_point: ArticulatedSystem.Frame = ArticulatedSystem.Frame.WORLD_FRAME) -> SparseJacobian:
        """SparseJacobian dJ/dt along the present u: a = dJ u + J udot"""

    def time_derivative_of_sparse_rotational_jacobian(self, body: int | str) -> SparseJacobian:
        """SparseJacobian, likewise of the angular velocity"""

    def time_derivative_of_sparse_frame_jacobian(self, frame: int | str | CoordinateFrame) -> SparseJacobian:
        """SparseJacobian, likewise of a frame's origin"""

    @property
    def mass(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (bodies,) kg, authored. A copy: assign all, or use set_mass(). Edits of the
        description take effect when the next step begins, or at update_mass_info();
        impossible ones raise ValueError there and change nothing.
        """

    @mass.setter
    def mass(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def body_com_B(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (bodies, 3) m, centre of mass in the body's frame, its joint's at q = 0; as mass
        """

    @body_com_B.setter
    def body_com_B(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def link_com(self) -> numpy.typing.NDArray[numpy.float64]:
        """The same."""

    @link_com.setter
    def link_com(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def inertia(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (bodies, 3, 3) kg m^2 about the centre of mass, axes of the body; as mass
        """

    @inertia.setter
    def inertia(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def joint_pos_P(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (bodies, 3) m, of the joint in the frame of the body that carries it; as mass
        """

    @joint_pos_P.setter
    def joint_pos_P(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def joint_orientation_P(self) -> numpy.typing.NDArray[numpy.float64]:
        """(bodies, 3, 3) R_PB at q = 0; as mass"""

    @joint_orientation_P.setter
    def joint_orientation_P(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def joint_axis_P(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (bodies, 3) of any length, in the frame of the body that carries it; as mass
        """

    @joint_axis_P.setter
    def joint_axis_P(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def set_mass(self, body: int | str, mass: float) -> None:
        """kg; as mass."""

    def set_com(self, body: int | str, com_B: numpy.typing.ArrayLike) -> None:
        """(3,) m; as mass."""

    def set_inertia(self, body: int | str, inertia_B: numpy.typing.ArrayLike) -> None:
        """(3, 3) kg m^2 about the centre of mass; as mass."""

    @property
    def rotor_inertia(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) kg m^2 or kg, added to the diagonal of M; as mass"""

    @rotor_inertia.setter
    def rotor_inertia(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def update_mass_info(self) -> None:
        """Lets all edits take effect now; between steps only."""

    @property
    def collision_bodies(self) -> list[CollisionBody]:
        """list[CollisionBody]: in the order of the file"""

    def collision_body(self, name: str) -> CollisionBody:
        """CollisionBody: by its name; ValueError where there is none"""

    def set_collision_object_shape_parameters(self, collision: int, lengths: numpy.typing.ArrayLike) -> None:
        """
        m: sphere (radius,); box (x, y, z); cylinder and capsule (radius, height).
        """

    def set_collision_object_position_offset(self, collision: int, position_B: numpy.typing.ArrayLike) -> None:
        """(3,) m, in the body's joint frame."""

    def set_collision_object_orientation_offset(self, collision: int, R_B: numpy.typing.ArrayLike) -> None:
        """(3, 3) R of the shape in the body's joint frame."""

    @property
    def vis_ob(self) -> list[VisObject]:
        """list[VisObject]: link by link in the order of the file"""

    @property
    def vis_col_ob(self) -> list[VisObject]:
        """list[VisObject]: collision bodies as something to draw"""

    def vis_ob_pose(self, visual: int) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """(R_W, position), (3, 3) and (3,) m, of one of vis_ob"""

    def vis_col_ob_pose(self, visual: int) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """(R_W, position), (3, 3) and (3,) m, of one of vis_col_ob"""

    @property
    def options(self) -> ArticulatedSystemOption:
        """ArticulatedSystemOption: as added"""

    @property
    def resource_dir(self) -> str:
        """str: the folder in which meshes were looked for; may be empty"""

    @property
    def robot_description_full_path(self) -> str:
        """str: its file; empty where it came as text or data"""

    @property
    def robot_descriptionf_file_name(self) -> str:
        """str: the file's name"""

    @property
    def robot_descriptionf_top_dir_name(self) -> str:
        """str: the name of the file's folder"""

    def spec(self) -> espalier.spec.SystemSpec:
        """
        SystemSpec: as data, with all edits that took effect; ValueError where it came as a
        compiled Model
        """

    @property
    def robot_description(self) -> str:
        """str: spec() as the text of a URDF"""

    def export_robot_description_to_urdf(self, file: str | os.PathLike[str]) -> None:
        """Writes robot_description to a file whose name ends in .urdf."""

class World:
    """
    What a simulation is made of, and its clock. It owns objects and materials, keeps
    one q and one u for all that moves, and steps them together. Objects are added
    and removed between steps. While a thread steps it (without the GIL), calls of
    other threads raise RuntimeError; different Worlds step in parallel.
    """

    @overload
    def __init__(self) -> None:
        """An empty world: gravity (0, 0, -9.81), time step 1 ms, MIDPOINT."""

    @overload
    def __init__(self, spec: espalier.spec.WorldSpec) -> None:
        """A world as data; ValueError with every diagnostic."""

    @overload
    def __init__(self, file_or_text: str | os.PathLike[str], parameters: Mapping[str, str | int | float] = {}) -> None:
        """
        A world configuration file, or its text (docs/world_files.md); SpecError with every
        diagnostic, warnings as EspalierWarning.
          in  parameters  what @@NAME stands for in a template, texts or numbers by NAME
        """

    @staticmethod
    def set_activation_key(key: str) -> None:
        """Does nothing, since no key is needed; for code that comes from RaiSim."""

    @staticmethod
    def set_license_file(file: str) -> None:
        """Does nothing, since no key is needed; for code that comes from RaiSim."""

    @overload
    def add_articulated_system(self, file_or_text: str | os.PathLike[str], res_dir: str = '', joint_order: Sequence[str] = [], group: int | None = None, mask: int | None = None, parameters: Mapping[str, str | int | float] = {}, options: ArticulatedSystemOption | None = None) -> ArticulatedSystem:
        """
        Adds a robot: from a file's path (URDF, xacro, MJCF, SDF) or its text, a SystemSpec, a
        Child, or a compiled Model. Warnings are raised as EspalierWarning; SpecError, a
        ValueError, with every diagnostic where it cannot be read or built.
          in  res_dir      folder where meshes are looked for first
          in  joint_order  of the joints that move; empty: order of appearance
          in  group, mask  bits for all its collision bodies; None: the file's own
          in  parameters   what @@NAME stands for in a template, texts or numbers by NAME
          in  options      ArticulatedSystemOption, or io.UrdfOptions alone
        """

    @overload
    def add_articulated_system(self, file_or_text: str | os.PathLike[str], options: espalier.io.UrdfOptions) -> ArticulatedSystem: ...

    @overload
    def add_articulated_system(self, root: espalier.child.Child, res_dir: str = '', group: int | None = None, mask: int | None = None, options: ArticulatedSystemOption | None = None) -> ArticulatedSystem: ...

    @overload
    def add_articulated_system(self, spec: espalier.spec.SystemSpec) -> ArticulatedSystem: ...

    @overload
    def add_articulated_system(self, model: Model) -> ArticulatedSystem: ...

    def add_sphere(self, radius: float, mass: float, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> Sphere:
        """
        A homogeneous ball at the origin; m, kg. It collides with what has its group in the
        mask, and back.
        """

    def add_box(self, x: float, y: float, z: float, mass: float, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> Box:
        """A homogeneous box at the origin; whole edge lengths in m, kg."""

    def add_cylinder(self, radius: float, height: float, mass: float, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> Cylinder:
        """A homogeneous cylinder at the origin, along z; m, kg."""

    def add_capsule(self, radius: float, height: float, mass: float, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> Capsule:
        """
        A homogeneous capsule at the origin, along z; the height is the distance of the sphere
        centres; m, kg.
        """

    def add_ground(self, height: float = 0.0, material: str = 'default', mask: int = 18446744073709551615) -> Ground:
        """The half space below z = height (m)."""

    def add_body(self, spec: espalier.spec.BodySpec) -> SingleBodyObject:
        """Whatever a BodySpec describes."""

    def add_compound(self, children: Sequence[espalier.spec.CollisionSpec], mass: float, com: numpy.typing.ArrayLike, inertia: numpy.typing.ArrayLike) -> SingleBodyObject:
        """
        Several shapes as one body: a list of CollisionSpec, kg, (3,) m, (3, 3) kg m^2 about com.
        Returns a Compound; of a single child what that is.
        """

    @overload
    def add_mesh(self, original: Mesh, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> Mesh:
        """Another body with the same triangles, mass and inertia as a Mesh."""

    @overload
    def add_mesh(self, file: str | os.PathLike[str], mass: float, scale: float = 1.0, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> Mesh:
        """
        A mesh from a file, with the inertia of its bounding box about the box's middle; kg. It
        collides by its convex hull while it can move.
        """

    @overload
    def add_mesh(self, file: str | os.PathLike[str], mass: float, inertia: numpy.typing.ArrayLike, com: numpy.typing.ArrayLike, scale: float = 1.0, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> Mesh:
        """
        A mesh from a file; kg, (3, 3) kg m^2 about com, (3,) m in the mesh's frame.
        """

    @overload
    def add_height_map(self, original: HeightMap, group: int = 1, mask: int = 18446744073709551615) -> HeightMap:
        """Another one with the same heights, at the same place."""

    @overload
    def add_height_map(self, x_samples: int, y_samples: int, x_size: float, y_size: float, centre_x: float, centre_y: float, heights: numpy.typing.ArrayLike | numpy.typing.ArrayLike, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> HeightMap:
        """
        Heights on a grid in m: (y_samples, x_samples), or flat with x fastest; sizes and centre
        in m.
        """

    @overload
    def add_height_map(self, data: HeightfieldData, centre_x: float, centre_y: float, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> HeightMap:
        """HeightfieldData, centred on (centre_x, centre_y), m."""

    @overload
    def add_height_map(self, centre_x: float, centre_y: float, terrain: espalier.shapes.TerrainProperties, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> HeightMap:
        """Made of noise, as TerrainProperties say."""

    @overload
    def add_height_map(self, text_file: str | os.PathLike[str], centre_x: float, centre_y: float, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> HeightMap:
        """From RaiSim's text form."""

    @overload
    def add_height_map(self, png_file: str | os.PathLike[str], centre_x: float, centre_y: float, x_size: float, y_size: float, height_scale: float, height_offset: float, material: str = 'default', group: int = 1, mask: int = 18446744073709551615) -> HeightMap:
        """From a PNG: m for each grey level, m of black."""

    def remove_object(self, object: Object) -> None:
        """
        Takes an Object out of the world; from now on it raises RuntimeError. Its welds go, too.
        """

    @property
    def object_count(self) -> int:
        """int"""

    @overload
    def object(self, index: int) -> Object:
        """The Object at a place of obj_list; IndexError where there is none."""

    @overload
    def object(self, name: str) -> Object | None:
        """The first Object of this name; None where there is none."""

    @property
    def obj_list(self) -> list[Object]:
        """list[Object]: all, in order"""

    @property
    def objects(self) -> list[Object]:
        """list[Object]: all, in order; the same as obj_list"""

    @property
    def system_count(self) -> int:
        """int: number of robots"""

    def system(self, index: int) -> ArticulatedSystem:
        """The robot at a place among the robots; IndexError where there is none."""

    @property
    def systems(self) -> list[ArticulatedSystem]:
        """list[ArticulatedSystem]: the robots alone, in order"""

    def attach(self, a: Object, b: Object | None = None, body_a: int = 0, body_b: int = 0) -> int:
        """
        Welds two bodies as they stand; b None: to the world. Returns an id for detach().
        """

    def detach(self, weld: int) -> None:
        """Takes a weld away; ValueError where there is none."""

    def ray_test(self, start: numpy.typing.ArrayLike, direction: numpy.typing.ArrayLike, length: float, closest_only: bool = False, mask: int = 18446744073709551615, skipped: Object | None = None) -> list[RayTestResult]:
        """
        list[RayTestResult]: the surfaces that a ray meets at the objects' present poses, nearest
        first, at most one of each shape.
          in  start         (3,) m;  direction  (3,) of any length > 0;  length  m
          in  closest_only  the nearest alone
          in  mask          groups that it meets;  skipped  an Object that it goes through
        """

    @property
    def rays_of_last_step(self) -> list[CastRay]:
        """list[CastRay]: rays cast between the last step and the one before"""

    @property
    def time_step(self) -> float:
        """float: s, > 0"""

    @time_step.setter
    def time_step(self, arg: float, /) -> None: ...

    @property
    def gravity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m/s^2"""

    @gravity.setter
    def gravity(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def integration_scheme(self) -> Scheme:
        """Scheme"""

    @integration_scheme.setter
    def integration_scheme(self, arg: Scheme, /) -> None: ...

    def set_sleeping(self, on: bool, linear_speed: float = 0.002, angular_speed: float = 0.01, quiet_steps: int = 20) -> None:
        """
        Single bodies that are slow (m/s, rad/s) for so many steps, with all they touch, rest
        until something faster touches them. Off by default.
        """

    @property
    def energy_monitoring(self) -> bool:
        """bool: evaluates energy and its balance in every step"""

    @energy_monitoring.setter
    def energy_monitoring(self, arg: bool, /) -> None: ...

    def set_erp(self, erp: float, slop: float = 0.0) -> None:
        """
        Share of a penetration removed in one step, and the penetration left alone (m).
        """

    @property
    def max_depenetration_velocity(self) -> float:
        """
        float: m/s (of joint limits rad/s or m/s), > 0, may be infinite: the speed at
        which a penetration is removed, at most
        """

    @max_depenetration_velocity.setter
    def max_depenetration_velocity(self, arg: float, /) -> None: ...

    @overload
    def set_contact_solver_param(self, tolerance: float, max_sweeps: int) -> None:
        """
        Residual at which the contact solver stops (m/s), and its sweeps at most.
        """

    @overload
    def set_contact_solver_param(self, alpha_init: float, alpha_min: float, alpha_decay: float, max_sweeps: int, threshold: float) -> None:
        """RaiSim's form; the first three have no effect."""

    def set_contact_margin(self, margin: float) -> None:
        """m: gap below which a contact takes part in the solve."""

    def set_max_contacts(self, count: int) -> None:
        """
        Contacts a step can hold; by default room grows with the number of shapes.
        """

    def set_contact_callback(self, callback: Callable[[Contact, MaterialPair], bool] | None) -> None:
        """
        Called for every contact of a step before it is solved, (contact, material) -> bool:
        False leaves the contact out; the material may be changed for this contact and step.
        It may ask the World; what adds, removes, steps or sets a state raises. What it raises
        comes out of integrate(), and the step is given up. None: no callback.
        """

    @overload
    def set_default_material(self, friction: float, restitution: float, restitution_threshold: float) -> None:
        """
        Of all pairs that are not set; the threshold in m/s. Or a MaterialPairSpec.
        """

    @overload
    def set_default_material(self, pair: espalier.spec.MaterialPairSpec) -> None: ...

    @overload
    def set_material_pair_prop(self, first: str, second: str, friction: float, restitution: float, restitution_threshold: float) -> None:
        """How two materials meet: velocities in m/s. Or a MaterialPairSpec."""

    @overload
    def set_material_pair_prop(self, first: str, second: str, friction: float, restitution: float, restitution_threshold: float, static_friction: float, static_velocity: float) -> None: ...

    @overload
    def set_material_pair_prop(self, pair: espalier.spec.MaterialPairSpec) -> None: ...

    def update_material_prop(self, materials: MaterialManager) -> None:
        """
        Forgets all pairs and takes those of a MaterialManager, and their default.
        """

    @overload
    def integrate(self) -> StepReport:
        """
        One step, integrate1() then integrate2(), without the GIL; StepReport, a copy.
        """

    @overload
    def integrate(self, count: int) -> StepReport:
        """So many steps in one call; the StepReport of the last; none for 0."""

    @overload
    def step(self) -> StepReport:
        """
        One step, integrate1() then integrate2(), without the GIL; StepReport, a copy.
        """

    @overload
    def step(self, count: int) -> StepReport:
        """So many steps in one call; the StepReport of the last; none for 0."""

    def integrate1(self) -> None:
        """
        Kinematics, M, h and collisions at the scheme's evaluation point; queries then speak of
        it.
        """

    def integrate2(self) -> StepReport:
        """
        Forces, contacts, the new state. Gains, targets, forces and the time step may change
        between integrate1() and integrate2().
        """

    @property
    def report(self) -> StepReport:
        """StepReport of the last step, a copy"""

    @property
    def contacts(self) -> list[Contact]:
        """list[Contact]: of the last step, near misses too"""

    @property
    def contact_problem(self) -> list[Contact]:
        """list[Contact]: the same as contacts"""

    @property
    def contact_points(self) -> numpy.typing.NDArray[numpy.float64]:
        """(n, 3) m, world: positions of contacts, as contacts lists them"""

    @property
    def contact_normals(self) -> numpy.typing.NDArray[numpy.float64]:
        """(n, 3) unit, world: the push on object A"""

    @property
    def contact_impulses(self) -> numpy.typing.NDArray[numpy.float64]:
        """(n, 3) N s on object A, in the contact frame (t1, t2, normal)"""

    @property
    def contact_forces(self) -> numpy.typing.NDArray[numpy.float64]:
        """(n, 3) N on object A, world axes: mean over the last step"""

    @property
    def contact_depths(self) -> numpy.typing.NDArray[numpy.float64]:
        """(n,) m; negative: a gap"""

    @property
    def world_time(self) -> float:
        """float: s"""

    @world_time.setter
    def world_time(self, arg: float, /) -> None: ...

    @property
    def time(self) -> float:
        """float: s; the same as world_time"""

    @time.setter
    def time(self, arg: float, /) -> None: ...

    @property
    def state(self) -> espalier.spec.State:
        """
        State: all that moves, and what decides the next step besides; a copy, from which a
        world built the same way goes on bit for bit. Setting it empties the contact list.
        Where q or u were written since, its history is ignored: the solver starts cold and
        all bodies are awake. ValueError, and nothing changes, where the sizes are another
        world's, a number is not finite or a closed loop gapes.
        """

    @state.setter
    def state(self, arg: espalier.spec.State, /) -> None: ...

    @property
    def state_hash(self) -> int:
        """int: FNV-1a over the bytes of q and u; equal states, equal hashes"""

    def save_checkpoint(self) -> bytes:
        """
        bytes: the state, its history too; a world built the same way and given them goes on
        bit for bit. What users set (gains, targets, materials) is not in them.
        """

    def restore_checkpoint(self, bytes: bytes) -> None:
        """
        Takes what save_checkpoint() gave; ValueError, and nothing changes, where the bytes are
        damaged or another world's.
        """

    def save_keyframe(self, name: str) -> None:
        """Remembers the present state under a name."""

    @property
    def keyframe_names(self) -> list[str]:
        """list[str]: in alphabetical order"""

    def reset(self, keyframe: str | None = None) -> None:
        """
        Goes back to a keyframe; None: every object where it was when it was added, at rest or
        as its spec says, at time 0.
        """

    def diagnostics(self) -> Diagnostics:
        """
        Diagnostics: what of the world cannot be simulated as asked; empty where all is well
        """

    def spec(self) -> espalier.spec.WorldSpec:
        """WorldSpec: the world as data, in its present state"""

    @overload
    def export_to_xml(self, file: str | os.PathLike[str]) -> None:
        """Writes the world, in its present state, as a world file."""

    @overload
    def export_to_xml(self, folder: str | os.PathLike[str], file: str) -> None: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle and copy.deepcopy: see espalier.copy_world()."""

    def _noted_calls(self) -> dict[str, builtins.object]: ...

    def _keyframes(self) -> dict[str, builtins.object]: ...

    @property
    def _weld_count(self) -> int: ...

    @property
    def _has_contact_callback(self) -> bool: ...

    def __copy__(self) -> builtins.object:
        """
        For copy.copy: the same as a deep copy, since a World owns what is in it.
        """

    def record(self, file: str | os.PathLike[str], *, rate: float = 60.0, name: str = '', sources: Sequence[str] = [], visuals: Visuals | None = None, append: bool = False) -> WorldRecording:
        """
        Writes the run from now on to an .esp file, until the WorldRecording that it returns is closed:

            with world.record("run.esp"):
                for _ in range(1000):
                    world.step()

        rate: frames for each simulated second, Hz; their distance is a whole number of steps. name: title of the page. sources: files the world comes from, told in the recording. visuals: Visuals that are drawn in it. append: goes on behind a recording that is there. OSError where the file cannot be written.
        """

class _BatchDouble:
    """The worlds of a Batch."""

    def __init__(self, make: Callable[..., Any], worlds: int, is_accurate: bool, threads: int, iterations: int) -> None: ...

    @property
    def threads(self) -> int: ...

    @property
    def time_step(self) -> float: ...

    def names(self) -> list[str]: ...

    def bind(self, name: str) -> numpy.ndarray: ...

    def step(self, steps: int) -> None: ...

    def step_of(self, worlds: Sequence[int], steps: int) -> None: ...

    @staticmethod
    def step_together(batches: Sequence[_BatchDouble], steps: int) -> None: ...

    def reset(self) -> None: ...

    def reset_of(self, worlds: Sequence[int]) -> None: ...

    def reset_to(self, worlds: Sequence[int], state: espalier.spec.State) -> None: ...

    def state(self, world: int) -> espalier.spec.State: ...

    def initial_state(self) -> espalier.spec.State: ...

    def report(self) -> dict[Any, Any]: ...

class _BatchFloat:
    """The worlds of a Batch."""

    def __init__(self, make: Callable[..., Any], worlds: int, is_accurate: bool, threads: int, iterations: int) -> None: ...

    @property
    def threads(self) -> int: ...

    @property
    def time_step(self) -> float: ...

    def names(self) -> list[str]: ...

    def bind(self, name: str) -> numpy.ndarray: ...

    def step(self, steps: int) -> None: ...

    def step_of(self, worlds: Sequence[int], steps: int) -> None: ...

    @staticmethod
    def step_together(batches: Sequence[_BatchFloat], steps: int) -> None: ...

    def reset(self) -> None: ...

    def reset_of(self, worlds: Sequence[int]) -> None: ...

    def reset_to(self, worlds: Sequence[int], state: espalier.spec.State) -> None: ...

    def state(self, world: int) -> espalier.spec.State: ...

    def initial_state(self) -> espalier.spec.State: ...

    def report(self) -> dict[Any, Any]: ...

class _ObserverDouble:
    """What an Observer writes."""

    def __init__(self, batch: _BatchDouble, quantities: list[Any], history: int, delay: Sequence[int], noise: numpy.typing.ArrayLike, seed: int, first_world: int) -> None: ...

    def names(self) -> list[str]: ...

    def observe(self, out: numpy.ndarray, worlds: Sequence[int] | None) -> None: ...

    def observe_double(self, out: numpy.ndarray, worlds: Sequence[int] | None) -> None: ...

    def reset(self) -> None: ...

    def reset_of(self, worlds: Sequence[int]) -> None: ...

    def restart(self, worlds: Sequence[int]) -> None: ...

    def memory_size(self) -> int: ...

    def memory(self, world: int) -> numpy.typing.NDArray[numpy.float64]: ...

    def set_memory(self, world: int, memory: numpy.typing.ArrayLike) -> None: ...

    def set_delay(self, worlds: Sequence[int], delay: Sequence[int]) -> None: ...

class _ObserverFloat:
    """What an Observer writes."""

    def __init__(self, batch: _BatchFloat, quantities: list[Any], history: int, delay: Sequence[int], noise: numpy.typing.ArrayLike, seed: int, first_world: int) -> None: ...

    def names(self) -> list[str]: ...

    def observe(self, out: numpy.ndarray, worlds: Sequence[int] | None) -> None: ...

    def observe_double(self, out: numpy.ndarray, worlds: Sequence[int] | None) -> None: ...

    def reset(self) -> None: ...

    def reset_of(self, worlds: Sequence[int]) -> None: ...

    def restart(self, worlds: Sequence[int]) -> None: ...

    def memory_size(self) -> int: ...

    def memory(self, world: int) -> numpy.typing.NDArray[numpy.float64]: ...

    def set_memory(self, world: int, memory: numpy.typing.ArrayLike) -> None: ...

    def set_delay(self, worlds: Sequence[int], delay: Sequence[int]) -> None: ...

class DynamicsDerivatives:
    """
    Derivatives (nv, nv) of forces or accelerations. A step of q is dt u: of quaternions a rotation vector from the left.
    """

    @property
    def by_q(self) -> numpy.typing.NDArray[numpy.float64]:
        """row i, column j: d result_i / d q_j"""

    @property
    def by_u(self) -> numpy.typing.NDArray[numpy.float64]:
        """by u"""

    @property
    def by_input(self) -> numpy.typing.NDArray[numpy.float64]:
        """by udot, which is M; or tau: M^-1"""

class LoopEquationsAt:
    """
    Embedded loops at one state: phi(q) = 0, K u = 0, K udot = k for all joints; u = G y, udot = G ydot + g by the independent velocities y.
    """

    @property
    def phi(self) -> numpy.typing.NDArray[numpy.float64]:
        """(rows,) m or rad"""

    @property
    def K(self) -> numpy.typing.NDArray[numpy.float64]:
        """(rows, spanning nv)"""

    @property
    def k(self) -> numpy.typing.NDArray[numpy.float64]:
        """(rows,)"""

    @property
    def G(self) -> numpy.typing.NDArray[numpy.float64]:
        """(spanning nv, nv)"""

    @property
    def g(self) -> numpy.typing.NDArray[numpy.float64]:
        """(spanning nv,)"""

class JointPlace:
    """Where a joint's numbers are."""

    @property
    def joint(self) -> str:
        """name; of a floating base its link's"""

    @property
    def kind(self) -> JointKind:
        """JointKind"""

    @property
    def q(self) -> int:
        """first among the independent coordinates; -1: dependent"""

    @property
    def u(self) -> int:
        """first among the independent dofs; -1: dependent"""

    @property
    def spanning_q(self) -> int:
        """first among the coordinates of all joints"""

    @property
    def spanning_u(self) -> int:
        """first among the dofs of all joints"""

    @property
    def nq(self) -> int:
        """number of its coordinates"""

    @property
    def nv(self) -> int:
        """number of its dofs"""

    @property
    def X_WJ(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (4, 4) of a floating joint on a fixed base: the frame from which its q counts, in the world; else the identity
        """

    @property
    def lower(self) -> float:
        """limit of each coordinate, rad or m; -inf of quaternions"""

    @property
    def upper(self) -> float:
        """limit of each coordinate, rad or m; inf of quaternions"""

    def __repr__(self) -> str: ...

class ModelDynamics:
    """
    The dynamics of a Model by itself at one state: several quantities from one pass of kinematics. It never changes; any number of threads may ask it. The functions of espalier.dynamics are its methods, each at a state given.
    """

    def __init__(self, model: Model, q: numpy.typing.ArrayLike, u: numpy.typing.ArrayLike | None = None) -> None:
        """
        q (nq,) of the independent joints, or with loops (spanning nq,) of all joints, from which the dependent ones start; u (nv,), zero where None. ValueError for other sizes, numbers that are not finite, and loops that do not close.
        """

    @property
    def model(self) -> Model:
        """the Model"""

    @property
    def coordinate(self) -> numpy.typing.NDArray[numpy.float64]:
        """q (nq,), quaternions unit"""

    @property
    def velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """u (nv,)"""

    @property
    def spanning_coordinate(self) -> numpy.typing.NDArray[numpy.float64]:
        """q of all joints, dependent ones too (spanning nq,)"""

    @property
    def spanning_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """u of all joints (spanning nv,)"""

    def stepped(self, dq: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """
        q of all joints (spanning nq,) after a step dq (nv,) of the independent ones, the dependent ones to first order; ModelDynamics(model, that) closes the loops.
        """

    def __repr__(self) -> str: ...

    def mass_matrix(self) -> numpy.typing.NDArray[numpy.float64]:
        """M (nv, nv), symmetric."""

    def inverse_mass_matrix(self) -> numpy.typing.NDArray[numpy.float64]:
        """M^-1 (nv, nv)."""

    def nonlinearities(self, gravity: numpy.typing.ArrayLike = ...) -> numpy.typing.NDArray[numpy.float64]:
        """h (nv,), N or N m: M udot + h = tau. gravity (3,) in m/s^2, world."""

    def inverse_dynamics(self, udot: numpy.typing.ArrayLike, gravity: numpy.typing.ArrayLike = ..., external: dict[Any, Any] | None = None) -> numpy.typing.NDArray[numpy.float64]:
        """
        tau (nv,) for udot (nv,): M udot + h - J' external. external is a dict of frames and wrenches (6,), N m then N at the frame's origin, world axes.
        """

    def forward_dynamics(self, tau: numpy.typing.ArrayLike, gravity: numpy.typing.ArrayLike = ..., external: dict[Any, Any] | None = None) -> numpy.typing.NDArray[numpy.float64]:
        """
        udot (nv,) for tau (nv,); external as of inverse_dynamics(). Bilateral loops hold.
        """

    def generalized_force(self, external: dict[Any, Any]) -> numpy.typing.NDArray[numpy.float64]:
        """J' external (nv,): the generalized force of wrenches at frames."""

    def inverse_dynamics_derivatives(self, udot: numpy.typing.ArrayLike, gravity: numpy.typing.ArrayLike = ...) -> DynamicsDerivatives:
        """DynamicsDerivatives of tau by q, u and udot, exact."""

    def forward_dynamics_derivatives(self, tau: numpy.typing.ArrayLike, gravity: numpy.typing.ArrayLike = ...) -> DynamicsDerivatives:
        """
        DynamicsDerivatives of udot by q, u and tau, exact. ValueError with bilateral loops.
        """

    def body_pose(self, body: int) -> numpy.typing.NDArray[numpy.float64]:
        """X_WB (4, 4) of a body, in its link's frame."""

    def frame_pose(self, frame: builtins.object) -> numpy.typing.NDArray[numpy.float64]:
        """
        X_WF (4, 4). A frame is the name of a joint, or of a link where no joint is called so, or an index in Model.frames.
        """

    def frame_velocity(self, frame: builtins.object) -> numpy.typing.NDArray[numpy.float64]:
        """(6,) rad/s, then m/s of the frame's origin; world axes."""

    def frame_acceleration(self, frame: builtins.object, udot: numpy.typing.ArrayLike | None = None) -> numpy.typing.NDArray[numpy.float64]:
        """
        (6,) rad/s^2, then m/s^2 of the frame's origin, world axes, at udot (nv,); where None at zero: dJ/dt u.
        """

    def frame_jacobian(self, frame: builtins.object) -> numpy.typing.NDArray[numpy.float64]:
        """J (6, nv), angular rows first: J u = frame_velocity()."""

    def frame_jacobian_rate(self, frame: builtins.object) -> numpy.typing.NDArray[numpy.float64]:
        """dJ/dt along u (6, nv). ValueError for frames of geared rotors."""

    def inverse_operational_inertia(self, frames: Iterable[Any]) -> numpy.typing.NDArray[numpy.float64]:
        """
        J M^-1 J' (6 n, 6 n) of n frames, angular rows first in each; world axes. ValueError for frames of geared rotors.
        """

    def kinetic_energy(self) -> float:
        """J."""

    def potential_energy(self, gravity: numpy.typing.ArrayLike = ...) -> float:
        """J, zero at the world's origin. gravity (3,) in m/s^2, world."""

    def centre_of_mass(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3,) m, world."""

    def centre_of_mass_jacobian(self) -> numpy.typing.NDArray[numpy.float64]:
        """(3, nv): the velocity of the centre of mass is this times u."""

    def momentum(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        (6,) angular about the centre of mass, N m s, then linear, N s; world axes.
        """

    def momentum_matrix(self) -> numpy.typing.NDArray[numpy.float64]:
        """A (6, nv), centroidal: A u = momentum()."""

    def momentum_rate(self, udot: numpy.typing.ArrayLike | None = None) -> numpy.typing.NDArray[numpy.float64]:
        """
        (6,) N m, N: rate of momentum() at udot (nv,); where None at zero: dA/dt u.
        """

    def loops(self) -> LoopEquationsAt:
        """LoopEquationsAt this state."""

def joint_places(model: Model) -> list[JointPlace]:
    """
    list of JointPlace, of all joints that move in the authored order; a floating base first.
    """

def neutral_coordinate(model: Model) -> numpy.typing.NDArray[numpy.float64]:
    """
    q (nq,) with every joint at 0 or the identity; with loops as they were assembled.
    """

def random_coordinate(model: Model, seed: int, spread: float = 1.0) -> numpy.typing.NDArray[numpy.float64]:
    """
    q (nq,): angles and metres within spread, any orientation; the same for the same seed.
    """

def advanced(model: Model, q: numpy.typing.ArrayLike, step: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """
    q (nq,) after a step (nv,), dt u: quaternions turn by a rotation vector from the left.
    """

def step_between(model: Model, from_: numpy.typing.ArrayLike, to: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """
    The step (nv,) from one q (nq,) to another; rotation vectors of at most pi.
    """

class Visual:
    """One shape that is drawn. RaiSim calls it Visuals."""

    class Kind(enum.Enum):
        """What shape a Visual is."""

        SPHERE = 0

        BOX = 1

        CYLINDER = 2

        CAPSULE = 3

        MESH = 4

        ARROW = 5

    @property
    def name(self) -> str:
        """str"""

    @property
    def color(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (4,): red, green, blue, opacity, in [0, 1]"""

    @color.setter
    def color(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def set_color(self, red: float, green: float, blue: float, opacity: float) -> None:
        """Sets the colour: four numbers in [0, 1]."""

    def __repr__(self) -> str: ...

    @property
    def kind(self) -> Visual.Kind:
        """Visual.Kind"""

    @property
    def material(self) -> str:
        """str, shown with the shape's name"""

    @material.setter
    def material(self, arg: str, /) -> None: ...

    @property
    def glow(self) -> bool:
        """bool, kept without effect"""

    @glow.setter
    def glow(self, arg: bool, /) -> None: ...

    @property
    def shadow(self) -> bool:
        """bool, kept without effect"""

    @shadow.setter
    def shadow(self, arg: bool, /) -> None: ...

    def set_sphere_size(self, radius: float) -> None:
        """
        Of a sphere: radius, m. ValueError for another kind or a length that is not positive.
        """

    def set_box_size(self, x: float, y: float, z: float) -> None:
        """Of a box: edges, m."""

    def set_cylinder_size(self, radius: float, height: float) -> None:
        """Of a cylinder or an arrow: radius and height, m."""

    def set_capsule_size(self, radius: float, height: float) -> None:
        """Of a capsule: radius and the distance of its sphere centres, m."""

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (3,): of its middle, of an arrow its tail; m, world"""

    @position.setter
    def position(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def orientation(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (4,): quaternion w, x, y, z, shape to world"""

    @orientation.setter
    def orientation(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def set_position(self, *position: Any) -> None:
        """Sets the position, m, world: three numbers or an array (3,)."""

    def set_orientation(self, *args: Any) -> None:
        """Sets the orientation: w, x, y, z as four numbers or an array (4,)."""

    @property
    def pose(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (4, 4): X_world_shape"""

    @property
    def has_varying_look(self) -> bool:
        """bool: its colour or size has changed since it was first shown"""

class PolyLine:
    """A line through points."""

    @property
    def name(self) -> str:
        """str"""

    @property
    def color(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (4,): red, green, blue, opacity, in [0, 1]"""

    @color.setter
    def color(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def set_color(self, red: float, green: float, blue: float, opacity: float) -> None:
        """Sets the colour: four numbers in [0, 1]."""

    def __repr__(self) -> str: ...

    @property
    def width(self) -> float:
        """float, m; drawn as 200 pixels for each m, at least one"""

    @width.setter
    def width(self, arg: float, /) -> None: ...

    @property
    def points(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (n, 3): m, world; a copy, assign to change them"""

    @points.setter
    def points(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def add_point(self, point: numpy.typing.ArrayLike) -> None:
        """One more point (3,), m, world."""

    def clear_points(self) -> None:
        """Removes all points."""

class PointCloud:
    """Many points of one colour."""

    @property
    def name(self) -> str:
        """str"""

    @property
    def color(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (4,): red, green, blue, opacity, in [0, 1]"""

    @color.setter
    def color(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def size(self) -> float:
        """float, m"""

    @size.setter
    def size(self, arg: float, /) -> None: ...

    @property
    def points(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (n, 3): m, world; a copy, assign to change them"""

    @points.setter
    def points(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

class TextLabel:
    """A word at a place."""

    @property
    def name(self) -> str:
        """str"""

    @property
    def text(self) -> str:
        """str"""

    @text.setter
    def text(self, arg: str, /) -> None: ...

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (3,): m, world"""

    @position.setter
    def position(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def color(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (4,): red, green, blue, opacity, in [0, 1]"""

    @color.setter
    def color(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

class InstancedVisuals:
    """Many shapes that are alike; the colour of each lies between two."""

    class Instance:
        """One of the shapes, as a copy."""

        @property
        def position(self) -> numpy.typing.NDArray[numpy.float64]:
            """ndarray (3,): m, world"""

        @property
        def quaternion(self) -> numpy.typing.NDArray[numpy.float64]:
            """ndarray (4,): w, x, y, z"""

        @property
        def scale(self) -> numpy.typing.NDArray[numpy.float64]:
            """ndarray (3,); 1: the size of them all"""

        @property
        def color_weight(self) -> float:
            """float: 0 is the first colour, 1 the second"""

    @property
    def name(self) -> str:
        """str"""

    def __repr__(self) -> str: ...

    def resize(self, count: int) -> None:
        """So many of them; new ones are at the origin."""

    @property
    def count(self) -> int:
        """int"""

    def __len__(self) -> int: ...

    def add_instance(self, position: numpy.typing.ArrayLike, quaternion: numpy.typing.ArrayLike = ..., scale: numpy.typing.ArrayLike = ..., color_weight: float = 0.0) -> None:
        """One more: m, world; w, x, y, z; factors of the size; [0, 1]."""

    def remove_instance(self, index: int) -> None:
        """Removes one. ValueError where there is none."""

    def clear_instances(self) -> None:
        """Removes all of them."""

    def set_position(self, index: int, position: numpy.typing.ArrayLike) -> None:
        """(3,), m, world."""

    def set_orientation(self, index: int, quaternion: numpy.typing.ArrayLike) -> None:
        """(4,): w, x, y, z."""

    def set_scale(self, index: int, scale: numpy.typing.ArrayLike) -> None:
        """(3,); 1: the size of them all."""

    def set_color_weight(self, index: int, weight: float) -> None:
        """0: the first colour, 1: the second."""

    def set_colors(self, first: numpy.typing.ArrayLike, second: numpy.typing.ArrayLike) -> None:
        """Colours (4,) of the weights 0 and 1."""

    def color_of(self, instance: InstancedVisuals.Instance) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (4,): the colour that an instance is drawn in."""

    @property
    def instances(self) -> list[InstancedVisuals.Instance]:
        """list of Instance, copies"""

class ArticulatedSystemVisual:
    """A robot that is only drawn: a reference, a plan, a recorded one."""

    @property
    def name(self) -> str:
        """str"""

    @property
    def color(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (4,): red, green, blue, opacity, in [0, 1]"""

    @color.setter
    def color(self, arg: numpy.typing.ArrayLike, /) -> None: ...

    def set_color(self, red: float, green: float, blue: float, opacity: float) -> None:
        """Sets the colour: four numbers in [0, 1]."""

    def __repr__(self) -> str: ...

    def set_generalized_coordinate(self, q: numpy.typing.ArrayLike) -> None:
        """Its pose, as ArticulatedSystem.generalized_coordinate."""

    @property
    def q(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (nq,): its generalized coordinates"""

    @q.setter
    def q(self, arg: numpy.typing.ArrayLike, /) -> None: ...

class TimeSeriesGraph:
    """Several curves over time."""

    @property
    def title(self) -> str:
        """str"""

    @property
    def names(self) -> list[str]:
        """list of str, of the curves"""

    @property
    def x_axis(self) -> str:
        """str"""

    @property
    def y_axis(self) -> str:
        """str"""

    def add_data_points(self, time: float, values: numpy.typing.ArrayLike) -> None:
        """
        One point of each curve: time, s, and values (curves,). ValueError for another number of values.
        """

class BarChart:
    """Bars, one for each name."""

    @property
    def title(self) -> str:
        """str"""

    @property
    def names(self) -> list[str]:
        """list of str, of the bars"""

    def set_data(self, data: numpy.typing.ArrayLike) -> None:
        """Heights (bars,). ValueError for another number of them."""

    @property
    def data(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (bars,)"""

class Visuals:
    """
    All that a program draws on top of its world: shapes, lines, points, texts, robots and charts. Names must differ; lengths in m, colours in [0, 1]. A Server is one, another one can be given to record().
    """

    def __init__(self) -> None: ...

    def add_visual_sphere(self, name: str, radius: float, red: float = 1.0, green: float = 1.0, blue: float = 1.0, opacity: float = 1.0, material: str = '', glow: bool = False, shadow: bool = False) -> Visual:
        """
        A sphere of radius m at the origin. ValueError where the name is taken or a number makes no shape, as of all shapes.
        """

    def add_visual_box(self, name: str, x: float, y: float, z: float, red: float = 1.0, green: float = 1.0, blue: float = 1.0, opacity: float = 1.0, material: str = '', glow: bool = False, shadow: bool = False) -> Visual:
        """A box with edges x, y, z, m."""

    def add_visual_cylinder(self, name: str, radius: float, height: float, red: float = 1.0, green: float = 1.0, blue: float = 1.0, opacity: float = 1.0, material: str = '', glow: bool = False, shadow: bool = False) -> Visual:
        """A cylinder along z, m."""

    def add_visual_capsule(self, name: str, radius: float, height: float, red: float = 1.0, green: float = 1.0, blue: float = 1.0, opacity: float = 1.0, material: str = '', glow: bool = False, shadow: bool = False) -> Visual:
        """A capsule along z; height is the distance of its sphere centres, m."""

    def add_visual_mesh(self, name: str, file: str, scale_x: float = 1.0, scale_y: float = 1.0, scale_z: float = 1.0, red: float = 1.0, green: float = 1.0, blue: float = 1.0, opacity: float = 1.0, glow: bool = False, shadow: bool = False) -> Visual:
        """
        A mesh from an STL, OBJ, Collada, glTF, PLY or MSH file. ValueError where it cannot be read.
        """

    def add_visual_arrow(self, name: str, radius: float, height: float, red: float = 0.0, green: float = 0.0, blue: float = 0.0, opacity: float = -1.0, glow: bool = False, shadow: bool = False) -> Visual:
        """An arrow from its position along its z; an opacity below 0 is 1."""

    def visual_object(self, name: str) -> Visual:
        """The Visual of this name. ValueError where there is none."""

    @overload
    def remove_visual_object(self, name: str) -> None:
        """
        Removes a Visual, by its name or itself; its handles raise from now on.
        """

    @overload
    def remove_visual_object(self, visual: Visual) -> None: ...

    def add_instanced_visuals(self, name: str, type: ShapeType, size: numpy.typing.ArrayLike, first_color: numpy.typing.ArrayLike, second_color: numpy.typing.ArrayLike, mesh_file: str = '') -> InstancedVisuals:
        """
        Many alike shapes: type ShapeType.SPHERE, BOX, CYLINDER, CAPSULE or MESH; size (3,), m: {radius}, {x, y, z}, {radius, height}, of a mesh its scale; colours (4,).
        """

    def instanced_visuals(self, name: str) -> InstancedVisuals:
        """The InstancedVisuals of this name. ValueError where there is none."""

    def remove_instanced_visuals(self, name: str) -> None:
        """Removes InstancedVisuals."""

    @property
    def shapes(self) -> list[Visual]:
        """list of Visual"""

    @property
    def instanced(self) -> list[InstancedVisuals]:
        """list of InstancedVisuals"""

    def add_visual_poly_line(self, name: str) -> PolyLine:
        """A line without points."""

    def visual_poly_line(self, name: str) -> PolyLine:
        """The PolyLine of this name. ValueError where there is none."""

    def remove_visual_poly_line(self, name: str) -> None:
        """Removes a PolyLine."""

    def add_point_cloud(self, name: str) -> PointCloud:
        """A cloud without points."""

    def point_cloud(self, name: str) -> PointCloud:
        """The PointCloud of this name. ValueError where there is none."""

    def remove_point_cloud(self, name: str) -> None:
        """Removes a PointCloud."""

    def add_visual_text(self, name: str, text: str = '') -> TextLabel:
        """A text at the origin."""

    def visual_text(self, name: str) -> TextLabel:
        """The TextLabel of this name. ValueError where there is none."""

    def remove_visual_text(self, name: str) -> None:
        """Removes a TextLabel."""

    @property
    def lines(self) -> list[PolyLine]:
        """list of PolyLine"""

    @property
    def clouds(self) -> list[PointCloud]:
        """list of PointCloud"""

    @property
    def texts(self) -> list[TextLabel]:
        """list of TextLabel"""

    def add_visual_articulated_system(self, name: str, urdf_file: str, red: float = 0.0, green: float = 0.0, blue: float = 0.0, opacity: float = 0.0) -> ArticulatedSystemVisual:
        """
        A robot that is only drawn, from a file or text as World.add_articulated_system takes; opacity 0: in its own colours.
        """

    def visual_articulated_system(self, name: str) -> ArticulatedSystemVisual:
        """
        The ArticulatedSystemVisual of this name. ValueError where there is none.
        """

    @overload
    def remove_visual_articulated_system(self, name: str) -> None:
        """Removes a drawn robot, by its name or itself."""

    @overload
    def remove_visual_articulated_system(self, ghost: ArticulatedSystemVisual) -> None: ...

    @property
    def ghosts(self) -> list[ArticulatedSystemVisual]:
        """list of ArticulatedSystemVisual"""

    def add_time_series_graph(self, title: str, names: Sequence[str], x_axis: str, y_axis: str) -> TimeSeriesGraph:
        """A graph with a curve for each name."""

    def add_bar_chart(self, title: str, names: Sequence[str]) -> BarChart:
        """A chart with a bar for each name."""

    def time_series_graph(self, title: str) -> TimeSeriesGraph:
        """The TimeSeriesGraph of this title. ValueError where there is none."""

    def bar_chart(self, title: str) -> BarChart:
        """The BarChart of this title. ValueError where there is none."""

    def remove_chart(self, title: str) -> None:
        """Removes a graph or bar chart. ValueError where there is none."""

    @property
    def series(self) -> list[TimeSeriesGraph]:
        """list of TimeSeriesGraph"""

    @property
    def bars(self) -> list[BarChart]:
        """list of BarChart"""

class ServerLock:
    """What Server.lock() gives."""

    def __enter__(self) -> None: ...

    def __exit__(self, *args: Any) -> None: ...

class Server(Visuals):
    """
    Shows a running World, or several side by side, in web pages.

        with espalier.Server(world) as server:
            server.launch_server()          # prints http://127.0.0.1:8080/
            while True:
                server.step()               # in place of world.step()

    It keeps its Worlds alive, and what a program draws is drawn on it (Visuals).
    """

    def __init__(self, world: World | Sequence[World], name: str = '') -> None:
        """
        world: a World, or a sequence of Worlds that are stepped together. name: title of the page; empty: that of the first robot.
        """

    def launch_server(self, port: int = 8080, *, host: str = '127.0.0.1', ports_tried: int = 100, most_clients: int = 64, patience: float = 5.0, quiet: bool = False) -> None:
        """
        Serves at a port of this machine, or the next free one, and prints the address.

        port: 0 is any free one. host: an address of this machine; 0.0.0.0 are all of them, the URL then holds a token. patience: s; a client that takes nothing for so long is dropped. RuntimeError where no port is free or the server runs already.
        """

    def kill_server(self) -> None:
        """Closes all connections; another launch_server() may follow."""

    def stop(self) -> None:
        """kill_server()."""

    def __enter__(self) -> Server: ...

    def __exit__(self, *args: Any) -> None: ...

    def __repr__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    @property
    def url(self) -> str:
        """str, empty before launch_server()"""

    @property
    def port(self) -> int:
        """int, 0 before launch_server()"""

    @property
    def is_connected(self) -> bool:
        """bool: some page looks"""

    @property
    def spectators(self) -> int:
        """int: pages that look"""

    def hibernate(self) -> None:
        """No frames are captured until wakeup()."""

    def wakeup(self) -> None:
        """Ends hibernate()."""

    def integrate_world_thread_safe(self) -> None:
        """
        One step of all worlds. While a page has paused it waits; what pages ask for is done first. The GIL is released; Ctrl-C raises KeyboardInterrupt.
        """

    def step(self) -> None:
        """integrate_world_thread_safe()."""

    def integrate_unless_paused(self, patience: float) -> bool:
        """
        bool: a step was made. While a page has paused it does what pages ask for, for patience s at most.
        """

    def run(self, seconds: float | None = None) -> None:
        """
        Steps until so many seconds of real time are over, or the server is stopped, or Ctrl-C raises. Simulated time goes at set_speed().
        """

    def lock_visualization_server_mutex(self) -> None:
        """
        To be held by threads that change a world which another thread steps by this server, and by those that step it themselves; may be locked again. See lock().
        """

    def unlock_visualization_server_mutex(self) -> None:
        """
        Shows what has changed, and gives the lock back. RuntimeError where this thread does not have it.
        """

    def lock(self) -> ServerLock:
        """
        A context in which this thread alone has the server and its worlds:

            with server.lock():
                world.step()           # shown at the end
        """

    def set_paused(self, on: bool) -> None:
        """Pauses, or goes on, as pages do."""

    @property
    def is_paused(self) -> bool:
        """bool"""

    def set_speed(self, factor: float) -> None:
        """
        Simulated seconds for each second, at most; 0, the default: as fast as it goes.
        """

    def focus_on(self, object: Object | None) -> None:
        """The camera follows an object of a world; None: no one."""

    def set_camera_position_and_look_at(self, position: numpy.typing.ArrayLike, look_at: numpy.typing.ArrayLike) -> None:
        """
        Where the camera is and what it looks at, (3,), m; pages may turn it afterwards.
        """

    def set_map(self, name: str) -> None:
        """Does nothing: for code from RaiSim."""

    def set_world(self, world: World) -> None:
        """Shows another World from now on."""

    def set_worlds(self, worlds: Sequence[World], name: str = '') -> None:
        """
        Shows other Worlds, side by side, from now on; name is the title of the page.
        """

    def set_source(self, file: str) -> None:
        """The file that a world comes from."""

    def set_diagnostics(self, diagnostics: Diagnostics) -> None:
        """What the page lists as remarks about the file."""

    def on_reload(self, reload: builtins.object | None) -> None:
        """
        What the page's button does, before a step; without it pages cannot ask for it.
        """

    def on_reset(self, reset: builtins.object | None) -> None:
        """
        What reset does in place of World.reset(): reset(keyframe), None: the start.
        """

class WorldRecording:
    """
    The run of a World, written to an .esp file from now on: each step of World and Server is followed by a frame where one is due; behind other steps, as those of a Simulation, call update(). Use it as a context, or end it with close(). It keeps its World alive.
    """

    def update(self) -> bool:
        """
        bool: takes a frame if one is due; steps of World and Server do so themselves.
        """

    def capture(self) -> None:
        """Takes a frame now."""

    def close(self) -> None:
        """Takes the last frame and closes the file. May be called twice."""

    def __enter__(self) -> WorldRecording: ...

    def __exit__(self, *args: Any) -> None: ...

    def read(self) -> espalier.recording.Recording:
        """Recording: what was written. ValueError while it is open."""

    def _repr_html_(self) -> str: ...

    def __repr__(self) -> str: ...

    @property
    def file(self) -> str:
        """str: path"""

    @property
    def is_open(self) -> bool:
        """bool"""

    @property
    def frame_count(self) -> int:
        """int: frames taken"""

class ContactMark:
    """A contact in a Frame."""

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (3,): m, world"""

    @property
    def normal(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (3,): unit, the push on A"""

    @property
    def force(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (3,): N, world, on A"""

    @property
    def body_a(self) -> int:
        """int: place among the scene's bodies; -1: none"""

    @property
    def body_b(self) -> int:
        """int: place among the scene's bodies; -1: none"""

class PushMark:
    """An external force in a Frame."""

    @property
    def point(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (3,): m, world"""

    @property
    def force(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (3,): N, world"""

    @property
    def body(self) -> int:
        """int: place among the scene's bodies"""

class RayMark:
    """A ray that was cast, in a Frame."""

    @property
    def start(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (3,): m, world"""

    @property
    def end(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (3,): m, world"""

    @property
    def body(self) -> int:
        """int: that it meets; -1: none"""

class Frame:
    """Where everything is at one moment of a recording."""

    @property
    def version(self) -> int:
        """int: of the scene that it belongs to"""

    @property
    def time(self) -> float:
        """float, s"""

    @property
    def flags(self) -> int:
        """int: StepReport.flags"""

    @property
    def poses(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        ndarray (bodies, 7): x, y, z, m, and quaternion w, x, y, z; body to world
        """

    @property
    def channels(self) -> numpy.typing.NDArray[numpy.float64]:
        """ndarray (channels,)"""

    @property
    def contacts(self) -> list[ContactMark]:
        """list of ContactMark"""

    @property
    def pushes(self) -> list[PushMark]:
        """list of PushMark"""

    @property
    def rays(self) -> list[RayMark]:
        """list of RayMark"""

def encode_frame(frame: Frame) -> bytes:
    """bytes: the frame as the binary message of docs/viewer_protocol.md."""

def decode_frame(message: bytes) -> Frame:
    """
    Frame: of a binary message. ValueError where it is not one whole frame.
    """

class RecordingBlock:
    """A block of an .esp file."""

    @property
    def tag(self) -> str:
        """str: SCEN, MESH, OVER, FRAM or INFO; others are unknown"""

    @property
    def number(self) -> int:
        """int: place in the file, from 1 on"""

    @property
    def offset(self) -> int:
        """int: of its head, bytes"""

    @property
    def first_time(self) -> float:
        """float, s"""

    @property
    def last_time(self) -> float:
        """float, s"""

    @property
    def stored(self) -> bytes:
        """bytes: the content, deflated"""

class MeshBlob:
    """A mesh of a recording."""

    @property
    def hash(self) -> str:
        """str: 16 hexadecimal digits, of the content"""

    @property
    def bytes(self) -> bytes:
        """bytes, as docs/viewer_protocol.md has them"""

class RecordingReader:
    """
    The blocks of an .esp file; Recording shows what is in them as arrays. Of bytes that are damaged or cut off all blocks before that place are there.
    """

    def __init__(self, bytes: bytes, name: str = 'recording') -> None:
        """bytes: the whole file. name: of the file, for diagnostics."""

    @property
    def diagnostics(self) -> Diagnostics:
        """
        Diagnostics: an error where the bytes are no recording, a warning where they are damaged
        """

    @property
    def blocks(self) -> list[RecordingBlock]:
        """list of RecordingBlock that are whole"""

    @property
    def whole_bytes(self) -> int:
        """int: bytes to the end of the last whole block"""

    def frames(self, block: RecordingBlock) -> list[Frame]:
        """list of Frame of a FRAM block. SpecError where it is none."""

    def mesh(self, block: RecordingBlock) -> MeshBlob:
        """MeshBlob of a MESH block. SpecError where it is none."""

    def text(self, block: RecordingBlock) -> str:
        """str: JSON of a SCEN, OVER or INFO block. SpecError where it is none."""

    def table(self, blocks: list[RecordingBlock]) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], list[Frame]]:
        """
        Times (n,), poses (n, 7 bodies), channels (n, channels) and the Frames of FRAM blocks of one scene. SpecError where they are none.
        """

def page_html() -> str:
    """str: the viewer's page; empty where the library was built without it."""

def page_gzip() -> bytes:
    """bytes: the viewer's page, compressed by gzip; empty likewise."""

def filled_page(config: str, recording: bytes = ...) -> str:
    """
    str: the page with its configuration (JSON) and the bytes of an .esp file in it. RuntimeError where the library was built without the page.
    """

def fill_page(page: str, config: str, recording: bytes) -> str:
    """
    str: a page of which the two places are filled, as filled_page does with its own.
    """

class JointObject:
    """
    An ideal joint between a reference frame r and a new frame n, with its coordinates gpos and velocities gvel. Twists are [angular, linear]. Made as one of its derived classes.
    """

    @property
    def name(self) -> str | None:
        """Of the joint, or None."""

    @name.setter
    def name(self, arg: str | None, /) -> None: ...

    @property
    def ndof(self) -> int:
        """Number of degrees of freedom."""

    @property
    def gpos(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Coordinates (ndof,), rad or m; of a FreeJoint H_rn (4, 4). A view: what is written into it counts. Assigned, any sequence will do, and one number for one dof.

        Raises ValueError for another shape, numbers that are not finite and what is no pose.
        """

    @gpos.setter
    def gpos(self, gpos: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def gvel(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Velocities (ndof,), rad/s or m/s: rates of gpos; of a FreeJoint its twist. A view, as gpos is.
        """

    @gvel.setter
    def gvel(self, gvel: numpy.typing.ArrayLike, /) -> None: ...

    @overload
    def integrate(self, dt: float) -> None:
        """gpos += dt gvel; a FreeJoint's gpos = gpos exp(dt gvel).  dt: s"""

    @overload
    def integrate(self, gvel: numpy.typing.ArrayLike, dt: float) -> None:
        """Takes these velocities, then integrate(dt)."""

    @property
    def pose(self) -> numpy.typing.NDArray[numpy.float64]:
        """H_rn (4, 4): n in r."""

    @property
    def ipose(self) -> numpy.typing.NDArray[numpy.float64]:
        """H_nr (4, 4): r in n, the inverse of pose."""

    @property
    def twist(self) -> numpy.typing.NDArray[numpy.float64]:
        """T_nr (6,): of n over r, in n at n's origin; jacobian @ gvel."""

    @property
    def itwist(self) -> numpy.typing.NDArray[numpy.float64]:
        """T_rn (6,): of r over n, in r at r's origin; -adjoint(pose) @ twist."""

    @property
    def jacobian(self) -> numpy.typing.NDArray[numpy.float64]:
        """J (6, ndof): twist per gvel, in n."""

    @property
    def djacobian(self) -> numpy.typing.NDArray[numpy.float64]:
        """Rate of jacobian along gvel (6, ndof)."""

    @property
    def iadjoint(self) -> numpy.typing.NDArray[numpy.float64]:
        """Ad(H_nr) (6, 6): takes twists in r to n."""

    @property
    def idadjoint(self) -> numpy.typing.NDArray[numpy.float64]:
        """Rate of iadjoint (6, 6): -ad(twist) @ iadjoint."""

    def spec(self, name: str, parent: str, child: str, X_PJ: numpy.typing.ArrayLike = ...) -> espalier.spec.JointSpec:
        """
        This joint as a JointSpec between two links, r at X_PJ (4, 4) in the parent; n is the child's frame. gpos and gvel are the state's, and not in it.
        """

    @property
    def kind(self) -> JointKind:
        """JointKind"""

    @property
    def axes(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        In r (k, 3): the axis of a hinge or slider, or those of turns in sequence.
        """

    def __repr__(self) -> str: ...

class RxJoint(JointObject):
    """A hinge about x."""

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class RyJoint(JointObject):
    """A hinge about y."""

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class RzJoint(JointObject):
    """A hinge about z."""

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class RzRyJoint(JointObject):
    """A cardan joint: about z, then y."""

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class RzRxJoint(JointObject):
    """A cardan joint: about z, then x."""

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class RyRxJoint(JointObject):
    """A cardan joint: about y, then x."""

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class RzRyRxJoint(JointObject):
    """
    A ball and socket by three turns: about z, then y, then x. Singular where the second is a right angle.
    """

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class TxJoint(JointObject):
    """A slider along x."""

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class TyJoint(JointObject):
    """A slider along y."""

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class TzJoint(JointObject):
    """A slider along z."""

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class TxTyTzJoint(JointObject):
    """A translation in space."""

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

class FreeJoint(JointObject):
    """
    No constraint: gpos is H_rn (4, 4) itself, gvel (6,) the twist of n over r in n.
    """

    def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: numpy.typing.ArrayLike | None = None, name: str | None = None) -> None:
        """
        At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left out. A free joint's gpos is a (4, 4) pose.
        """

def adjoint(H_ab: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """
    Ad(H_ab) (6, 6) of a pose (4, 4): takes a twist in b at b's origin to a at a's.
    """

def inverse_pose(H_ab: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """H_ba (4, 4), the inverse of a pose."""


__version__: str
