"""A robot as its recipe states it, and its URDF (RaiSim's dialect: capsule, rotor_inertia...)."""

from dataclasses import dataclass, field

from recipes.palette import rgb
from recipes.solids import mass_properties

COORDINATES = {
    "fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 1, "universal": 2,
    "euler": 3, "spherical": 4,
}


@dataclass(frozen=True)
class Link:
    name: str
    parts: tuple = ()


@dataclass(frozen=True)
class Limit:
    lower: float
    upper: float
    effort: float
    velocity: float


@dataclass(frozen=True)
class Joint:
    """`dynamics` holds the attributes of <dynamics>; `nominal` is the coordinate of the
    nominal pose (a spherical joint's is always the identity, a universal one's zero);
    `independent` matters in loops only."""

    name: str
    kind: str
    parent: str
    child: str
    xyz: tuple = (0.0, 0.0, 0.0)
    axis: tuple = ()
    axis2: tuple = ()
    axis3: tuple = ()
    limit: Limit = None
    dynamics: dict = field(default_factory=dict)
    nominal: float = 0.0
    independent: bool = None


@dataclass(frozen=True)
class Loop:
    """Two links that meet at the point `here` of the predecessor and `there` of the successor."""

    name: str
    kind: str
    predecessor: str
    successor: str
    here: tuple
    there: tuple
    axis: tuple = ()


@dataclass(frozen=True)
class Coupling:
    name: str
    predecessor: str
    successor: str
    ratio: float
    offset: float = 0.0


@dataclass(frozen=True)
class Constraint:
    """Equations between coordinates: `names` says what each joint's is called in them, `lets` are
    pairs of a name and a formula, every formula of `phis` is to be zero."""

    name: str
    names: dict
    lets: tuple
    phis: tuple


@dataclass
class Robot:
    """Links root first; a root named `world` is fixed, any other floats, in the nominal pose at
    `base_height`. `about` is the comment at the head of the URDF, `recipe` the module it comes
    from, if that is not called like the robot. No joint turns its frame: at q = 0 all are
    parallel to the root's, so that points can be given in that one."""

    name: str
    about: str
    base_height: float = 0.0
    recipe: str = ""
    links: list = field(default_factory=list)
    joints: list = field(default_factory=list)
    loops: list = field(default_factory=list)
    couplings: list = field(default_factory=list)
    constraints: list = field(default_factory=list)

    def link(self, name, *parts):
        self.links.append(Link(name, parts))

    def joint(self, name, kind, parent, child, **more):
        self.joints.append(Joint(name, kind, parent, child, **more))

    def loop(self, name, kind, predecessor, successor, at, there=None, axis=()):
        """`at` and `there`: the point on either link, in the root's frame at q = 0; one if it is
        the same, as it is where the loop closes there."""
        self.loops.append(Loop(
            name, kind, predecessor, successor, self.seen_from(predecessor, at),
            self.seen_from(successor, there or at), axis,
        ))

    def coupling(self, name, predecessor, successor, ratio, offset=0.0):
        self.couplings.append(Coupling(name, predecessor, successor, ratio, offset))

    def constraint(self, name, names, lets, phis):
        self.constraints.append(Constraint(name, names, tuple(lets), tuple(phis)))

    def seen_from(self, link, point):
        """A point of the root's frame in a link's, at q = 0."""
        carried = {joint.child: joint for joint in self.joints}
        while link in carried:
            point = tuple(p - o for p, o in zip(point, carried[link].xyz))
            link = carried[link].parent
        return point

    def floats(self):
        return self.links[0].name != "world"

    def nominal(self):
        """The nominal q: of a floating base position and quaternion (w, x, y, z), then the joints
        that loops and gears do not determine."""
        q = [0.0, 0.0, self.base_height, 1.0, 0.0, 0.0, 0.0] if self.floats() else []
        for joint in self.joints:
            if joint.independent is False:
                continue
            if joint.kind == "spherical":
                q += [1.0, 0.0, 0.0, 0.0]
            else:
                q += [joint.nominal] * COORDINATES[joint.kind]
        return q

    def urdf(self):
        """The robot as URDF text; each link stands right after the joint that carries it."""
        carried = {joint.child: joint for joint in self.joints}
        lines = ['<?xml version="1.0"?>', "<!--", *_indented(self.about), *_indented(self._pose())]
        lines += ["", f"  Written by models/generate.py from models/recipes/{self.recipe or self.name}.py.", "-->"]
        lines += [f'<robot name="{self.name}">', *self._materials()]
        for link in self.links:
            lines.append("")
            if link.name in carried:
                lines += _joint(carried[link.name])
            lines += _link(link)
        for tie in self.loops + self.couplings:
            lines += ["", *(_loop(tie) if isinstance(tie, Loop) else _coupling(tie))]
        for constraint in self.constraints:
            lines += ["", *_constraint(constraint)]
        return "\n".join(lines + ["</robot>", ""])

    def _pose(self):
        moved = [
            f"{j.name} {number(j.nominal)}" for j in self.joints
            if j.nominal and j.independent is not False
        ]
        if not moved and not self.floats():
            return "\nNominal pose: every joint at zero."
        text = f"\nNominal pose: base at {number(self.base_height)} m;" if self.floats() else (
            "\nNominal pose:")
        for i in range(0, len(moved), 6):
            text += "\n  " + ", ".join(moved[i : i + 6]) + ","
        return text + "\n  and every other joint at zero. The same as a state: nominal.json."

    def _materials(self):
        used = dict.fromkeys(part.colour for link in self.links for part in link.parts)
        for name in used:
            rgba = numbers((*rgb(name), 1.0))
            yield f'  <material name="{name}"><color rgba="{rgba}"/></material>'


