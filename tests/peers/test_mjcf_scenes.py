"""Every scene of MuJoCo's menagerie that is given, and the other MuJoCo files beside it, against
MuJoCo: the mass, M and h of the tree, and M with loops closed."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import compare
import conventions
import espalier_cli
import robots
from mjcf_peer import TOLERANCE, Peer, assert_agrees, mujoco

FOLDERS = [robots.SHARED / "models/menagerie", robots.SHARED / "models/mjcf"]
SCENES = {str(p.relative_to(folder)): p for folder in FOLDERS for p in sorted(folder.rglob("*.xml"))}

def tree_of(path, folder):
    """The scene in a copy of its folder without what closes loops."""
    for entry in path.parent.iterdir():
        copy = folder / entry.name
        if entry.suffix != ".xml":
            copy.symlink_to(entry)
            continue
        root = ET.parse(entry).getroot()
        for e in root.findall("equality"):
            root.remove(e)
        ET.ElementTree(root).write(copy)
    return folder / path.name


@pytest.mark.parametrize("name", SCENES)
def test_tree(name, tmp_path):
    tree = tree_of(SCENES[name], tmp_path)
    assert_agrees(tree, tmp_path)


@pytest.mark.parametrize("name", SCENES)
def test_mass(name):
    """Of all that moves."""
    model = mujoco.MjModel.from_xml_path(str(SCENES[name]))
    theirs = sum(model.body_mass[b] for b in range(model.nbody) if model.body_weldid[b] != 0)
    said = espalier_cli.answer("info", SCENES[name])
    world = said.get("world", said)
    movable = {body["name"] for body in said.get("bodies", [])} - {"world"}
    ours = sum(body["mass"] for body in said.get("bodies", []) if body["name"] in movable)
    if "world" not in said:  # a robot's mass is that of its base, too
        ours = sum(robot["mass"] for robot in said["robots"])
        theirs = model.body_mass.sum()
    ours += sum(thing["mass"] for thing in world["objects"] if thing["type"] == "dynamic")
    assert abs(ours - theirs) <= TOLERANCE * theirs


def reduced(peer, names, dofs, state):
    """M of the independent dofs: G' M G, where the rows J of the equalities hold, J G = 0."""
    model, data = peer.model, peer.data
    c, q = peer.conventions, state["q"]
    data.qpos, data.qvel = c.q_to(q), c.u_to(q, state["u"])
    disabled = model.opt.disableflags
    model.opt.disableflags = disabled & ~int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    mujoco.mj_forward(model, data)
    model.opt.disableflags = disabled
    J = np.zeros((data.nefc, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(J, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr,
                                data.efc_J_colind)
    else:
        J = data.efc_J.reshape(-1, model.nv)[:data.nefc].copy()
    J = J[data.efc_type[:data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY]
    J = c.jacobian_from(q, J)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    M = c.mass_matrix_from(q, M)
    free = [names.index(n) for n in dofs]
    tied = [i for i in range(len(names)) if i not in free]
    G = np.zeros((len(names), len(free)))
    G[free, range(len(free))] = 1
    G[tied] = -np.linalg.lstsq(J[:, tied], J[:, free], rcond=None)[0]
    assert np.abs(J @ G).max() < 1e-9
    return G.T @ M @ G


@pytest.mark.parametrize("name", [n for n, p in SCENES.items() if Peer(p).model.neq > 0])
def test_closed_loops(name, tmp_path):
    path = SCENES[name]
    peer, rng = Peer(path), np.random.default_rng(7)
    [rest] = espalier_cli.compute(path, [{}], tmp_path)
    dofs = rest["dofs"]
    for _ in range(10):
        start = dict(zip(rest["coordinates"], rest["q"], strict=True))
        for joint in start:
            if joint in dofs:
                start[joint] += rng.uniform(-0.02, 0.02)
        [ours] = espalier_cli.compute(path, [{"q": list(start.values())}], tmp_path)
        state = {"q": np.array(ours["loops"]["q"]), "u": np.zeros(peer.model.nv)}
        theirs = reduced(peer, ours["loops"]["dofs"], dofs, state)
        assert compare.relative_difference(ours["M"], theirs) <= TOLERANCE
