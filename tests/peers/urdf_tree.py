"""The tree in a URDF file as plain data, read without Espalier and without its peers.

The peers need it for two things: the order of Espalier's coordinates (order of appearance of the
movable joints, root first) and the joints and tags that the peers' own readers do not know.
Visuals, collision bodies, limits and loops are left aside.
"""

import dataclasses
import xml.etree.ElementTree as ET

import numpy as np

# kind -> (nq, nv) in Espalier's coordinates
DIMENSIONS = {
    "fixed": (0, 0),
    "revolute": (1, 1),
    "continuous": (1, 1),
    "prismatic": (1, 1),
    "helical": (1, 1),
    "cylindrical": (2, 2),
    "universal": (2, 2),
    "euler": (3, 3),
    "planar": (3, 3),
    "translation": (3, 3),
    "spherical": (4, 3),
    "floating": (7, 6),
}
STANDARD_KINDS = {"fixed", "revolute", "continuous", "prismatic", "floating"}
ROOT_JOINT = "root_joint"


@dataclasses.dataclass
class Link:
    name: str
    mass: float = 0.0
    com: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros((3, 3)))
    """About the centre of mass, in the link's axes."""

    @property
    def is_massless(self):
        return self.mass == 0 and not self.inertia.any()


@dataclasses.dataclass
class Joint:
    name: str
    kind: str
    parent: str
    child: str
    R: np.ndarray = dataclasses.field(default_factory=lambda: np.eye(3))
    p: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))
    axes: tuple = tuple(np.eye(3))
    """Unit vectors: of axis, axis2, axis3."""
    pitch: float = 0.0
    rotor_inertia: float = 0.0

    @property
    def nq(self):
        return DIMENSIONS[self.kind][0]

    @property
    def nv(self):
        return DIMENSIONS[self.kind][1]

    @property
    def parts(self):
        """[(kind, axis)]: the joint as turns, slides and screws in sequence, one for each dof, each
        carried by those before it. Nothing for those that are no such sequence."""
        return [(kind, axis) for kind, axis in {
            "revolute": lambda: [("revolute", self.axes[0])],
            "continuous": lambda: [("revolute", self.axes[0])],
            "prismatic": lambda: [("prismatic", self.axes[0])],
            "helical": lambda: [("helical", self.axes[0])],
            "cylindrical": lambda: [("prismatic", self.axes[0]), ("revolute", self.axes[0])],
            "universal": lambda: [("revolute", axis) for axis in self.axes[:2]],
            "euler": lambda: [("revolute", axis) for axis in self.axes],
            "planar": lambda: [*(("prismatic", axis) for axis in _plane(self.axes[0])),
                               ("revolute", self.axes[0])],
            "translation": lambda: [("prismatic", axis) for axis in np.eye(3)],
        }.get(self.kind, list)()]


def _plane(normal):
    """x and y of a planar joint: the joint frame's own where its z is the normal; else x is the
    projection of the joint frame's axis that is least aligned with the normal."""
    if np.array_equal(normal, [0.0, 0.0, 1.0]):
        return np.eye(3)[:2]
    seed = np.eye(3)[np.argmin(np.abs(normal))]
    x = seed - normal * (normal @ seed)
    x /= np.linalg.norm(x)
    return x, np.cross(normal, x)


@dataclasses.dataclass
class Tree:
    text: str
    links: dict
    joints: list
    root: str
    fixed_base: bool

    @property
    def movable(self):
        """Joints with coordinates, in Espalier's order; a floating base leads as ROOT_JOINT."""
        base = [] if self.fixed_base else [Joint(ROOT_JOINT, "floating", "", self.root)]
        return base + [j for j in self.joints if j.nv > 0]

    @property
    def nq(self):
        return sum(j.nq for j in self.movable)

    @property
    def nv(self):
        return sum(j.nv for j in self.movable)

    @property
    def is_standard(self):
        """True where the peers' own URDF readers know every joint of the file."""
        return all(j.kind in STANDARD_KINDS for j in self.joints)

    @property
    def base_mass(self):
        """Of the root link and all that is welded to it."""
        return _welded(self, self.root, np.eye(3), np.zeros(3)).mass

    def children(self, link):
        return [j for j in self.joints if j.parent == link]


def rotation_from_rpy(rpy):
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy), np.cos(rpy)
    return np.array([
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ])


