"""Random robots as URDF text: the same text for the same seed, on every machine."""

import numpy as np

KINDS = {
    "revolute": 0.18, "continuous": 0.1, "prismatic": 0.1, "spherical": 0.1, "fixed": 0.1,
    "planar": 0.07, "universal": 0.07, "euler": 0.07, "translation": 0.05, "helical": 0.05,
    "floating": 0.04, "cylindrical": 0.07,
}
INSTEAD = {"helical": "revolute", "floating": "spherical"}


def _row(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def _origin(rng, reach):
    xyz, rpy = rng.uniform(-reach, reach, 3), rng.uniform(-3, 3, 3)
    return f'<origin xyz="{_row(xyz)}" rpy="{_row(rpy)}"/>'


def _inertial(rng):
    """Inertia of a random cloud of mass, J = tr(C) 1 - C with C its second moment: always real."""
    mass = rng.uniform(0.2, 5.0)
    spread = rng.uniform(-0.15, 0.15, (3, 3)) + 0.05 * np.eye(3)
    C = mass * spread @ spread.T + 1e-3 * np.eye(3)
    J = np.trace(C) * np.eye(3) - C
    entries = " ".join(f'i{"xyz"[i]}{"xyz"[j]}="{float(J[i, j])!r}"'
                       for i in range(3) for j in range(i, 3))
    return (f'<inertial>{_origin(rng, 0.2)}<mass value="{mass!r}"/>'
            f"<inertia {entries}/></inertial>")


def _sequence(rng):
    """Three axes, each roughly square to the next, as in real wrists."""
    square, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    for tag, axis in zip(("axis", "axis2", "axis3"), square.T, strict=True):
        yield f'<{tag} xyz="{_row(axis + rng.uniform(-0.2, 0.2, 3))}"/>'


def _joint(rng, i, parent, kind):
    axis = rng.normal(size=3)
    if rng.random() < 0.3:
        axis = np.roll([1.0, 0.0, 0.0], rng.integers(3)) * rng.choice([-1.0, 1.0])
    # Not of unit length: readers have to normalise it.
    lines = [f'<joint name="joint{i}" type="{kind}">', _origin(rng, 0.5),
             f'<parent link="link{parent}"/><child link="link{i}"/>']
    if kind in ("revolute", "continuous", "prismatic", "planar", "helical", "cylindrical"):
        lines.append(f'<axis xyz="{_row(axis)}"/>')
    if kind in ("universal", "euler"):
        lines += list(_sequence(rng))[:2 if kind == "universal" else 3]
    if kind == "helical":
        lines[0] = lines[0].replace(">", f' pitch="{float(rng.uniform(-0.3, 0.3))!r}">')
    if kind not in ("fixed", "spherical", "floating") and rng.random() < 0.3:
        lines.append(f'<dynamics rotor_inertia="{float(rng.uniform(0.001, 0.2))!r}"/>')
    if kind in ("revolute", "prismatic"):
        lines.append('<limit lower="-10" upper="10" effort="1000" velocity="100"/>')
    return "".join(lines) + "</joint>"


def random_tree(seed, without=()):
    """A tree of 2 to 12 joints, some kinds replaced by others where a peer is `without` them. Even
    seeds float, odd ones stand on a link named `world`; every third file lists its joints in an
    order that is not the tree's."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 13))
    chainy = rng.random()
    links, joints = [], []
    root = "link0" if seed % 2 == 0 else "world"
    links.append(f'<link name="{root}">' + (_inertial(rng) if seed % 2 == 0 else "") + "</link>")
    for i in range(1, count + 1):
        parent = i - 1 if rng.random() < chainy else int(rng.integers(0, i))
        kind = str(rng.choice(list(KINDS), p=list(KINDS.values()))) if i > 1 else "revolute"
        kind = INSTEAD[kind] if kind in without else kind
        massless = kind == "fixed" and rng.random() < 0.3
        links.append(f'<link name="link{i}">' + ("" if massless else _inertial(rng)) + "</link>")
        joints.append(_joint(rng, i, parent, kind).replace('"link0"', f'"{root}"'))
    if seed % 3 == 0:
        joints = [joints[k] for k in rng.permutation(count)]
    body = "\n  ".join(links + joints)
    return f'<?xml version="1.0"?>\n<robot name="random{seed}">\n  {body}\n</robot>\n'


def random_mimics(seed, joints=8):
    """A tree of hinges and slides on a link named `world`, of which about a third follow one that moves a
    link above them, as Pinocchio wants it; and the names of those that follow none."""
    rng = np.random.default_rng(seed)
    parts, leaders, above = ['<link name="world"/>'], [], [[]]
    for i in range(1, joints + 1):
        parent = int(rng.integers(max(0, i - 3), i))
        kind = rng.choice(["revolute", "prismatic"])
        mimic = ""
        if above[parent] and rng.random() < 0.4:
            mimic = (f'<mimic joint="{rng.choice(above[parent])}" multiplier="{float(rng.uniform(-2, 2))!r}" '
                     f'offset="{float(rng.uniform(-0.3, 0.3))!r}"/>')
        else:
            leaders.append(f"joint{i}")
        above.append(above[parent] + ([] if mimic else [f"joint{i}"]))
        parts += [
            f'<link name="link{i}">{_inertial(rng)}</link>',
            f'<joint name="joint{i}" type="{kind}">{_origin(rng, 0.5)}'
            f'<parent link="{f"link{parent}" if parent else "world"}"/><child link="link{i}"/>'
            f'<axis xyz="{_row(rng.normal(size=3))}"/>'
            f'<limit lower="-10" upper="10" effort="1000" velocity="100"/>{mimic}</joint>']
    return f'<robot name="mimics{seed}">{"".join(parts)}</robot>', leaders