def number(x):
    """Six significant digits, no negative zero; so the text is the same on every machine."""
    return f"{x:.6g}" if abs(x) > 1e-12 else "0"


def numbers(xs):
    return " ".join(number(x) for x in xs)


def _indented(text):
    return ["  " + line if line else "" for line in text.split("\n")]


def _attributes(values):
    return "".join(
        f' {key}="{value if isinstance(value, str) else numbers(_tuple(value))}"'
        for key, value in values.items()
    )


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)


def _joint(joint):
    independent = {} if joint.independent is None else {
        "independent": str(joint.independent).lower()}
    yield f'  <joint name="{joint.name}" type="{joint.kind}"{_attributes(independent)}>'
    yield f'    <parent link="{joint.parent}"/>'
    yield f'    <child link="{joint.child}"/>'
    yield f'    <origin xyz="{numbers(joint.xyz)}"/>'
    if joint.axis:
        yield f'    <axis xyz="{numbers(joint.axis)}"/>'
    if joint.axis2:
        yield f'    <axis2 xyz="{numbers(joint.axis2)}"/>'
    if joint.axis3:
        yield f'    <axis3 xyz="{numbers(joint.axis3)}"/>'
    if joint.limit:
        bounds = dict(vars(joint.limit))
        if joint.kind == "continuous":
            del bounds["lower"], bounds["upper"]
        yield f"    <limit{_attributes(bounds)}/>"
    if joint.dynamics:
        yield f"    <dynamics{_attributes(joint.dynamics)}/>"
    yield "  </joint>"


def _loop(loop):
    yield f'  <loop name="{loop.name}" type="{loop.kind}">'
    for end, link, point in (
        ("predecessor", loop.predecessor, loop.here), ("successor", loop.successor, loop.there),
    ):
        yield f'    <{end} link="{link}"><origin xyz="{numbers(point)}"/></{end}>'
    if loop.axis:
        yield f'    <axis xyz="{numbers(loop.axis)}"/>'
    yield "  </loop>"


def _coupling(coupling):
    yield f'  <coupling name="{coupling.name}">'
    yield f'    <predecessor link="{coupling.predecessor}"/>'
    yield f'    <successor link="{coupling.successor}"/>'
    yield f'    <ratio value="{number(coupling.ratio)}"/>'
    if coupling.offset:
        yield f'    <offset value="{number(coupling.offset)}"/>'
    yield "  </coupling>"


def _constraint(constraint):
    yield f'  <constraint name="{constraint.name}">'
    for joint, name in constraint.names.items():
        yield f'    <joint name="{joint}" as="{name}"/>'
    for name, formula in constraint.lets:
        yield f'    <let name="{name}" value="{formula}"/>'
    for formula in constraint.phis:
        yield f'    <phi value="{formula}"/>'
    yield "  </constraint>"


def _link(link):
    if not link.parts:
        yield f'  <link name="{link.name}"/>'
        return
    yield f'  <link name="{link.name}">'
    if any(part.mass for part in link.parts):
        yield from _inertial(link)
    for part in link.parts:
        yield from _shape("visual", part, f'<material name="{part.colour}"/>')
    for part in link.parts:
        if part.collides:
            contact = f'<material><contact name="{part.contact}"/></material>'
            yield from _shape("collision", part, contact if part.contact else "")
    yield "  </link>"


def _inertial(link):
    mass, com, I = mass_properties(link.parts)
    moments = {"ixx": I[0][0], "ixy": I[0][1], "ixz": I[0][2]}
    moments |= {"iyy": I[1][1], "iyz": I[1][2], "izz": I[2][2]}
    yield "    <inertial>"
    yield f'      <origin xyz="{numbers(com)}"/>'
    yield f'      <mass value="{number(mass)}"/>'
    yield f"      <inertia{_attributes(moments)}/>"
    yield "    </inertial>"


def _shape(tag, part, material):
    solid = f"<{type(part.solid).__name__.lower()}{_attributes(part.solid.attributes())}/>"
    # Six digits would leave a quarter turn off by 4e-6.
    rpy = " ".join(f"{angle:.12g}" for angle in part.rpy)
    rpy = f' rpy="{rpy}"' if any(part.rpy) else ""
    yield f"    <{tag}>"
    yield f'      <origin xyz="{numbers(part.xyz)}"{rpy}/>'
    yield f"      <geometry>{solid}</geometry>"
    if material:
        yield f"      {material}"
    yield f"    </{tag}>"