def _numbers(element, attribute, default):
    text = None if element is None else element.get(attribute)
    return np.array([float(x) for x in text.split()]) if text else np.array(default, float)


def _pose(element):
    origin = element.find("origin")
    zero = (0.0, 0.0, 0.0)
    return rotation_from_rpy(_numbers(origin, "rpy", zero)), _numbers(origin, "xyz", zero)


def _link(element):
    link = Link(element.get("name"))
    inertial = element.find("inertial")
    if inertial is None:
        return link
    R, link.com = _pose(inertial)
    link.mass = float(inertial.find("mass").get("value"))
    entries = inertial.find("inertia")
    xx, yy, zz, xy, xz, yz = (
        float(entries.get(key, "0")) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    link.inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    return link


def _axes(element):
    for tag, default in zip(("axis", "axis2", "axis3"), np.eye(3), strict=True):
        axis = _numbers(element.find(tag), "xyz", default)
        length = np.linalg.norm(axis)
        yield axis / length if length > 0 else axis


def _joint(element):
    R, p = _pose(element)
    dynamics = element.find("dynamics")
    return Joint(
        element.get("name"), element.get("type"), element.find("parent").get("link"),
        element.find("child").get("link"), R, p, tuple(_axes(element)),
        float(element.get("pitch", "0")),
        float(dynamics.get("rotor_inertia", "0")) if dynamics is not None else 0.0)


def parse(text, fixed_base=False):
    robot = ET.fromstring(text)
    links = {link.name: link for link in map(_link, robot.findall("link"))}
    joints = [_joint(element) for element in robot.findall("joint")]
    unknown = {j.kind for j in joints} - set(DIMENSIONS)
    if unknown:
        raise ValueError(f"joint types without a peer: {', '.join(sorted(unknown))}")
    roots = set(links) - {j.child for j in joints}
    if len(roots) != 1:
        raise ValueError(f"not a tree: roots {sorted(roots)}")
    root = roots.pop()
    tree = Tree(text, links, joints, root, fixed_base or root == "world")
    # A root without mass is no body that could float: it stands for the ground.
    tree.fixed_base |= tree.base_mass == 0
    return tree


def read(path, fixed_base=False):
    with open(path, encoding="utf-8") as file:
        return parse(file.read(), fixed_base)


def merged(tree):
    """The same tree without its fixed joints: what they weld belongs to the link they hang on."""
    links = {tree.root: _welded(tree, tree.root, np.eye(3), np.zeros(3))}
    joints = []
    for joint in (j for j in tree.joints if j.nv > 0):
        links[joint.child] = _welded(tree, joint.child, np.eye(3), np.zeros(3))
        carrier, R, p = joint.parent, joint.R, joint.p
        while weld := next((j for j in tree.joints if j.nv == 0 and j.child == carrier), None):
            carrier, R, p = weld.parent, weld.R @ R, weld.p + weld.R @ p
        joints.append(dataclasses.replace(joint, parent=carrier, R=R, p=p))
    return dataclasses.replace(tree, links=links, joints=joints)


def _moved(link, R, p):
    return Link(link.name, link.mass, p + R @ link.com, R @ link.inertia @ R.T)


def _sum(a, b):
    """Two bodies as one, by the parallel axes theorem, under the name of the first."""
    mass = a.mass + b.mass
    com = (a.mass * a.com + b.mass * b.com) / mass if mass > 0 else a.com
    inertia = a.inertia + b.inertia
    for part in (a, b):
        c = part.com - com
        inertia = inertia + part.mass * (c @ c * np.eye(3) - np.outer(c, c))
    return Link(a.name, mass, com, inertia)


def _welded(tree, name, R, p):
    """Link `name`, posed at R, p, with all that hangs on it by fixed joints."""
    total = _moved(tree.links[name], R, p)
    for joint in tree.children(name):
        if joint.nv == 0:
            total = _sum(total, _welded(tree, joint.child, R @ joint.R, p + R @ joint.p))
    return total


def without_geometry(text):
    """The same tree with links, inertials and joints only: what every URDF reader agrees on."""
    robot = ET.fromstring(text)
    for element in list(robot):
        if element.tag not in ("link", "joint"):
            robot.remove(element)
        for child in list(element):
            if child.tag in ("visual", "collision", "mimic", "dynamics"):
                element.remove(child)
    return ET.tostring(robot, encoding="unicode")
