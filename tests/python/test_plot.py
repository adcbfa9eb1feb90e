"""scripts/lib/plot.py: every numeric column of a log finds a panel, and a picture comes out."""
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed")
SCRIPT = Path(__file__).resolve().parents[2] / "scripts/lib/plot.py"
sys.path.insert(0, str(SCRIPT.parent))
import plot  # noqa: E402

LOG = """time,base_height,q_LF_HAA,q_LF_HFE,contacts,residual,note,wind_x,wind_y
0.0,0.50,0.1,0.4,0,,free,1,2
0.1,0.48,0.1,0.3,4,1e-11,down,1,2
0.2,0.48,0.1,0.3,4,2e-11,down,1,2
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text(LOG)
    return path


def test_like_stands_beside_like(log):
    columns = plot.read_log(log)
    assert "note" not in columns
    abscissa, time = plot.take_time(columns)
    assert abscissa == "time in s" and list(time) == [0.0, 0.1, 0.2]
    panels = {panel.title: list(curves) for panel, curves in plot.arrange(columns)}
    assert panels == {
        "Base height": [""],
        "Joint positions": ["LF_HAA", "LF_HFE"],
        "Contacts": [""],
        "NCP residual": [""],
        "wind": ["wind_x", "wind_y"],
    }


def test_limbs_have_colours_and_joints_dashes():
    looks = plot.looks([f"{limb}_{joint}" for limb in "abcd" for joint in ("hip", "knee", "toe")])
    assert len(set(looks)) == 12
    assert looks[0][0] == looks[1][0] and looks[0][1] == looks[3][1]


def test_a_base_has_panels_of_its_own():
    names = [f"base_{n}" for n in ("x", "z", "qw", "qz", "vx", "vz", "wx", "wz")]
    panels = {p.title: list(c) for p, c in plot.arrange({name: plot.np.zeros(3) for name in names})}
    assert panels == {
        "Base height": [""],
        "Base position": ["x"],
        "Base orientation": ["w", "z"],
        "Base velocity": ["x", "z"],
        "Base angular velocity": ["x", "z"],
    }


def test_noise_does_not_fill_a_panel():
    panel = plot.Panel("Base position", "m", "", least=1e-3)
    _, axes = plot.plt.subplots()
    plot.draw_panel(axes, plot.np.arange(3), panel, {"x": 5 + 1e-13 * plot.np.arange(3)})
    low, high = axes.get_ylim()
    assert low < 5 < high and high - low > 0.99e-3


def test_a_picture_comes_out(log, tmp_path):
    picture = tmp_path / "out.png"
    subprocess.run([sys.executable, SCRIPT, log, "-o", picture], check=True)
    assert picture.read_bytes()[:4] == b"\x89PNG"


def test_an_empty_log_is_refused(tmp_path):
    empty = tmp_path / "empty.csv"
    empty.write_text("time,base_height\n")
    assert subprocess.run([sys.executable, SCRIPT, empty], capture_output=True).returncode == 1
