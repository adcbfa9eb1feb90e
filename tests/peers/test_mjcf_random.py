"""Random MuJoCo files, made of all that decides where bodies are and what they weigh: M, h and places
against MuJoCo."""

import random

import pytest

import mjcf_peer
from mjcf_peer import assert_agrees, mujoco

MODELS = 60

DEFAULTS = """<default><geom density="700"/><default class="c"><joint damping=".1" armature=".02"/>
    <mesh scale="1 1 2"/><geom density="300"/><default class="d"><geom group="1"/></default></default>
    </default>"""

TETRA = 'vertex="0 0 0 .3 0 0 0 .2 0 .05 .02 .4"'
FACES = 'face="0 2 1 0 1 3 0 3 2 1 2 3"'


class Writer:
    """Names are numbered, so that each is given once."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0

    def numbers(self, n, most=0.5):
        return " ".join(f"{self.random.uniform(-most, most):.3f}" for _ in range(n))

    def maybe(self, *texts):
        return self.random.choice(["", *texts])

    def name(self):
        self.count += 1
        return f"n{self.count}x"  # of a copy: n1x0

    def pose(self):
        turns = [f'quat="{self.numbers(4)}"', f'euler="{self.numbers(3, 1.5)}"', "",
                 f'axisangle="{self.numbers(4)}"', f'xyaxes="{self.numbers(6)}"',
                 f'zaxis="{self.numbers(3)}"']
        return f'pos="{self.numbers(3)}" {self.random.choice(turns)}'

    def mesh(self, name, shape):
        scale = " ".join(f"{self.random.uniform(0.5, 2):.2f}" for _ in range(3))
        rules = [f'inertia="{rule}"' for rule in ("legacy", "exact", "convex", "shell")]
        return " ".join([f'<mesh name="{name}" {shape}', self.maybe(*rules),
                         self.maybe(f'scale="{scale}"'), self.maybe(f'refpos="{self.numbers(3)}"'),
                         self.maybe(f'refquat="{self.numbers(4)}"'), "/>"])

    def geom(self):
        kind = self.random.choice(["sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh"])
        weight = self.maybe(f'mass="{self.random.uniform(0.1, 2):.2f}"', 'density="1500"')
        common = weight + self.maybe(' class="c"')
        if kind == "mesh" or self.random.random() < 0.2:  # the mesh itself, or a shape fitted to it
            mesh = self.random.choice(["tetra", "points"])
            return f'<geom type="{kind}" mesh="{mesh}" {self.pose()} {common}/>'
        size = " ".join(f"{self.random.uniform(0.03, 0.2):.3f}" for _ in range(3))
        place = self.pose()
        if kind in ("capsule", "cylinder", "box"):
            place = self.random.choice([place, f'fromto="{self.numbers(6)}"'])
        shell = self.maybe('shellinertia="true"') if kind != "ellipsoid" else ""
        return (f'<geom type="{kind}" size="{size}" {place} {common} {shell}'
                f' group="{self.random.randint(0, 4)}"/>')

    def joints(self):
        if self.random.random() < 0.15:
            return f'<joint name="{self.name()}" type="ball" pos="{self.numbers(3)}"/>'
        return "".join(
            f'<joint name="{self.name()}" type="{self.random.choice(["hinge", "slide"])}"'
            f' axis="{self.numbers(3)}" pos="{self.numbers(3)}" ref="{self.maybe(".3") or 0}"'
            f' armature="{self.maybe(".01") or 0}"/>' for _ in range(self.random.choice([0, 1, 1, 2])))

    def inertial(self):
        mass = f'mass="{self.random.uniform(0.1, 3):.2f}"'
        return self.maybe(
            "", f'<inertial {self.pose()} {mass} diaginertia=".1 .12 .15"/>',
            f'<inertial pos="{self.numbers(3)}" {mass} fullinertia=".1 .12 .15 .01 -.02 .015"/>')

    def body(self, depth):
        kind = self.maybe('childclass="d"')
        text = f'<body name="{self.name()}" {self.pose()} {kind}>' + self.joints() + self.inertial()
        text += "".join(self.geom() for _ in range(self.random.randint(1, 3)))
        for _ in range(self.random.choice([0, 1, 1, 2]) if depth > 0 else 0):
            child = self.body(depth - 1)
            around = self.random.random()
            if around < 0.25:
                child = f"<frame {self.pose()}>{child}</frame>"
            elif around < 0.4:
                child = (f'<replicate count="{self.random.randint(1, 3)}" offset="{self.numbers(3)}"'
                         f' euler="{self.numbers(3)}">{child}</replicate>')
            text += child
        return text + "</body>"

    def model(self):
        compiler = " ".join([
            'angle="radian"', self.maybe('eulerseq="XYZ"', 'eulerseq="zYx"'),
            self.maybe('inertiafromgeom="true"'), self.maybe('inertiagrouprange="0 3"'),
            self.maybe('boundmass=".05" boundinertia=".002"'), self.maybe('settotalmass="7"'),
            self.maybe('balanceinertia="true"')])
        meshes = self.mesh("tetra", f"{TETRA} {FACES}") + self.mesh("points", TETRA)
        return (f"<mujoco><compiler {compiler}/>{DEFAULTS}<asset>{meshes}</asset><worldbody>"
                f"{self.body(3)}{self.body(2)}</worldbody></mujoco>")


@pytest.mark.parametrize("seed", range(MODELS))
def test_random_files(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(mjcf_peer, "STATES", 3)
    path = tmp_path / "model.xml"
    path.write_text(Writer(seed).model())
    try:
        nv = mujoco.MjModel.from_xml_path(str(path)).nv
    except ValueError as refusal:
        pytest.skip(f"MuJoCo refuses it: {refusal}")
    if nv == 0:
        pytest.skip("nothing moves")
    assert_agrees(path, tmp_path)
