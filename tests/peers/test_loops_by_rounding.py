"""A head between two rods whose lengths differ by the digits of a CAD export, as a walking robot has
it: one dof, where MuJoCo closes the loops softly. M and h of that dof are compared with those along
the motion that MuJoCo's loops resist least."""

import json
import subprocess

import numpy as np
import pytest

import espalier_cli

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")

ROD = """
<body name="{name}" pos="{pos}"><joint name="{name}" axis="0 -1 0"/>
  <inertial pos="0.015 0 -0.0175" mass="0.01" diaginertia="2e-6 2e-6 1e-7"/>
  <site name="{name}_1" pos="{x} 0 {z}"/><site name="{name}_1_z" pos="{x} 0.1 {z}"/></body>"""


def head(off):
    front = ROD.format(name="front", pos="0.008 0 0.002", x=0.03, z=-0.035)
    back = ROD.format(name="back", pos="-0.008 0 -0.002", x=0.03 - off / 2, z=-0.035 + off)
    ends = "".join(f'<site name="{name}_2{z}" pos="{x} {y} {h}"/>'
                   for name, x, h in (("front", 0.008, 0.002), ("back", -0.008, -0.002))
                   for z, y in (("", 0), ("_z", 0.1)))
    ties = "".join(f'<connect site1="{name}_1{z}" site2="{name}_2{z}"/>'
                   for name in ("front", "back") for z in ("", "_z"))
    return f"""<mujoco model="head"><compiler angle="radian"/><option jacobian="dense"/>
<worldbody>{ends}
<body name="head"><joint name="pitch" axis="0 1 0"/>
  <inertial pos="-0.01 0 0.05" mass="0.15" diaginertia="1e-4 1.2e-4 1e-4"/>
  <body name="bar" pos="-0.03 0 0.035"><joint name="drive" axis="0 -1 0" armature="1e-4"/>
    <inertial pos="0.001 0 0" mass="0.005" diaginertia="1e-7 1e-7 1e-7"/>{front}{back}</body>
</body></worldbody><equality>{ties}</equality></mujoco>"""


def remarks(path):
    done = subprocess.run([espalier_cli.BINARY, "check", path, "--json"], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return [d["what"] for d in json.loads(done.stdout)["files"][0]["diagnostics"]]


def softest(path):
    """M, the bias force and the direction, along which the loops' rows give least."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rows = np.array(data.efc_J).reshape(-1, model.nv)[:data.ne]
    assert len(rows) == 12
    _, sizes, directions = np.linalg.svd(rows)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    return sizes, directions[-1], M, np.array(data.qfrc_bias)


@pytest.mark.parametrize("off, tolerance", [(0.0, 1e-9), (4e-5, 2e-2)])
def test_a_head_between_two_rods_has_one_dof_as_in_mujoco(off, tolerance, tmp_path):
    path = tmp_path / "head.xml"
    path.write_text(head(off))
    sizes, along, M, bias = softest(path)
    assert sizes[-1] < 2e-3 * sizes[-2]
    assert any("but for rounding" in what for what in remarks(path)) == (off > 0)
    answer, = espalier_cli.compute(path, [{"u": [1]}], tmp_path)
    v = np.array(answer["loops"]["u"])  # pitch, drive, front, back: all in the order of the file
    np.testing.assert_allclose(v / np.linalg.norm(v), np.sign(v @ along) * along, atol=tolerance)
    np.testing.assert_allclose(answer["M"], [[v @ M @ v]], rtol=tolerance)
    still, = espalier_cli.compute(path, [{}], tmp_path)
    np.testing.assert_allclose(still["h"], [v @ bias], rtol=tolerance)
